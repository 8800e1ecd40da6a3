import { writeFileSync } from "node:fs"
import { fileURLToPath } from "node:url"
import {
  type Confusions,
  type Counts,
  type Sort,
  sortOf,
  unlikeness,
  type Voice
} from "../bench/extraction/noise/Confusions.ts"
import { align, comparable } from "../bench/speech/ErrorRates.ts"
import { hear } from "../bench/speech/Hearing.ts"
import { makeReader, recordingsIn } from "../bench/speech/Recordings.ts"
import { openSpeechModels, speechRolesOf } from "../workers/speech/drivers/OpenSpeechModels.ts"

// Measures bench/extraction/noise/confusions.json: what the built-in recogniser makes of recordings of people whose words are known,
// voice by voice, about two minutes: `node tools/measure-confusions.ts [DIR]`, by default the recordings of `../shared` that it was
// not trained on. What it was trained on it hears too well.

const folder = process.argv[2] ?? fileURLToPath(new URL("../../shared/assets/audio/dev", import.meta.url))
/** Of fewer words a voice tells nothing. */
const fewest = 30
/** Points by which a distribution is told. */
const points = 11

interface Tally {
  readonly name: string
  right: number
  substituted: number
  deleted: number
  inserted: number
  readonly sure: { readonly right: Array<number>; readonly wrong: Array<number> }
}

const voices = new Map<string, Tally>()
const sorts: Record<Sort, { right: number; wrong: number }> = {
  unknown: { right: 0, wrong: 0 },
  short: { right: 0, wrong: 0 },
  middle: { right: 0, wrong: 0 },
  long: { right: 0, wrong: 0 }
}
const heardAs = new Map<string, Map<string, number>>()
const added = new Map<string, number>()
const unlike: Array<number> = []
const count = (counts: Map<string, number>, word: string): unknown => counts.set(word, (counts.get(word) ?? 0) + 1)

const rounded = (value: number): number => Math.round(1000 * value) / 1000
/** A distribution by points at equal distances; of nothing, that of what nobody can rely on. */
const told = (values: ReadonlyArray<number>): ReadonlyArray<number> => {
  const sorted = values.toSorted((a, b) => a - b)
  return Array.from(
    { length: points },
    (_, at) => rounded(sorted[Math.round((at * (sorted.length - 1)) / (points - 1))] ?? 0.3)
  )
}
const plainly = (counts: ReadonlyMap<string, number>): Counts =>
  Object.fromEntries(Array.from(counts).toSorted(([a], [b]) => a < b ? -1 : 1))

const read = await makeReader()
await using models = await openSpeechModels(await speechRolesOf("builtin"))
for (const { file, set, speaker, transcript } of recordingsIn(folder)) {
  if (transcript === null) continue
  const { chunks } = await hear(models, await read(file))
  const heard = chunks.flatMap(({ pieces }) => pieces.flatMap(({ words }) => words)).flatMap(({ confidence, text }) =>
    comparable(text).map((one) => ({ text: one, confidence }))
  )
  const reference = comparable(transcript)
  const name = speaker ?? set
  const voice = voices.get(name) ??
    { name, right: 0, substituted: 0, deleted: 0, inserted: 0, sure: { right: [], wrong: [] } }
  voices.set(name, voice)
  let [said, after] = [0, 0]
  const { equal } = align(reference, heard.map(({ text }) => text))
  for (const [i, j] of [...equal, [reference.length, heard.length] as const]) {
    // Between two words that were heard right, words are taken for each other in their order.
    for (; said < i || after < j;) {
      const [word, other] = [said < i ? reference[said] : undefined, after < j ? heard[after] : undefined]
      if (word !== undefined) sorts[sortOf(word)].wrong++
      if (other !== undefined) voice.sure.wrong.push(other.confidence)
      if (word === undefined) {
        voice.inserted++
        count(added, other!.text)
      } else if (other === undefined) voice.deleted++
      else {
        voice.substituted++
        unlike.push(unlikeness(word, other.text))
        const counts = heardAs.get(word) ?? new Map<string, number>()
        heardAs.set(word, counts)
        count(counts, other.text)
      }
      said = Math.min(i, said + 1)
      after = Math.min(j, after + 1)
    }
    if (i === reference.length) continue
    voice.right++
    voice.sure.right.push(heard[j]!.confidence)
    sorts[sortOf(reference[i]!)].right++
    said = i + 1
    after = j + 1
  }
}

const known = Array.from(voices.values()).filter((one) => one.right + one.substituted + one.deleted >= fewest)
const measured: Confusions = {
  made_by: "node tools/measure-confusions.ts, from ../shared/assets/audio/dev with the built-in recogniser",
  voices: known.map((one): Voice => ({ ...one, sure: { right: told(one.sure.right), wrong: told(one.sure.wrong) } })),
  sorts,
  heard_as: Object.fromEntries(
    Array.from(heardAs).toSorted(([a], [b]) => a < b ? -1 : 1).map(([word, counts]) => [word, plainly(counts)])
  ),
  added: plainly(added),
  unlike: told(unlike)
}
const words = known.reduce((sum, one) => sum + one.right + one.substituted + one.deleted, 0)
const errors = known.reduce((sum, one) => sum + one.substituted + one.deleted + one.inserted, 0)
console.log(`${known.length} voices, ${words} words, ${rounded(errors / words)} of them heard wrong, left out or added`)
writeFileSync(
  new URL("../bench/extraction/noise/confusions.json", import.meta.url),
  `${JSON.stringify(measured)}\n`
)
