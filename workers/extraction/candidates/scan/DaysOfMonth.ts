import { DAY_OF_MONTH, dayNumber, isoDay, monthIn, WEEKDAY, weekdayOf } from "../../lexicon/Dates.ts"
import type { Candidate } from "../../text/Candidate.ts"
import type { Passage } from "../../text/SourceDocument.ts"
import { normaliseWord, STOP_WORDS } from "../../text/Tokens.ts"

/** With what a clause goes on behind a day: another word is what the ordinal counts, as in "the twelfth floor". */
const GOES_ON =
  "(?=\\s*(?:$|[.,;:!?…)—–]|-\\s|(?:and|or|but|at|in the|so|then|because|for|from|until|till|if|when|as|they|we|it|he|she|you|i|is|was|isn['’]t|wasn['’]t|works|would|will|now|instead|with|after|before|not|please|to the)\\b))"

const NAMED = new RegExp(`\\b(?:(${WEEKDAY}),? (?:the )?|the )(${DAY_OF_MONTH})${GOES_ON}`, "giu")
/** "The fifteenth and sixteenth floors". */
const COUNTS_ON = new RegExp(`^,? (?:and|or|to) (?:the )?${DAY_OF_MONTH}(?!${GOES_ON})(?! of\\b)`, "iu")

/** "Louis the Fourteenth". */
const isRuler = (before: string, ordinal: string): boolean => {
  const [, word = ""] = /(?<![\p{L}'’])(\p{Lu}\p{L}+)\s+$/u.exec(before) ?? []
  return /^\p{Lu}/u.test(ordinal) || (word !== "" && !STOP_WORDS.has(normaliseWord(word)))
}

/** "The second" is mostly no day: what small ordinals count is as often things. */
const WHEN = /\b(?:on|by|until|till|since)\s+$/iu
const MAYBE_WHEN =
  /(?:^|[.,;:!?]\s+|\b(?:on|by|until|till|since|from|before|after|for|it['’]?s|it is|be|say|make it|so)\s+)$/iu

const isDay = (number: number, weekday: string | undefined, before: string): boolean =>
  weekday !== undefined || number > 10 || (number > 3 ? MAYBE_WHEN : WHEN).test(before)

/** As far before a day as is looked at. */
const LEAD = 40

/** A month that is named may be meant for so many passages. */
const REACH = 8
/** Of an earlier day in the month that was just named, as of a correction. */
const NEAR = 3

/** "Today is", "it's": what follows is when it is said, and an earlier number than that is a day of the next month. */
const TODAY = /\b(?:today(?:['’]s| is)?|it['’]?s|it is|this is)(?:,?\s+\w+day)?,?\s+$/iu

interface Named {
  readonly candidate: Candidate
  readonly year: number
  readonly month: number
  readonly day: number | undefined
}

/** The day of that number in the named month, or in the next where its weekday says so; undefined where it may be either. */
const dayFrom = (
  { candidate, day, month, year }: Named,
  number: number,
  weekday: string | undefined,
  distance: number
): string | undefined => {
  const own = isoDay(year, month, number)
  if (weekday !== undefined) {
    const next = month === 12 ? isoDay(year + 1, 1, number) : isoDay(year, month + 1, number)
    return [own, next].find((one) => one !== undefined && weekdayOf(one) === weekday.toLowerCase())
  }
  if (day === undefined || number >= day) return own
  const isToday = TODAY.test(candidate.passage.text.slice(Math.max(0, candidate.from - LEAD), candidate.from))
  return distance <= NEAR && !isToday ? own : undefined
}

/**
 * The days that speech names by their number alone, "so it's the twenty-first", each with the date that tells its month: the one that was
 * named last. Where several months are named and none of them lately, nothing tells it and there is no day.
 */
export const daysOfMonth = (
  passages: ReadonlyArray<Passage>,
  candidates: ReadonlyArray<Candidate>,
  recordedAt: string | undefined
): ReadonlyArray<Candidate> => {
  const named = candidates.flatMap((candidate): ReadonlyArray<Named> => {
    const month = candidate.kind === "date" ? monthIn(candidate.text, recordedAt) : undefined
    return month === undefined ? [] : [{ candidate, ...month }]
  })
  const spoken = named.filter(({ candidate }) => candidate.passage.modality === "audio")
    .toSorted(({ candidate: a }, { candidate: b }) => a.passage.index - b.passage.index || a.from - b.from)
  const months = new Set(named.map(({ month, year }) => `${year} ${month}`))
  const shown = named.find(({ candidate }) => candidate.passage.modality === "visual")
  const speech = passages.filter(({ modality }) => modality === "audio")
  const order = new Map(speech.map((passage, at) => [passage, at]))
  let next = 0
  return speech.flatMap((passage) =>
    Array.from(passage.text.matchAll(NAMED)).flatMap((match): ReadonlyArray<Candidate> => {
      const [text, weekday] = [match[0], match[1]]
      const number = dayNumber(match[2]!.toLowerCase())
      const from = match.index
      const before = passage.text.slice(Math.max(0, from - LEAD), from)
      if (number === undefined || !isDay(number, weekday, before)) return []
      if (weekday === undefined && isRuler(before, match[2]!)) return []
      if (COUNTS_ON.test(passage.text.slice(from + text.length, from + text.length + LEAD))) return []
      const isBefore = ({ candidate: one }: Named): boolean =>
        one.passage.index < passage.index || (one.passage === passage && one.from < from)
      while (next < spoken.length && isBefore(spoken[next]!)) next++
      const last = spoken[next - 1]
      const told = last ?? shown
      if (told === undefined) return []
      const distance = last === undefined
        ? Infinity
        : order.get(passage)! - (order.get(last.candidate.passage) ?? -Infinity)
      if (months.size > 1 && distance > REACH && weekday === undefined) return []
      const day = dayFrom(told, number, weekday, distance)
      if (day === undefined) return []
      const { candidate: { from: start, passage: of, to } } = told
      return [{
        kind: "date",
        passage,
        from,
        to: from + text.length,
        text,
        value: text,
        day: { iso: day, month: { passage: of, from: start, to } }
      }]
    })
  )
}

const WEEKDAY_ALONE = new RegExp(`^${WEEKDAY}$`, "iu")
const ITS_NUMBER = new RegExp(`^,? (?:the )?${DAY_OF_MONTH}${GOES_ON}`, "iu")

/** A weekday with the number that is said right behind it: "Tuesday the twenty-first"; any other candidate as it is. */
export const withDayOfMonth = (one: Candidate): Candidate => {
  if (one.kind !== "date" || !WEEKDAY_ALONE.test(one.text)) return one
  const number = ITS_NUMBER.exec(one.passage.text.slice(one.to, one.to + LEAD))?.[0]
  if (number === undefined) return one
  const to = one.to + number.length
  const text = one.passage.text.slice(one.from, to)
  return { ...one, to, text, value: text }
}
