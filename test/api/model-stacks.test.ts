import { assert, layer } from "@effect/vitest"
import { ConfigProvider, Effect, Layer, Schedule } from "effect"
import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { commit, sha256 } from "../model-stacks/FakeHub.ts"
import { hubStack } from "../model-stacks/StackFolder.ts"
import * as Server from "../support/TestServer.ts"

const { TestServer } = Server
const source_uri = "https://example.com/talk.mp4"
const weights = new TextEncoder().encode("weights")
const revision = commit("first")
const models = fileURLToPath(new URL("../../models/", import.meta.url))

/** `builtin` is here, `standard` comes and goes, `accurate` is locked and not here, `unpinned` is not even locked. */
const root = mkdtempSync(join(tmpdir(), "footnote-models-"))
const weightsOf = (id: string) => join(root, "store", `footnote/${id}`, revision, "model.onnx")
const [standard, accurate] = [weightsOf("standard"), weightsOf("accurate")]
const fetched = Effect.sync(() => writeFileSync(standard, weights))
const lost = Effect.sync(() => rmSync(standard))
mkdirSync(join(root, "stacks"))
for (const path of [standard, accurate]) mkdirSync(join(path, ".."), { recursive: true })
copyFileSync(join(models, "stacks/builtin.json"), join(root, "stacks/builtin.json"))
for (const [rank, id] of ["standard", "accurate", "unpinned"].entries()) {
  const stack = hubStack(id, rank + 1, ["model.onnx"], `footnote/${id}`)
  writeFileSync(join(root, "stacks", `${id}.json`), JSON.stringify(stack))
}
const pin = { revision, files: { "model.onnx": { sha256: sha256(weights), size_bytes: weights.length } } }
writeFileSync(
  join(root, "lock.json"),
  JSON.stringify({
    ...JSON.parse(readFileSync(join(models, "lock.json"), "utf8")),
    "hub:footnote/standard": pin,
    "hub:footnote/accurate": pin
  })
)

const Deployment = Server.layer.pipe(
  Layer.provideMerge(Layer.effectDiscard(
    Effect.addFinalizer(() => Effect.sync(() => rmSync(root, { recursive: true, force: true })))
  )),
  Layer.provide(ConfigProvider.layer(ConfigProvider.fromUnknown({
    FOOTNOTE_MODEL_STACKS: join(root, "stacks"),
    FOOTNOTE_MODEL_DIR: join(root, "store")
  })))
)

layer(Deployment, { excludeTestServices: true })("POST /v1/jobs on a model stack", (it) => {
  const submit = Effect.fnUntraced(function*(json: object = {}, headers: Readonly<Record<string, string>> = {}) {
    const { send, tenant } = yield* TestServer
    const { key } = yield* tenant("a")
    const answer = yield* send("POST", "/v1/jobs", { key, json: { source_uri, ...json }, headers })
    const jobs = (yield* send("GET", "/v1/jobs", { key })).json.data
    return { answer, jobs, key }
  })

  /** What was found is taken to be so for a second, and then no longer. */
  const taken = (json: object, model_stack: string) =>
    Effect.repeat(Effect.map(submit(json), ({ answer }) => answer.json.model_stack), {
      schedule: Schedule.spaced("50 millis"),
      until: (found) => found === model_stack
    })

  it.effect("201 takes for auto, and where none is named, the best stack whose files are here, and tells which", () =>
    Effect.gen(function*() {
      for (const json of [{}, { model_stack: "auto" }]) {
        yield* fetched
        yield* taken(json, "standard")
        yield* lost
        yield* taken(json, "builtin")
      }
    }))

  it.effect("201 takes the stack of the header, and the body's where both name one", () =>
    Effect.gen(function*() {
      yield* fetched
      const header = { "X-Service-Model-Stack": "builtin" }
      assert.strictEqual((yield* submit({}, header)).answer.json.model_stack, "builtin")
      assert.strictEqual((yield* submit({ model_stack: "standard" }, header)).answer.json.model_stack, "standard")
      const unknown = { "X-Service-Model-Stack": "none" }
      assert.strictEqual((yield* submit({ model_stack: "builtin" }, unknown)).answer.status, 201)
    }))

  const refused: ReadonlyArray<readonly [title: string, stack: string, says: string]> = [
    [
      "that there is not, and says which are ready",
      "gigantic",
      "No model stack gigantic on this deployment. Ready are builtin"
    ],
    ["whose files are not here, and says which are ready", "accurate", "Ready are builtin"],
    ["that is not locked, and says which are ready", "unpinned", "GET /v1/model-stacks lists them all"],
    ["with an empty name", "", "No model stack"]
  ]
  for (const [title, stack, says] of refused) {
    it.effect(`422 MODEL_STACK_UNKNOWN for a stack ${title}; nothing is created`, () =>
      Effect.gen(function*() {
        const calls = [
          ...(stack === "" ? [] : [yield* submit({ model_stack: stack })]),
          yield* submit({}, { "x-service-model-stack": stack })
        ]
        for (const { answer, jobs } of calls) {
          assert.strictEqual(answer.status, 422)
          assert.strictEqual(answer.json.error.code, "MODEL_STACK_UNKNOWN")
          assert.include(answer.json.error.message, says)
          assert.notInclude(answer.text, "npm ")
          assert.notInclude(answer.text, root)
          assert.deepStrictEqual(jobs, [])
        }
      }))
  }

  it.effect("422 MODEL_STACK_UNKNOWN leaves the idempotency key free for when the files have come", () =>
    Effect.gen(function*() {
      const { send, tenant } = yield* TestServer
      const { key } = yield* tenant("a")
      const call = { key, json: { source_uri, model_stack: "accurate" }, headers: { "idempotency-key": "early" } }
      assert.strictEqual((yield* send("POST", "/v1/jobs", call)).status, 422)
      writeFileSync(accurate, weights)
      assert.strictEqual((yield* send("POST", "/v1/jobs", call)).status, 201)
      rmSync(accurate)
    }))

  it.effect("200 replays the job on the stack that it was made for, whatever auto would take by now", () =>
    Effect.gen(function*() {
      const { send, tenant } = yield* TestServer
      const { key } = yield* tenant("a")
      const call = { key, json: { source_uri }, headers: { "idempotency-key": "auto" } }
      yield* fetched
      yield* taken({}, "standard")
      const first = yield* send("POST", "/v1/jobs", call)
      assert.strictEqual(first.json.model_stack, "standard")
      yield* lost
      const replay = yield* send("POST", "/v1/jobs", call)
      assert.strictEqual(replay.status, 200)
      assert.deepStrictEqual(replay.json, first.json)
    }))

  it.effect("GET /v1/model-stacks 200 tells which stacks there are, which can be run on, and which a job gets that names none", () =>
    Effect.gen(function*() {
      const { send, tenant } = yield* TestServer
      const { key } = yield* tenant("a")
      const listed = Effect.map(send("GET", "/v1/model-stacks", { key }), ({ json }) => json.data)
      yield* fetched
      const none = { ready: false, is_default: false }
      assert.deepStrictEqual(yield* listed, [
        { id: "unpinned", ...none },
        { id: "accurate", ...none },
        { id: "standard", ready: true, is_default: true },
        { id: "builtin", ready: true, is_default: false }
      ])
      yield* lost
      assert.deepStrictEqual((yield* listed).slice(2), [
        { id: "standard", ...none },
        { id: "builtin", ready: true, is_default: true }
      ])
    }))
})
