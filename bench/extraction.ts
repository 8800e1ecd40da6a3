import { Effect } from "effect"
import { existsSync, readdirSync } from "node:fs"
import { basename, join } from "node:path"
import { fileURLToPath } from "node:url"
import { extract } from "../workers/extraction/Extract.ts"
import { type FilmedFootage, readFilmedFootage, scoreEndToEnd } from "./extraction/EndToEnd.ts"
import {
  dialogueArtifacts,
  type DialogueRecord,
  readDialogues,
  type Said,
  scoreSaid,
  withoutCapitals
} from "./extraction/ExtractionData.ts"
import { type FootageRecord, readFootageFile } from "./extraction/FootageRecord.ts"
import { extractFootage } from "./extraction/FootageRun.ts"
import { footageScore, scoreRecord } from "./extraction/FootageScore.ts"
import { lineFilesIn } from "./extraction/LabelledLines.ts"
import { noisedTwin } from "./extraction/noise/NoisedTwin.ts"
import { textInput } from "./extraction/TextInput.ts"
import { folderNames, freeName } from "./SetNames.ts"

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

/** Written footage of our own: weights are fitted on `dev*` and `clips-dev*`, by what they give of `*validation` one fit is preferred to another; `test*` and `clips-test*` are only ever scored, each as a whole. */
const own = fileURLToPath(new URL("extraction/footage", import.meta.url))
const part = (name: "dev" | "validation" | "test" | "clips-dev" | "clips-validation" | "clips-test") =>
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

/** Media that have a schema and a person's notes beside them, by set through one service. */
const filmedScores = async (sets: Readonly<Record<string, ReadonlyArray<FilmedFootage>>>) => {
  if (Object.keys(sets).length === 0) return undefined
  const scores = await Effect.runPromise(scoreEndToEnd(sets))
  for (const [name, set] of Object.entries(scores.sets)) {
    for (const point of points) {
      const { by_video, ...whole } = set[point]
      console.log(`${name}, ${point}, from media to result`)
      console.table({ [name]: whole })
      console.table(by_video)
    }
  }
  return scores
}

/**
 * Runs whole extractions over every file of footage and of dialogues (`sgd*.jsonl`) in each folder, and over our own footage where no
 * folder was asked for; media with a schema and notes beside them go through a whole service. What it cannot read it names, in
 * print and as `unread`; no set takes the name of another.
 */
export const run = async (folders: ReadonlyArray<string>, { usual }: { readonly usual: boolean }) => {
  const dialogues: Record<string, ReturnType<typeof dialogueScore>> = {}
  const footage: Record<string, ReturnType<typeof footageScores>> = {}
  const filmed: Record<string, ReadonlyArray<FilmedFootage>> = {}
  const asked: Array<FootageRecord> = []
  const unread: Array<string> = []
  const tell = (lines: ReadonlyArray<string>) => {
    for (const line of lines) console.log(`Not read: ${line}`)
    unread.push(...lines)
  }
  const score = (name: string, files: ReadonlyArray<string>) => {
    const read = files.map((file) => readFootageFile(file))
    tell(read.flatMap((one) => one.unread))
    const records = read.flatMap((one) => one.records)
    if (records.length > 0) footage[name] = footageScores(records)
    return records
  }
  if (usual) {
    score("footage_dev", part("dev"))
    asked.push(...score("footage_test", part("test")))
    score("footage_validation", part("validation"))
    // Ordinary clips of a minute, apart from what is written to trap: together their figures would say how many there are of each.
    score("clips_dev", part("clips-dev"))
    score("clips_validation", part("clips-validation"))
    score("clips_test", part("clips-test"))
  }
  const labels = folderNames(folders)
  for (const [folder, label] of labels) {
    if (!existsSync(folder)) continue
    const { files, unread: passed } = lineFilesIn(folder)
    tell(passed)
    for (const file of files) {
      const path = join(folder, file)
      if (file.startsWith("sgd_train") || (usual && unreadable.test(file))) continue
      const stem = basename(file, ".jsonl")
      const name = labels.size > 1 ? `${label}/${stem}` : stem
      if (file.startsWith("sgd")) {
        const { records, unread: broken } = readDialogues(path)
        tell(broken)
        if (records.length === 0) continue
        dialogues[name] = dialogueScore(records)
        // As a recogniser writes that knows neither capitals nor punctuation.
        dialogues[freeName(`${name}_uncased`, { ...dialogues, ...footage })] = dialogueScore(
          records.map(withoutCapitals)
        )
      } else {
        const records = score(name, [path])
        if (!usual) asked.push(...records)
      }
    }
    const media = readFilmedFootage(folder)
    tell(media.unread)
    if (media.footage.length > 0) filmed[freeName(label, { ...footage, ...dialogues, ...filmed })] = media.footage
  }
  const media = await filmedScores(filmed)
  if ([filmed, footage, dialogues].every((one) => Object.keys(one).length === 0)) {
    throw new Error(
      [`No footage, no media with notes and no dialogues in ${folders.join(", ")}`, ...unread].join("\n  ")
    )
  }
  // The same videos as the built-in recogniser would have heard them.
  if (asked.length > 0) {
    footage[freeName("footage_noised", footage)] = footageScores(asked.map((record) => noisedTwin(record)))
  }
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
  const sets = { ...media?.sets, ...footage, ...dialogues }
  // What was asked for as one: all footage of the folders as text, or the part of our own that nobody fits on, or else all media.
  const one = asked.length > 0 ? footageScores(asked) : media?.all
  return { ...sets, sets, unread, ...(one === undefined ? {} : { footage: one }) }
}
