import { FIRST_NAMES } from "../lexicon/FirstNames.ts"
import { subjectsOf } from "../lexicon/KnownValues.ts"
import { NEGATION } from "../lexicon/Polarity.ts"
import type { Candidate } from "../text/Candidate.ts"

/** Kinds that may hold a name. */
export const NAMELIKE: ReadonlySet<Candidate["kind"]> = new Set([
  "name",
  "phrase",
  "answer",
  "quoted",
  "named",
  "label"
])
const FACILITY =
  /\b(?:airport|station|stadium|cent(?:er|re)|arena|terminal|hall|hotel|inn|park|apartments?|theat(?:er|re)|museum|restaurant|resort|garage|university|hospital|suites)$/iu

/** What a candidate and the few characters around it say by themselves: every leaf asks again. */
interface Setting {
  readonly before: string
  readonly after: string
  readonly head: string | undefined
  readonly negated: boolean
  readonly words: number
  readonly subjects: ReturnType<typeof subjectsOf>
  readonly isFacility: boolean
  readonly hasFirstName: boolean
}

const settings = new WeakMap<Candidate, Setting>()

/** Pure, and remembered. */
export const settingOf = (candidate: Candidate): Setting => {
  const known = settings.get(candidate)
  if (known !== undefined) return known
  const { from, kind, passage: { text: all }, text, to } = candidate
  const before = all.slice(Math.max(0, from - 30), from)
  const after = all.slice(to, to + 30)
  const namelike = NAMELIKE.has(kind)
  const setting: Setting = {
    before,
    after,
    head: /^\s+(\p{L}+)/u.exec(after)?.[1],
    negated: NEGATION.test(before),
    words: text.split(/\s+/u).length,
    subjects: namelike ? subjectsOf(text) : [],
    isFacility: namelike && FACILITY.test(text),
    hasFirstName: namelike && FIRST_NAMES.has(text.split(/[\s,]/u)[0]!.toLowerCase())
  }
  settings.set(candidate, setting)
  return setting
}
