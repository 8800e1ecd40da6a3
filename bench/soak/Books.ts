import { PgClient } from "@effect/sql-pg"
import { Effect, ManagedRuntime, Redacted } from "effect"
import { readdir } from "node:fs/promises"
import { join, relative } from "node:path"
import { blobStoreMarkKey } from "../../src/deployment/BlobStoreMark.ts"
import { attemptOf } from "../../src/jobs/retention/OrphanedBlobs.ts"

/** A table as PostgreSQL's own statistics have it. */
export interface Table {
  readonly name: string
  readonly live: number
  readonly dead: number
  /** Rows updated and deleted since the database began. */
  readonly changed: number
  readonly kib: number
}

const filesBelow = async (folder: string): Promise<ReadonlyArray<string>> =>
  (await readdir(folder, { withFileTypes: true, recursive: true }).catch(() => []))
    .filter((entry) => entry.isFile()).map(({ name, parentPath }) => relative(folder, join(parentPath, name)))

/** What the database and the blob store hold, read by the database's owner. */
export const openBooks = (database_url: string, blobs: string) => {
  const runtime = ManagedRuntime.make(PgClient.layer({ url: Redacted.make(database_url), maxConnections: 2 }))
  const query = <A extends object>(text: string): Promise<ReadonlyArray<A>> =>
    runtime.runPromise(Effect.flatMap(PgClient.PgClient, (sql) => sql.unsafe<A>(text)))
  const names = async (text: string) => (await query<{ readonly name: string }>(text)).map(({ name }) => name)
  const count = async (text: string) =>
    (await query<{ readonly n: number }>(`SELECT count(*)::int AS n FROM ${text}`))[0]!.n

  return {
    close: () => runtime.dispose(),
    openJobs: () => count("footnote.jobs WHERE status IN ('queued', 'running')"),
    openDeliveries: () => count("footnote.deliveries WHERE finished_at IS NULL"),
    failedDeliveries: () => count("footnote.deliveries WHERE status = 'failed'"),
    /** Ended jobs whose leftovers have not been removed yet. */
    uncollected: () =>
      count("footnote.jobs WHERE intermediates_removed_at IS NULL AND collected_at IS NULL AND deleted_at IS NULL"),
    sessions: () => count("pg_stat_activity WHERE backend_type = 'client backend'"),
    database_kib: async () =>
      (await query<{ readonly n: number }>("SELECT (pg_database_size(current_database()) / 1024)::int AS n"))[0]!.n,
    tables: () =>
      query<Table>(`SELECT schemaname || '.' || relname AS name, n_live_tup::int AS live, n_dead_tup::int AS dead,
          (n_tup_upd + n_tup_del)::int AS changed, (pg_total_relation_size(relid) / 1024)::int AS kib
        FROM pg_stat_user_tables WHERE schemaname IN ('footnote', 'pgboss') ORDER BY pg_total_relation_size(relid) DESC`),
    /** Blobs that no row refers to, by what takes care of them. */
    orphans: async () => {
      const files = await filesBelow(blobs)
      const artifacts = await names("SELECT key AS name FROM footnote.artifacts")
      const known = new Set([
        blobStoreMarkKey,
        ...artifacts,
        ...await names(`SELECT 'jobs/' || job_id || '/events/' || event_id || '/' || sha256 AS name
          FROM footnote.webhook_bodies`),
        ...await names("SELECT blob_key AS name FROM footnote.uploads"),
        ...await names("SELECT blob_key AS name FROM footnote.upload_segments")
      ])
      const attempts = new Set(artifacts.map(attemptOf))
      const unknown = files.filter((file) => !known.has(file) && !attempts.has(attemptOf(file) ?? "none"))
      const unfinished = unknown.filter((file) => file.startsWith(".partial/"))
      const uploads = unknown.filter((file) => file.startsWith("uploads/"))
      return {
        all: files.length,
        of_jobs: unknown.filter((file) => !unfinished.includes(file) && !uploads.includes(file)),
        unfinished,
        uploads
      }
    }
  }
}
