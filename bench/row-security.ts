import { NodeServices } from "@effect/platform-node"
import { PgClient } from "@effect/sql-pg"
import { Effect, Layer } from "effect"
import type { SqlClient } from "effect/sql"
import type { SqlError } from "effect/sql/SqlError"
import { mkdtemp, rm } from "node:fs/promises"
import { availableParallelism, cpus, tmpdir } from "node:os"
import { join } from "node:path"
import { Database } from "../src/database/Database.ts"
import { EmbeddedPostgres } from "../src/database/EmbeddedPostgres.ts"
import { TenantSql } from "../src/database/TenantSql.ts"
import { median } from "./Median.ts"

/** Medians, in microseconds, of 40 rows of 45 each, over a private PostgreSQL on a Unix socket. */
export interface RowSecurityReport {
  /** One row by its id, as the engine reads it: no row security, no transaction. */
  readonly read_bare_us: number
  /** The same in a tenant's scope: a transaction, the setting and the policy. */
  readonly read_scoped_us: number
  /** Two reads in one scope, as a job and its stages are read. */
  readonly two_reads_scoped_us: number
  /** A page of 25 out of the tenant's 2,000 of 20,000 jobs. */
  readonly page_bare_us: number
  readonly page_scoped_us: number
}

const inRow = 45

const read = (client: SqlClient.SqlClient, n: number) =>
  client`SELECT * FROM footnote.jobs WHERE id = ${`job_${String(n * 10).padStart(6, "0")}`} AND tenant_id = 'ten_0'`
const page = (client: SqlClient.SqlClient) =>
  client`SELECT * FROM footnote.jobs WHERE tenant_id = 'ten_0' AND deleted_at IS NULL ORDER BY id DESC LIMIT 26`

const fill = Effect.gen(function*() {
  const sql = yield* PgClient.PgClient
  yield* sql`INSERT INTO footnote.tenants (id, name) SELECT 'ten_' || n, 'bench' FROM generate_series(0, 9) n`
  yield* sql`INSERT INTO footnote.jobs (id, tenant_id, spec)
    SELECT 'job_' || lpad(n::text, 6, '0'), 'ten_' || n % 10, '{}' FROM generate_series(1, 20000) n`
})

const measure = Effect.gen(function*() {
  const engine = yield* PgClient.PgClient
  const { inTenant, sql } = yield* TenantSql
  yield* fill
  const scoped = inTenant("ten_0")
  const ways: Readonly<Record<keyof RowSecurityReport, (n: number) => Effect.Effect<unknown, SqlError>>> = {
    read_bare_us: (n) => read(engine, n),
    read_scoped_us: (n) => scoped(read(sql, n)),
    two_reads_scoped_us: (n) => scoped(Effect.andThen(read(sql, n), read(sql, n))),
    page_bare_us: () => page(engine),
    page_scoped_us: () => scoped(page(sql))
  }
  const times = new Map<string, Array<number>>()
  // In turn, so that whatever else the machine does falls on all of them alike; several in a row, because a server process
  // that has to be woken costs more than a statement.
  for (let round = 0; round < 44; round++) {
    for (const [name, way] of Object.entries(ways)) {
      const began = performance.now()
      for (let n = 1; n <= inRow; n++) yield* way(round * inRow + n)
      if (round > 3) times.set(name, [...times.get(name) ?? [], (performance.now() - began) * 1000 / inRow])
    }
  }
  return Object.fromEntries(
    [...times].map(([name, values]) => [name, Math.round(median(values))])
  ) as unknown as RowSecurityReport
})

/** What the second wall costs a request, beside the same reads without it. */
export const run = async (): Promise<RowSecurityReport> => {
  const folder = await mkdtemp(join(tmpdir(), "footnote-bench-"))
  const layer = Layer.unwrap(
    Effect.map(EmbeddedPostgres, ({ owner_url: owner, url }) => Database.layerUrl(url, { owner }))
  ).pipe(
    Layer.provide(EmbeddedPostgres.layer({ dataDir: join(folder, "postgres"), ephemeral: true })),
    Layer.provide(NodeServices.layer)
  )
  const report = await Effect.runPromise(Effect.provide(Effect.orDie(measure), layer))
  await rm(folder, { recursive: true, force: true })
  console.table(report)
  const costs = [report.read_scoped_us - report.read_bare_us, report.page_scoped_us - report.page_bare_us]
  console.log(`The scope costs ${costs[0]} µs for a read and ${costs[1]} µs for a page.`)
  console.log(`${availableParallelism()} × ${cpus()[0]?.model ?? "unknown processor"}, Node ${process.version}`)
  return report
}

if (import.meta.main) await run()
