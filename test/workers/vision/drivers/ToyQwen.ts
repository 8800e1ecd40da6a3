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
  nextWord,
  op,
  size,
  tokenizer,
  tokenizerConfig,
  value,
  whole,
  width
} from "./ToyPictureParts.ts"

/** Pixels of a patch, patches of a place to each side, and the pictures of a film that a patch holds, in Qwen's layout. */
const PATCH = { side: 4, merge: 2, film: 2 } as const

const visionEncoder = file(
  [
    value("pixel_values", ["num_patches", 3 * PATCH.film * PATCH.side ** 2]),
    value("image_grid_thw", ["num_images", 3], "int64")
  ],
  [value("image_features", ["num_places", width])],
  {
    ...features.constants,
    colours: whole(-1, 3, PATCH.film * PATCH.side ** 2),
    together: whole(-1, PATCH.merge ** 2, width)
  },
  [
    op("Reshape", ["pixel_values", "colours"], "patches"),
    op("ReduceMean", ["patches"], "means", { axes: [2], keepdims: 0 }),
    ...features.nodes,
    op("Reshape", ["features", "together"], "places"),
    op("ReduceMean", ["places"], "image_features", { axes: [1], keepdims: 0 })
  ]
)

const state = (name: string) => value(name, ["batch_size", 1, 1, width])

/**
 * A layer that remembers by a state of one size, and one that remembers every word: it sees the picture in its first run only,
 * and the first layer has it from then on. Positions are told three times, for time, height and width.
 */
const qwenDecoder = () => {
  const next = nextWord("<end_of_utterance>", "all")
  return file(
    [
      embeds,
      value("attention_mask", ["batch_size", "total_length"], "int64"),
      value("position_ids", [3, "batch_size", "sequence_length"], "int64"),
      value("num_logits_to_keep", [], "int64"),
      value("past_conv.0", ["batch_size", width, 1]),
      state("past_recurrent.0"),
      cache("past_key_values.1.key", "past_length"),
      cache("past_key_values.1.value", "past_length")
    ],
    [
      logits,
      value("present_conv.0", ["batch_size", width, 1]),
      state("present_recurrent.0"),
      cache("present.1.key", "total_length"),
      cache("present.1.value", "total_length")
    ],
    { ...next.constants, one: whole(1), two: whole(2), first: whole(0), last: whole(-1), end: whole(1e9) },
    [
      op("Unsqueeze", ["inputs_embeds", "one"], "own"),
      op("Concat", ["past_key_values.1.key", "own"], "present.1.key", { axis: 2 }),
      op("Concat", ["past_key_values.1.value", "own"], "present.1.value", { axis: 2 }),
      op("ReduceSum", ["own", "two"], "heard", { keepdims: 1 }),
      op("Add", ["past_recurrent.0", "heard"], "present_recurrent.0"),
      op("Gather", ["inputs_embeds", "last"], "newest", { axis: 1 }),
      op("Transpose", ["newest"], "present_conv.0", { perm: [0, 2, 1] }),
      op("Squeeze", ["present_recurrent.0", "one"], "picture"),
      ...next.nodes,
      op("Neg", ["num_logits_to_keep"], "back"),
      op("Unsqueeze", ["back", "first"], "start"),
      op("Slice", ["all", "start", "end", "one"], "logits")
    ]
  )
}

/** The side of the pictures that the toy sees, which has no size of its own. */
export const qwenSide = 8

/** The files of a toy in the layout of Qwen3.5. */
export const qwen = (): Readonly<Record<string, Buffer>> => ({
  "config.json": json({
    model_type: "qwen3_5",
    architectures: ["Qwen3_5ForConditionalGeneration"],
    image_token_id: id("<|image_pad|>"),
    video_token_id: size,
    vision_start_token_id: id("<|vision_start|>"),
    vision_end_token_id: id("<|vision_end|>"),
    vision_config: { model_type: "qwen3_5", spatial_merge_size: PATCH.merge },
    text_config: {
      model_type: "qwen3_5_text",
      hidden_size: width,
      num_hidden_layers: 2,
      num_attention_heads: 1,
      num_key_value_heads: 1,
      layer_types: ["linear_attention", "full_attention"],
      vocab_size: size
    }
  }),
  "generation_config.json": json({ eos_token_id: [id("<end_of_utterance>"), id("</s>")], pad_token_id: id("<pad>") }),
  "preprocessor_config.json": json({
    ...images,
    do_convert_rgb: true,
    image_processor_type: "Qwen2VLImageProcessorFast",
    processor_class: "Qwen3VLProcessor",
    patch_size: PATCH.side,
    merge_size: PATCH.merge,
    temporal_patch_size: PATCH.film,
    size: { shortest_edge: 65_536, longest_edge: 16_777_216 }
  }),
  "tokenizer.json": json(tokenizer),
  "tokenizer_config.json": json(tokenizerConfig("Qwen2Tokenizer")),
  "onnx/vision_encoder.onnx": visionEncoder,
  "onnx/embed_tokens.onnx": embedTokens,
  "onnx/decoder_model_merged.onnx": qwenDecoder()
})
