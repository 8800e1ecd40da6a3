import { Schema } from "effect"

/** RFC 3339 in UTC with milliseconds, as it stands in JSON. */
export const Instant = Schema.String.annotate({
  description: "RFC 3339 in UTC with milliseconds.",
  format: "date-time",
  examples: ["2026-11-20T09:30:00.000Z"]
})

/** A `timestamptz` column as an `Instant`. */
export const toInstant = (date: Date): string => date.toISOString()
