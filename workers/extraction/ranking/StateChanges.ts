import type { Reading } from "../candidates/Reading.ts"
import type { LeafCandidate } from "../text/Candidate.ts"
import { normaliseValue } from "../text/Tokens.ts"

/** What a conversation did with a value after it was said; the features in this order. */
export const STATE_FEATURES = [
  "replaces",
  "replaced",
  "outdated",
  "outdated_name",
  "in_last_recap",
  "left_out_of_last_recap",
  "left_out_name",
  "taken",
  "declined",
  "taken_somewhere",
  "taken_back_at_last",
  "one_of_a_choice"
] as const

const DECLINING =
  /\b(?:(?:any|some|something|someone|somewhere|anything|what|where|who)(?:thing|one|where)? else|other|others|another|different|alternatives?|alternative|instead|not (?:that|this)|too (?:expensive|far|late|early|long)|don'?t (?:like|want))\b/iu
const TAKING =
  /\b(?:(?:sounds?|seems?|looks?|is|'?s|that'?s|that is|works?|will) (?:\p{L}+ )?(?:good|great|nice|fine|perfect|ok|okay|lovely|awesome|right|correct|fantastic|excellent|well|work|works|do)|perfect|i(?:'ll| will| would|'d)? (?:like|love|take) (?:that|this|it|to (?:book|reserve|buy|visit|go|see|watch|make))|let'?s (?:do|go|book|take)|works for me|go ahead|book (?:it|that|me)|reserve (?:it|that))\b|^\W*(?:yes|yeah|yep|yup|sure|correct|great|awesome|absolutely)\b/iu

/** "Checking or savings?" names both and says neither. */
const CHOICE = /\bor\b[^.?!]{0,200}\?/iu

/** What a whole passage does in its conversation. */
export interface Manner {
  readonly recaps: boolean
  readonly corrects: boolean
  readonly rejected: boolean
  readonly asks: boolean
  readonly asked: boolean
}

/** What became of one value. */
interface Fate {
  readonly last: number
  readonly outdated: boolean
  readonly summedUp: boolean
  readonly leftOut: boolean
  readonly taken: boolean
  readonly takenBack: boolean
  /** Where it was just summed up and another value was put in its place. */
  readonly replacedAt: number
}

const normalised = new WeakMap<LeafCandidate["candidate"], string>()
/** The candidate's own text is what most leaves take it for: it is normalised once. */
const keyOf = ({ candidate, value }: LeafCandidate): string => {
  if (value !== candidate.text) return typeof value === "string" ? normaliseValue(value) : String(value)
  const known = normalised.get(candidate) ?? normaliseValue(value)
  normalised.set(candidate, known)
  return known
}

interface Reply {
  readonly taken: boolean
  readonly declined: boolean
}

/** Where the candidates of one leaf and kind stand, and what was made of them. */
class Course {
  readonly #said = new Map<number, Set<string>>()
  readonly #places = new Map<string, Array<number>>()
  readonly #fates = new Map<string, Fate>()
  readonly #manner: (index: number) => Manner
  readonly #reply: (index: number) => Reply
  readonly #lastRecap: number | undefined
  readonly #corrections: ReadonlyArray<number>

  constructor(
    keys: Iterable<readonly [index: number, key: string]>,
    manner: (index: number) => Manner,
    reply: (index: number) => Reply
  ) {
    for (const [index, key] of keys) {
      const here = this.#said.get(index) ?? new Set<string>()
      this.#said.set(index, here)
      if (here.has(key)) continue
      here.add(key)
      const at = this.#places.get(key)
      if (at === undefined) this.#places.set(key, [index])
      else at.push(index)
    }
    const indexes = Array.from(this.#said.keys()).toSorted((a, b) => a - b)
    this.#manner = manner
    this.#reply = reply
    this.#lastRecap = indexes.findLast((index) => manner(index).recaps && !manner(index).rejected)
    this.#corrections = indexes.filter((index) => manner(index).corrects)
  }

  /** Whether a passage names other values of this kind and not this one. */
  differs(at: number, key: string): boolean {
    const here = this.#said.get(at)
    return here !== undefined && !here.has(key)
  }

  get hasRecap(): boolean {
    return this.#lastRecap !== undefined
  }

  /** Whether the last summing-up has it. */
  sumsUp(key: string): boolean {
    return this.#lastRecap !== undefined && this.#said.get(this.#lastRecap)!.has(key)
  }

  valuesAt(index: number): number {
    return this.#said.get(index)?.size ?? 0
  }

  fateOf(key: string): Fate {
    const known = this.#fates.get(key)
    if (known !== undefined) return known
    const places = this.#places.get(key)!
    const last = places.at(-1)!
    const replaced = this.#corrections.findLast((at) =>
      this.differs(at, key) && this.#said.get(at - 1)?.has(key) === true
    )
    const fate: Fate = {
      last,
      outdated: this.#corrections.some((at) => at > last && this.differs(at, key)),
      summedUp: this.sumsUp(key),
      leftOut: this.#lastRecap !== undefined && this.#lastRecap > last,
      taken: places.some((at) => this.#reply(at).taken),
      takenBack: this.#manner(last).rejected,
      replacedAt: replaced ?? -1
    }
    this.#fates.set(key, fate)
    return fate
  }
}

const NAMED = new Set(["name", "phrase", "answer", "quoted", "named"])
const flag = (condition: boolean): number => condition ? 1 : 0

/** How the candidates of one leaf fared. */
interface States {
  /** In the order of `STATE_FEATURES`. */
  readonly of: (one: LeafCandidate) => ReadonlyArray<number>
  /** Whether `replaces` or `in_last_recap` would be set: much sooner known than all of them. */
  readonly takesPlace: (one: LeafCandidate) => boolean
}

/**
 * How each candidate of one leaf fared: whether it takes the place of another value, was itself replaced, is missing from
 * the last summing-up, was taken or declined by whoever spoke next. Looks at values of the same kind only.
 */
export const stateFeatures = (
  reading: Reading,
  candidates: ReadonlyArray<LeafCandidate>,
  manner: (index: number) => Manner
): States => {
  const replies = new Map<number, Reply>()
  const reply = (index: number): Reply => {
    const known = replies.get(index)
    if (known !== undefined) return known
    const [own, next] = [reading.passages[index], reading.passages[index + 1]]
    const text = next !== undefined && own !== undefined && next.speaker !== own.speaker ? next.text : ""
    const declined = DECLINING.test(text)
    const found = { declined, taken: !declined && !manner(index).rejected && TAKING.test(text) }
    replies.set(index, found)
    return found
  }
  // Once per passage: asked of each of its candidates, 20,000 characters of one series took 4.1 s instead of 0.5.
  const choices = new Map<number, boolean>()
  const offersChoice = (index: number): boolean => {
    const known = choices.get(index) ?? CHOICE.test(reading.passages[index]!.text)
    choices.set(index, known)
    return known
  }
  const courses = new Map(
    Array.from(Map.groupBy(candidates, ({ candidate }) => candidate.kind), ([kind, group]) => {
      const keys = group.map((one) => [one.candidate.passage.index, keyOf(one)] as const)
      return [kind, new Course(keys, manner, reply)] as const
    })
  )
  const replaces = (course: Course, index: number, key: string): boolean =>
    manner(index).corrects && (course.differs(index - 1, key) || course.differs(index - 2, key))
  const takesPlace = (one: LeafCandidate): boolean => {
    const { kind, passage: { index } } = one.candidate
    const course = courses.get(kind)!
    return course.hasRecap || manner(index).corrects
      ? course.sumsUp(keyOf(one)) || replaces(course, index, keyOf(one))
      : false
  }
  const of = (one: LeafCandidate): ReadonlyArray<number> => {
    const { candidate: { kind, passage: { index } } } = one
    const course = courses.get(kind)!
    const key = keyOf(one)
    const fate = course.fateOf(key)
    const named = NAMED.has(kind)
    return [
      flag(replaces(course, index, key)),
      flag(fate.replacedAt > index),
      flag(!named && fate.outdated),
      flag(named && fate.outdated),
      flag(fate.summedUp),
      flag(!named && fate.leftOut),
      flag(named && fate.leftOut),
      flag(reply(index).taken),
      flag(reply(index).declined),
      flag(fate.taken),
      flag(fate.takenBack),
      flag(course.valuesAt(index) > 1 && offersChoice(index))
    ]
  }
  return { of, takesPlace }
}
