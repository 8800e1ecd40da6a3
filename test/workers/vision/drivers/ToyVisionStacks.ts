import { Effect } from "effect"
import { readFileSync } from "node:fs"
import { basename } from "node:path"
import { fetchStack } from "../../../../src/model-stacks/FetchModels.ts"
import { lockStacks } from "../../../../src/model-stacks/LockModels.ts"
import type { ModelStack, StackModel } from "../../../../src/model-stacks/ModelStack.ts"
import { ModelStore } from "../../../../src/model-stacks/ModelStore.ts"
import { commit, makeFakeHub, sha256 } from "../../../model-stacks/FakeHub.ts"
import { makeStackFolder } from "../../../model-stacks/StackFolder.ts"
import { toyFiles, type ToyLayout, toyOptions, toyPrompt } from "./ToyPictureModels.ts"

const builtin: ModelStack = JSON.parse(
  readFileSync(new URL("../../../../models/stacks/builtin.json", import.meta.url), "utf8")
)

const { asr, ocr, speaker, vad } = builtin.roles
const unused = (model: StackModel): StackModel => ({ ...model, files: {} })

const layouts = { standard: "florence2", accurate: "smolvlm", latest: "qwen" } as const

/** The repository of a toy on the hub, and where it stands. */
export const toyOrigin = (layout: ToyLayout) => [hubOf(layout), commit(layout), toyFiles[layout]()] as const

const hubOf = (layout: ToyLayout) => `footnote/toy-${layout}`

/** How provenance names the toy of a layout. */
export const toyVersion = (layout: ToyLayout): string =>
  `toy-${layout}@${sha256(toyFiles[layout]()["onnx/decoder_model_merged.onnx"]!).slice(0, 12)}`

/** The toy of a layout as a stack has it. */
export const toyModel = (layout: ToyLayout, options: StackModel["options"] = {}): StackModel => ({
  driver: "transformers",
  name: `toy-${layout}`,
  licence: "Apache-2.0",
  files: Object.fromEntries(
    Object.keys(toyFiles[layout]()).map((path) => [
      basename(path).replace(/\.[a-z]+$/u, ""),
      { hub: hubOf(layout), path }
    ])
  ),
  options: { prompt: toyPrompt[layout], ...toyOptions[layout], ...options }
})

/** The stacks `standard`, `accurate` and `latest` with toys that describe, from a hub on this machine, neither locked nor fetched. */
export const makeToyVisionStacks = (options: StackModel["options"] = {}) =>
  Effect.gen(function*() {
    const server = yield* makeFakeHub
    const folder = yield* makeStackFolder
    const stacks = Object.entries(layouts).map(([id, layout]): ModelStack => ({
      id,
      description: "Toys",
      rank: id === "accurate" ? 20 : 10,
      roles: {
        vad: unused(vad),
        asr: unused(asr),
        speaker: unused(speaker),
        ocr,
        describe: toyModel(layout, options)
      }
    }))
    for (const layout of Object.values(layouts)) server.put(...toyOrigin(layout))
    folder.write(...stacks, builtin)
    const store = ModelStore.layerOptions(folder.options(server.base_url))
    const lock = lockStacks({ stacks: [...stacks, builtin], update: false, progress: () => {} })
    return {
      folder,
      server,
      store,
      version: toyVersion,
      /** Where a fetched file lies. */
      path: (layout: ToyLayout, path: string) => folder.path(commit(layout), path, hubOf(layout)),
      lock: lock.pipe(Effect.provide(store)),
      fetch: Effect.forEach(stacks, ({ id }) => fetchStack(id, () => {})).pipe(Effect.provide(store)),
      resolve: (id: keyof typeof layouts) =>
        Effect.flatMap(ModelStore, (models) => models.resolve(id)).pipe(Effect.provide(store))
    }
  })
