import { createHash } from "node:crypto"
import { existsSync, readFileSync, writeFileSync } from "node:fs"
import { basename, join } from "node:path"
import { fileURLToPath } from "node:url"
import { makeSounds } from "../bench/speech/MadeSounds.ts"
import { mixtures } from "../bench/speech/Mixtures.ts"
import { makeReader, pcmOf, recordingsIn } from "../bench/speech/Recordings.ts"
import { SAMPLE_RATE } from "../workers/speech/dsp/FeatureExtractor.ts"
import { heldPartials, speechMusicScore, type SpeechMusicWeights } from "../workers/speech/vad/SpeechMusicClassifier.ts"
import { openVad, piecesOf, vadModelPath } from "../workers/speech/vad/Vad.ts"

// Fits the constants of workers/speech/vad/SpeechMusicWeights.ts: `node tools/fit-speech-music.ts [folder]`, about three minutes.
// It does not read the recogniser. First the honest figure: every family of sounds judged by weights that never saw it.

const folder = process.argv[2] ??
  join(fileURLToPath(new URL("..", import.meta.url)), "..", "shared", "assets", "audio", "dev")
const newer = join(folder, "..", "..", "models", "dev", "silero_vad_v6_16k_op15.onnx")
/** Steepness of the likeness around its boundary, and the widest margin beside the speech that is hardest to tell. */
const STEEP = 20
const MARGIN = 0.03
/** Slopes of the boundary that are tried. */
const SLOPES = Array.from({ length: 61 }, (_, i) => i / 40)
/** Made sounds hold the detector's attention for a moment at best, so they are given a lower threshold to be found by. */
const EAGER = { on: 0.25, peak: 0.3, least_likeness: 0 }

interface Stretch {
  readonly family: string
  readonly name: string
  readonly speech: boolean
  /** Speech that we laid noise or music over. */
  readonly mixed: boolean
  /** Of its pieces: the mean probability and what is held. One that is like speech keeps them all. */
  readonly pieces: ReadonlyArray<readonly [mean: number, held: number]>
}

const detectors = await Promise.all([vadModelPath(), newer].filter((file) => existsSync(file)).map(openVad))
const stretches: Array<Stretch> = []
const hash = createHash("sha256")

const learn = async (family: string, name: string, speech: boolean, samples: Float32Array, mixed = false) => {
  for (const vad of detectors) {
    const pcm = pcmOf(samples)
    const probabilities: Array<number> = []
    for await (const probability of vad.probabilities(pcm)) probabilities.push(probability)
    const { intervals } = await vad.detect(pcm, undefined, speech ? { least_likeness: 0 } : EAGER)
    for (const interval of intervals) {
      const pieces = piecesOf(interval).map(({ t_end, t_start }) => {
        const own = probabilities.slice(Math.floor(t_start / vad.step_seconds), Math.ceil(t_end / vad.step_seconds))
        const held = heldPartials(samples.subarray(Math.round(t_start * SAMPLE_RATE), Math.round(t_end * SAMPLE_RATE)))
        return [own.reduce((sum, p) => sum + p, 0) / own.length, held] as const
      })
      stretches.push({ family, name: `${name} at ${interval.t_start.toFixed(1)} s`, speech, mixed, pieces })
    }
  }
}

for (const seed of [1, 2, 3, 4]) {
  for (const { family, name, samples } of makeSounds(6, seed, [-3, -25])) await learn(family, name, false, samples)
}
const read = await makeReader()
const recordings = recordingsIn(folder)
const music = await read(recordings.find(({ file }) => file.includes("waltz"))!.file)
for (const [i, { file, set, silent, turns }] of recordings.entries()) {
  hash.update(readFileSync(file))
  const samples = await read(file)
  await learn(set, basename(file), !silent, samples)
  if (silent || turns !== null || i % 4 !== 0) continue
  for (const [name, mixed] of Object.entries(mixtures(samples, music))) {
    await learn(set, `${basename(file)}, ${name}`, true, mixed, true)
  }
}

/** How far what is held lies above a line over the mean probability, of the piece that is most like speech. */
const above = ({ pieces }: Stretch, slope: number) => Math.min(...pieces.map(([mean, held]) => held - slope * mean))

const rounded = (x: number) => Math.round(100 * x) / 100

/**
 * The line below which all recorded speech lies, and with it most of what is mixed and little else: what is dropped here
 * nobody can recognise any more, while words that are found in music are still dropped by a recogniser that doubts them.
 */
const fit = (examples: ReadonlyArray<Stretch>): SpeechMusicWeights => {
  const lines = SLOPES.map((slope) => {
    const recorded = examples.filter(({ mixed, speech }) => speech && !mixed)
    const speech = Math.max(...recorded.map((one) => above(one, slope)))
    const others = examples.filter(({ speech }) => !speech).map((one) => above(one, slope))
    const kept = others.filter((height) => height <= speech).length
    const gap = Math.min(2 * MARGIN, ...others.filter((height) => height > speech).map((height) => height - speech))
    const height = speech + gap / 2
    const lost = examples.filter((one) => one.mixed && above(one, slope) > height).length
    return { slope, wrong: kept + lost, gap, height }
  })
  const { height, slope } = lines.reduce((a, b) => b.wrong < a.wrong || (b.wrong === a.wrong && b.gap > a.gap) ? b : a)
  return { bias: rounded(STEEP * height), sure: rounded(STEEP * slope), held: -STEEP, least: 0.5 }
}

const wrong = (examples: ReadonlyArray<Stretch>, likeness: SpeechMusicWeights) =>
  examples.filter(({ pieces, speech }) =>
    pieces.some((features) => speechMusicScore(likeness, ...features) >= likeness.least) !== speech
  )

const unseen = [...new Set(stretches.map(({ family }) => family))].flatMap((family) =>
  wrong(
    stretches.filter((stretch) => stretch.family === family),
    fit(stretches.filter((stretch) => stretch.family !== family))
  )
)
const { bias, held, least, sure } = fit(stretches)
const errors = wrong(stretches, { bias, held, least, sure })
const count = (list: ReadonlyArray<Stretch>, speech: boolean) => list.filter((one) => one.speech === speech).length
const summary = (list: ReadonlyArray<Stretch>) =>
  `${count(list, true)} of ${count(stretches, true)} stretches of speech lost, ` +
  `${count(list, false)} of ${count(stretches, false)} of other sounds kept`
console.log(`unseen families: ${summary(unseen)}`)
console.log(`final: ${summary(errors)}`)
for (const { name, speech } of errors) console.log(`  ${speech ? "lost" : "kept"}: ${name}`)

writeFileSync(
  join(import.meta.dirname, "../workers/speech/vad/SpeechMusicWeights.ts"),
  `import type { SpeechMusicWeights } from "./SpeechMusicClassifier.ts"

// Written by tools/fit-speech-music.ts from the recordings with SHA-256
// ${hash.digest("hex")} (all, one after the other)
// and the sounds of bench/speech/MadeSounds.ts. By weights that never saw the family of what they judge,
// ${summary(unseen)}.

/** The fitted constants of the likeness to speech. */
export const SPEECH_MUSIC_WEIGHTS: SpeechMusicWeights = { bias: ${bias}, sure: ${sure}, held: ${held}, least: ${least} }
`
)
