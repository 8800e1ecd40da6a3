import { assert, describe, it } from "@effect/vitest"
import { Effect, Exit } from "effect"
import { copyFileSync, mkdirSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { InferenceSession } from "onnxruntime-node"
import { vi } from "vitest"
import { fetchStack } from "../../../../src/model-stacks/FetchModels.ts"
import { ModelStore } from "../../../../src/model-stacks/ModelStore.ts"
import type { ResolvedModel } from "../../../../src/model-stacks/ResolvedStack.ts"
import { cpu } from "../../../../workers/onnx/Device.ts"
import { OnnxModelError } from "../../../../workers/onnx/OnnxSession.ts"
import { type Describer, NotDescribed } from "../../../../workers/vision/description/Describer.ts"
import { openTransformersDescriber } from "../../../../workers/vision/drivers/TransformersDescriber.ts"
import type { Picture } from "../../../../workers/vision/picture/Picture.ts"
import { breadth } from "../../../support/Breadth.ts"
import { halfEmbedTokens, said, type ToyLayout, toySide } from "./ToyPictureModels.ts"
import { makeToyVisionStacks } from "./ToyVisionStacks.ts"

const picture = (red: number, green: number, blue: number, width = 48, height = 27): Picture => ({
  width,
  height,
  rgb: Uint8Array.from({ length: 3 * width * height }, (_, i) => [red, green, blue][i % 3]!)
})

const bright = picture(250, 240, 250)
const dark = picture(20, 10, 20, 30, 90)
/** The toys' networks end with an error over it. */
const blue = picture(0, 0, 255)

const stacks = { florence2: "standard", smolvlm: "accurate", qwen: "latest" } as const
const layouts = Object.keys(stacks) as ReadonlyArray<ToyLayout>

/** The model of a toy, locked and fetched. */
const fetched = Effect.fnUntraced(function*(layout: ToyLayout, options: ResolvedModel["options"] = {}) {
  const toys = yield* makeToyVisionStacks(options)
  yield* toys.lock
  yield* toys.fetch
  const { roles } = yield* toys.resolve(stacks[layout])
  return { ...toys, model: roles.describe }
})

const open = (model: ResolvedModel, batch?: number) =>
  Effect.acquireDisposable(
    Effect.promise(() => openTransformersDescriber(model, { device: cpu, ...(batch === undefined ? {} : { batch }) }))
  )

const hints = { tenant_id: "ten_1" }

/** What every session inherits: the library keeps its own to itself. */
const { prototype } = InferenceSession as unknown as {
  readonly prototype: {
    readonly run: (feeds: Readonly<Record<string, { readonly dims: ReadonlyArray<number> }>>) => Promise<unknown>
  }
}

/** How many pictures, or rows of patches, each run of the network for pictures had while `work` ran. */
const runsOf = async <A>(work: () => Promise<A>) => {
  const run = vi.spyOn(prototype, "run")
  try {
    const value = await work()
    const runs = run.mock.calls.flatMap(([{ pixel_values }]) =>
      pixel_values === undefined ? [] : [pixel_values.dims[0]]
    )
    return { value, runs }
  } finally {
    run.mockRestore()
  }
}

const reasonOf = (promise: Promise<unknown>): Promise<Error> =>
  promise.then(() => assert.fail("was described"), (error: Error) => error)

/** The first of two callers goes before anything has run. */
const oneLeaves = (describer: Describer) => {
  const gone = new AbortController()
  const left = reasonOf(describer.describe(bright, { ...hints, signal: gone.signal }))
  const stayed = describer.describe(dark, hints)
  gone.abort(new Error("cancelled"))
  return Promise.all([left, stayed])
}

describe.each(breadth(layouts))("a describer of the layout %s", (layout) => {
  it.live("says what it sees, word by word up to its own end", () =>
    Effect.gen(function*() {
      const { model, version } = yield* fetched(layout)
      const describer = yield* open(model)
      assert.strictEqual(yield* Effect.promise(() => describer.describe(bright, hints)), said.bright)
      assert.strictEqual(yield* Effect.promise(() => describer.describe(dark, hints)), said.dark)
      assert.strictEqual(describer.name, version(layout))
      assert.strictEqual(describer.execution_provider, "cpu")
    }).pipe(Effect.scoped))

  it.live("says the same of pictures of several tenants in one run as of each alone", () =>
    Effect.gen(function*() {
      const { model } = yield* fetched(layout)
      // Of the size that the model sees, they come to the queue at once; others come as they are made smaller.
      const side = toySide[layout]
      const pictures = [[250, 240, 250], [20, 10, 20], [200, 180, 190], [0, 30, 60]].map(([red, green, blue]) =>
        picture(red!, green!, blue!, side, side)
      )
      const alone = yield* open(model)
      const single = yield* Effect.promise(() =>
        runsOf(async () => {
          const sentences: Array<string> = []
          for (const one of pictures) sentences.push(await alone.describe(one, hints))
          return sentences
        })
      )
      const together = yield* open(model, 4)
      const shared = yield* Effect.promise(() =>
        runsOf(() => Promise.all(pictures.map((one, i) => together.describe(one, { tenant_id: `ten_${i % 2}` }))))
      )
      assert.deepStrictEqual(shared.value, single.value)
      assert.deepStrictEqual(shared.value, [said.bright, said.dark, said.bright, said.dark])
      // Qwen is given a picture's patches as rows of their own: of this size four.
      const rows = layout === "qwen" ? 4 : 1
      assert.deepStrictEqual([single.runs, shared.runs], [[rows, rows, rows, rows], [4 * rows]])
    }).pipe(Effect.scoped))

  it.live("leaves a picture that it cannot take to the rules, and not its neighbours", () =>
    Effect.gen(function*() {
      const { model } = yield* fetched(layout)
      const describer = yield* open(model, 4)
      const [first, broken, last] = yield* Effect.promise(() =>
        Promise.allSettled([bright, blue, dark].map((one) => describer.describe(one, hints)))
      )
      assert.deepStrictEqual([first, last], [
        { status: "fulfilled", value: said.bright },
        { status: "fulfilled", value: said.dark }
      ])
      assert.instanceOf((broken as PromiseRejectedResult).reason, NotDescribed)
    }).pipe(Effect.scoped))

  it.live("gives no part of a sentence once its time is up", () =>
    Effect.gen(function*() {
      const { model } = yield* fetched(layout, { seconds: 0 })
      const describer = yield* open(model)
      const error = yield* Effect.promise(() => reasonOf(describer.describe(bright, hints)))
      assert.instanceOf(error, NotDescribed)
      assert.include(error.message, "took longer than 0 s")
    }).pipe(Effect.scoped))

  it.live("writes no more tokens than it may", () =>
    Effect.gen(function*() {
      const { model } = yield* fetched(layout, { max_tokens: 3 })
      const describer = yield* open(model)
      assert.match(yield* Effect.promise(() => describer.describe(dark, hints)), /^A dark( picture)?…$/u)
    }).pipe(Effect.scoped))

  it.live("stops for a caller that has gone, and goes on for the others", () =>
    Effect.gen(function*() {
      const { model } = yield* fetched(layout)
      const describer = yield* open(model, 2)
      const [left, stayed] = yield* Effect.promise(() => oneLeaves(describer))
      assert.strictEqual(left.message, "cancelled")
      assert.strictEqual(stayed, said.dark)
    }).pipe(Effect.scoped))
})

describe("a describer of the layout qwen", () => {
  it.live("sees upright pictures upright, in one run with others, and wants sides that its patches fill", () =>
    Effect.gen(function*() {
      const { model } = yield* fetched("qwen", { side: null, width: 16, height: 8 })
      const describer = yield* open(model, 2)
      // Both are of the size that the model sees, so that they come to the queue at once.
      const pictures = [picture(250, 240, 250, 16, 8), picture(20, 10, 20, 8, 16)]
      const { runs, value } = yield* Effect.promise(() =>
        runsOf(() => Promise.all(pictures.map((one) => describer.describe(one, hints))))
      )
      assert.deepStrictEqual(value, [said.bright, said.dark])
      // Two pictures of eight patches each, whichever way they lie.
      assert.deepStrictEqual(runs, [16])
      const odd = { ...model, options: { ...model.options, width: 20 } }
      const error = yield* Effect.promise(() => reasonOf(openTransformersDescriber(odd, { device: cpu })))
      assert.include(error.message, "multiples of 8 pixels, not of 20 by 8")
      const unsized = { ...model, options: { prompt: model.options["prompt"]! } }
      const refusal = yield* Effect.promise(() => reasonOf(openTransformersDescriber(unsized, { device: cpu })))
      assert.include(refusal.message, "does not say how large its pictures are")
    }).pipe(Effect.scoped))
})

describe("the files of a describer", () => {
  it.live("are those of the stack and no other that lies beside them", () =>
    Effect.gen(function*() {
      const { folder, model } = yield* fetched("florence2")
      const { generation_config: _, ...files } = model.files
      assert.isTrue(folder.stored().some((name) => name.endsWith("generation_config.json")))
      // This file says how a sentence begins.
      const error = yield* Effect.promise(() =>
        reasonOf(openTransformersDescriber({ ...model, files }, { device: cpu }))
      )
      assert.include(error.message, "toy-florence2 does not run")
    }).pipe(Effect.scoped))

  it.live("are refused in words where one is not listed, is no model, does not go with the others, or is of an unknown layout", () =>
    Effect.gen(function*() {
      const { folder, model } = yield* fetched("smolvlm")
      const opened = (files: Readonly<Record<string, string>>) =>
        Effect.promise(() => reasonOf(openTransformersDescriber({ ...model, files }, { device: cpu })))
      const { tokenizer: _, ...without } = model.files
      assert.include((yield* opened(without)).message, "lacks the file tokenizer")
      const own = join(folder.root, "own")
      mkdirSync(own)
      const [damaged, half, config] = ["vision_encoder.onnx", "embed_tokens.onnx", "config.json"].map((name) =>
        join(own, name)
      ) as [string, string, string]
      writeFileSync(damaged, readFileSync(model.files["vision_encoder"]!).subarray(0, 200))
      const broken = yield* opened({ ...model.files, vision_encoder: damaged })
      assert.instanceOf(broken, OnnxModelError)
      assert.include(broken.message, "toy-smolvlm cannot be opened")
      writeFileSync(half, halfEmbedTokens())
      const mixed = yield* opened({ ...model.files, embed_tokens: half })
      assert.include(mixed.message, "pictures as float32 and words as float16")
      copyFileSync(model.files["tokenizer_config"]!, config)
      assert.include(
        (yield* opened({ ...model.files, config })).message,
        "is none of florence2, qwen3_5, idefics3, smolvlm"
      )
    }).pipe(Effect.scoped))

  it.live("are refused where their bytes are not the locked ones, and asked for where they are not here", () =>
    Effect.gen(function*() {
      const toys = yield* makeToyVisionStacks()
      const before = yield* Effect.exit(toys.resolve("accurate"))
      assert.isTrue(Exit.isFailure(before))
      assert.include(String(before), "npm run models -- lock accurate")
      yield* toys.lock
      yield* toys.fetch
      const decoder = toys.path("smolvlm", "onnx/decoder_model_merged.onnx")
      writeFileSync(decoder, Buffer.alloc(readFileSync(decoder).length))
      const damaged = yield* Effect.flip(toys.resolve("accurate"))
      assert.include(damaged.message, "decoder_model_merged.onnx")
      assert.include(damaged.message, "npm run models -- fetch accurate")
      const offline = ModelStore.layerOptions(toys.folder.options(toys.server.base_url, { offline: true }))
      const away = yield* Effect.flip(fetchStack("accurate", () => {}).pipe(Effect.provide(offline)))
      assert.include(away.message, "FOOTNOTE_MODELS_OFFLINE")
      yield* toys.fetch
      const { roles } = yield* toys.resolve("accurate")
      const describer = yield* open(roles.describe)
      assert.strictEqual(yield* Effect.promise(() => describer.describe(dark, hints)), said.dark)
    }).pipe(Effect.scoped))

  it.live("are opened without a connection", () =>
    Effect.gen(function*() {
      const { model, server } = yield* fetched("florence2")
      const before = server.requests.length
      const fetches = vi.spyOn(globalThis, "fetch")
      const describer = yield* open(model)
      yield* Effect.promise(() => describer.describe(bright, hints))
      assert.strictEqual(fetches.mock.calls.length, 0)
      assert.strictEqual(server.requests.length, before)
      fetches.mockRestore()
    }).pipe(Effect.scoped))
})
