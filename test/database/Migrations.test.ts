import { PgClient } from "@effect/sql-pg"
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import * as TestDatabase from "../support/TestDatabase.ts"

layer(TestDatabase.layer)("Migrations", (it) => {
  it.effect("leave every table of ours in the schema footnote", () =>
    Effect.gen(function*() {
      const sql = yield* PgClient.PgClient
      const rows = yield* sql<{ name: string }>`SELECT table_name AS name FROM information_schema.tables
        WHERE table_schema = 'footnote' ORDER BY 1`
      const names = rows.map((row) => row.name)
      assert.includeMembers(names, ["jobs", "stages", "tasks", "deliveries", "job_events", "api_keys", "tenants"])
    }))
})
