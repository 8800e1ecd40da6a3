import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { roles } from "./Roles.ts"

/** What the engine may do, with every table and sequence that there is. */
export const engineRights: ReadonlyArray<string> = [
  `GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA footnote TO ${roles.engine}`,
  `GRANT USAGE ON ALL SEQUENCES IN SCHEMA footnote TO ${roles.engine}`
]

/** What the tenant's role may do with a table, or with some of its columns. */
type Right = "SELECT" | "INSERT" | "UPDATE" | "DELETE" | `${"SELECT" | "UPDATE"} (${string})`

/**
 * For migrations: puts the wall around a table of the schema `footnote` that has a `tenant_id`. The tenant's role then has
 * `rights` to the rows of the tenant that its transaction named, can write none for another one, and without a name sees
 * nothing. The engine's role sees all rows.
 */
export const ownedByTenant = (table: string, rights: ReadonlyArray<Right>) =>
  // A setting that a transaction made is empty afterwards, not null; no tenant has the empty id.
  wall(table, rights, "tenant_id = current_setting('footnote.tenant_id', true)")

/**
 * The same for a table without a `tenant_id` whose column `by` names the row of `parent` that it belongs to: visible and
 * writable exactly where the parent's row is visible.
 */
export const ownedThrough = (table: string, by: string, parent: string, rights: ReadonlyArray<Right>) =>
  wall(table, rights, `EXISTS (SELECT FROM footnote.${parent} parent WHERE parent.id = ${table}.${by})`)

/** For a table that is the engine's alone: the tenant's role has no right to it, and would see nothing if it had. */
export const ownedByEngine = (table: string) => wall(table, [], undefined)

const wall = (table: string, rights: ReadonlyArray<Right>, theirs: string | undefined) =>
  Effect.gen(function*() {
    const sql = yield* SqlClient.SqlClient
    const name = `footnote.${table}`
    const statements = [
      `ALTER TABLE ${name} ENABLE ROW LEVEL SECURITY`,
      `CREATE POLICY engine ON ${name} TO ${roles.engine} USING (true) WITH CHECK (true)`,
      ...(theirs === undefined
        ? []
        : [`CREATE POLICY tenant ON ${name} TO ${roles.tenant} USING (${theirs}) WITH CHECK (${theirs})`]),
      ...(rights.length === 0 ? [] : [`GRANT ${rights.join(", ")} ON ${name} TO ${roles.tenant}`])
    ]
    yield* Effect.forEach(statements, (statement) => sql.unsafe(statement), { discard: true })
  })
