import { NodeServices } from "@effect/platform-node"
import { PgClient } from "@effect/sql-pg"
import { assert, it } from "@effect/vitest"
import { Effect } from "effect"
import { Migrator } from "effect/sql"
import * as MigratorFileSystem from "effect/sql/MigratorFileSystem"
import { fileURLToPath } from "node:url"
import * as TestDatabase from "../support/TestDatabase.ts"

const directory = fileURLToPath(new URL("../../migrations", import.meta.url))

interface Column {
  readonly place: string
  readonly type: string
  readonly required: boolean
}

const columns = Effect.map(
  PgClient.PgClient.use((sql) =>
    sql<Column>`
    SELECT table_name || '.' || column_name AS place, data_type AS type,
      is_nullable = 'NO' AND column_default IS NULL AND is_generated = 'NEVER' AS required
    FROM information_schema.columns WHERE table_schema = 'footnote'`
  ),
  (rows) => new Map(rows.map((row) => [row.place, row]))
)

const tableOf = ({ place }: Column) => place.slice(0, place.indexOf("."))

it.live("each migration only expands: what processes of the version before read and write is there and means the same", () =>
  Effect.gen(function*() {
    const url = yield* Effect.promise(TestDatabase.createEmpty)
    const found: Array<string> = []
    yield* Effect.gen(function*() {
      const all = yield* MigratorFileSystem.fromFileSystem(directory)
      let before = new Map<string, Column>()
      for (const [at, [id]] of all.entries()) {
        yield* Migrator.make({})({ loader: Effect.succeed(all.slice(0, at + 1)), table: "footnote_migrations" })
        const after = yield* columns
        const tables = new Set([...before.values()].map(tableOf))
        for (const [place, column] of before) {
          const now = after.get(place)
          if (now === undefined) found.push(`${id} drops or renames ${place}`)
          else if (now.type !== column.type) found.push(`${id} makes ${place} ${now.type}`)
          else if (now.required && !column.required) found.push(`${id} requires ${place}`)
        }
        for (const [place, column] of after) {
          if (!before.has(place) && tables.has(tableOf(column)) && column.required) {
            found.push(`${id} adds ${place}, which older inserts do not fill`)
          }
        }
        before = after
      }
    }).pipe(Effect.provide(PgClient.layer({ url, maxConnections: 2 })))
    assert.deepStrictEqual(found, [])
  }).pipe(Effect.provide(NodeServices.layer)))
