import { Schema } from "effect"

/** RFC 3339 in UTC with milliseconds, as it stands in JSON. */
export const Instant = Schema.String.annotate({
  description: "RFC 3339 in UTC with milliseconds.",
  format: "date-time",
  examples: ["2026-11-20T09:30:00.000Z"]
})

const expected = "Expected a moment such as 2026-11-20T09:30:00Z"
const form = /^([1-9]\d{3}-\d{2}-\d{2})T\d{2}:\d{2}:\d{2}(?:\.\d{1,9})?(?:Z|[+-]\d{2}:\d{2})$/iu

/** Whether a day is one of its month: a parser of JavaScript takes 30 February for 2 March. */
export const isOfCalendar = (day: string): boolean => {
  const midnight = Date.parse(`${day}T00:00:00Z`)
  return !Number.isNaN(midnight) && new Date(midnight).toISOString().startsWith(day)
}

/**
 * Holds a text to RFC 3339 with any offset, of a year that PostgreSQL has a `timestamptz` for; a day that its month does not
 * have is refused.
 */
export const isInstant = Schema.makeFilter((text: string) => {
  const [, day] = form.exec(text) ?? []
  return day !== undefined && isOfCalendar(day) && !Number.isNaN(Date.parse(text)) ? undefined : expected
})

/** A moment that a caller sends. It is described here, since what is annotated after a check is said of the check and never reaches the document. */
export const instantParameter = (description: string) =>
  Schema.String.annotate({
    description: `${description} RFC 3339, such as \`2026-11-20T09:30:00Z\`.`,
    format: "date-time"
  }).check(isInstant)

/** The moment that such a parameter names. */
export const fromInstant = (text: string): Date => new Date(text)

/** A `timestamptz` column as an `Instant`. */
export const toInstant = (date: Date): string => date.toISOString()
