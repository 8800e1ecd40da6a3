import { mkdirSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { SAMPLE_RATE } from "../../../../workers/speech/dsp/FeatureExtractor.ts"
import { type OnnxConstant, onnxFile, type OnnxNode, type OnnxValue } from "../../../support/OnnxFile.ts"

/**
 * Networks in the layouts that sherpa-onnx reads, small enough to be written for a test, that hear one piece of text in
 * each of four tones: what they must recognise in `spokenTones`, and when, is known.
 */
const tones = [
  { hertz: 500, bin: 14, text: "▁Good" },
  { hertz: 1000, bin: 26, text: "▁foot" },
  { hertz: 2000, bin: 43, text: "age" },
  { hertz: 4000, bin: 61, text: "." }
] as const
/** Heard as a language, not as text. */
const german = { hertz: 6000, bin: 72 } as const

const BINS = 80
/** Bins to both sides of a tone's own: the scales of mel differ by two between the layouts. */
const REACH = 3
const BLANK = tones.length

/** The words in `spokenTones` with the seconds they are heard in. */
export const toneWords = [
  { text: "Good", t_start: 0.4, t_end: 0.8 },
  { text: "footage.", t_start: 1.2, t_end: 2.2 }
] as const

const tone = (hertz: number, from: number, to: number) => (t: number) =>
  t >= from && t < to ? 0.3 * Math.sin(2 * Math.PI * hertz * t) : 0

/** 2.6 s of tones that say `Good footage.` over a faint hiss; in German with one tone more. */
export const spokenTones = (language: "en" | "de" = "en"): Float32Array => {
  const parts = [tone(500, 0.4, 0.8), tone(1000, 1.2, 1.6), tone(2000, 1.6, 2), tone(4000, 2, 2.2)]
  if (language === "de") parts.push(tone(german.hertz, 0.9, 1.1))
  let state = 1
  return Float32Array.from({ length: 2.6 * SAMPLE_RATE }, (_, n) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return parts.reduce((sum, part) => sum + part(n / SAMPLE_RATE), 0.001 * (state / 2 ** 31 - 1))
  })
}

const float = (dims: ReadonlyArray<number>, values: ReadonlyArray<number>): OnnxConstant => ({
  type: "float",
  dims,
  values
})
const int64 = (...values: ReadonlyArray<number>): OnnxConstant => ({ type: "int64", dims: [values.length], values })
const input = (name: string, dims: OnnxValue["dims"], type: OnnxValue["type"] = "float"): OnnxValue => ({
  name,
  dims,
  type
})

/** Weights `[bands, 80, frames]` that average the bins around each band's own over some frames. */
const bandWeights = (bins: ReadonlyArray<number | null>, frames: number, scale: number): OnnxConstant =>
  float(
    [bins.length, BINS, frames],
    bins.flatMap((bin) =>
      Array.from({ length: BINS * frames }, (_, i) =>
        bin !== null && Math.abs(Math.floor(i / frames) - bin) <= REACH ? scale / ((2 * REACH + 1) * frames) : 0)
    )
  )

/** One score per tone and a constant one for the blank, every `stride` frames, from normalised features. */
const toneScores = (stride: number, from: string, to: string) => ({
  constants: {
    bands: bandWeights([...tones.map(({ bin }) => bin), null], stride, 4),
    threshold: float([BLANK + 1], [0, 0, 0, 0, 4])
  },
  nodes: [{
    op: "Conv",
    inputs: [from, "bands", "threshold"],
    outputs: [to],
    attributes: { kernel_shape: [stride], strides: [stride], pads: [0, stride - 1] }
  }]
})

/** `ceil(length / stride)`, as the convolution above counts. */
const toneLengths = (stride: number) => ({
  constants: { rounding: int64(stride - 1), stride: int64(stride) },
  nodes: [
    { op: "Add", inputs: ["length", "rounding"], outputs: ["padded_length"] },
    { op: "Div", inputs: ["padded_length", "stride"], outputs: ["encoded_lengths"] }
  ]
})

const transpose = (from: string, to: string, ...perm: ReadonlyArray<number>): OnnxNode => ({
  op: "Transpose",
  inputs: [from],
  outputs: [to],
  attributes: { perm }
})
const same = (from: string, to: string): OnnxNode => ({ op: "Identity", inputs: [from], outputs: [to] })

const write = (folder: string, files: Readonly<Record<string, Buffer | string>>): Record<string, string> => {
  mkdirSync(folder, { recursive: true })
  return Object.fromEntries(
    Object.entries(files).map(([key, content]) => {
      const path = join(folder, typeof content === "string" ? `${key}.txt` : `${key}.onnx`)
      writeFileSync(path, content)
      return [key, path]
    })
  )
}

const nemoTokens = [...tones.map(({ text }) => text), "<blk>"].map((text, id) => `${text} ${id}\n`).join("")

/** A CTC network of NeMo's layout, 40 ms a frame. */
export const writeToyCtc = (folder: string) => {
  const scores = toneScores(4, "audio_signal", "scores")
  const lengths = toneLengths(4)
  const model = onnxFile({
    inputs: [input("audio_signal", ["B", BINS, "T"]), input("length", ["B"], "int64")],
    outputs: [input("logprobs", ["B", "T4", BLANK + 1]), input("encoded_lengths", ["B"], "int64")],
    constants: { ...scores.constants, ...lengths.constants },
    nodes: [
      ...scores.nodes,
      transpose("scores", "rows", 0, 2, 1),
      { op: "LogSoftmax", inputs: ["rows"], outputs: ["logprobs"], attributes: { axis: -1 } },
      ...lengths.nodes
    ],
    metadata: {
      model_type: "EncDecCTCModelBPE",
      vocab_size: BLANK + 1,
      subsampling_factor: 4,
      normalize_type: "per_feature"
    }
  })
  return write(folder, { model, tokens: nemoTokens })
}

/** A token-and-duration transducer of NeMo's layout, 80 ms a frame: it says a tone once, for two frames. */
export const writeToyTransducer = (folder: string) => {
  const width = BLANK + 1
  const scores = toneScores(8, "audio_signal", "outputs")
  const lengths = toneLengths(8)
  const encoder = onnxFile({
    inputs: [input("audio_signal", ["B", BINS, "T"]), input("length", ["B"], "int64")],
    outputs: [input("outputs", ["B", width, "T8"]), input("encoded_lengths", ["B"], "int64")],
    constants: { ...scores.constants, ...lengths.constants },
    nodes: [...scores.nodes, ...lengths.nodes],
    metadata: {
      model_type: "EncDecRNNTBPEModel",
      // By this the engine knows that durations follow the tokens.
      url: "parakeet-tdt-toy",
      vocab_size: BLANK,
      subsampling_factor: 8,
      normalize_type: "per_feature",
      pred_rnn_layers: 1,
      pred_hidden: 2,
      feat_dim: BINS
    }
  })
  const state = (name: string) => input(name, [1, "B", 2])
  const decoder = onnxFile({
    inputs: [input("targets", ["B", "U"], "int32"), input("target_length", ["B"], "int32"), state("h"), state("c")],
    outputs: [input("outputs", ["B", width, "U"]), input("lengths", ["B"], "int32"), state("h_next"), state("c_next")],
    constants: {
      // What was said last is not said again.
      said: float(
        [width, width],
        Array.from({ length: width * width }, (_, i) => i % (width + 1) === 0 && i < BLANK * width ? -100 : 0)
      )
    },
    nodes: [
      { op: "Gather", inputs: ["said", "targets"], outputs: ["rows"] },
      transpose("rows", "outputs", 0, 2, 1),
      same("target_length", "lengths"),
      same("h", "h_next"),
      same("c", "c_next")
    ],
    metadata: {}
  })
  const joiner = onnxFile({
    inputs: [input("encoder_outputs", ["B", width, 1]), input("decoder_outputs", ["B", width, 1])],
    outputs: [input("logits", ["B", 1, 1, width + 5])],
    constants: {
      zero: int64(0),
      one: int64(1),
      two: int64(2),
      blank: int64(BLANK),
      end: int64(width),
      never: float([1, 1, 1], [-1000])
    },
    nodes: [
      { op: "Add", inputs: ["encoder_outputs", "decoder_outputs"], outputs: ["columns"] },
      transpose("columns", "tokens", 0, 2, 1),
      { op: "Slice", inputs: ["tokens", "zero", "blank", "two"], outputs: ["texts"] },
      { op: "Slice", inputs: ["tokens", "blank", "end", "two"], outputs: ["silence"] },
      { op: "ReduceMax", inputs: ["texts"], outputs: ["text"], attributes: { axes: [2], keepdims: 1 } },
      {
        op: "Concat",
        inputs: ["tokens", "never", "silence", "text", "never", "never"],
        outputs: ["row"],
        attributes: { axis: 2 }
      },
      { op: "Unsqueeze", inputs: ["row", "one"], outputs: ["logits"] }
    ],
    metadata: {}
  })
  return write(folder, { encoder, decoder, joiner, tokens: nemoTokens })
}

const whisper = {
  eot: 4,
  sot: 5,
  en: 6,
  de: 7,
  translate: 8,
  transcribe: 9,
  no_speech: 10,
  no_timestamps: 11,
  size: 12
}

/** Whisper's two networks: the text of every tone that is heard at all, in the order of the tones. */
export const writeToyWhisper = (folder: string) => {
  const bands = [...tones, german].map(({ bin }) => bin)
  const encoder = onnxFile({
    inputs: [input("mel", ["B", BINS, "T"])],
    outputs: [
      input("n_layer_cross_k", [1, "B", "T2", bands.length]),
      input("n_layer_cross_v", [1, "B", "T2", bands.length])
    ],
    constants: { bands: bandWeights(bands, 2, 1), zero: int64(0) },
    nodes: [
      { op: "Conv", inputs: ["mel", "bands"], outputs: ["columns"], attributes: { kernel_shape: [2], strides: [2] } },
      transpose("columns", "rows", 0, 2, 1),
      { op: "Unsqueeze", inputs: ["rows", "zero"], outputs: ["n_layer_cross_k"] },
      same("n_layer_cross_k", "n_layer_cross_v")
    ],
    metadata: {
      model_type: "whisper-toy",
      n_mels: BINS,
      n_text_layer: 1,
      n_text_ctx: 64,
      n_text_state: bands.length,
      n_vocab: whisper.size,
      sot: whisper.sot,
      eot: whisper.eot,
      blank_id: whisper.size,
      translate: whisper.translate,
      transcribe: whisper.transcribe,
      is_multilingual: 1,
      no_timestamps: whisper.no_timestamps,
      no_speech: whisper.no_speech,
      sot_sequence: [whisper.sot, whisper.en, whisper.transcribe].join(","),
      all_language_tokens: [whisper.en, whisper.de].join(","),
      all_language_codes: "en,de"
    }
  })
  const cache = (name: string) => input(name, [1, "B", 64, bands.length])
  const cross = (name: string) => input(name, [1, "B", "T2", bands.length])
  const never = -1000
  /** What may follow a token: a later text or the end; after the first token of all a language. */
  const follows = (last: number, next: number) => {
    if (last === whisper.sot) return next === whisper.en ? 1 : next === whisper.de ? 0 : never
    if (next === whisper.eot) return 0
    return next < whisper.eot && (last > whisper.eot || next > last) ? -next / 10 : never
  }
  const decoder = onnxFile({
    inputs: [
      input("tokens", ["B", "N"], "int64"),
      cache("in_n_layer_self_k_cache"),
      cache("in_n_layer_self_v_cache"),
      cross("n_layer_cross_k"),
      cross("n_layer_cross_v"),
      input("offset", [1], "int64")
    ],
    outputs: [
      input("logits", ["B", "N", whisper.size]),
      cache("out_n_layer_self_k_cache"),
      cache("out_n_layer_self_v_cache")
    ],
    constants: {
      follows: float(
        [whisper.size, whisper.size],
        Array.from({ length: whisper.size ** 2 }, (_, i) => follows(Math.floor(i / whisper.size), i % whisper.size))
      ),
      // Of Whisper's own scale: silence behind the sound is 0, a tone of this loudness about 1.
      threshold: float([1], [-0.25]),
      least: float([], [-50]),
      most: float([], [50]),
      sharpness: float([1], [40]),
      vocabulary: float(
        [bands.length, whisper.size],
        bands.flatMap((_, band) =>
          Array.from({ length: whisper.size }, (_, token) => token === (band < BLANK ? band : whisper.de) ? 1 : 0)
        )
      ),
      zero: int64(0)
    },
    nodes: [
      {
        op: "ReduceMax",
        inputs: ["n_layer_cross_k"],
        outputs: ["loudest"],
        attributes: { axes: [2], keepdims: 0 }
      },
      { op: "Add", inputs: ["loudest", "threshold"], outputs: ["above"] },
      { op: "Mul", inputs: ["above", "sharpness"], outputs: ["sharp"] },
      { op: "Clip", inputs: ["sharp", "least", "most"], outputs: ["heard"] },
      { op: "MatMul", inputs: ["heard", "vocabulary"], outputs: ["wanted"] },
      { op: "Gather", inputs: ["follows", "tokens"], outputs: ["possible"] },
      { op: "Add", inputs: ["possible", "wanted"], outputs: ["logits"] },
      same("in_n_layer_self_k_cache", "out_n_layer_self_k_cache"),
      same("in_n_layer_self_v_cache", "out_n_layer_self_v_cache"),
      same("offset", "unused_offset"),
      same("n_layer_cross_v", "unused_cross")
    ],
    metadata: {}
  })
  const names = [" Good", " foot", "age", ".", "<|endoftext|>"]
  const tokens = names.map((text, id) => `${Buffer.from(text).toString("base64")} ${id}\n`).join("")
  return write(folder, { encoder, decoder, tokens })
}

/** A speaker network in the layout of WeSpeaker or of NeMo's TitaNet: how loud each of the four tones is. */
export const writeToySpeaker = (folder: string, framework: "wespeaker" | "nemo") => {
  const nemo = framework === "nemo"
  const [from, shape] = nemo ? ["audio_signal", ["B", BINS, "T"]] as const : ["feats", ["B", "T", BINS]] as const
  const model = onnxFile({
    inputs: [input(from, shape), ...(nemo ? [input("length", ["B"], "int64")] : [])],
    outputs: [...(nemo ? [input("logits", ["B", BLANK])] : []), input("embs", ["B", BLANK])],
    constants: { bands: bandWeights(tones.map(({ bin }) => bin), 1, 1) },
    nodes: [
      nemo ? same(from, "bins") : transpose(from, "bins", 0, 2, 1),
      { op: "Conv", inputs: ["bins", "bands"], outputs: ["levels"] },
      { op: "Relu", inputs: ["levels"], outputs: ["loud"] },
      { op: "ReduceMean", inputs: ["loud"], outputs: ["embs"], attributes: { axes: [2], keepdims: 0 } },
      ...(nemo ? [same("embs", "logits"), same("length", "unused_length")] : [])
    ],
    metadata: {
      framework,
      language: "English",
      output_dim: BLANK,
      sample_rate: SAMPLE_RATE,
      normalize_samples: 1,
      ...(nemo
        ? {
          feat_dim: BINS,
          window_size_ms: 25,
          window_stride_ms: 10,
          window_type: "hann",
          feature_normalize_type: "per_feature"
        }
        : { feature_normalize_type: "global-mean" })
    }
  })
  return write(folder, { model })
}

/** Sound of one tone over a faint hiss, for the speaker networks. */
export const oneTone = (index: number, seconds: number): Float32Array => {
  const hum = tone(tones[index]!.hertz, 0, seconds)
  const pauses = (t: number) => t % 0.5 < 0.25 ? hum(t) : 0
  let state = 1
  return Float32Array.from({ length: seconds * SAMPLE_RATE }, (_, n) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return pauses(n / SAMPLE_RATE) + 0.001 * (state / 2 ** 31 - 1)
  })
}
