import { assert, describe, it } from "@effect/vitest"
import { ConfigProvider, Effect, Schema } from "effect"
import { fork } from "node:child_process"
import { once } from "node:events"
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { text as textOf } from "node:stream/consumers"
import { fileURLToPath } from "node:url"
import { Evidence } from "../../../src/artifacts/Evidence.ts"
import { outcome, type Outputs } from "../../../src/jobs/model/Pipeline.ts"
import { lockStacks } from "../../../src/model-stacks/LockModels.ts"
import type { ModelStack } from "../../../src/model-stacks/ModelStack.ts"
import { ModelStore } from "../../../src/model-stacks/ModelStore.ts"
import type { InputOf } from "../../../workers/compute/ComputeCall.ts"
import type { extractionCalls } from "../../../workers/extraction/ExtractionCalls.ts"
import { type ExtractorConfig, extractorConfig, extractorFor } from "../../../workers/extraction/ExtractorChoice.ts"
import { commit, makeFakeHub, sha256 } from "../../model-stacks/FakeHub.ts"
import { makeStackFolder } from "../../model-stacks/StackFolder.ts"
import { breadth } from "../../support/Breadth.ts"
import { footage, inputOf, meeting } from "./Footage.ts"
import { KEY, type ModelServer, type PlayedModel, playModel, TOKENS } from "./proposers/llm/ModelServer.ts"
import { goodMinutes, minutes } from "./proposers/llm/PlayedRun.ts"
import { toyQaFiles } from "./proposers/qa/ToyQa.ts"
import { laneWith, run } from "./StageRun.ts"

const play = (model: PlayedModel) => Effect.acquireDisposable(Effect.promise(() => playModel(model)))

const variables = ({ url }: ModelServer, more: Readonly<Record<string, string>> = {}) => ({
  FOOTNOTE_LLM_URL: `${url}/`,
  FOOTNOTE_LLM_GRAPH: "false",
  FOOTNOTE_LLM_JUDGE: "false",
  FOOTNOTE_LLM_MODEL: "played-model",
  FOOTNOTE_LLM_KEY: KEY,
  FOOTNOTE_LLM_INPUT_PRICE: "2",
  FOOTNOTE_LLM_OUTPUT_PRICE: "8",
  ...more
})

/** Says what it was asked with, as a badly made proxy might. */
const echoes: PlayedModel = (call) => ({
  text: JSON.stringify({
    proposals: [{ path: "/project", item: null, value: KEY, quote: KEY, refs: [0] }],
    request: call.headers
  })
})

describe("a job where an endpoint is configured", () => {
  it.live("is shown the kept frames that bear on the fields where the operator says so, and the manifest counts them", () =>
    Effect.gen(function*() {
      const server = yield* play(() => ({ say: [] }))
      const shop = footage([[0, "S1", "Welcome to the shop."]], [[2, ["Garden tools", "Price of the spade 24.50"]]], 20)
      const json_schema = {
        type: "object",
        properties: { price: { type: "number", description: "Price of the spade" } }
      }
      for (const FOOTNOTE_LLM_PICTURES of ["true", "auto"]) {
        const { output } = yield* run(shop, { json_schema, image: Buffer.from([0xff, 0xd8, 0xff, 0xd9]) }).pipe(
          Effect.provide(laneWith(variables(server, { FOOTNOTE_LLM_PICTURES })))
        )
        const shown = server.calls.at(-1)!.pictures.length
        assert.strictEqual(shown, FOOTNOTE_LLM_PICTURES === "true" ? 1 : 0)
        assert.strictEqual(output.attested!.extractor["pictures"], FOOTNOTE_LLM_PICTURES)
        assert.strictEqual(output.attested!.extractor["pictures_shown"], shown === 0 ? undefined : 1)
      }
    }))

  it.live("is extracted by its model, and its usage and provenance say so", () =>
    Effect.gen(function*() {
      const server = yield* play(goodMinutes)
      yield* Effect.gen(function*() {
        const { output, read } = yield* run(meeting, { json_schema: minutes, pictures: false })
        assert.deepInclude(yield* read("result", Schema.Json), { project: "Atlas", migration_done: true })
        assert.isTrue((yield* read("evidence", Evidence)).spans.every(({ verified }) => verified))
        const { provenance } = outcome({ extract: [output] } satisfies Outputs)
        assert.deepStrictEqual(provenance.models, [
          { role: "extract", name: "played-model", execution_provider: "remote" }
        ])
        assert.strictEqual(output.tokens, TOKENS.prompt_tokens + TOKENS.completion_tokens)
        assert.strictEqual(output.cost, (2 * TOKENS.prompt_tokens + 8 * TOKENS.completion_tokens) / 1e6)
      }).pipe(Effect.provide(laneWith(variables(server))))
    }).pipe(Effect.scoped))

  it.live("fails with MODEL_UNAVAILABLE where it is away and nothing may take its place, and says nothing of the key", () =>
    Effect.gen(function*() {
      const server = yield* play(() => ({ status: 401 }))
      const failure = yield* Effect.flip(run(meeting, { json_schema: minutes })).pipe(
        Effect.provide(laneWith(variables(server, { FOOTNOTE_LLM_FALLBACK: "fail" })))
      )
      assert.deepInclude(failure, { code: "MODEL_UNAVAILABLE", retryable: false })
      assert.notInclude(JSON.stringify(failure) + String(failure), KEY)
    }).pipe(Effect.scoped))

  it.live("keeps the key out of every artifact, output and line of the log, whatever the endpoint answers", () =>
    Effect.gen(function*() {
      for (const model of breadth([echoes, goodMinutes, (): ReturnType<PlayedModel> => ({ status: 401 })])) {
        const server = yield* play(model)
        const seen = yield* Effect.promise(() => childSays(server))
        assert.include(seen.reply, "\"evidence\"")
        assert.notInclude(seen.reply + seen.log, KEY)
      }
    }).pipe(Effect.scoped))
})

/** What the lane's process answers to one call, and everything that it writes meanwhile. */
const childSays = async (server: ModelServer): Promise<{ readonly reply: string; readonly log: string }> => {
  const root = mkdtempSync(join(tmpdir(), "footnote-key-"))
  const transcript = join(root, "transcript.json")
  writeFileSync(transcript, JSON.stringify(meeting.transcript))
  const entry = fileURLToPath(new URL("../../../workers/extraction/extraction-compute.ts", import.meta.url))
  const child = fork(entry, [], { serialization: "advanced", execArgv: [], stdio: ["ignore", "pipe", "pipe", "ipc"] })
  const written = Promise.all([textOf(child.stdout!), textOf(child.stderr!)])
  const { facts, hints, json_schema, on_missing, precision } = inputOf(minutes, meeting)
  const input: InputOf<typeof extractionCalls.extract> = {
    transcript,
    inventory: null,
    images: null,
    descriptions: [],
    vision: null,
    vision_model: null,
    json_schema,
    facts,
    hints,
    on_missing,
    precision,
    extractor: { kind: "llm", endpoint: server.endpoint() }
  }
  child.send({ id: 1, name: "extract", input, traceparent: null })
  // What it spent comes before the answer, and holds no key either.
  const replies: Array<unknown> = []
  do replies.push((await once(child, "message"))[0])
  while (!("output" in (replies.at(-1) as object) || "failure" in (replies.at(-1) as object)))
  child.disconnect()
  const log = (await written).join("")
  rmSync(root, { recursive: true })
  return { reply: JSON.stringify(replies), log }
}

const builtin: ModelStack = JSON.parse(
  readFileSync(new URL("../../../models/stacks/builtin.json", import.meta.url), "utf8")
)
const hub = "footnote/toy-qa"

/** The stack `standard` with the toy that answers questions, from a hub on this machine, neither locked nor fetched. */
const makeStacks = Effect.gen(function*() {
  const server = yield* makeFakeHub
  const folder = yield* makeStackFolder
  server.put(hub, commit("toy"), toyQaFiles())
  const file = (path: string) => ({ hub, path })
  const standard: ModelStack = {
    ...builtin,
    id: "standard",
    rank: 10,
    roles: {
      ...builtin.roles,
      qa: {
        driver: "extractive",
        name: "toy-qa",
        licence: "Apache-2.0",
        files: {
          model: file("onnx/model.onnx"),
          tokenizer: file("tokenizer.json"),
          tokenizer_config: file("tokenizer_config.json")
        },
        options: {}
      }
    }
  }
  folder.write(standard, builtin)
  const store = ModelStore.layerOptions(folder.options(server.base_url))
  return {
    store,
    /** Where a fetched file lies. */
    path: (path: string) => folder.path(commit("toy"), path, hub),
    /** Pins the files and fetches them. */
    lock: lockStacks({ stacks: [standard, builtin], update: false, progress: () => {} }).pipe(Effect.provide(store))
  }
})

describe("a job on a stack with a model for questions", () => {
  const party = footage([[1, "S1", "the host of the evening, as ever, is dana whitfield with all her friends."]])
  const json_schema = {
    type: "object",
    properties: { who: { type: "string", description: "The host, only if stated" } }
  }

  it.live("gets its answers, and says by which model; on a stack without one it does not", () =>
    Effect.gen(function*() {
      const { lock, store } = yield* makeStacks
      yield* lock
      yield* Effect.gen(function*() {
        const answered = yield* run(party, { json_schema, model_stack: "standard" })
        assert.deepStrictEqual(yield* answered.read("result", Schema.Json), { who: "dana whitfield" })
        const version = `toy-qa@${sha256(toyQaFiles()["onnx/model.onnx"]!).slice(0, 12)}`
        const used = answered.output.models.find(({ role }) => role === "qa")
        assert.deepInclude(used, { name: version, execution_provider: "cpu" })
        const hashes = used?.files?.map(({ digest }) => digest.sha256)
        assert.sameMembers(hashes ?? [], Object.values(toyQaFiles()).map((bytes) => sha256(bytes)))
        assert.isAbove(answered.output.model_seconds, 0)
        const own = yield* run(party, { json_schema, model_stack: "builtin" })
        assert.deepStrictEqual(yield* own.read("result", Schema.Json), {})
        assert.lengthOf(own.output.models, 1)
      }).pipe(Effect.provide(laneWith({}, store)))
    }).pipe(Effect.scoped))

  it.live("fails with the stacks that are ready while the model's files are not here", () =>
    Effect.gen(function*() {
      const { lock, path, store } = yield* makeStacks
      yield* lock
      rmSync(path("tokenizer.json"))
      const failure = yield* Effect.flip(run(party, { json_schema, model_stack: "standard" })).pipe(
        Effect.provide(laneWith({}, store))
      )
      assert.deepInclude(failure, { code: "MODEL_UNAVAILABLE", retryable: false })
      assert.match(String(failure.message), /^The model stack standard is not ready .* Ready are builtin; GET/u)
    }).pipe(Effect.scoped))
})

describe("extractorFor", () => {
  const endpoint = { url: "http://127.0.0.1:1/v1" } as ExtractorConfig["endpoint"]
  const asking: ModelStack = { ...builtin, roles: { ...builtin.roles, qa: builtin.roles.describe } }
  const reading: ModelStack = { ...asking, roles: { ...asking.roles, reader: builtin.roles.describe } }

  it.each(
    [
      ["auto", null, builtin, "builtin"],
      ["auto", null, asking, "onnx"],
      ["auto", endpoint, asking, "llm"],
      ["llm", endpoint, builtin, "llm"],
      ["onnx", endpoint, asking, "onnx"],
      ["onnx", endpoint, builtin, "builtin"],
      ["builtin", endpoint, asking, "builtin"],
      ["auto", null, reading, "reader"],
      ["auto", endpoint, reading, "llm"],
      ["onnx", null, reading, "onnx"],
      ["reader", endpoint, reading, "reader"],
      ["reader", null, asking, "builtin"]
    ] as const
  )("takes, for %s", (wish, endpoint, stack, kind) => {
    assert.strictEqual(extractorFor({ wish, endpoint }, stack, true), kind)
  })

  it("takes no reader by itself whose runtime is not installed", () => {
    assert.strictEqual(extractorFor({ wish: "auto", endpoint: null }, reading, false), "onnx")
    assert.strictEqual(extractorFor({ wish: "reader", endpoint: null }, reading, false), "reader")
  })
})

const parse = (variables: Readonly<Record<string, string>>) =>
  extractorConfig.pipe(
    Effect.provideService(ConfigProvider.ConfigProvider, ConfigProvider.fromUnknown(variables))
  )

describe("extractorConfig", () => {
  const set = { FOOTNOTE_LLM_URL: "http://127.0.0.1:8000/v1/", FOOTNOTE_LLM_MODEL: "m" }

  it.effect("needs nothing", () =>
    Effect.gen(function*() {
      assert.deepStrictEqual(yield* parse({}), { wish: "auto", endpoint: null })
    }))

  it.effect("takes an address on this machine, whatever callers may reach, and its path once", () =>
    Effect.gen(function*() {
      const { endpoint } = yield* parse({ ...set, FOOTNOTE_LLM_URL: "http://127.0.0.1:8000/v1/chat/completions" })
      assert.deepInclude(endpoint, { url: "http://127.0.0.1:8000/v1", key: null, fallback: "builtin" })
    }))

  for (
    const [name, variables] of [
      ["FOOTNOTE_EXTRACTOR", { FOOTNOTE_EXTRACTOR: "magic" }],
      ["FOOTNOTE_LLM_URL", { FOOTNOTE_EXTRACTOR: "llm" }],
      ["FOOTNOTE_LLM_URL", { ...set, FOOTNOTE_LLM_URL: "ftp://example.com" }],
      ["FOOTNOTE_LLM_URL", { ...set, FOOTNOTE_LLM_URL: `http://user:${KEY}@example.com/v1` }],
      ["FOOTNOTE_LLM_MODEL", { FOOTNOTE_LLM_URL: set.FOOTNOTE_LLM_URL }],
      ["FOOTNOTE_LLM_KEY", { ...set, FOOTNOTE_LLM_KEY: `${KEY}\nx` }],
      ["FOOTNOTE_LLM_CONCURRENCY", { ...set, FOOTNOTE_LLM_CONCURRENCY: "0" }],
      ["FOOTNOTE_LLM_OUTPUT_PRICE", { ...set, FOOTNOTE_LLM_OUTPUT_PRICE: "-1" }],
      ["FOOTNOTE_LLM_FALLBACK", { ...set, FOOTNOTE_LLM_FALLBACK: "pray" }]
    ] as const
  ) {
    it.effect(`refuses ${JSON.stringify(variables).replace(KEY, "…")} by the variable's name, without the key`, () =>
      Effect.gen(function*() {
        const { message } = yield* Effect.flip(parse(variables))
        assert.include(message, name)
        assert.notInclude(message, KEY)
      }))
  }
})
