import { NodeServices } from "@effect/platform-node"
import { PgClient } from "@effect/sql-pg"
import { assert, describe, it } from "@effect/vitest"
import { Context, Effect, Layer } from "effect"
import { readdirSync } from "node:fs"
import { Database } from "../../src/database/Database.ts"
import { pools } from "../../src/processes/Pools.ts"
import * as TestDatabase from "../support/TestDatabase.ts"

const numbers = readdirSync(new URL("../../migrations/", import.meta.url)).map((file) => Number(file.slice(0, 4)))
  .toSorted((a, b) => a - b)

describe("migrations", () => {
  it.live("run once, however many processes start on an empty database at the same moment", () =>
    Effect.gen(function*() {
      const url = yield* Effect.promise(TestDatabase.createEmpty)
      const starts = yield* Effect.all(
        Array.from({ length: 4 }, () => Layer.build(Layer.fresh(Database.layerUrl(url, { maxConnections: 2 })))),
        { concurrency: "unbounded" }
      )
      const sql = Context.get(starts[3]!, PgClient.PgClient)
      const ran = yield* sql<{ readonly id: number }>`SELECT migration_id AS id FROM footnote_migrations ORDER BY 1`
      assert.deepStrictEqual(ran.map((row) => row.id), numbers)
      const queues = yield* sql<{ readonly name: string }>`SELECT name FROM pgboss.queue`
      assert.sameMembers(queues.map((queue) => queue.name), [...pools, "dead"])
      assert.lengthOf(yield* sql`SELECT * FROM footnote.queue_installation`, 1)
    }).pipe(Effect.scoped, Effect.provide(NodeServices.layer)))

  it.live("keep every table of ours in the schema footnote", () =>
    Effect.gen(function*() {
      const sql = yield* PgClient.PgClient
      const elsewhere = yield* sql<{ readonly name: string }>`
        SELECT table_schema || '.' || table_name AS name FROM information_schema.tables
        WHERE table_schema NOT IN ('footnote', 'pgboss', 'pg_catalog', 'information_schema')`
      assert.deepStrictEqual(elsewhere.map((row) => row.name), ["public.footnote_migrations"])
    }).pipe(Effect.provide(TestDatabase.layer)))
})
