import { readFile } from "node:fs/promises"
import { OnnxModelError } from "../../onnx/OnnxSession.ts"
import { readOnnxMetadata } from "../asr/OnnxMetadata.ts"
import { onlyLanguage } from "../asr/Recogniser.ts"

/** A recogniser's files that have been looked into, as the engine is to be told of them. */
export interface SherpaModel {
  readonly tokens: string
  readonly whisper: boolean
  /** The part of `modelConfig` that names the networks; `language` is for Whisper, empty to let it find out. */
  readonly config: (language: string) => Readonly<Record<string, unknown>>
  /** Base tags of the languages that can be told to the model. */
  readonly languages: ReadonlySet<string>
  /** Its language where it knows just one. */
  readonly only: string | null
}

type Metadata = ReadonlyMap<string, string>

/** What the engine reads from the first network of a layout; it ends the process where a key is not there. */
const whisperKeys = [
  "n_mels n_text_layer n_text_ctx n_text_state n_vocab sot eot blank_id translate transcribe is_multilingual",
  "no_timestamps no_speech sot_sequence"
].flatMap((keys) => keys.split(" "))
const transducerKeys = ["vocab_size", "subsampling_factor", "normalize_type", "pred_rnn_layers", "pred_hidden"]
const ctcKeys = ["vocab_size", "subsampling_factor", "normalize_type"]

/**
 * Looks into the files of a recogniser of the option `type`: `nemo_transducer` (encoder, decoder, joiner), `nemo_ctc`
 * (model) or `whisper` (encoder, decoder), each with its tokens. Throws `OnnxModelError` that names the file which is
 * missing, cut off, of another layout, or does not fit the others.
 */
export const checkedModel = async (
  name: string,
  files: Readonly<Record<string, string>>,
  options: Readonly<Record<string, unknown>>
): Promise<SherpaModel> => {
  const file = (key: string): string => {
    const path = files[key]
    if (path === undefined) throw new OnnxModelError(`The model ${name} lacks the file ${key}`)
    return path
  }
  const languages = Array.isArray(options["languages"]) ? options["languages"].map(String) : []
  const only = onlyLanguage(options)
  const tokens = file("tokens")
  switch (options["type"]) {
    case "whisper": {
      const [encoder, decoder] = [file("encoder"), file("decoder")]
      const metadata = await metadataOf(encoder, whisperKeys)
      await readOnnxMetadata(decoder)
      const own = whisperLanguages(encoder, metadata)
      await checkTokens(tokens, null)
      // Exported with its attention, the decoder tells when each token is heard.
      const timed = Number(metadata.get("n_alignment_heads") ?? 0) > 0
      return {
        tokens,
        whisper: true,
        languages: new Set(own),
        only: own.length === 0 ? "en" : null,
        config: (language) => ({
          whisper: { encoder, decoder, language, task: "transcribe", tailPaddings: -1, enableTokenTimestamps: timed }
        })
      }
    }
    case "nemo_transducer": {
      const [encoder, decoder, joiner] = [file("encoder"), file("decoder"), file("joiner")]
      const metadata = await metadataOf(encoder, transducerKeys)
      for (const path of [decoder, joiner]) await readOnnxMetadata(path)
      // In this layout the blank does not count.
      await checkTokens(tokens, Number(metadata.get("vocab_size")) + 1)
      const config = { transducer: { encoder, decoder, joiner }, modelType: "nemo_transducer" }
      return { tokens, whisper: false, languages: new Set(languages), only, config: () => config }
    }
    case "nemo_ctc": {
      const model = file("model")
      await metadataOf(model, ctcKeys)
      await checkTokens(tokens, "with blank")
      return { tokens, whisper: false, languages: new Set(languages), only, config: () => ({ nemoCtc: { model } }) }
    }
    default:
      throw new OnnxModelError(
        `The model ${name} is of no type that the driver sherpa knows: ${String(options["type"])}`
      )
  }
}

const metadataOf = async (path: string, keys: ReadonlyArray<string>): Promise<Metadata> => {
  const metadata = await readOnnxMetadata(path)
  const missing = keys.filter((key) => !metadata.has(key))
  if (missing.length > 0) throw new OnnxModelError(`Model file ${path} lacks the metadata ${missing.join(", ")}`)
  return metadata
}

const whisperLanguages = (path: string, metadata: Metadata): ReadonlyArray<string> => {
  if (metadata.get("is_multilingual") === "0") return []
  const codes = metadata.get("all_language_codes")?.split(",") ?? []
  if (codes.length === 0 || codes.length !== metadata.get("all_language_tokens")?.split(",").length) {
    throw new OnnxModelError(`Model file ${path} has no list of its languages`)
  }
  return codes
}

/** With a size there must be as many tokens, the last of them the blank. */
const checkTokens = async (path: string, size: number | "with blank" | null): Promise<void> => {
  let text: string
  try {
    text = await readFile(path, "utf8")
  } catch (cause) {
    throw new OnnxModelError(`Token table ${path} cannot be read`, { cause })
  }
  const lines = text.split("\n").filter((line) => line.trim() !== "")
  const wellFormed = lines.length > 0 && lines.every((line) => /\s\d+\s*$/u.test(line) || /^\d+\s*$/u.test(line))
  if (!wellFormed) throw new OnnxModelError(`Token table ${path} is not one`)
  if (size === null) return
  const blank = lines.find((line) => line.startsWith("<blk> "))
  if (blank === undefined) throw new OnnxModelError(`Token table ${path} has no <blk>`)
  if (size === "with blank") return
  const fits = lines.length === size && blank.trim() === `<blk> ${size - 1}`
  if (!fits) {
    throw new OnnxModelError(`Token table ${path} has ${lines.length} tokens, not ${size} with <blk> as the last`)
  }
}
