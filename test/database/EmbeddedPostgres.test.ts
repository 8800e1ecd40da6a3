import { PgClient } from "@effect/sql-pg"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Layer, type Redacted, Schedule } from "effect"
import { type ChildProcess, fork } from "node:child_process"
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { EmbeddedPostgres } from "../../src/database/EmbeddedPostgres.ts"

const holder = fileURLToPath(new URL("../support/hold-postgres.ts", import.meta.url))

const folder = Effect.acquireRelease(
  Effect.sync(() => mkdtempSync(join(tmpdir(), "footnote-embedded-"))),
  (path) => Effect.sync(() => rmSync(path, { recursive: true, force: true }))
)

const server = (dataDir: string) => EmbeddedPostgres.layer({ dataDir })

const ask = <A extends object>(url: Redacted.Redacted, statement: string) =>
  Effect.flatMap(PgClient.PgClient, (sql) => sql.unsafe<A>(statement)).pipe(
    Effect.provide(PgClient.layer({ url, maxConnections: 1 }))
  )

const until = (fact: () => boolean) =>
  Effect.repeat(Effect.sync(fact), { schedule: Schedule.spaced("10 millis"), until: (held) => held })

const postmasterOf = (dataDir: string): number | undefined => {
  const file = join(dataDir, "postmaster.pid")
  return existsSync(file) ? Number.parseInt(readFileSync(file, "utf8"), 10) : undefined
}

/** Another process that holds the folder's server. */
const hold = (dataDir: string) =>
  Effect.acquireRelease(
    Effect.sync(() => fork(holder, [dataDir], { execArgv: [], stdio: ["ignore", 2, 2, "ipc"] })),
    (child) => Effect.sync(() => void child.kill("SIGKILL"))
  ).pipe(Effect.tap((child) =>
    Effect.callback<void>((resume) => {
      child.once("message", () => resume(Effect.void))
    })
  ))
const gone = (child: ChildProcess) => until(() => child.exitCode !== null || child.signalCode !== null)

describe("EmbeddedPostgres", () => {
  it.live("starts in an empty folder, keeps what it stored and leaves no process behind", () =>
    Effect.gen(function*() {
      const dataDir = join(yield* folder, "postgres")
      const first = yield* Effect.gen(function*() {
        const { owner_url, started } = yield* EmbeddedPostgres
        yield* ask(owner_url, "CREATE TABLE kept AS SELECT 42 AS value")
        return started
      }).pipe(Effect.provide(server(dataDir)))
      assert.strictEqual(first, "initialised")
      assert.isFalse(existsSync(join(dataDir, "postmaster.pid")))
      const second = yield* Effect.gen(function*() {
        const { owner_url, started } = yield* EmbeddedPostgres
        assert.deepStrictEqual(yield* ask(owner_url, "SELECT value FROM kept"), [{ value: 42 }])
        return started
      }).pipe(Effect.provide(server(dataDir)))
      assert.strictEqual(second, "started")
      assert.isFalse(existsSync(join(dataDir, "postmaster.pid")))
    }).pipe(Effect.scoped))

  it.live("works in a folder whose path is too long for a socket", () =>
    Effect.gen(function*() {
      const dataDir = join(yield* folder, "a".repeat(60), "b".repeat(60), "postgres")
      const rows = yield* Effect.flatMap(EmbeddedPostgres, ({ url }) => ask(url, "SELECT 1 AS one")).pipe(
        Effect.provide(server(dataDir))
      )
      assert.deepStrictEqual(rows, [{ one: 1 }])
    }).pipe(Effect.scoped))

  it.live("is joined by a second process, which does not stop it", () =>
    Effect.gen(function*() {
      const dataDir = join(yield* folder, "postgres")
      const owner = yield* hold(dataDir)
      const joined = yield* EmbeddedPostgres.pipe(Effect.provide(server(dataDir)))
      assert.strictEqual(joined.started, "joined")
      assert.deepStrictEqual(yield* ask(joined.url, "SELECT 1 AS one"), [{ one: 1 }])
      owner.kill("SIGTERM")
      yield* gone(owner)
      assert.isFalse(existsSync(join(dataDir, "postmaster.pid")))
    }).pipe(Effect.scoped))

  it.live("is one server for processes that start at the same moment", () =>
    Effect.gen(function*() {
      const dataDir = join(yield* folder, "postgres")
      const [here] = yield* Effect.all([Layer.build(server(dataDir)), hold(dataDir), hold(dataDir)], {
        concurrency: "unbounded"
      })
      const { url } = yield* EmbeddedPostgres.pipe(Effect.provide(here))
      assert.deepStrictEqual(yield* ask(url, "SELECT 1 AS one"), [{ one: 1 }])
    }).pipe(Effect.scoped))

  it.live("does not outlive an owner that was killed, and the folder serves the next one", () =>
    Effect.gen(function*() {
      const dataDir = join(yield* folder, "postgres")
      const owner = yield* hold(dataDir)
      owner.kill("SIGKILL")
      yield* until(() => !existsSync(join(dataDir, "postmaster.pid")))
      const { started } = yield* EmbeddedPostgres.pipe(Effect.provide(server(dataDir)))
      assert.strictEqual(started, "started")
    }).pipe(Effect.scoped))

  it.live("starts a server again that was killed, with everything that was committed", () =>
    Effect.gen(function*() {
      const dataDir = join(yield* folder, "postgres")
      yield* Effect.gen(function*() {
        const { owner_url: url } = yield* EmbeddedPostgres
        yield* ask(url, "CREATE TABLE kept AS SELECT 42 AS value")
        const postmaster = postmasterOf(dataDir)!
        process.kill(postmaster, "SIGKILL")
        const rows = yield* ask(url, "SELECT value FROM kept").pipe(Effect.retry(Schedule.spaced("50 millis")))
        assert.deepStrictEqual(rows, [{ value: 42 }])
        // The answer may have come from a session that had not noticed yet: the new server is what counts.
        yield* until(() => ![undefined, postmaster].includes(postmasterOf(dataDir)))
        yield* ask(url, "SELECT value FROM kept").pipe(Effect.retry(Schedule.spaced("50 millis")))
      }).pipe(Effect.provide(server(dataDir)))
      assert.isFalse(existsSync(join(dataDir, "postmaster.pid")))
    }).pipe(Effect.scoped))

  it.live("adopts a server whose owner and guard were both killed", () =>
    Effect.gen(function*() {
      const dataDir = join(yield* folder, "postgres")
      const owner = yield* hold(dataDir)
      // A stopped guard is as good as a killed one, and can be found without guessing at process names.
      owner.send("without guard")
      yield* Effect.callback<void>((resume) => {
        owner.once("message", () => resume(Effect.void))
      })
      owner.kill("SIGKILL")
      yield* gone(owner)
      assert.isTrue(existsSync(join(dataDir, "postmaster.pid")))
      const { started } = yield* EmbeddedPostgres.pipe(Effect.provide(server(dataDir)))
      assert.strictEqual(started, "adopted")
      assert.isFalse(existsSync(join(dataDir, "postmaster.pid")))
    }).pipe(Effect.scoped))
})
