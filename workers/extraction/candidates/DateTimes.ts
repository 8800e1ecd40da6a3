import { asClock, clockTimesIn, meantMinutes } from "../lexicon/ClockTimes.ts"
import { onlyOne, toIsoDate } from "../lexicon/Dates.ts"
import type { Candidate, LeafCandidate } from "../text/Candidate.ts"
import type { Leaf } from "../text/Plan.ts"
import type { Passage, Span } from "../text/SourceDocument.ts"
import { candidatesIn, daysIn, type Reading } from "./Reading.ts"

/** Whether a text has to be a moment with its offset (RFC 3339), by its schema's format. */
export const wantsDateTime = ({ schema, type }: Leaf): boolean => type === "string" && schema["format"] === "date-time"

/** Whether two such moments are one, by the same clock: with or without seconds, `Z` or `+00:00`. */
export const isSameMoment = (one: string, other: string): boolean =>
  one.slice(0, 16) === other.slice(0, 16) && Date.parse(one) === Date.parse(other)

/** "2025-11-05T23:40:00+00:00", with or without seconds. */
const WRITTEN =
  /(?<![\d-])(\d{4}-\d{2}-\d{2})[T ](\d{2}:\d{2})(:\d{2}(?:\.\d{1,9})?)?(?:\s?\((?:UTC|GMT)([+−-]\d{1,2}(?::?\d{2})?)?\)|\s?((?:UTC|GMT)?[+−-]\d{2}:?\d{2}|Z|UTC|GMT)(?![\d:+−-]))/gu
/** "+02:00", "UTC+1", "UTC", "GMT", "suffix Z": how far local time is from UTC. */
const OFFSET = /(?:\b(?:UTC|GMT)\s?|(?<![\d\p{L}]))([+−-])(\d{1,2})(?::?(\d{2}))?(?![\d:.%])|\b(?:UTC|GMT|Z)\b/gu
/** Without "UTC" before them such figures are an offset only whole: "-3" is a number. */
const WHOLE = /^[+−-]\d{2}:\d{2}$|^(?:UTC|GMT|Z)/u

const offsetOf = (said: string): string => {
  const [, sign, hours, minutes = "00"] = /([+−-])(\d{1,2})(?::?(\d{2}))?$/u.exec(said) ?? []
  return sign === undefined ? "Z" : `${sign === "+" ? "+" : "-"}${hours!.padStart(2, "0")}:${minutes}`
}

const offsetsIn = (text: string): ReadonlyArray<string> =>
  Array.from(text.matchAll(OFFSET), ([said]) => said).filter((said) => WHOLE.test(said)).map(offsetOf)

/** A day and a time of day that belong together stand so near. */
const NEAR = 60

/** The seconds that a time on the screen has behind its minutes. */
const secondsOf = (text: string): string => /^\d{1,2}:\d{2}(:\d{2})/u.exec(text)?.[1] ?? ":00"

interface Day extends Pick<Candidate, "from" | "passage" | "to"> {
  readonly iso: string
  /** What tells its month, where it is named by its number alone. */
  readonly month?: Span
}

const allDaysIn = (reading: Reading, passage: Passage): ReadonlyArray<Day> => [
  ...candidatesIn(reading, passage).flatMap(({ from, kind, text, to }) => {
    const iso = kind === "date" ? toIsoDate(text, reading.recordedAt) : undefined
    return iso === undefined ? [] : [{ passage, from, to, iso }]
  }),
  ...daysIn(reading, passage).map(({ day, from, to }) => ({ passage, from, to, iso: day!.iso, month: day!.month }))
]

/** What is left between two stretches, or nothing where they overlap. */
const gapOf = (a: Pick<Day, "from" | "to">, b: Pick<Day, "from" | "to">): number =>
  a.from < b.to && b.from < a.to ? Infinity : Math.max(b.from - a.to, a.from - b.to)

const written = (passage: Passage): ReadonlyArray<LeafCandidate> =>
  Array.from(passage.text.matchAll(WRITTEN), (match): LeafCandidate => {
    const [text, day, clock, seconds = ":00", apart, offset = apart ?? "UTC"] = match
    return {
      candidate: { kind: "date", passage, from: match.index, to: match.index + text.length, text, value: text },
      value: `${day}T${clock}${seconds}${offsetOf(offset)}`
    }
  })

const remembered = new WeakMap<Reading, ReadonlyArray<LeafCandidate>>()

/** Every day with a time of day of a source, without an offset, or with the one that is written there. */
const momentsIn = (reading: Reading): ReadonlyArray<LeafCandidate> => {
  const known = remembered.get(reading)
  if (known !== undefined) return known
  const passages = reading.passages.filter(({ channel, index }) =>
    channel !== "vision" && reading.suspects.get(index) !== "forged"
  )
  const told = passages.map((passage) => ({ passage, times: clockTimesIn(passage.text) }))
  const all = told.flatMap(({ times }) => times)
  const found = told.flatMap(({ passage, times }): ReadonlyArray<LeafCandidate> => {
    const whole = written(passage)
    if (whole.length > 0) return whole
    if (times.length === 0) return []
    const days = allDaysIn(reading, passage)
    const offset = onlyOne(offsetsIn(passage.text)) ?? ""
    return times.flatMap((time): ReadonlyArray<LeafCandidate> => {
      const [near] = days.filter((one) => gapOf(one, time) <= NEAR).toSorted((a, b) => gapOf(a, time) - gapOf(b, time))
      if (near === undefined) return []
      const [from, end] = [Math.min(near.from, time.from), Math.max(near.to, time.to)]
      const to = end +
        (/^\s?\(?(?:UTC|GMT|Z\b)(?:\s?[+−-]\d{1,2}(?::?\d{2})?)?\)?|^\s?[+−-]\d{2}:\d{2}/u.exec(passage.text.slice(end))
          ?.[0].length ?? 0)
      const text = passage.text.slice(from, to)
      const clock = `${asClock(meantMinutes(time, all))}${secondsOf(passage.text.slice(time.from, time.to))}`
      return [{
        candidate: {
          kind: "date",
          passage,
          from,
          to,
          text,
          value: text,
          ...(near.month === undefined ? {} : { day: { iso: near.iso, month: near.month } })
        },
        value: `${near.iso}T${clock}${offset}`
      }]
    })
  })
  remembered.set(reading, found)
  return found
}

/** The offset of local time: what the field's description names, or else the only one that the screens show. */
const offsetFor = ({ passages, suspects }: Reading, { schema }: Leaf): string | undefined =>
  onlyOne(offsetsIn(String(schema["description"] ?? ""))) ??
    onlyOne(
      passages.filter(({ index, modality }) => modality === "visual" && !suspects.has(index))
        .flatMap(({ text }) => offsetsIn(text))
    )

/**
 * The moments that a source names by a day and a time of day that stand together, as RFC 3339 wants them. Where neither the words, nor the
 * field's description, nor a screen says how far local time is from UTC, there is none.
 */
export const dateTimesFor = (reading: Reading, leaf: Leaf): ReadonlyArray<LeafCandidate> => {
  const offset = offsetFor(reading, leaf)
  return momentsIn(reading).flatMap(({ candidate, value }) => {
    const whole = /(?:Z|[+-]\d{2}:\d{2})$/u.test(String(value))
    return whole ? [{ candidate, value }] : offset === undefined ? [] : [{ candidate, value: `${value}${offset}` }]
  })
}
