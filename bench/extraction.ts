import { existsSync, readdirSync } from "node:fs"
import { basename, join } from "node:path"
import { fileURLToPath } from "node:url"
import { extract } from "../workers/extraction/Extract.ts"
import {
  dialogueArtifacts,
  type DialogueRecord,
  readLines,
  type Said,
  scoreSaid,
  withoutCapitals
} from "./extraction/ExtractionData.ts"
import { type FootageRecord, readFootageFile } from "./extraction/FootageRecord.ts"
import { extractFootage } from "./extraction/FootageRun.ts"
import { footageScore, scoreRecord } from "./extraction/FootageScore.ts"
import { noisedTwin } from "./extraction/noise/NoisedTwin.ts"
import { textInput } from "./extraction/TextInput.ts"

/** A dialogue's last word is the state that it is scored by, so nothing is held back for being unsure. */
export const dialogueScore = (records: ReadonlyArray<DialogueRecord>) =>
  scoreSaid(records, (record) => {
    const { evidence } = extract(textInput(dialogueArtifacts(record), record.schema, "balanced"))
    return new Map(evidence.spans.map((span): readonly [string, Said] => [span.pointer, span]))
  })

const points = ["strict", "balanced"] as const

/** Footage at both operating points, together and by how the right values come about. */
export const footageScores = (records: ReadonlyArray<FootageRecord>) => {
  const [strict, balanced] = points.map((precision) =>
    footageScore(
      records,
      records.map((record) => {
        const { evidence: { spans }, result } = extractFootage(record, precision)
        return scoreRecord(record, { result, spans })
      })
    )
  ) as [ReturnType<typeof footageScore>, ReturnType<typeof footageScore>]
  return {
    strict,
    balanced,
    value_f1: balanced.f1,
    grounded_f1: balanced.grounded_f1,
    evidence_accuracy: balanced.evidence_accuracy
  }
}

/** Written footage of our own: the judge and the ranker are fitted on `dev*`; `test*` is only ever scored as a whole. */
const own = fileURLToPath(new URL("extraction/footage", import.meta.url))
const part = (name: "dev" | "test") =>
  readdirSync(own).filter((file) => file.endsWith(".jsonl") && file.startsWith(name)).map((file) => join(own, file))

const unreadable = /^(?:gum|qmsum)/u

/** Lines of one table: a set at one operating point, with its kinds of leaves below it. */
const rowsOf = (name: string, scores: ReturnType<typeof footageScores>): ReadonlyArray<readonly [string, object]> => {
  const rows: Array<readonly [string, object]> = []
  for (const point of points) {
    const { by_kind, ...whole } = scores[point]
    rows.push([`${name} ${point}`, whole])
    for (const [kind, figures] of Object.entries(by_kind)) rows.push([`${name} ${point}, ${kind}`, figures])
  }
  return rows
}

/**
 * Runs whole extractions over every file of footage and of dialogues (`sgd*.jsonl`) in each folder, and over our own footage where no
 * folder was asked for. Of a file that it cannot read it says so by name.
 */
export const run = async (folders: ReadonlyArray<string>, { usual }: { readonly usual: boolean }) => {
  const dialogues: Record<string, ReturnType<typeof dialogueScore>> = {}
  const footage: Record<string, ReturnType<typeof footageScores>> = {}
  const asked: Array<FootageRecord> = []
  const score = (name: string, files: ReadonlyArray<string>) => {
    const read = files.map((file) => readFootageFile(file))
    for (const line of read.flatMap(({ unread }) => unread)) console.log(`Not read: ${line}`)
    const records = read.flatMap((one) => one.records)
    if (records.length > 0) footage[name] = footageScores(records)
    return records
  }
  if (usual) {
    score("footage_dev", part("dev"))
    asked.push(...score("footage_test", part("test")))
  }
  for (const folder of folders) {
    if (!existsSync(folder)) continue
    const named = (file: string): string => {
      const name = basename(file, ".jsonl")
      return folders.length > 1 ? `${basename(folder)}/${name}` : name
    }
    for (const file of readdirSync(folder).filter((name) => name.endsWith(".jsonl")).toSorted()) {
      const path = join(folder, file)
      if (file.startsWith("sgd_train") || (usual && unreadable.test(file))) continue
      if (file.startsWith("sgd")) {
        const records = readLines<DialogueRecord>(path)
        dialogues[named(file)] = dialogueScore(records)
        // As a recogniser writes that knows neither capitals nor punctuation.
        dialogues[`${named(file)}_uncased`] = dialogueScore(records.map(withoutCapitals))
      } else {
        const records = score(named(file), [path])
        if (!usual) asked.push(...records)
      }
    }
  }
  if (Object.keys(dialogues).length + Object.keys(footage).length === 0) {
    throw new Error(`No footage and no dialogues in ${folders.join(", ")}`)
  }
  // The same videos as the built-in recogniser would have heard them.
  if (asked.length > 0) footage["footage_noised"] = footageScores(asked.map((record) => noisedTwin(record)))
  console.table(Object.fromEntries(Object.entries(footage).flatMap(([name, scores]) => rowsOf(name, scores))))
  if (Object.keys(dialogues).length > 0) {
    console.table(
      Object.fromEntries(
        Object.entries(dialogues).map(([name, { by_type, ...rest }]) => [name, { ...rest, ...by_type }])
      )
    )
  }
  const sets = { ...footage, ...dialogues }
  // What was asked for as one: all footage of the folders, or the part of our own that nobody fits on.
  return { ...sets, sets, ...(asked.length > 0 ? { footage: footageScores(asked) } : {}) }
}
