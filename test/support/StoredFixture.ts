import { PgClient } from "@effect/sql-pg"
import { Effect, type Redacted } from "effect"
import { Migrator } from "effect/sql"
import * as MigratorFileSystem from "effect/sql/MigratorFileSystem"
import { readdirSync, readFileSync } from "node:fs"
import { fileURLToPath } from "node:url"

const migrations = fileURLToPath(new URL("../../migrations", import.meta.url))
const folder = fileURLToPath(new URL("../fixtures/stored", import.meta.url))

/** What a version of the service had stored, as `tools/write-stored-fixture.ts` kept it, and what it answered. */
export interface StoredFixture {
  readonly name: string
  /** Base64 by key. */
  readonly blobs: Readonly<Record<string, string>>
  /** How many migrations that version had. */
  readonly migrations: number
  readonly rows: Readonly<Record<string, ReadonlyArray<Readonly<Record<string, unknown>>>>>
  readonly key: string
  /** Bodies by path, of those that it answered with 200. */
  readonly answers: Readonly<Record<string, unknown>>
}

const json = (path: string) => JSON.parse(readFileSync(path, "utf8"))

export const storedFixtures: ReadonlyArray<StoredFixture> = readdirSync(folder).toSorted().map((name) => {
  const { migrations: count, rows } = json(`${folder}/${name}/rows.json`)
  const { answers, key } = json(`${folder}/${name}/answers.json`)
  return { name, blobs: json(`${folder}/${name}/blobs.json`), migrations: count, rows, key, answers }
})

/** Tables with what their rows refer to before them. */
const inOrder = PgClient.PgClient.use((sql) =>
  sql<{ readonly name: string; readonly needs: ReadonlyArray<string> }>`
    SELECT c.relname AS name, coalesce(array_agg(f.relname) FILTER (WHERE f.relname <> c.relname), '{}')::text[] AS needs
    FROM pg_class c LEFT JOIN pg_constraint r ON r.conrelid = c.oid AND r.contype = 'f'
    LEFT JOIN pg_class f ON f.oid = r.confrelid
    WHERE c.relnamespace = 'footnote'::regnamespace AND c.relkind = 'r' GROUP BY c.relname ORDER BY 1`
).pipe(Effect.map((tables) => {
  const placed: Array<string> = []
  while (placed.length < tables.length) {
    const next = tables.find(({ name, needs }) =>
      !placed.includes(name) && needs.every((need) => placed.includes(need))
    )
    if (next === undefined) throw new Error("Tables refer to one another in a circle")
    placed.push(next.name)
  }
  return placed
}))

/** Brings an empty database to where that version left it. Migrating it on is for whoever opens it. */
export const restore = (fixture: StoredFixture, owner: Redacted.Redacted) =>
  Effect.gen(function*() {
    const sql = yield* PgClient.PgClient
    const all = yield* MigratorFileSystem.fromFileSystem(migrations)
    yield* Migrator.make({})({
      loader: Effect.succeed(all.slice(0, fixture.migrations)),
      table: "footnote_migrations"
    })
    for (const table of yield* inOrder) {
      const rows = fixture.rows[table] ?? []
      if (rows.length === 0) continue
      const columns = yield* sql<{ readonly name: string }>`SELECT quote_ident(column_name) AS name
        FROM information_schema.columns WHERE table_schema = 'footnote' AND table_name = ${table}
        AND is_generated = 'NEVER'`
      const names = columns.map(({ name }) => name).join(", ")
      yield* sql.unsafe(
        `INSERT INTO footnote.${table} (${names}) OVERRIDING SYSTEM VALUE
          SELECT ${names} FROM jsonb_populate_recordset(NULL::footnote.${table}, $1::text::jsonb) ON CONFLICT DO NOTHING`,
        [JSON.stringify(rows)]
      )
    }
  }).pipe(Effect.provide(PgClient.layer({ url: owner, maxConnections: 1 })))
