import { Effect } from "effect"
import { existsSync, readdirSync } from "node:fs"
import { basename, join } from "node:path"
import { fileURLToPath } from "node:url"
import { extract } from "../workers/extraction/Extract.ts"
import { readFilmedFootage, scoreEndToEnd } from "./extraction/EndToEnd.ts"
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

/** Media of a folder that have a schema and a person's notes beside them, through a whole service. */
const filmedScores = async (folder: string) => {
  const { footage, unread } = readFilmedFootage(folder)
  for (const line of unread) console.log(`Not read: ${line}`)
  if (footage.length === 0) return {}
  const scores = await Effect.runPromise(scoreEndToEnd(footage))
  for (const point of points) {
    const { by_video, ...whole } = scores[point]
    console.log(`${basename(folder)}, ${point}, from media to result`)
    console.table({ [basename(folder)]: whole })
    console.table(by_video)
  }
  return { [basename(folder)]: scores }
}

/**
 * Runs whole extractions over every file of footage and of dialogues (`sgd*.jsonl`) in each folder, and over our own footage where no
 * folder was asked for; media with a schema and notes beside them go through a whole service. Of a file that it cannot read it says so by name.
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
  const filmed: Record<string, Effect.Success<ReturnType<typeof scoreEndToEnd>>> = {}
  for (const folder of folders) {
    if (!existsSync(folder)) continue
    Object.assign(filmed, await filmedScores(folder))
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
  if ([filmed, footage, dialogues].every((one) => Object.keys(one).length === 0)) {
    throw new Error(`No footage, no media with notes and no dialogues in ${folders.join(", ")}`)
  }
  // The same videos as the built-in recogniser would have heard them.
  if (asked.length > 0) footage["footage_noised"] = footageScores(asked.map((record) => noisedTwin(record)))
  if (Object.keys(footage).length > 0) {
    console.table(Object.fromEntries(Object.entries(footage).flatMap(([name, scores]) => rowsOf(name, scores))))
  }
  if (Object.keys(dialogues).length > 0) {
    console.table(
      Object.fromEntries(
        Object.entries(dialogues).map(([name, { by_type, ...rest }]) => [name, { ...rest, ...by_type }])
      )
    )
  }
  const sets = { ...filmed, ...footage, ...dialogues }
  // What was asked for as one: all footage of the folders, or the part of our own that nobody fits on.
  const one = asked.length > 0 ? footageScores(asked) : Object.values(filmed)[0]
  return { ...sets, sets, ...(one === undefined ? {} : { footage: one }) }
}
