import { existsSync } from "node:fs"
import { basename, join } from "node:path"
import { makeCasing } from "../workers/speech/transcript/Casing.ts"
import { dialogueScore, footageScores } from "./extraction.ts"
import { type DialogueRecord, readLines } from "./extraction/ExtractionData.ts"
import { type FootageRecord, readFootageFile } from "./extraction/FootageRecord.ts"
import { writeByRules } from "./punctuation/PauseRules.ts"
import { type Restore, scoreRestored, stripped, textsIn, type Written } from "./punctuation/RestoredText.ts"

/** A number from 0 to 1 that only its arguments decide. */
const drawn = (turn: number, word: number, salt: number): number => {
  let hash = Math.imul(turn * 7919 + word * 104729 + salt * 1299709 + 1, 0x9e3779b1)
  hash = Math.imul(hash ^ (hash >>> 15), 0x85ebca6b)
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35)
  return ((hash ^ (hash >>> 16)) >>> 0) / 4294967296
}

/**
 * Silences as a fluent speaker leaves them: three in four sentences end in one of 0.2 to 1.2 s, half the commas in one of up to
 * 0.5 s, one word in twenty-five is followed by a hesitation of up to 0.9 s.
 */
const simulated = (turn: Written, index: number): ReadonlyArray<number> =>
  turn.map((token, i) => {
    const [which, length] = [drawn(index, i, 1), drawn(index, i, 2)]
    if (/[.?!]$/u.test(token)) return which < 0.75 ? 0.2 + length : 0.15 * length
    if (/[,;:]$/u.test(token)) return which < 0.5 ? 0.05 + 0.45 * length : 0.1 * length
    return which < 0.04 ? 0.1 + 0.8 * length : 0.08 * length
  })

const unknown = () => null

/** What stands in for a transcript as a person wrote it. */
interface Way {
  readonly restore: Restore
  readonly pausesOf: (turn: Written, index: number) => ReadonlyArray<number> | null
}

/** Dialogues with every turn written anew; where a turn ends is given. */
const rewritten = <R extends DialogueRecord | FootageRecord>(
  records: ReadonlyArray<R>,
  way: Way | null
): ReadonlyArray<R> =>
  way === null ? records : records.map((record) => ({
    ...record,
    segments: record.segments.map((segment, index) => {
      const turn = segment.text.split(/\s+/u).filter((token) => stripped(token) !== "")
      return { ...segment, text: way.restore(turn.map(stripped), way.pausesOf(turn, index)).join(" ") }
    })
  }))

/**
 * Scores restored case and punctuation on texts that people wrote down, the learnt model beside the rules it replaced, and what
 * either gives back of the facts that an extraction loses on words without both.
 */
export const run = async (folders: ReadonlyArray<string>) => {
  const model = makeCasing([])
  const restorers: Readonly<Record<string, Restore>> = { rules: writeByRules, model }
  const marks: Record<string, ReturnType<typeof scoreRestored>> = {}
  const facts: Record<string, Readonly<Record<string, number | null>>> = {}
  for (const folder of folders) {
    for (const [name, turns] of textsIn(folder)) {
      for (const [pauses, pausesOf] of [["no times", unknown], ["pauses", simulated]] as const) {
        for (const [how, restore] of Object.entries(restorers)) {
          marks[`${name}, ${pauses}, ${how}`] = scoreRestored(turns, restore, pausesOf)
        }
      }
    }
    const ways: Readonly<Record<string, Way | null>> = {
      "as written": null,
      stripped: { restore: (words) => words, pausesOf: unknown },
      "rules, no times": { restore: writeByRules, pausesOf: unknown },
      "model, no times": { restore: model, pausesOf: unknown },
      "rules, pauses": { restore: writeByRules, pausesOf: simulated },
      "model, pauses": { restore: model, pausesOf: simulated }
    }
    for (
      const [name, score] of [
        ["sgd", (file: string, way: Way | null) => dialogueScore(rewritten(readLines<DialogueRecord>(file), way))],
        [
          "sgd_train",
          (file: string, way: Way | null) => dialogueScore(rewritten(readLines<DialogueRecord>(file), way))
        ],
        ["videos", (file: string, way: Way | null) => footageScores(rewritten(readFootageFile(file).records, way))]
      ] as const
    ) {
      const file = join(folder, `${name}.jsonl`)
      if (!existsSync(file)) continue
      for (const [how, way] of Object.entries(ways)) {
        const { grounded_f1, value_f1 } = score(file, way)
        facts[`${folders.length > 1 ? `${basename(folder)}/` : ""}${name}, ${how}`] = { value_f1, grounded_f1 }
      }
    }
  }
  console.table(marks)
  if (Object.keys(facts).length > 0) console.table(facts)
  return { marks, facts }
}
