import { existsSync, readdirSync, readFileSync } from "node:fs"
import { basename, join } from "node:path"

/** What one speaker says without another coming between, as a person wrote it down. */
export type Written = ReadonlyArray<string>

export type Restore = (words: ReadonlyArray<string>, pauses: ReadonlyArray<number> | null) => ReadonlyArray<string>

/** Tokens of a transcript with marks joined to the words before them, notes of the transcriber left out. */
const tokensOf = (text: string): Array<string> =>
  text
    .replaceAll(/\{[^}]*\}/gu, " ")
    .replaceAll(/\s+(?=['’](?:s|re|ve|ll|d|m|t)\b)|\s+(?=n['’]t\b)|\s+(?=[,.?!;:])/gu, "")
    .replaceAll("’", "'")
    .replaceAll(/["“”()[\]*]|(?<!\w)'|'(?!\w)/gu, " ")
    .replaceAll(/[-–—]+/gu, " ")
    .split(/\s+/u)
    .filter((token) => /[\p{L}\d]/u.test(token))

/** A token without its marks, in lower case. */
export const stripped = (token: string): string => token.replaceAll(/^[^\p{L}\d$]+|[,.?!;:]+$/gu, "").toLowerCase()

interface Lines {
  readonly segments: ReadonlyArray<{ readonly speaker: string | null; readonly text: string }>
}

/** Turns: following segments of one speaker joined. */
const turnsOf = ({ segments }: Lines): Array<Written> => {
  const turns: Array<{ readonly speaker: string | null; readonly tokens: Array<string> }> = []
  for (const { speaker, text } of segments) {
    if (turns.at(-1)?.speaker === speaker) turns.at(-1)!.tokens.push(...tokensOf(text))
    else turns.push({ speaker, tokens: tokensOf(text) })
  }
  return turns.map(({ tokens }) => tokens).filter((tokens) => tokens.length > 0)
}

const jsonLines = (file: string): ReadonlyArray<Lines> =>
  readFileSync(file, "utf8").trim().split("\n").map((line) => JSON.parse(line) as Lines)

/**
 * Every punctuated text of a folder: spoken dialogues and meetings (`*.jsonl`), the spoken text of made clips
 * (`*.truth.json`), one turn a line (`*.txt`).
 */
export const textsIn = (folder: string): ReadonlyMap<string, ReadonlyArray<Written>> => {
  const texts = new Map<string, ReadonlyArray<Written>>()
  for (const name of existsSync(folder) ? readdirSync(folder).toSorted() : []) {
    const file = join(folder, name)
    if (/^(?:gum|qmsum|videos|sgd)\.jsonl$/u.test(name)) {
      texts.set(basename(name, ".jsonl"), jsonLines(file).flatMap(turnsOf))
    } else if (name.endsWith(".truth.json")) {
      const { turns } = JSON.parse(readFileSync(file, "utf8")) as { readonly turns?: Lines["segments"] }
      if (turns !== undefined) texts.set(basename(name, ".truth.json"), turnsOf({ segments: turns }))
    } else if (name.endsWith(".txt")) {
      texts.set(
        basename(name, ".txt"),
        readFileSync(file, "utf8").trim().split("\n").map(tokensOf).filter((tokens) => tokens.length > 0)
      )
    }
  }
  return texts
}

const MARKS = [",", ".", "?"] as const
type Mark = (typeof MARKS)[number] | ""

/** Exclamation marks count as full stops, colons, semicolons as commas. */
const markOf = (token: string): Mark => {
  const last = /[,.?!;:]+$/u.exec(token)?.[0]
  if (last === undefined) return ""
  return last.includes("?") ? "?" : /[.!]/u.test(last) ? "." : ","
}

const caseOf = (token: string): "small" | "capital" | "capitals" =>
  /\p{Lu}/u.test(token)
    ? /\p{Ll}/u.test(token) || token.replaceAll(/\P{L}/gu, "").length === 1 ? "capital" : "capitals"
    : "small"

const f1 = (right: number, said: number, wanted: number): number =>
  said + wanted === 0 ? Number.NaN : Math.round(2000 * right / (said + wanted)) / 1000

export interface RestoredScores {
  readonly words: number
  readonly comma_f1: number
  readonly stop_f1: number
  readonly question_f1: number
  /** Any mark that ends a sentence, at its place. */
  readonly end_f1: number
  /** Words written as the person wrote them, letters only. */
  readonly case_accuracy: number
  /** Capitals on words that no sentence starts with, by the person's sentences. */
  readonly name_f1: number
}

/** Scores of restored turns. The mark at the end of a turn counts as any other. */
export const scoreRestored = (
  turns: ReadonlyArray<Written>,
  restore: Restore,
  pausesOf: (turn: Written, index: number) => ReadonlyArray<number> | null
): RestoredScores => {
  const marks = new Map<string, { right: number; said: number; wanted: number }>(
    [...MARKS, "end", "name"].map((mark) => [mark, { right: 0, said: 0, wanted: 0 }])
  )
  const count = (key: string, said: boolean, wanted: boolean) => {
    const tally = marks.get(key)!
    if (said) tally.said++
    if (wanted) tally.wanted++
    if (said && wanted) tally.right++
  }
  let [words, cased] = [0, 0]
  turns.forEach((turn, index) => {
    const out = restore(turn.map(stripped), pausesOf(turn, index))
    turn.forEach((token, i) => {
      const [said, wanted] = [markOf(out[i]!), markOf(token)]
      for (const mark of MARKS) count(mark, said === mark, wanted === mark)
      count("end", said === "." || said === "?", wanted === "." || wanted === "?")
      words++
      if (caseOf(out[i]!) === caseOf(token)) cased++
      const starts = i === 0 || /[.?!]$/u.test(turn[i - 1]!)
      if (!starts && !/^i(?:'|$)/u.test(stripped(token))) {
        count("name", caseOf(out[i]!) !== "small" && !/[.?]$/u.test(out[i - 1]!), caseOf(token) !== "small")
      }
    })
  })
  const of = (key: string) => {
    const { right, said, wanted } = marks.get(key)!
    return f1(right, said, wanted)
  }
  return {
    words,
    comma_f1: of(","),
    stop_f1: of("."),
    question_f1: of("?"),
    end_f1: of("end"),
    case_accuracy: Math.round(1000 * cased / words) / 1000,
    name_f1: of("name")
  }
}
