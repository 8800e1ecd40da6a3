import type { ResolvedModel } from "../../../src/model-stacks/ResolvedStack.ts"
import type { Device } from "../../onnx/Device.ts"
import { OnnxModelError } from "../../onnx/OnnxSession.ts"
import { type Picture, resized } from "../picture/Picture.ts"
import { type LoadedModel, loadModel } from "./Transformers.ts"

/** What a model wrote of one picture; `complete` is false where it did not come to an end. */
interface Written {
  readonly text: string
  readonly complete: boolean
}

export interface PictureModel extends AsyncDisposable {
  /** A picture as `write` takes it: never larger than the model sees. */
  readonly fitted: (picture: Picture) => Promise<Picture>
  /**
   * Writes of each picture, all in one run, the likeliest token each time. Asked before every token; once `stop` gives
   * true the answer is null. It blocks the process from token to token.
   */
  readonly write: (pictures: ReadonlyArray<Picture>, stop: () => boolean) => Promise<ReadonlyArray<Written> | null>
}

/** A sentence or two: Florence-2 takes 20 to 60 tokens for a detailed caption. */
const MOST_TOKENS = 100

/** Sums and products of one operator on this many threads: the same count gives the same bytes. */
const THREADS = 2

const squareOf = (size: unknown, name: string): { readonly width: number; readonly height: number } => {
  const { height, longest_edge, width } = (size ?? {}) as Record<string, unknown>
  const sides = [width ?? longest_edge, height ?? longest_edge]
  if (!sides.every((side) => Number.isInteger(side) && Number(side) > 0 && Number(side) <= 4096)) {
    throw new OnnxModelError(`The model ${name} does not say how large its pictures are`)
  }
  return { width: Number(sides[0]), height: Number(sides[1]) }
}

const stringIn = ({ name, options }: ResolvedModel, key: string): string => {
  const value = options[key]
  if (typeof value !== "string") throw new OnnxModelError(`The model ${name} lacks the option ${key}`)
  return value
}

/**
 * Opens a vision-language model of a stack: Florence-2 ("Florence-2: Advancing a Unified Representation for a Variety of
 * Vision Tasks", Xiao et al. 2023), which is given a task, or SmolVLM ("SmolVLM: Redefining small and efficient multimodal
 * models", Marafioti et al. 2025), which is given a conversation; both by the option `prompt`, the same for every picture.
 * A picture is seen once as a whole, and stretched to the model's square, or to one of the option `side`: text on it is read by others. Throws
 * `OnnxModelError` when it cannot be opened.
 */
export const openPictureModel = async (stack: ResolvedModel, device: Device): Promise<PictureModel> => {
  const prompt = stringIn(stack, "prompt")
  const loaded = await loadModel(stack, { device, threads: THREADS })
  const { architecture, library, model, processor } = loaded
  const most = Number(stack.options["max_tokens"] ?? MOST_TOKENS)
  const images = processor.image_processor!
  const { side } = stack.options
  const own = architecture === "smolvlm" ? (images.config as Record<string, unknown>)["max_image_size"] : images.size
  const square = squareOf(side === undefined ? own : { width: side, height: side }, stack.name)
  // Pictures come in the model's own size. The library would enlarge SmolVLM's to 2048 pixels first, to cut out tiles.
  images.do_resize = false
  const ends = endsOf(loaded)

  const inputsFor = (pictures: ReadonlyArray<Picture>): Promise<Readonly<Record<string, unknown>>> => {
    const raw = pictures.map(({ height, rgb, width }) => new library.RawImage(rgb, width, height, 3))
    const prompts = raw.map(() => prompt)
    return architecture === "smolvlm"
      ? processor(prompts, raw.map((image) => [image]), { do_image_splitting: false })
      : processor(raw, prompts)
  }

  /** A row that has come to its end goes on as long as the others do; what it says then is left out. */
  class Stopping extends library.StoppingCriteria {
    readonly #stop: () => boolean
    readonly #done: Array<boolean> = []
    stopped = false

    constructor(stop: () => boolean) {
      super()
      this.#stop = stop
    }

    override _call(rows: Array<Array<number>>): Array<boolean> {
      this.stopped ||= this.#stop()
      return rows.map((row, i) => (this.#done[i] ||= ends.has(Number(row.at(-1)))) || this.stopped)
    }
  }

  return {
    fitted: async (picture) =>
      picture.width === square.width && picture.height === square.height
        ? picture
        : resized(picture, square.width, square.height),
    write: async (pictures, stop) => {
      const inputs = await inputsFor(pictures)
      const stopping = new Stopping(stop)
      const sequences = await model.generate({
        ...inputs,
        max_new_tokens: most,
        do_sample: false,
        num_beams: 1,
        // An end that is forced on the last token would pass for the model's own.
        forced_eos_token_id: null,
        stopping_criteria: [stopping]
      } as never)
      if (stopping.stopped) return null
      const given = model.config.is_encoder_decoder
        ? 1
        : (inputs["input_ids"] as { readonly dims: Array<number> }).dims[1]!
      const rows = (sequences as { readonly tolist: () => Array<Array<bigint>> }).tolist()
      return rows.map((row) => {
        const tokens = row.slice(given).map(Number)
        const end = tokens.findIndex((token) => ends.has(token))
        const text = processor.decode(end < 0 ? tokens : tokens.slice(0, end), { skip_special_tokens: true })
        return { text, complete: end >= 0 }
      })
    },
    [Symbol.asyncDispose]: async () => {
      await model.dispose()
    }
  }
}

/** Tokens that end what a model writes, as its own generation is set up. */
const endsOf = ({ model }: LoadedModel): ReadonlySet<number> => {
  const { eos_token_id } = model._prepare_generation_config(null, {})
  return new Set([eos_token_id ?? []].flat().map(Number))
}
