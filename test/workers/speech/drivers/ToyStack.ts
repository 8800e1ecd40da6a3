import { Effect } from "effect"
import { mkdtempSync, readFileSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { basename, join } from "node:path"
import { fetchStack } from "../../../../src/model-stacks/FetchModels.ts"
import { lockStacks } from "../../../../src/model-stacks/LockModels.ts"
import type { ModelStack, StackModel } from "../../../../src/model-stacks/ModelStack.ts"
import { ModelStore } from "../../../../src/model-stacks/ModelStore.ts"
import { vadModelPath } from "../../../../workers/speech/vad/Vad.ts"
import { commit, makeFakeHub, sha256 } from "../../../model-stacks/FakeHub.ts"
import { makeStackFolder } from "../../../model-stacks/StackFolder.ts"
import { toyModel, toyOrigin } from "../../vision/drivers/ToyVisionStacks.ts"
import { writeToySpeaker, writeToyTransducer, writeToyWhisper } from "./ToyModels.ts"
import { SORTFORMER, writeToneSortformer } from "./ToySortformer.ts"

const hub = "footnote/toys"
const builtin: ModelStack = JSON.parse(
  readFileSync(new URL("../../../../models/stacks/builtin.json", import.meta.url), "utf8")
)

/** The toy models as files of a repository, and the stack `standard` that takes its models from there and from another. */
const makeToys = Effect.gen(function*() {
  const folder = yield* Effect.acquireRelease(
    Effect.sync(() => mkdtempSync(join(tmpdir(), "footnote-toys-"))),
    (path) => Effect.sync(() => rmSync(path, { recursive: true }))
  )
  const files: Record<string, Uint8Array> = {}
  const model = (driver: string, name: string, paths: Record<string, string>, options: StackModel["options"]) => ({
    driver,
    name,
    licence: "Apache-2.0",
    options,
    files: Object.fromEntries(
      Object.entries(paths).map(([key, path]) => {
        const own = `${name}/${basename(path)}`
        files[own] = readFileSync(path)
        return [key, { hub, path: own }]
      })
    )
  })
  const standard: ModelStack = {
    id: "standard",
    description: "Toys",
    rank: 10,
    roles: {
      vad: model("silero", "silero", { model: vadModelPath() }, {}),
      asr: model("sherpa", "toy-tdt", writeToyTransducer(join(folder, "tdt")), {
        type: "nemo_transducer",
        languages: ["en"]
      }),
      asr_other: model("sherpa", "toy-whisper", writeToyWhisper(join(folder, "whisper")), {
        type: "whisper",
        languages: ["de"]
      }),
      speaker: model("sherpa-embedding", "toy-voices", writeToySpeaker(join(folder, "voices"), "wespeaker"), {}),
      turns: model("sortformer", "toy-turns", writeToneSortformer(join(folder, "turns")), { width: SORTFORMER.width }),
      ocr: builtin.roles.ocr,
      describe: toyModel("florence2")
    }
  }
  return { files, standard }
})

/** Stacks of which `standard` comes from a hub on this machine, neither locked nor fetched yet. */
export const makeToyStacks = Effect.gen(function*() {
  const { files, standard } = yield* makeToys
  const server = yield* makeFakeHub
  server.put(hub, commit("toys"), files)
  server.put(...toyOrigin("florence2"))
  const folder = yield* makeStackFolder
  folder.write(standard, builtin)
  const store = ModelStore.layerOptions(folder.options(server.base_url))
  return {
    folder,
    server,
    store,
    /** What a transcript says of the model whose main file this is. */
    version: (path: string) => `${path.split("/")[0]}@${sha256(files[path]!).slice(0, 12)}`,
    /** Where a fetched file lies. */
    path: (path: string) => folder.path(commit("toys"), path, hub),
    lock: lockStacks({ stacks: [standard, builtin], update: false, progress: () => {} }).pipe(Effect.provide(store)),
    fetch: fetchStack("standard", () => {}).pipe(Effect.provide(store))
  }
})
