import { typeCodes } from "../../../support/OnnxFile.ts"
import {
  cache,
  embeds,
  embedTokens,
  features,
  file,
  id,
  images,
  json,
  logits,
  matrix,
  nextWord,
  op,
  size,
  tokenizer,
  tokenizerConfig,
  value,
  whole,
  width
} from "./ToyPictureParts.ts"
import { qwen, qwenSide } from "./ToyQwen.ts"

/**
 * Vision-language models in the layouts of Florence-2, SmolVLM and Qwen3.5, small enough to be written for a test. They say
 * whether a picture is bright or dark, word by word, each word from the one before it; a blue picture breaks them. What
 * follows their end is nonsense on purpose.
 */
export type ToyLayout = "florence2" | "smolvlm" | "qwen"

export const said = { bright: "A bright picture.", dark: "A dark picture at night." } as const

/** Sides of the pictures that the toys see. */
export const toySide = { florence2: 12, smolvlm: 8, qwen: qwenSide } as const
/** Tokens that stand for a picture in SmolVLM's prompt. */
const PLACES = 2

/** Embeddings in half precision, which do not go with the toys' pictures. */
export const halfEmbedTokens = () =>
  file(
    [value("input_ids", ["batch_size", "sequence_length"], "int64")],
    [value("inputs_embeds", ["batch_size", "sequence_length", width], "float16")],
    { tokens: matrix(size, width, (row, column) => Number(row === column)) },
    [
      op("Gather", ["tokens", "input_ids"], "whole"),
      op("Cast", ["whole"], "inputs_embeds", { to: typeCodes.float16 })
    ]
  )

const visionEncoder = {
  florence2: file(
    [value("pixel_values", ["batch_size", 3, toySide.florence2, toySide.florence2])],
    [value("image_features", ["batch_size", 1, width])],
    { ...features.constants, places: whole(1) },
    [
      op("ReduceMean", ["pixel_values"], "means", { axes: [2, 3], keepdims: 0 }),
      ...features.nodes,
      op("Unsqueeze", ["features", "places"], "image_features")
    ]
  ),
  smolvlm: file(
    [
      value("pixel_values", ["batch_size", "num_images", 3, toySide.smolvlm, toySide.smolvlm]),
      value("pixel_attention_mask", ["batch_size", "num_images", toySide.smolvlm, toySide.smolvlm], "bool")
    ],
    [value("image_features", ["num_pictures", PLACES, width])],
    { ...features.constants, places: whole(2), shape: whole(-1, PLACES, width) },
    [
      op("ReduceMean", ["pixel_values"], "all", { axes: [3, 4], keepdims: 0 }),
      op("Cast", ["pixel_attention_mask"], "mask", { to: typeCodes.float }),
      op("ReduceMean", ["mask"], "shown", { axes: [2, 3], keepdims: 0 }),
      op("Unsqueeze", ["shown", "places"], "share"),
      op("Mul", ["all", "share"], "means"),
      ...features.nodes,
      op("Unsqueeze", ["features", "places"], "place"),
      op("Concat", ["place", "place"], "pair", { axis: 2 }),
      op("Reshape", ["pair", "shape"], "image_features")
    ]
  )
} as const

const encoder = file(
  [
    value("attention_mask", ["batch_size", "encoder_sequence_length"], "int64"),
    value("inputs_embeds", ["batch_size", "encoder_sequence_length", width])
  ],
  [value("last_hidden_state", ["batch_size", "encoder_sequence_length", width])],
  { last: whole(-1) },
  [
    op("Cast", ["attention_mask"], "mask", { to: typeCodes.float }),
    op("Unsqueeze", ["mask", "last"], "shown"),
    op("Mul", ["inputs_embeds", "shown"], "last_hidden_state")
  ]
)

const florenceDecoder = () => {
  const next = nextWord("</s>")
  const names = ["decoder.key", "decoder.value", "encoder.key", "encoder.value"]
  return file(
    [
      value("encoder_attention_mask", ["batch_size", "encoder_sequence_length"], "int64"),
      value("encoder_hidden_states", ["batch_size", "encoder_sequence_length", width]),
      embeds,
      ...names.map((name) => cache(`past_key_values.0.${name}`, "past_length")),
      value("use_cache_branch", [1], "bool")
    ],
    [logits, ...names.map((name) => cache(`present.0.${name}`, "length"))],
    { ...next.constants, one: whole(1), last: whole(-1) },
    [
      op("Cast", ["encoder_attention_mask"], "mask", { to: typeCodes.float }),
      op("Unsqueeze", ["mask", "last"], "shown"),
      op("Mul", ["encoder_hidden_states", "shown"], "states"),
      op("ReduceSum", ["states", "one"], "picture", { keepdims: 1 }),
      ...next.nodes,
      op("Unsqueeze", ["inputs_embeds", "one"], "own"),
      op("Unsqueeze", ["encoder_hidden_states", "one"], "others"),
      ...["key", "value"].flatMap((name) => [
        op("Concat", [`past_key_values.0.decoder.${name}`, "own"], `present.0.decoder.${name}`, { axis: 2 }),
        op("Identity", ["others"], `present.0.encoder.${name}`)
      ])
    ]
  )
}

/** Where the weights of SmolVLM's decoder lie, which is beyond 2 GB. */
const WEIGHTS = "decoder_model_merged.onnx_data"

/** It sees the picture in its first run only, so that later words depend on what it kept. */
const smolDecoder = () => {
  const next = nextWord("<end_of_utterance>")
  const { follows, leans } = next.constants
  const network = file(
    [
      embeds,
      value("attention_mask", ["batch_size", "total_length"], "int64"),
      value("position_ids", ["batch_size", "sequence_length"], "int64"),
      cache("past_key_values.0.key", "past_length"),
      cache("past_key_values.0.value", "past_length")
    ],
    [logits, cache("present.0.key", "total_length"), cache("present.0.value", "total_length")],
    { follows: { ...follows, location: WEIGHTS }, leans, one: whole(1), two: whole(2), ends: whole(1, 3) },
    [
      op("Unsqueeze", ["inputs_embeds", "one"], "own"),
      op("Concat", ["past_key_values.0.key", "own"], "present.0.key", { axis: 2 }),
      op("Concat", ["past_key_values.0.value", "own"], "present.0.value", { axis: 2 }),
      op("Cast", ["attention_mask"], "mask", { to: typeCodes.float }),
      op("Unsqueeze", ["mask", "ends"], "shown"),
      op("Mul", ["present.0.key", "shown"], "kept"),
      op("ReduceSum", ["kept", "two"], "picture", { keepdims: 0 }),
      ...next.nodes
    ]
  )
  return { network, weights: Buffer.from(Float32Array.from(follows.values).buffer) }
}

const florence2 = (): Readonly<Record<string, Buffer>> => ({
  "config.json": json({
    model_type: "florence2",
    architectures: ["Florence2ForConditionalGeneration"],
    is_encoder_decoder: true,
    text_config: {
      model_type: "florence2_language",
      is_encoder_decoder: true,
      d_model: width,
      vocab_size: size,
      encoder_layers: 1,
      encoder_attention_heads: 1,
      decoder_layers: 1,
      decoder_attention_heads: 1
    },
    vocab_size: size
  }),
  "generation_config.json": json({
    bos_token_id: id("<s>"),
    decoder_start_token_id: id("</s>"),
    eos_token_id: id("</s>"),
    forced_bos_token_id: id("<s>"),
    forced_eos_token_id: id("</s>"),
    pad_token_id: id("<pad>"),
    num_beams: 3,
    no_repeat_ngram_size: 3
  }),
  "preprocessor_config.json": json({
    ...images,
    image_processor_type: "CLIPImageProcessor",
    processor_class: "Florence2Processor",
    resample: 3,
    size: { width: toySide.florence2, height: toySide.florence2 },
    tasks_answer_post_processing_type: { "<DETAILED_CAPTION>": "pure_text" },
    task_prompts_without_inputs: { "<DETAILED_CAPTION>": "What is this?" },
    task_prompts_with_input: {}
  }),
  "tokenizer.json": json(tokenizer),
  "tokenizer_config.json": json(tokenizerConfig("BartTokenizer")),
  "onnx/vision_encoder.onnx": visionEncoder.florence2,
  "onnx/embed_tokens.onnx": embedTokens,
  "onnx/encoder_model.onnx": encoder,
  "onnx/decoder_model_merged.onnx": florenceDecoder()
})

const smolvlm = (): Readonly<Record<string, Buffer>> => {
  const decoder = smolDecoder()
  return {
    "config.json": json({
      model_type: "idefics3",
      architectures: ["Idefics3ForConditionalGeneration"],
      image_token_id: id("<image>"),
      text_config: {
        model_type: "llama",
        hidden_size: width,
        num_hidden_layers: 1,
        num_attention_heads: 1,
        num_key_value_heads: 1,
        vocab_size: size
      }
    }),
    "generation_config.json": json({
      bos_token_id: id("<|im_start|>"),
      eos_token_id: id("<end_of_utterance>"),
      pad_token_id: id("<pad>")
    }),
    "preprocessor_config.json": json({
      ...images,
      do_pad: true,
      image_processor_type: "Idefics3ImageProcessor",
      processor_class: "Idefics3Processor",
      do_image_splitting: true,
      max_image_size: { longest_edge: toySide.smolvlm },
      size: { longest_edge: 4 * toySide.smolvlm },
      resample: 1
    }),
    "processor_config.json": json({ image_seq_len: PLACES, processor_class: "Idefics3Processor" }),
    "tokenizer.json": json(tokenizer),
    "tokenizer_config.json": json(tokenizerConfig("GPT2Tokenizer")),
    "onnx/vision_encoder.onnx": visionEncoder.smolvlm,
    "onnx/embed_tokens.onnx": embedTokens,
    "onnx/decoder_model_merged.onnx": decoder.network,
    [`onnx/${WEIGHTS}`]: decoder.weights
  }
}

/** The files of a toy, as a repository on the hub has them. */
export const toyFiles = { florence2, smolvlm, qwen } as const

/** The options of a toy that have no size of its own. */
export const toyOptions = { florence2: {}, smolvlm: {}, qwen: { side: toySide.qwen } } as const

/** What a stack tells the driver for a toy. */
export const toyPrompt = {
  florence2: "<DETAILED_CAPTION>",
  smolvlm: "<|im_start|>User:<image>What is this?<end_of_utterance>\nAssistant:",
  qwen:
    "<|im_start|>User:<|vision_start|><|image_pad|><|vision_end|>What is this?<end_of_utterance>\n<|im_start|>Assistant:"
} as const
