import { type Mention, mentionText } from "../../candidates/Mention.ts"
import type { Passage, Slide } from "../../text/SourceDocument.ts"
import { normaliseValue } from "../../text/Tokens.ts"

/** "3. Add a chart", "3) Add a chart", "3  Add a chart". */
const NUMBERED = /^\s*(\d{1,2})(?:[.)]\s+|\s{2,})(\p{L}.*)$/u
/** "Step 3: Bake", "STEP 3" over what it is. */
const STEP = /^\s*step\s+(\d{1,2})\b\s*(?:[:.)–—-]\s*)?(.*)$/iu

/** How many make a list: a "step 2" says that it is of one, a "2." less. */
const LEAST_NUMBERED = 3
const LEAST_STEPS = 2

interface NumberedLine {
  readonly number: Mention
  readonly text: Mention
  /** Whether the next line of the slide goes on with it: "2. Toss everything in the oil" over "and paprika". */
  readonly cut: boolean
}

/** A line with its number and text; where the text is the next line of the slide, as that. */
const numberedLine = (line: Passage, next: Passage | undefined, form: RegExp): NumberedLine | undefined => {
  const [, printed, own = ""] = form.exec(line.text) ?? []
  if (printed === undefined) return undefined
  const [passage, value] = own !== "" || next === undefined || form.test(next.text) ? [line, own] : [next, next.text]
  const text = /\p{L}{2}/u.test(value) ? mentionText({ passage, from: 0, to: passage.text.length }, value) : undefined
  const from = line.text.indexOf(printed)
  const span = { passage: line, from, to: from + printed.length }
  const cut = passage === line && next !== undefined &&
    /^\s*(?:and|or|with|in|into|to|for|until|of|on|at|the|a)\s/u.test(next.text)
  return text === undefined ? undefined : { text, number: { value: Number(printed), span }, cut }
}

const textOf = ({ text }: NumberedLine): string => normaliseValue(String(text.value))

/** The longest run of lines that count from one, in order of time; a line that stays on the screen counts once. */
const longestRun = (lines: ReadonlyArray<NumberedLine>): ReadonlyArray<NumberedLine> => {
  const runs: Array<Array<NumberedLine>> = []
  for (const line of lines) {
    const run = runs.at(-1)
    const at = Number(line.number.value)
    const same = run?.[at - 1]
    if (same !== undefined && textOf(same) === textOf(line)) continue
    if (run !== undefined && at === run.length + 1) run.push(line)
    // What does not count on ends a run, and begins none but with one.
    else runs.push(at === 1 ? [line] : [])
  }
  return runs.toSorted((a, b) => b.length - a.length)[0] ?? []
}

const runOf = (slides: ReadonlyArray<Slide>, form: RegExp): ReadonlyArray<NumberedLine> =>
  longestRun(slides.flatMap(({ heading, lines }) => {
    const all = heading === null || lines.includes(heading) ? lines : [heading, ...lines]
    return all.flatMap((line, at) => numberedLine(line, all[at + 1], form) ?? [])
  }))

/** Half a sentence is not what a step says. */
const whole = (lines: ReadonlyArray<NumberedLine>): ReadonlyArray<NumberedLine> => lines.filter(({ cut }) => !cut)

/** What the screen numbers from one as steps, on one slide or on a card each; empty where it does not count on from one. */
export const numberedSteps = (slides: ReadonlyArray<Slide>): ReadonlyArray<NumberedLine> => {
  const steps = runOf(slides, STEP)
  return steps.length >= LEAST_STEPS ? whole(steps) : numberedLines(slides)
}

/** What the screen numbers from one, three lines at least. */
export const numberedLines = (slides: ReadonlyArray<Slide>): ReadonlyArray<NumberedLine> => {
  const lines = runOf(slides, NUMBERED)
  return lines.length >= LEAST_NUMBERED ? whole(lines) : []
}
