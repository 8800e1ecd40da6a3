import { PgClient } from "@effect/sql-pg"
import { Effect, Fiber, type Redacted, Schedule } from "effect"
import { TestClock } from "effect/testing"
import { type ChildProcess, execFileSync, fork } from "node:child_process"
import { existsSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from "node:fs"
import { tmpdir } from "node:os"
import { delimiter, join } from "node:path"
import { setTimeout as delay } from "node:timers/promises"
import { fileURLToPath } from "node:url"
import { EmbeddedPostgres } from "../../src/database/EmbeddedPostgres.ts"

export const holder = fileURLToPath(new URL("./hold-postgres.ts", import.meta.url))

export const folder = Effect.acquireRelease(
  Effect.sync(() => mkdtempSync(join(tmpdir(), "footnote-embedded-"))),
  (path) => Effect.sync(() => rmSync(path, { recursive: true, force: true }))
)

export const server = (dataDir: string) => EmbeddedPostgres.layer({ dataDir })

let made: string | undefined

/** A folder in which a server was made before and has been stopped: few tests are about making one. */
export const madeBefore = Effect.gen(function*() {
  if (made === undefined) {
    const path = mkdtempSync(join(tmpdir(), "footnote-embedded-"))
    yield* EmbeddedPostgres.pipe(Effect.provide(server(join(path, "postgres"))))
    made = path
  }
  const path = yield* folder
  execFileSync("cp", ["-a", join(made, "postgres"), path])
  return join(path, "postgres")
})

export const removeMade = (): void => {
  if (made !== undefined) rmSync(made, { recursive: true, force: true })
  made = undefined
}

export const ask = <A extends object>(url: Redacted.Redacted, statement: string) =>
  Effect.flatMap(PgClient.PgClient, (sql) => sql.unsafe<A>(statement)).pipe(
    Effect.provide(PgClient.layer({ url, maxConnections: 1 }))
  )

export const until = (fact: () => boolean) =>
  Effect.repeat(Effect.sync(fact), { schedule: Schedule.spaced("10 millis"), until: (held) => held })

/** Seconds of the test's clock, in which nothing real has to happen. */
export const pass = (seconds: number) =>
  Effect.gen(function*() {
    for (let second = 0; second < seconds; second++) {
      yield* TestClock.adjust("1 second")
      yield* Effect.promise(() => delay(2))
    }
  })

/**
 * A fiber's end, reached with the test's clock ten times as fast as the real one: a connection to a real server gives up after two of
 * them, which are 200 ms of real time here. (With 2 ms for a second, a slow machine's connections all gave up, for ever.)
 */
export const passUntilEnd = <A, E>(fiber: Fiber.Fiber<A, E>) =>
  Effect.gen(function*() {
    while (fiber.pollUnsafe() === undefined) {
      yield* TestClock.adjust("1 second")
      yield* Effect.promise(() => delay(100))
    }
    return yield* Fiber.join(fiber)
  })

export const postmasterOf = (dataDir: string): number | undefined => {
  const file = join(dataDir, "postmaster.pid")
  return existsSync(file) ? Number.parseInt(readFileSync(file, "utf8"), 10) : undefined
}

/** Another process that holds the folder's server. */
export const hold = (dataDir: string, path = process.env.PATH) =>
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

export const gone = (child: ChildProcess) => until(() => child.exitCode !== null || child.signalCode !== null)

/** A `PATH` on which everything is but what makes the kernel end a process with its parent. */
export const withoutSetpriv = Effect.map(folder, (path) => {
  for (const name of ["sh", "sleep", "rm", "true", "unshare"]) {
    const found = process.env.PATH!.split(delimiter).map((entry) => join(entry, name)).find((file) => existsSync(file))
    if (found !== undefined) symlinkSync(found, join(path, name))
  }
  return path
})

export const childrenOf = (pid: number) =>
  readFileSync(`/proc/${pid}/task/${pid}/children`, "utf8").trim().split(" ").filter((word) => word !== "").map(Number)
/** Nothing where the process is gone, which it may be at any moment after it was listed. */
const stateOf = (pid: number) => {
  let stat: string
  try {
    stat = readFileSync(`/proc/${pid}/stat`, "utf8")
  } catch {
    return undefined
  }
  return { name: stat.slice(stat.indexOf("(") + 1, stat.lastIndexOf(")")), state: stat[stat.lastIndexOf(")") + 2] }
}
export const isZombie = (pid: number) => stateOf(pid)?.state === "Z"

/** Whether a process was still there to be stopped: a server's children include sessions that have just ended. */
export const stops = (pid: number): boolean => {
  try {
    return process.kill(pid, "SIGSTOP")
  } catch {
    return false
  }
}

/** The guard is the only shell among a holder's children. */
export const guardsOf = ({ pid }: ChildProcess) => childrenOf(pid!).filter((child) => stateOf(child)?.name === "sh")

/** The holder is stopped first, so that it gives itself no other guard. */
export const killWithGuard = (owner: ChildProcess) => {
  owner.kill("SIGSTOP")
  for (const pid of guardsOf(owner)) process.kill(pid, "SIGKILL")
  owner.kill("SIGKILL")
}
