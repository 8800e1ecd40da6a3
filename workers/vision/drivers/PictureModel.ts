import type * as Library from "@huggingface/transformers"
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

interface Size {
  readonly width: number
  readonly height: number
}

const sizeOf = (size: unknown, name: string): Size => {
  const { height, longest_edge, width } = (size ?? {}) as Record<string, unknown>
  const sides = [width ?? longest_edge, height ?? longest_edge]
  if (!sides.every((side) => Number.isInteger(side) && Number(side) > 0 && Number(side) <= 4096)) {
    throw new OnnxModelError(`The model ${name} does not say how large its pictures are`)
  }
  return { width: Number(sides[0]), height: Number(sides[1]) }
}

/** Qwen has no size of its own: of each square of `step` pixels it makes one place among the words. */
const inSteps = (size: Size, step: number, name: string): Size => {
  if (Object.values(size).every((side) => side % step === 0)) return size
  const { height, width } = size
  throw new OnnxModelError(
    `The model ${name} sees pictures of multiples of ${step} pixels, not of ${width} by ${height}`
  )
}

const turned = ({ height, width }: Size): Size => ({ width: height, height: width })

const stringIn = ({ name, options }: ResolvedModel, key: string): string => {
  const value = options[key]
  if (typeof value !== "string") throw new OnnxModelError(`The model ${name} lacks the option ${key}`)
  return value
}

/**
 * Opens a vision-language model of a stack: Florence-2 ("Florence-2: Advancing a Unified Representation for a Variety of
 * Vision Tasks", Xiao et al. 2023), which is given a task, or SmolVLM ("SmolVLM: Redefining small and efficient multimodal
 * models", Marafioti et al. 2025) or Qwen3.5 ("Qwen3-VL Technical Report", Bai et al. 2025, is the nearest that tells of its eyes), which
 * are given a conversation; all by the option `prompt`, the same for every picture. A picture is seen once as a whole, and stretched to
 * the model's square, or to the options `side` or `width` and `height`, upright where it is: text on it is read by others. Throws
 * `OnnxModelError` when it cannot be opened.
 */
export const openPictureModel = async (stack: ResolvedModel, device: Device): Promise<PictureModel> => {
  const prompt = stringIn(stack, "prompt")
  const loaded = await loadModel(stack, { device, threads: THREADS })
  const { architecture, library, model, processor } = loaded
  const most = Number(stack.options["max_tokens"] ?? MOST_TOKENS)
  const images = processor.image_processor!
  const config = images.config as Record<string, unknown>
  const { side, width = side, height = side } = stack.options
  const own = architecture === "smolvlm" ? config["max_image_size"] : images.size
  const given = sizeOf(width === undefined ? own : { width, height }, stack.name)
  // A place among the words stands for two patches by two of Qwen's.
  const step = architecture === "qwen" ? Number(config["patch_size"]) * Number(config["merge_size"]) : 1
  const lying = inSteps(given, step, stack.name)
  // Turned, a picture has as many places for Qwen, and still shares runs; others know one shape.
  const shapeOf = (picture: Size): Size =>
    architecture === "qwen" && picture.height > picture.width ? turned(lying) : lying
  // Pictures come in the model's own size. The library would enlarge SmolVLM's to 2048 pixels first, to cut out tiles.
  images.do_resize = false
  const ends = endsOf(loaded)

  /** The library takes several pictures of Qwen's for one film: each is made ready by itself. */
  const inOneRun = async (pictures: ReadonlyArray<Library.RawImage>): Promise<Readonly<Record<string, unknown>>> => {
    const each: Array<Record<string, Library.Tensor>> = []
    for (const picture of pictures) each.push(await processor([prompt], [picture]))
    const together = (key: string) => [key, library.cat(each.map((one) => one[key]!), 0)] as const
    return Object.fromEntries(["input_ids", "attention_mask", "pixel_values", "image_grid_thw"].map(together))
  }

  const inputsFor = (pictures: ReadonlyArray<Picture>): Promise<Readonly<Record<string, unknown>>> => {
    const raw = pictures.map(({ height, rgb, width }) => new library.RawImage(rgb, width, height, 3))
    if (architecture === "qwen") return inOneRun(raw)
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
    fitted: async (picture) => {
      const shape = shapeOf(picture)
      return picture.width === shape.width && picture.height === shape.height
        ? picture
        : resized(picture, shape.width, shape.height)
    },
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
