import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import type { Problem } from "./Problem.ts"

/** S3 refuses a signature that is 15 minutes off; certificates and tokens begin to be "not yet valid" long before. */
const tolerableSeconds = 60

/** Undefined where the two differ by a minute at most. The engine goes by the database's time and works on either way. */
export const skewBetween = (own_ms: number, database_ms: number): Problem | undefined => {
  const seconds = Math.round((own_ms - database_ms) / 1000)
  return Math.abs(seconds) <= tolerableSeconds ? undefined : {
    code: "clock",
    message:
      `The clock of this machine is ${Math.abs(seconds)} s ${seconds > 0 ? "ahead of" : "behind"} the database's. `
      + "Jobs go by the database's time; TLS, S3 and tokens of others do not: synchronise the machines (NTP).",
    stops: false
  }
}

/** The machine's own clock: the service's shows the database's time. */
const ownMillis = () => Date.now()

/** As `skewBetween`, of this process and its database. */
export const checkClock = Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient
  const [row] = yield* sql<{ readonly millis: number }>`
    SELECT (extract(epoch FROM clock_timestamp()) * 1000)::float8 AS millis`
  return skewBetween(ownMillis(), row!.millis)
})
