import type { Cause } from "effect"
import { isSqlError } from "effect/sql/SqlError"

/**
 * What PostgreSQL says while it stops, starts or recovers (57P01 to 57P03), has no connection, memory or disk left (class 53), has
 * become a standby (25006), or took longer than a statement (57014), a lock (55P03) or a transaction in which nobody spoke
 * (25P03) may. The driver has no one name for these.
 */
const passing = /^(57P0[1-3]|57014|55P03|53...|25006|25P03)$/u

const codeOf = (cause: unknown): string => String((cause as { readonly code?: unknown } | null | undefined)?.code)

/** The database is away for a while, which a repetition later may mend. Anything else that it says is our defect. */
export const saysDatabaseAway = (error: unknown): boolean => {
  if (!isSqlError(error)) return false
  const { _tag, cause } = error.reason
  return _tag === "ConnectionError" || _tag === "AuthenticationError" || passing.test(codeOf(cause))
}

/** The server itself gave this answer and would give it again: not that it is away, and not a connection that broke. */
export const saysNo = (error: unknown): boolean => {
  const code = isSqlError(error) ? codeOf(error.reason.cause) : ""
  return /^(?!08)\d[0-9A-Z]{4}$/u.test(code) && !passing.test(code)
}

/** As `saysDatabaseAway`, of whatever ended a piece of work. */
export const isDatabaseAway = (cause: Cause.Cause<unknown>): boolean =>
  cause.reasons.some((reason) =>
    saysDatabaseAway(reason._tag === "Die" ? reason.defect : reason._tag === "Fail" ? reason.error : undefined)
  )
