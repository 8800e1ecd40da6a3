import type { ResolvedModel } from "../../../src/model-stacks/ResolvedStack.ts"
import { modelBeingOpened, runningModel } from "../../compute/CallSpans.ts"
import { makeBatcher } from "../../onnx/Batcher.ts"
import type { Waiting } from "../../onnx/BatchQueue.ts"
import type { Device } from "../../onnx/Device.ts"
import { versionOf } from "../../onnx/ModelFiles.ts"
import { DeviceLostError, OnnxModelError } from "../../onnx/OnnxSession.ts"
import { type Describer, NotDescribed } from "../description/Describer.ts"
import type { Picture } from "../picture/Picture.ts"
import { openPictureModel, type PictureModel } from "./PictureModel.ts"
import { plainSentence } from "./PlainSentence.ts"

/** Pictures of one run on a GPU, where the stack tells nothing else. */
const BATCH = 8
/** A picture may take this long, where the stack tells nothing else: four of a task then end in a third of its 15 minutes. */
const SECONDS = 60

interface WaitingPicture extends Waiting {
  readonly picture: Picture
  readonly signal: AbortSignal | undefined
}

type Said = { readonly sentence: string } | { readonly refusal: string }

const grey: Picture = { width: 64, height: 64, rgb: new Uint8Array(64 * 64 * 3).fill(128) }

/**
 * Opens a describer that `@huggingface/transformers` runs, checked by a first picture. On a GPU pictures of all callers
 * share runs, `options.batch` at a time; on the CPU each runs alone, so that what is said of it is the same whatever else
 * is asked, unless `batch` says otherwise. A picture that takes longer than `options.seconds` has no sentence; a partial
 * one would depend on the load of the machine. Throws `OnnxModelError` when the model cannot be used.
 */
export const openTransformersDescriber = async (
  stack: ResolvedModel,
  { batch, device }: { readonly device: Device; readonly batch?: number }
): Promise<Describer> => {
  const { execution_provider } = device
  const items = batch ?? (execution_provider === "cpu" ? 1 : Number(stack.options["batch"] ?? BATCH))
  const seconds = Number(stack.options["seconds"] ?? SECONDS)
  const name = await versionOf(stack, "decoder_model_merged")
  const model = await openPictureModel(stack, device)
  const opened = modelBeingOpened()
  const square = await model.fitted(grey)

  const writeOne = (stop: () => boolean = () => false) => model.write([square], stop)
  try {
    await writeOne()
  } catch (cause) {
    await model[Symbol.asyncDispose]()
    throw new OnnxModelError(`The model ${stack.name} does not run: ${(cause as Error).message}`, { cause })
  }

  // Every picture has the model's size, so all fit together.
  const limits = { items, frames: Number.POSITIVE_INFINITY, pad: () => 1 }
  const batcher = makeBatcher<WaitingPicture, Said>(limits, async ({ items }) => {
    const until = performance.now() + 1000 * seconds * items.length
    const stop = () => performance.now() >= until || items.every(({ signal }) => signal?.aborted === true)
    const write = () => model.write(items.map(({ picture }) => picture), stop)
    const written = await runningModel(opened, items.length, write).catch(async (error: unknown) => {
      if (execution_provider === "cpu" || items.length > 1 || await runs(writeOne)) throw error
      throw new DeviceLostError(`${execution_provider} has stopped working`, { cause: error })
    })
    return items.map((_, i): Said => {
      if (written === null) return { refusal: `${name} took longer than ${seconds} s for it` }
      const { complete, text } = written[i]!
      const sentence = plainSentence(text, complete)
      return sentence === null ? { refusal: `${name} said nothing about it` } : { sentence }
    })
  })

  return {
    name,
    execution_provider,
    describe: async (picture, { signal, tenant_id }) => {
      const fitted = await model.fitted(picture)
      const said = await batcher.submit({ tenant_id, length: 1, picture: fitted, signal }, signal).catch(
        (error: unknown) => {
          if (signal?.aborted === true || error instanceof DeviceLostError) throw error
          throw new NotDescribed(`${name} failed on it`, { cause: error })
        }
      )
      if ("refusal" in said) throw new NotDescribed(said.refusal)
      return said.sentence
    },
    [Symbol.asyncDispose]: () => model[Symbol.asyncDispose]()
  }
}

/** After a picture that failed alone: whether it was the picture, or nothing can be run any more. */
const runs = (write: () => ReturnType<PictureModel["write"]>): Promise<boolean> => write().then(() => true, () => false)
