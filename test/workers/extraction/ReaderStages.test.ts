import { assert, describe, it } from "@effect/vitest"
import { Effect, Schema } from "effect"
import { mkdtempSync, readFileSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fetchStack } from "../../../src/model-stacks/FetchModels.ts"
import { lockStacks } from "../../../src/model-stacks/LockModels.ts"
import type { ModelStack } from "../../../src/model-stacks/ModelStack.ts"
import { ModelStore } from "../../../src/model-stacks/ModelStore.ts"
import { isReaderInstalled } from "../../../src/model-stacks/ReaderRuntime.ts"
import { commit, makeFakeHub, sha256 } from "../../model-stacks/FakeHub.ts"
import { makeStackFolder } from "../../model-stacks/StackFolder.ts"
import { footage } from "./Footage.ts"
import { writeToyReader } from "./proposers/reader/ToyReader.ts"
import { laneWith, run } from "./StageRun.ts"

const builtin: ModelStack = JSON.parse(
  readFileSync(new URL("../../../models/stacks/builtin.json", import.meta.url), "utf8")
)
const hub = "footnote/toy-reader"
const path = "toy.gguf"
const says = [
  "{\"proposals\": [{\"path\": \"/project\", \"item\": null, \"value\": \"",
  "Atlas",
  "\", \"quote\": \"",
  "Atl",
  "as\", \"refs\": [0], \"formula\": null}]}"
]

/** The stack `standard` with an optional reader, pinned and not fetched. */
const makeStacks = Effect.gen(function*() {
  const server = yield* makeFakeHub
  const folder = yield* makeStackFolder
  const root = yield* Effect.acquireRelease(
    Effect.sync(() => mkdtempSync(join(tmpdir(), "footnote-reader-stage-"))),
    (root) => Effect.sync(() => rmSync(root, { recursive: true }))
  )
  const bytes = readFileSync(writeToyReader(root, says).files["model"]!)
  server.put(hub, commit("toy"), { [path]: bytes })
  const standard: ModelStack = {
    ...builtin,
    id: "standard",
    rank: 10,
    roles: {
      ...builtin.roles,
      reader: {
        driver: "llama",
        name: "toy-reader",
        licence: "Apache-2.0",
        optional: true,
        files: { model: { hub, path } },
        options: { context_tokens: 4096, threads: 1 }
      }
    }
  }
  folder.write(standard, builtin)
  const store = ModelStore.layerOptions(folder.options(server.base_url))
  yield* lockStacks({ stacks: [standard], update: false, progress: () => {} }).pipe(Effect.provide(store))
  // What pinning brought is taken away again.
  rmSync(folder.path(commit("toy"), path, hub))
  const fetch = (...roles: ReadonlyArray<string>) => fetchStack("standard", () => {}, roles).pipe(Effect.provide(store))
  return { store, fetch, digest: sha256(bytes) }
})

const meeting = footage([[1, "S1", "Atlas is what we call the project from now on."]])
const json_schema = {
  type: "object",
  properties: { project: { type: "string", description: "Name that the sponsors chose, only if stated" } }
}
const job = { json_schema, model_stack: "standard", pictures: false }
const variables = (wish: string) => ({
  FOOTNOTE_EXTRACTOR: wish,
  FOOTNOTE_LLM_JUDGE: "false",
  FOOTNOTE_LLM_GRAPH: "false"
})

describe("a job on a stack with an optional reader", () => {
  it.live("runs without it while it is not fetched, and fails where it is asked for by name, with what to run in the log", () =>
    Effect.gen(function*() {
      const { fetch, store } = yield* makeStacks
      assert.deepStrictEqual(yield* fetch(), [])
      const { output } = yield* run(meeting, job).pipe(Effect.provide(laneWith(variables("auto"), store)))
      assert.deepStrictEqual(output.models.map(({ role }) => role), ["extract"])
      const failure = yield* Effect.flip(run(meeting, job)).pipe(Effect.provide(laneWith(variables("reader"), store)))
      assert.deepInclude(failure, { code: "MODEL_UNAVAILABLE", retryable: false })
      assert.include(failure.message, "standard is not ready")
    }).pipe(Effect.scoped))

  it.live.skipIf(!isReaderInstalled())(
    "is read by it in the lane's process, whose file the manifest pins",
    () =>
      Effect.gen(function*() {
        const { digest, fetch, store } = yield* makeStacks
        assert.lengthOf(yield* fetch("reader"), 1)
        yield* Effect.gen(function*() {
          const { output, read } = yield* run(meeting, job)
          assert.deepStrictEqual(yield* read("result", Schema.Json), { project: "Atlas" })
          const used = output.models.find(({ role }) => role === "reader")
          assert.deepInclude(used, { name: `toy-reader@${digest.slice(0, 12)}`, execution_provider: "cpu" })
          assert.deepStrictEqual(used?.files?.map((file) => file.digest.sha256), [digest])
          assert.deepInclude(output.attested!.extractor, { kind: "reader", model: "toy-reader" })
          assert.strictEqual(output.tokens, 0)
          assert.isAbove(output.model_seconds, 0)
        }).pipe(Effect.provide(laneWith(variables("auto"), store)))
      }).pipe(Effect.scoped)
  )
})
