import { readFileSync, writeFileSync } from "node:fs"
import { basename, join } from "node:path"
import { fileURLToPath } from "node:url"
import { align, comparable } from "../bench/speech/ErrorRates.ts"
import { makeSounds } from "../bench/speech/MadeSounds.ts"
import { makeReader, pcmOf, recordingsIn } from "../bench/speech/Recordings.ts"
import type { RecognisedSlice } from "../workers/speech/asr/Recogniser.ts"
import { type DecodedWord } from "../workers/speech/ctc/CtcDecoder.ts"
import { readTokens } from "../workers/speech/ctc/CtcTokens.ts"
import { openSpeechModels, speechRolesOf } from "../workers/speech/drivers/OpenSpeechModels.ts"
import {
  rejectionFeatures,
  rejectionScoreOf,
  type RejectionWeights
} from "../workers/speech/drivers/SpeechRejection.ts"
import { SAMPLE_RATE } from "../workers/speech/dsp/FeatureExtractor.ts"
import { type SoundSlice, soundSlice } from "../workers/speech/dsp/SoundSlice.ts"
import { planChunks } from "../workers/speech/vad/Chunks.ts"
import type { Speech } from "../workers/speech/vad/SpeechGate.ts"

// Fits the option `sureness` of models/stacks/builtin.json to the built-in recogniser: `node tools/fit-speech-rejection.ts [folder]`,
// two to four minutes. Run it whenever the network or its word model is another. First the honest figure: half of the
// speech and sounds of seeds that the weights never saw.

const root = fileURLToPath(new URL("..", import.meta.url))
const stack = join(root, "models", "stacks", "builtin.json")
const folders = [process.argv[2] ?? join(root, "..", "shared", "assets", "audio", "dev"), join(root, "samples")]
/** Of the words that are heard right, so many at most are given up. */
const MOST_LOST = 0.001
const L2 = 1e-4
const STEPS = 50
const [LEARNED, UNSEEN] = [[1, 2, 3], [5, 9, 21, 22, 23]]

type Features = ReturnType<typeof rejectionFeatures>

interface Example {
  readonly name: string
  readonly speech: boolean
  readonly learned: boolean
  readonly features: Features
  readonly words: number
  readonly right: number
}

const roles = await speechRolesOf("builtin")
const { sureness: _, ...options } = roles.asr.options
await using models = await openSpeechModels({ ...roles, asr: { ...roles.asr, options } })
const { blank } = readTokens(roles.asr.files["tokens"]!)
const examples: Array<Example> = []
const same = (text: string) => comparable(text).join("")
const wordsOf = ({ words }: RecognisedSlice): ReadonlyArray<Pick<DecodedWord, "confidence" | "text">> => words

/** Hears samples, all that the detector finds or all there is, and keeps what each slice with words was like. */
const learn = async (
  name: string,
  samples: Float32Array,
  { transcript, ...label }: Pick<Example, "speech" | "learned"> & { readonly transcript: string | null },
  everything = false
) => {
  const pcm = pcmOf(samples)
  const speech: Speech = everything
    ? { intervals: [{ t_start: 0, t_end: pcm.seconds }], pauses: [] }
    : await models.vad.detect(pcm, undefined, { least_likeness: 0 })
  const slices: Array<SoundSlice> = []
  for (const { pieces, t_end, t_start } of planChunks(speech).flatMap(({ slices }) => slices)) {
    const from = Math.round(t_start * SAMPLE_RATE)
    slices.push(soundSlice(await pcm.read(from, Math.round(t_end * SAMPLE_RATE)), from / SAMPLE_RATE, pieces))
  }
  const heard = await models.recogniser.recognise(slices, { terms: [], language: null })
  const { equal } = align(
    comparable(transcript ?? ""),
    heard.flatMap(({ words }) => words.map(({ text }) => same(text)))
  )
  const right = new Set(equal.map(([, at]) => at))
  let at = 0
  for (const slice of heard) {
    const own = slice.words.filter(() => right.has(at++)).length
    if (slice.words.length === 0 || slice.heard === undefined) continue
    const features = rejectionFeatures(slice.heard.posteriors, blank, wordsOf(slice))
    examples.push({ name, ...label, features, words: slice.words.length, right: own })
  }
}

const read = await makeReader()
let count = 0
for (const { file, silent, transcript } of folders.flatMap(recordingsIn)) {
  if (!silent && transcript === null) continue
  const samples = await read(file)
  await learn(basename(file), samples, { speech: !silent, learned: count++ % 2 === 0, transcript })
  if (silent) {
    await learn(`${basename(file)}, all of it`, samples, { speech: false, learned: true, transcript: null }, true)
  }
}
for (const seed of [...LEARNED, ...UNSEEN]) {
  for (const { name, samples } of makeSounds(6, seed, [-3, -20])) {
    const label = { speech: false, learned: LEARNED.includes(seed), transcript: null }
    await learn(`${name}, seed ${seed}`, samples, label)
    if (seed === LEARNED[0]) await learn(`${name}, all of it`, samples, label, true)
  }
}

const keys = ["bias", "confidence", "clearness", "letters", "blanks"] as const
const row = (features: Features) => keys.map((key) => key === "bias" ? 1 : features[key])

/** Logistic regression by Newton's method; both sides weigh the same, speech by its right words; then the cut. */
const fit = (all: ReadonlyArray<Example>): RejectionWeights => {
  const total = all.reduce((sum, { right, speech }) => sum + (speech ? Math.max(0.1, right) : 0), 0)
  const others = all.filter(({ speech }) => !speech).length
  const w = keys.map(() => 0)
  for (let step = 0; step < STEPS; step++) {
    const gradient = w.map((weight, i) => i === 0 ? 0 : L2 * weight)
    const curvature = w.map((_, i) => w.map((_, j) => i === j ? L2 : 0))
    for (const { features, right, speech } of all) {
      const x = row(features)
      const p = 1 / (1 + Math.exp(-x.reduce((sum, value, i) => sum + value * w[i]!, 0)))
      const weight = speech ? (0.5 * Math.max(0.1, right)) / total : 0.5 / others
      for (const [i, a] of x.entries()) {
        gradient[i]! += weight * (p - (speech ? 1 : 0)) * a
        for (const [j, b] of x.entries()) curvature[i]![j]! += weight * p * (1 - p) * a * b
      }
    }
    const move = solve(curvature, gradient)
    for (const i of w.keys()) w[i]! -= move[i]!
  }
  const rounded = Object.fromEntries(keys.map((key, i) => [key, Math.round(100 * w[i]!) / 100])) as Record<
    (typeof keys)[number],
    number
  >
  const sure = all.filter(({ speech }) => speech)
    .map(({ features, right }) => ({ right, sureness: rejectionScoreOf(rounded, features) }))
    .toSorted((a, b) => a.sureness - b.sureness)
  let lost = 0
  const most = MOST_LOST * sure.reduce((sum, { right }) => sum + right, 0)
  const first = sure.find(({ right }) => (lost += right) > most)!
  return { ...rounded, bias: Math.ceil(100 * (rounded.bias - first.sureness)) / 100 }
}

/** Gauss elimination; the matrix is symmetric and positive. */
const solve = (matrix: ReadonlyArray<ReadonlyArray<number>>, right: ReadonlyArray<number>): Array<number> => {
  const rows = matrix.map((row, i) => [...row, right[i]!])
  for (let i = 0; i < rows.length; i++) {
    for (let j = i + 1; j < rows.length; j++) {
      const factor = rows[j]![i]! / rows[i]![i]!
      for (let k = i; k <= rows.length; k++) rows[j]![k]! -= factor * rows[i]![k]!
    }
  }
  const x = rows.map(() => 0)
  for (let i = rows.length - 1; i >= 0; i--) {
    x[i] = (rows[i]![rows.length]! - x.reduce((sum, value, k) => k > i ? sum + rows[i]![k]! * value : sum, 0)) /
      rows[i]![i]!
  }
  return x
}

const told = (title: string, all: ReadonlyArray<Example>, weights: RejectionWeights) => {
  const sum = (list: ReadonlyArray<Example>, key: "words" | "right") => list.reduce((n, one) => n + one[key], 0)
  const [speech, others] = [all.filter(({ speech }) => speech), all.filter(({ speech }) => !speech)]
  const dropped = speech.filter(({ features }) => rejectionScoreOf(weights, features) < 0)
  const left = others.filter(({ features }) => rejectionScoreOf(weights, features) >= 0)
  console.log(
    `${title}: ${sum(dropped, "right")} of ${sum(speech, "right")} right words lost and ` +
      `${sum(dropped, "words") - sum(dropped, "right")} of ${
        sum(speech, "words") - sum(speech, "right")
      } wrong ones; ` +
      `${sum(left, "words")} of ${
        sum(others, "words")
      } words left where nobody speaks, in ${left.length} of ${others.length} slices`
  )
  for (const { name } of left) console.log(`  left: ${name}`)
}
const weights = fit(examples)
told("unseen", examples.filter(({ learned }) => !learned), fit(examples.filter(({ learned }) => learned)))
told("final", examples, weights)
const text = readFileSync(stack, "utf8")
const written = `"sureness": { ${keys.map((key) => `"${key}": ${weights[key]}`).join(", ")} }`
writeFileSync(stack, text.replace(/"sureness": \{[^}]*\}/u, written))
