import type * as Library from "@huggingface/transformers"
import { Schema } from "effect"
import { readFile } from "node:fs/promises"
import type { ResolvedModel } from "../../../src/model-stacks/ResolvedStack.ts"
import type { Device } from "../../onnx/Device.ts"
import { fileOf } from "../../onnx/ModelFiles.ts"
import { OnnxModelError, providersOf } from "../../onnx/OnnxSession.ts"

type Transformers = typeof Library

/** Where the library looks for models: below a device nothing can lie, so that it finds what it is handed and no more. */
const NOWHERE = "/dev/null"

/** Files by the address that the library asks for: `/dev/null/<model>/<name on the hub>`. */
const handed = new Map<string, string>()

const handedFiles = {
  match: async (address: string): Promise<Response | string | undefined> => {
    const path = handed.get(address)
    if (path === undefined || path.endsWith(".onnx")) return path
    return new Response(await readFile(path))
  },
  put: () => Promise.resolve()
}

const load = async (): Promise<Transformers> => {
  const library = await import("@huggingface/transformers")
  const { env } = library
  env.allowRemoteModels = false
  env.localModelPath = NOWHERE
  env.remoteHost = NOWHERE
  env.remotePathTemplate = "{model}"
  env.fetch = (address) => Promise.reject(new Error(`${String(address)} is not a file of the stack`))
  env.useFSCache = false
  env.useCustomCache = true
  env.customCache = handedFiles
  // An error comes as an error; in the log it would carry every number of the picture.
  env.logLevel = library.LogLevel.NONE
  return library
}

let loaded: Promise<Transformers> | undefined

/** Files that every architecture here needs, by their keys in a stack. */
const needed = ["config", "preprocessor_config", "tokenizer", "tokenizer_config"]
const networks = ["vision_encoder", "embed_tokens", "decoder_model_merged"]

type Architecture = "florence2" | "smolvlm" | "qwen"

/** The architectures that `PictureModel.ts` can talk to, by `model_type` of their `config.json`. */
const architectures = new Map<unknown, { readonly as: Architecture; readonly more: ReadonlyArray<string> }>([
  ["florence2", { as: "florence2", more: ["encoder_model"] }],
  ["qwen3_5", { as: "qwen", more: [] }],
  ["idefics3", { as: "smolvlm", more: ["processor_config"] }],
  ["smolvlm", { as: "smolvlm", more: ["processor_config"] }]
])

export interface LoadedModel {
  readonly library: Transformers
  readonly architecture: Architecture
  readonly model: InstanceType<Transformers["PreTrainedModel"]>
  readonly processor: InstanceType<Transformers["Processor"]>
}

let models = 0

/**
 * Opens a vision-language model with `@huggingface/transformers`, which is loaded for the first one. The library is handed
 * the stack's files, which have been hashed, and can open no other file and no connection. The key of a file is its name
 * on the hub without folder, precision and ending; weights outside of a network lie beside it. Throws `OnnxModelError`.
 */
export const loadModel = async (
  stack: ResolvedModel,
  { device, threads }: { readonly device: Device; readonly threads: number }
): Promise<LoadedModel> => {
  const found = architectures.get(await modelType(stack))
  if (found === undefined) {
    throw new OnnxModelError(`The model ${stack.name} is none of ${[...architectures.keys()].join(", ")}`)
  }
  for (const key of [...needed, ...networks, ...found.more]) fileOf(stack, key)
  const id = `model-${++models}`
  const addresses: Array<string> = []
  for (const [key, path] of Object.entries(stack.files)) {
    const [folder, ending] = path.endsWith(".onnx") ? ["onnx/", ".onnx"] : ["", ".json"]
    if (!path.endsWith(ending)) continue
    addresses.push(`${NOWHERE}/${id}/${folder}${key}${ending}`)
    handed.set(addresses.at(-1)!, path)
  }
  try {
    const library = await (loaded ??= load().catch((error: unknown) => {
      loaded = undefined
      throw error
    }))
    const [model, processor] = await Promise.all([
      library.AutoModelForImageTextToText.from_pretrained(id, {
        device: device.execution_provider,
        // The precision is that of the files, whatever the configuration would choose.
        dtype: "fp32",
        use_external_data_format: false,
        session_options: {
          executionProviders: providersOf(device),
          intraOpNumThreads: threads,
          interOpNumThreads: 1,
          logSeverityLevel: 3
        }
      }),
      library.AutoProcessor.from_pretrained(id)
    ])
    try {
      checkPrecision(stack, model.sessions)
    } catch (error) {
      await model.dispose()
      throw error
    }
    return { library, architecture: found.as, model, processor }
  } catch (cause) {
    if (cause instanceof OnnxModelError) throw cause
    throw new OnnxModelError(`The model ${stack.name} cannot be opened: ${(cause as Error).message}`, { cause })
  } finally {
    for (const address of addresses) handed.delete(address)
  }
}

type Sessions = Readonly<
  Record<string, { readonly outputMetadata: ReadonlyArray<{ readonly name: string; readonly type?: string }> }>
>

/** The library copies what is seen between what is said, number by number, without looking at their types. */
const checkPrecision = ({ name }: ResolvedModel, sessions: Sessions): void => {
  const typeOf = (session: string, output: string) =>
    sessions[session]!.outputMetadata.find((value) => value.name === output)?.type
  const [seen, said] = [typeOf("vision_encoder", "image_features"), typeOf("embed_tokens", "inputs_embeds")]
  if (seen === undefined || seen !== said) {
    throw new OnnxModelError(`The model ${name} gives pictures as ${seen} and words as ${said}, which do not mix`)
  }
}

const decodeConfig = Schema.decodeUnknownSync(
  Schema.fromJsonString(Schema.Struct({ model_type: Schema.optionalKey(Schema.Unknown) }))
)

const modelType = async (stack: ResolvedModel): Promise<unknown> => {
  const path = fileOf(stack, "config")
  try {
    return decodeConfig(await readFile(path, "utf8")).model_type
  } catch (cause) {
    throw new OnnxModelError(`Model file ${path} cannot be read`, { cause })
  }
}
