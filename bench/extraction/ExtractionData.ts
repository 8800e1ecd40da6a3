import type { Frames } from "../../src/artifacts/Frames.ts"
import type { Transcript } from "../../src/artifacts/Transcript.ts"
import type { Vision } from "../../src/artifacts/Vision.ts"
import { read } from "../../workers/extraction/candidates/Reading.ts"
import { numberAt } from "../../workers/extraction/lexicon/Numbers.ts"
import { chooseValues, type Ranked, type RankModel, rankValues } from "../../workers/extraction/ranking/Rank.ts"
import { asMostRead } from "../../workers/extraction/text/LineVotes.ts"
import { planOf, type SchemaNode } from "../../workers/extraction/text/Plan.ts"
import { makeSourceDocument, type SourceDocument } from "../../workers/extraction/text/SourceDocument.ts"
import { tokenise } from "../../workers/extraction/text/Tokens.ts"
import type { FootageRecord } from "./FootageRecord.ts"
import { linesOf } from "./LabelledLines.ts"
import { dialogueProblem } from "./RecordProblems.ts"

interface Line {
  readonly id: string
  readonly speaker: string | null
  readonly text: string
  readonly t0?: number
  readonly t1?: number
  /** How sure a recogniser is of each word of the text; of one that a person wrote down everybody is. */
  readonly confidences?: ReadonlyArray<number>
}

/** A dialogue with its service as a schema, the final state as gold and, per value, the turns that say it. */
export interface DialogueRecord {
  readonly id: string
  readonly service: string
  readonly schema: SchemaNode
  readonly segments: ReadonlyArray<Line>
  readonly gold: Readonly<
    Record<string, { readonly accept: ReadonlyArray<unknown>; readonly segments: ReadonlyArray<string> }>
  >
  /** Values that one side offered and nobody took. */
  readonly optional: Readonly<Record<string, ReadonlyArray<unknown>>>
}

/** Every line of a file as JSON; throws with file and line where one is none. */
export const readLines = <T>(file: string): ReadonlyArray<T> =>
  Array.from(linesOf(file), ({ line, number }) => {
    try {
      return JSON.parse(line) as T
    } catch (error) {
      throw new Error(`${file}:${number}: ${String(error)}`, { cause: error })
    }
  })

/** All dialogues of a file; what cannot be read is named as `file:line: why`, never passed over. */
export const readDialogues = (file: string): {
  readonly records: ReadonlyArray<DialogueRecord>
  readonly unread: ReadonlyArray<string>
} => {
  const records: Array<DialogueRecord> = []
  const unread: Array<string> = []
  for (const { line, number } of linesOf(file)) {
    try {
      const value: unknown = JSON.parse(line)
      const problem = dialogueProblem(value)
      if (problem === undefined) records.push(value as DialogueRecord)
      else unread.push(`${file}:${number}: no dialogue: ${problem}`)
    } catch (error) {
      unread.push(`${file}:${number}: ${String(error)}`)
    }
  }
  return { records, unread }
}

const round = (seconds: number): number => Math.round(seconds * 1000) / 1000

/** A transcript from bare turns: without times each character takes 0.06 s, and words share their turn by length. */
const transcriptOf = (lines: ReadonlyArray<Line>): Transcript => {
  let clock = 0
  const segments = lines.map((line, index) => {
    const t_start = line.t0 ?? clock
    const t_end = line.t1 ?? t_start + 0.06 * line.text.length + 0.3
    clock = t_end + 0.2
    const text = line.text.trim().replace(/\s+/gu, " ")
    const at = (offset: number): number => round(t_start + (t_end - t_start) * offset / Math.max(1, text.length))
    const words = Array.from(text.matchAll(/\S+/gu), (word, place) => ({
      t_start: at(word.index),
      t_end: at(word.index + word[0].length),
      text: word[0],
      confidence: line.confidences?.[place] ?? 1
    }))
    const confidence = round(words.reduce((sum, one) => sum + one.confidence, 0) / Math.max(1, words.length))
    const id = `seg#${String(index).padStart(6, "0")}`
    return {
      id,
      origin: "asr" as const,
      t_start: round(t_start),
      t_end: round(t_end),
      speaker: line.speaker,
      text,
      confidence,
      words
    }
  })
  const speakers = Array.from(new Set(lines.flatMap((line) => line.speaker === null ? [] : [line.speaker])))
  return {
    language: "en",
    duration_seconds: round(clock),
    text: segments.map((segment) => segment.text).join(" "),
    speakers: speakers.map((speaker) => ({ id: speaker, label: speaker, speaking_seconds: 0 })),
    segments,
    turns: [],
    audio_branch: "present",
    model: null
  }
}

const noFrames: Frames = { visual_branch: "absent", sampled: 0, kept: 0, frames: [] }
const noVision: Vision = { visual_branch: "absent", frames: [], model: null }

export const dialogueArtifacts = (record: { readonly segments: ReadonlyArray<Line> }) => ({
  transcript: transcriptOf(record.segments),
  vision: noVision,
  frames: noFrames
})

export const dialogueDocument = (record: { readonly segments: ReadonlyArray<Line> }): SourceDocument =>
  makeSourceDocument(dialogueArtifacts(record))

export const videoArtifacts = (record: Pick<FootageRecord, "segments" | "ocr">) => {
  const transcript = transcriptOf(record.segments)
  const frames = Map.groupBy(record.ocr, (line) => line.frame)
  const read: Vision["frames"] = Array.from(frames, ([source_ref, lines]) => ({
    frame_id: source_ref.replace("frame#", "frm_"),
    source_ref,
    timestamp: lines[0]!.t0 ?? 0,
    description: "",
    labels: [],
    text: lines.map((line, row) => ({
      text: line.text,
      confidence: 1,
      box: [0.1, 0.1 + 0.15 * row, 0.6, 0.06] as const
    }))
  }))
  // Lines that stay over several frames are settled as a job settles them, before anything is read from them.
  const words = transcript.segments.flatMap((segment) => segment.words)
  const vision: Vision = { visual_branch: "present", model: null, frames: asMostRead(read, words) }
  const duration_seconds = Math.max(transcript.duration_seconds, ...record.ocr.map((line) => line.t1 ?? 0))
  return { transcript: { ...transcript, duration_seconds }, vision, frames: noFrames }
}

export const videoDocument = (record: Pick<FootageRecord, "segments" | "ocr">): SourceDocument =>
  makeSourceDocument(videoArtifacts(record))

/** The same turns as a recogniser writes them that knows neither capitals nor punctuation. */
export const withoutCapitals = <R extends { readonly segments: ReadonlyArray<Line> }>(record: R): R => ({
  ...record,
  segments: record.segments.map((line) => ({
    ...line,
    text: line.text.toLowerCase().replaceAll(/[.,?!;](?=\s|$)/gu, "").replaceAll(/["“”]/gu, "")
  }))
})

const SMALL = /^(?:the|a|an|at|in|on|of|,|\.)$/u
/** What a number below zero stands behind: a sign that joins nothing, or its word. */
const MINUS = /(?:^|[\s(])[-−–]$|(?<!\p{L})(?:minus|negative)\s+$/iu

/** Number words as digits, articles and small prepositions gone; a last "a" is a grade or a letter, no article. */
const plain = (value: unknown): string => {
  const text = String(value)
  const tokens = tokenise(text)
  const words: Array<string> = []
  for (let at = 0; at < tokens.length;) {
    const { from, norm } = tokens[at]!
    const numeral = numberAt(tokens, at)
    if (numeral !== undefined) {
      const below = MINUS.test(text.slice(Math.max(0, from - 12), from))
      if (below && /^(?:minus|negative)$/u.test(words.at(-1) ?? "")) words.pop()
      words.push(`${below ? "-" : ""}${numeral.value}`)
    } else if (!SMALL.test(norm) || (norm === "a" && at === tokens.length - 1)) words.push(norm)
    at = numeral?.end ?? at + 1
  }
  return words.join(" ").replaceAll(/\b(\d+):00\b/gu, "$1").replaceAll("o'clock", "").trim()
}

const folded = (value: unknown): string => String(value).normalize("NFKC").toLowerCase().trim()

const hasOwnNumber = (words: ReadonlySet<string>, others: ReadonlySet<string>): boolean =>
  Array.from(words).some((word) => /\d/u.test(word) && !others.has(word))

/** Each has a number that the other lacks: whatever words they share, one of them is wrong. */
const differInNumbers = (words: ReadonlySet<string>, others: ReadonlySet<string>): boolean =>
  hasOwnNumber(words, others) && hasOwnNumber(others, words)

/** Equal after normalisation, or for texts without other numbers a token-set Dice of at least 0.8; what has no words of its own only as it is. */
export const sameValue = (value: unknown, accepted: ReadonlyArray<unknown>): boolean => {
  if (typeof value !== "string") return accepted.includes(value)
  const left = plain(value)
  const words = new Set(left.split(" "))
  return accepted.some((one) => {
    const right = plain(one)
    if (left === "" || right === "") return folded(value) === folded(one)
    if (left === right) return true
    const others = new Set(right.split(" "))
    const common = Array.from(words).filter((word) => others.has(word)).length
    return (2 * common) / (words.size + others.size) >= 0.8 && !differInNumbers(words, others)
  })
}

/** The turns of a dialogue are numbered anew as segments; gold names them by their own ids. */
const goldRefs = (record: DialogueRecord, ids: ReadonlyArray<string>): ReadonlySet<string> =>
  new Set(ids.map((id) => `seg#${String(record.segments.findIndex((line) => line.id === id)).padStart(6, "0")}`))

export interface DialogueScore {
  readonly value_f1: number
  readonly grounded_f1: number
  readonly evidence_accuracy: number
  readonly invention_rate: number
  readonly ece: number
  readonly by_type: Readonly<Record<string, number>>
}

/** What a system said for one leaf: the value, the source that it cites, its confidence. */
export interface Said {
  readonly value: unknown
  readonly source_ref: string
  readonly confidence: number | null
}

const three = (value: number): number => Math.round(value * 1000) / 1000
const f1 = (right: number, extra: number, missed: number): number =>
  three((2 * right) / (2 * right + extra + missed || 1))

/** Expected calibration error over five equal bins (Naeini, M. P. et al., 2015). */
const calibrationError = (pairs: ReadonlyArray<readonly [number, boolean]>): number => {
  const bins = Map.groupBy(pairs, ([said]) => Math.min(4, Math.floor(said * 5)))
  let error = 0
  for (const bin of bins.values()) {
    const said = bin.reduce((sum, [confidence]) => sum + confidence, 0)
    const was = bin.filter(([, right]) => right).length
    error += Math.abs(said - was) / pairs.length
  }
  return three(error)
}

/**
 * Leaf scores over dialogues. A wrong value counts as one too many and one missed; an offered value that nobody took
 * counts as nothing; a value is grounded if its source is one of the turns that gold names.
 */
export const scoreSaid = (
  records: ReadonlyArray<DialogueRecord>,
  say: (record: DialogueRecord) => ReadonlyMap<string, Said>
): DialogueScore => {
  const all = { right: 0, extra: 0, missed: 0, grounded: 0, absent: 0, invented: 0 }
  const types = new Map<string, { right: number; extra: number; missed: number }>()
  const pairs: Array<readonly [number, boolean]> = []
  for (const record of records) {
    const said = say(record)
    for (const { template, type } of planOf(record.schema).leaves) {
      const tally = types.get(type) ?? { right: 0, extra: 0, missed: 0 }
      types.set(type, tally)
      const gold = record.gold[template]
      const got = said.get(template)
      const right = gold !== undefined && got !== undefined && sameValue(got.value, gold.accept)
      const offered = gold === undefined && got !== undefined &&
        sameValue(String(got.value), (record.optional[template] ?? []).map((one) => String(one).toLowerCase()))
      if (gold === undefined) all.absent++
      if (offered) continue
      if (got?.confidence !== null && got !== undefined) pairs.push([got.confidence, right])
      if (right) {
        all.right++
        tally.right++
        if (goldRefs(record, gold.segments).has(got.source_ref)) all.grounded++
        continue
      }
      if (got !== undefined) {
        all.extra++
        tally.extra++
        if (gold === undefined) all.invented++
      }
      if (gold !== undefined) {
        all.missed++
        tally.missed++
      }
    }
  }
  const ungrounded = all.right - all.grounded
  return {
    value_f1: f1(all.right, all.extra, all.missed),
    grounded_f1: f1(all.grounded, all.extra + ungrounded, all.missed + ungrounded),
    evidence_accuracy: three(all.grounded / (all.right || 1)),
    invention_rate: three(all.invented / (all.absent || 1)),
    ece: calibrationError(pairs),
    by_type: Object.fromEntries(
      Array.from(types, ([type, tally]) => [type, f1(tally.right, tally.extra, tally.missed)])
    )
  }
}

/** What the ranker alone says, without grounding and assembly: what a fit is judged by. */
export const saidByRanker = (record: DialogueRecord, model: RankModel): ReadonlyMap<string, Said> => {
  const reading = read(dialogueDocument(record))
  const chosen = chooseValues(
    rankValues(reading, planOf(record.schema).leaves, model),
    ({ score }) => score >= model.threshold
  )
  return new Map(Array.from(chosen, ([template, one]: [string, Ranked]) => [template, {
    value: one.value,
    source_ref: one.candidate.passage.source_ref,
    confidence: one.score
  }]))
}
