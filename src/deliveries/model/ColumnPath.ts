import { Schema } from "effect"

/** What a column may hold beside values of the result. Links among them are built by this service alone. */
const systemColumns = [
  "$delivery.id",
  "$event.type",
  "$job.id",
  "$job.status",
  "$job.source_uri",
  "$job.schema_id",
  "$job.model_stack",
  "$job.created_at",
  "$job.finished_at",
  "$job.duration_seconds",
  "$job.result_confidence",
  "$page.url",
  "$job.url",
  "$evidence.url",
  "$evidence",
  "$result"
] as const
export type SystemColumn = typeof systemColumns[number]

// RFC 6901: every token is led by a slash, and `~` stands only before 0 or 1. The whole result is `$result`, not "".
const pointer = /^(?:\/(?:[^/~]|~[01])*)+$/u

/** Where a column's value comes from: an RFC 6901 pointer into the result, or one of `systemColumns`. */
export const ColumnPath = Schema.String.annotate({
  description: `A JSON pointer (RFC 6901) into the result, or one of ${systemColumns.join(", ")}.`,
  examples: ["/summary", "$job.id"]
}).check(
  Schema.isMaxCodePoints(1024, { message: "Expected at most 1024 characters" }),
  Schema.makeFilter((path) =>
    pointer.test(path) || (systemColumns as ReadonlyArray<string>).includes(path)
      ? undefined
      : `Expected a JSON pointer such as /summary, or one of ${systemColumns.join(", ")}`
  )
)
