import { PgClient } from "@effect/sql-pg"
import { assert } from "@effect/vitest"
import { Effect } from "effect"
import { readdirSync } from "node:fs"

/** A secret as it is, and as a dump or a log could hold it. */
export const formsOf = (secret: string): ReadonlyArray<string> => [
  secret,
  Buffer.from(secret).toString("hex"),
  // The middle of the base64 form, which does not depend on what stands before it, at its three offsets.
  ...[0, 1, 2].map((shift) => Buffer.from(secret.slice(shift + 3)).toString("base64").slice(0, 24))
]

export const assertNowhere = (secrets: ReadonlyArray<string>, place: string, content: Buffer): void => {
  for (const secret of secrets) assert.isFalse(content.includes(secret), `a secret is in ${place}`)
}

export const filesBelow = (folder: string): ReadonlyArray<string> =>
  readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile())
    .map((entry) => `${entry.parentPath}/${entry.name}`)

/** The whole database as text, bytes in hex. */
export const dump = Effect.gen(function*() {
  const sql = yield* PgClient.PgClient
  const tables = yield* sql<{ readonly name: string }>`
    SELECT format('%I.%I', table_schema, table_name) AS name FROM information_schema.tables
    WHERE table_schema IN ('footnote', 'pgboss', 'public') AND table_type = 'BASE TABLE'`
  const texts = yield* Effect.forEach(tables, ({ name }) =>
    Effect.map(
      sql.unsafe<{ readonly rows: string }>(`SELECT coalesce(string_agg(t::text, E'\n'), '') AS rows FROM ${name} t`),
      ([row]) => `${name}\n${row!.rows}`
    ))
  return texts.join("\n")
})
