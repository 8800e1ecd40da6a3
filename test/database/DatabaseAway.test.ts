import { PgClient } from "@effect/sql-pg"
import { assert, layer } from "@effect/vitest"
import { Cause, Effect } from "effect"
import { isDatabaseAway, saysDatabaseAway } from "../../src/database/DatabaseAway.ts"
import * as TestDatabase from "../support/TestDatabase.ts"

/** What the driver makes of an error that the server reports with this SQLSTATE. */
const reported = (state: string) =>
  Effect.flatMap(
    PgClient.PgClient,
    (sql) => Effect.flip(sql.unsafe(`DO $$ BEGIN RAISE EXCEPTION 'x' USING ERRCODE = '${state}'; END $$`))
  )

layer(TestDatabase.layer, { excludeTestServices: true })("a database that is away", (it) => {
  const away = {
    "57P01": "that an operator stops",
    "57P02": "in which a process crashed",
    "57P03": "that starts or recovers",
    "53300": "without a connection left",
    "53100": "without room on its disk",
    "25006": "that has become a standby",
    "08006": "whose connection broke",
    "57014": "that took too long over a statement",
    "25P03": "that ended a transaction in which nobody spoke"
  }
  for (const [state, what] of Object.entries(away)) {
    it.effect(`is one ${what}`, () =>
      Effect.gen(function*() {
        const error = yield* reported(state)
        assert.isTrue(saysDatabaseAway(error))
        assert.isTrue(isDatabaseAway(Cause.die(error)))
        assert.isTrue(isDatabaseAway(Cause.fail(error)))
      }))
  }

  it.effect("is none that does not like what it was told", () =>
    Effect.gen(function*() {
      for (const state of ["42601", "23505", "22P05", "40001", "P0001"]) {
        assert.isFalse(saysDatabaseAway(yield* reported(state)), state)
      }
      for (const other of [new Error("57P03"), { code: "57P03" }, undefined, null, "57P03"]) {
        assert.isFalse(saysDatabaseAway(other))
      }
    }))
})
