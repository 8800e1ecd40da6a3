import { PgClient } from "@effect/sql-pg"
import { afterAll, assert, describe, it } from "@effect/vitest"
import { Effect, Layer, type Redacted, Schedule } from "effect"
import { type ChildProcess, execFileSync, fork, spawn } from "node:child_process"
import { once } from "node:events"
import { existsSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { delimiter, join } from "node:path"
import { fileURLToPath } from "node:url"
import { EmbeddedPostgres } from "../../src/database/EmbeddedPostgres.ts"

const holder = fileURLToPath(new URL("../support/hold-postgres.ts", import.meta.url))

const folder = Effect.acquireRelease(
  Effect.sync(() => mkdtempSync(join(tmpdir(), "footnote-embedded-"))),
  (path) => Effect.sync(() => rmSync(path, { recursive: true, force: true }))
)

const server = (dataDir: string) => EmbeddedPostgres.layer({ dataDir })

let made: string | undefined

/** Where a server was made before and has been stopped: only the first of these tests are about making one. */
const madeBefore = Effect.gen(function*() {
  if (made === undefined) {
    const path = mkdtempSync(join(tmpdir(), "footnote-embedded-"))
    yield* EmbeddedPostgres.pipe(Effect.provide(server(join(path, "postgres"))))
    made = path
  }
  const path = yield* folder
  execFileSync("cp", ["-a", join(made, "postgres"), path])
  return join(path, "postgres")
})

afterAll(() => {
  if (made !== undefined) rmSync(made, { recursive: true, force: true })
})

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

/** A `PATH` on which everything is but what makes the kernel end a process with its parent. */
const withoutSetpriv = Effect.map(folder, (path) => {
  for (const name of ["sh", "sleep", "rm", "true", "unshare"]) {
    const found = process.env.PATH!.split(delimiter).map((entry) => join(entry, name)).find((file) => existsSync(file))
    if (found !== undefined) symlinkSync(found, join(path, name))
  }
  return path
})

/** Another process that holds the folder's server. */
const hold = (dataDir: string, path = process.env.PATH) =>
  Effect.acquireRelease(
    Effect.sync(() =>
      fork(holder, [dataDir], { execArgv: [], stdio: ["ignore", 2, 2, "ipc"], env: { ...process.env, PATH: path } })
    ),
    (child) => Effect.sync(() => void child.kill("SIGKILL"))
  ).pipe(Effect.tap((child) =>
    Effect.callback<void>((resume) => {
      child.once("message", () => resume(Effect.void))
    })
  ))

const childrenOf = (pid: number) =>
  readFileSync(`/proc/${pid}/task/${pid}/children`, "utf8").trim().split(" ").filter((word) => word !== "").map(Number)
const stateOf = (pid: number) => {
  const stat = readFileSync(`/proc/${pid}/stat`, "utf8")
  return { name: stat.slice(stat.indexOf("(") + 1, stat.lastIndexOf(")")), state: stat[stat.lastIndexOf(")") + 2] }
}
const isZombie = (pid: number) => existsSync(`/proc/${pid}`) && stateOf(pid).state === "Z"

/** The guard is the only shell among a holder's children. */
const guardsOf = ({ pid }: ChildProcess) => childrenOf(pid!).filter((child) => stateOf(child).name === "sh")

/** The holder is stopped first, so that it gives itself no other guard. */
const killWithGuard = (owner: ChildProcess) => {
  owner.kill("SIGSTOP")
  for (const pid of guardsOf(owner)) process.kill(pid, "SIGKILL")
  owner.kill("SIGKILL")
}
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
      const dataDir = yield* madeBefore
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
      const dataDir = yield* madeBefore
      const owner = yield* hold(dataDir)
      owner.kill("SIGKILL")
      yield* until(() => !existsSync(join(dataDir, "postmaster.pid")))
      const { started } = yield* EmbeddedPostgres.pipe(Effect.provide(server(dataDir)))
      assert.strictEqual(started, "started")
    }).pipe(Effect.scoped))

  it.live("starts a server again that was killed, with everything that was committed", () =>
    Effect.gen(function*() {
      const dataDir = yield* madeBefore
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

  it.live("does not outlive an owner that was killed together with its guard", () =>
    Effect.gen(function*() {
      const dataDir = yield* madeBefore
      const owner = yield* hold(dataDir)
      killWithGuard(owner)
      yield* until(() => !existsSync(join(dataDir, "postmaster.pid")))
    }).pipe(Effect.scoped))

  it.live("gets another guard when its own was killed", () =>
    Effect.gen(function*() {
      const dataDir = yield* madeBefore
      // Without setpriv in the way only the guard shuts the server down.
      const owner = yield* hold(dataDir, yield* withoutSetpriv)
      const [first] = guardsOf(owner)
      process.kill(first!, "SIGKILL")
      yield* until(() => guardsOf(owner).some((pid) => pid !== first))
      owner.kill("SIGKILL")
      yield* until(() => !existsSync(join(dataDir, "postmaster.pid")))
    }).pipe(Effect.scoped))

  it.live("adopts a server that nothing shut down when its owner was killed", () =>
    Effect.gen(function*() {
      const dataDir = yield* madeBefore
      const owner = yield* hold(dataDir, yield* withoutSetpriv)
      killWithGuard(owner)
      yield* gone(owner)
      assert.isTrue(existsSync(join(dataDir, "postmaster.pid")))
      const { started } = yield* EmbeddedPostgres.pipe(Effect.provide(server(dataDir)))
      assert.strictEqual(started, "adopted")
      assert.isFalse(existsSync(join(dataDir, "postmaster.pid")))
    }).pipe(Effect.scoped))

  it.live("is taken over by a process that had joined it when its owner is gone", () =>
    Effect.gen(function*() {
      const dataDir = yield* madeBefore
      const owner = yield* hold(dataDir)
      const { url } = yield* EmbeddedPostgres.pipe(Effect.provide(yield* Layer.build(server(dataDir))))
      const postmaster = postmasterOf(dataDir)
      owner.kill("SIGKILL")
      yield* gone(owner)
      yield* until(() => ![undefined, postmaster].includes(postmasterOf(dataDir)))
      yield* ask(url, "SELECT 1").pipe(Effect.retry(Schedule.spaced("50 millis")))
    }).pipe(Effect.scoped))

  it.live("starts where a killed server has left sessions, and files that name a living stranger", () =>
    Effect.gen(function*() {
      const dataDir = yield* madeBefore
      const owner = yield* hold(dataDir)
      const left = childrenOf(postmasterOf(dataDir)!)
      assert.isAbove(left.length, 0)
      for (const pid of left) process.kill(pid, "SIGSTOP")
      // The server last: its guard and the kernel would let it end in order.
      owner.kill("SIGSTOP")
      process.kill(postmasterOf(dataDir)!, "SIGKILL")
      killWithGuard(owner)
      yield* gone(owner)
      const pidFile = join(dataDir, "postmaster.pid")
      const [, ...rest] = readFileSync(pidFile, "utf8").split("\n")
      writeFileSync(pidFile, [process.pid, ...rest].join("\n"))
      writeFileSync(join(dataDir, ".s.PGSQL.5432.lock"), [process.pid, ...rest].join("\n"))
      const { started, url } = yield* EmbeddedPostgres.pipe(Effect.provide(yield* Layer.build(server(dataDir))))
      assert.strictEqual(started, "started")
      assert.deepStrictEqual(yield* ask(url, "SELECT 1 AS one"), [{ one: 1 }])
      assert.deepStrictEqual(left.filter((pid) => existsSync(`/proc/${pid}`) && !isZombie(pid)), [])
    }).pipe(Effect.scoped))

  it.live("passes to the next owner where nobody has waited for the one that was killed", () =>
    Effect.gen(function*() {
      const dataDir = yield* madeBefore
      // A shell that goes on without waiting for its child, as the first process of a container does.
      const shell = yield* Effect.acquireRelease(
        Effect.sync(() =>
          spawn("sh", ["-c", `"$0" "$1" "$2" & echo $!; exec sleep 600`, process.execPath, holder, dataDir], {
            stdio: ["ignore", "pipe", 2]
          })
        ),
        (child) => Effect.sync(() => void child.kill("SIGKILL"))
      )
      const owner = yield* Effect.promise(() => once(shell.stdout!, "data")).pipe(Effect.map(([text]) => Number(text)))
      yield* until(() => existsSync(join(dataDir, "postmaster.pid")))
      yield* EmbeddedPostgres.pipe(Effect.provide(server(dataDir)))
      process.kill(owner, "SIGKILL")
      yield* until(() => isZombie(owner))
      const { started } = yield* EmbeddedPostgres.pipe(Effect.provide(server(dataDir)))
      assert.notStrictEqual(started, "joined")
    }).pipe(Effect.scoped))
})
