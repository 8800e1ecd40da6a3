import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { calibrationError, type HeardPassage, heardPassages, rightIn } from "../bench/speech/Certainty.ts"
import { hear } from "../bench/speech/Hearing.ts"
import { makeReader, recordingsIn } from "../bench/speech/Recordings.ts"
import { calibrated, type Calibration } from "../workers/speech/asr/Calibration.ts"
import { openSpeechModels, speechRolesOf } from "../workers/speech/drivers/OpenSpeechModels.ts"
import { SAMPLE_RATE } from "../workers/speech/dsp/FeatureExtractor.ts"

// Tells what an option `calibration` would make of the built-in recogniser's confidence: `node tools/fit-speech-confidence.ts [folder]`, three minutes.
// Run it whenever the network is another. Of Moonshine's the error would rise from 0.046 to 0.055, so its stack has none. Isotonic regression of the share of right words on a passage's
// mean word confidence. First the honest figure: each set by what the others teach.

const root = fileURLToPath(new URL("..", import.meta.url))
const folders = [process.argv[2] ?? join(root, "..", "shared", "assets", "audio", "dev"), join(root, "samples")]
/** Passages are put together in order of confidence until they have so large a share of all words. */
const SHARE = 1 / 14

interface Passage {
  readonly confidence: number
  readonly right: number
  readonly words: number
}

const roles = await speechRolesOf("builtin")
const { calibration: _, ...options } = roles.asr.options
await using models = await openSpeechModels({ ...roles, asr: { ...roles.asr, options } })
const read = await makeReader()
const sets = new Map<string, Array<Passage>>()
const passage = (one: HeardPassage): Passage => ({
  confidence: one.confidence,
  right: rightIn(one),
  words: one.words.length
})
for (const { file, set, transcript } of folders.flatMap(recordingsIn)) {
  if (transcript === null) continue
  const samples = await read(file)
  const { chunks } = await hear(models, samples)
  const own = heardPassages(chunks, samples.length / SAMPLE_RATE, transcript).map(passage)
  sets.set(set, [...sets.get(set) ?? [], ...own])
}

const rounded = (value: number) => Math.round(1000 * value) / 1000

/** Pool adjacent violators (Ayer et al. 1955) over groups of passages: knots of rising confidence and share. */
const fit = (all: ReadonlyArray<Passage>): Calibration => {
  const total = all.reduce((sum, { words }) => sum + words, 0)
  const groups: Array<{ sum: number; right: number; words: number }> = []
  for (const { confidence, right, words } of all.toSorted((a, b) => a.confidence - b.confidence)) {
    const last = groups.at(-1)
    const group = last === undefined || last.words >= SHARE * total ? { sum: 0, right: 0, words: 0 } : last
    if (group !== last) groups.push(group)
    group.sum += words * confidence
    group.right += right
    group.words += words
  }
  const pooled: typeof groups = []
  for (const group of groups) {
    let { right, sum, words } = group
    while (pooled.length > 0 && pooled.at(-1)!.right / pooled.at(-1)!.words >= right / words) {
      const below = pooled.pop()!
      sum += below.sum
      right += below.right
      words += below.words
    }
    pooled.push({ sum, right, words })
  }
  return pooled.map(({ right, sum, words }) => [rounded(sum / words), rounded(right / words)])
}

const told = (name: string, own: ReadonlyArray<Passage>, by: Calibration) => {
  const words = own.reduce((sum, one) => sum + one.words, 0)
  const right = own.reduce((sum, one) => sum + one.right, 0)
  const after = own.map((one) => ({ ...one, confidence: calibrated(by, one.confidence) }))
  console.log(
    `${name}: ${own.length} passages, ${words} words, ${(100 * right / words).toFixed(1)} % right; calibration error ` +
      `${calibrationError(own).toFixed(3)} before, ${calibrationError(after).toFixed(3)} after`
  )
  return after
}
const unseen = [...sets].flatMap(([name, own]) =>
  told(name, own, fit([...sets].flatMap(([other, passages]) => other === name ? [] : passages)))
)
console.log(`all, each by the others: calibration error ${calibrationError(unseen).toFixed(3)}`)
const all = [...sets.values()].flat()
const calibration = fit(all)
told("all, by itself", all, calibration)
console.log(`"calibration": ${JSON.stringify(calibration)}`)
