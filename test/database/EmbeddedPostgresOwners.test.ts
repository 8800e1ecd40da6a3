import { afterAll, assert, describe, it } from "@effect/vitest"
import { Effect, Layer, Schedule } from "effect"
import { TestClock } from "effect/testing"
import { spawn } from "node:child_process"
import { once } from "node:events"
import { existsSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { EmbeddedPostgres } from "../../src/database/EmbeddedPostgres.ts"
import { hasStalled } from "../../src/database/Postmaster.ts"
import {
  ask,
  childrenOf,
  gone,
  guardsOf,
  hold,
  holder,
  isZombie,
  killWithGuard,
  madeBefore,
  passUntilEnd,
  postmasterOf,
  removeMade,
  server,
  stops,
  until,
  withoutSetpriv
} from "../support/PostgresOwners.ts"

describe("EmbeddedPostgres, whose owner ends as no owner should", () => {
  afterAll(removeMade)

  it.live("does not outlive an owner that was killed together with its guard", () =>
    Effect.gen(function*() {
      const dataDir = yield* madeBefore
      const owner = yield* hold(dataDir)
      killWithGuard(owner)
      yield* until(() => !existsSync(join(dataDir, "postmaster.pid")))
    }).pipe(Effect.scoped))

  it.live("does not outlive them either where a fast shutdown would wait for ever", () =>
    Effect.gen(function*() {
      const dataDir = yield* madeBefore
      const owner = yield* hold(dataDir)
      process.kill(childrenOf(postmasterOf(dataDir)!)[0]!, "SIGSTOP")
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

  it.live("serves again where the process that recovers from a killed one is killed as well", () =>
    Effect.gen(function*() {
      const dataDir = yield* madeBefore
      const { url } = yield* EmbeddedPostgres.pipe(Effect.provide(yield* Layer.build(server(dataDir))))
      const postmaster = postmasterOf(dataDir)!
      const kill = (name: string): boolean => {
        const pid = childrenOf(postmaster).find((child) => {
          try {
            return readFileSync(`/proc/${child}/cmdline`, "utf8").startsWith(`postgres: ${name}`)
          } catch {
            return false
          }
        })
        return pid !== undefined && process.kill(pid, "SIGKILL")
      }
      assert.isTrue(kill("walwriter"))
      // It is there for a moment alone.
      for (const since = performance.now(); !kill("startup") && performance.now() - since < 30_000;) { /* Again. */ }
      yield* until(() => hasStalled(postmaster))
      yield* ask(url, "SELECT 1").pipe(Effect.retry(Schedule.spaced("50 millis")))
      assert.notStrictEqual(postmasterOf(dataDir), postmaster)
    }).pipe(Effect.scoped))

  it.effect("starts where the server of an owner who was killed hangs while it shuts down", () =>
    Effect.gen(function*() {
      const dataDir = yield* TestClock.withLive(madeBefore)
      // Without setpriv and its guard nobody but the next owner ends the server.
      const owner = yield* TestClock.withLive(hold(dataDir, yield* withoutSetpriv))
      const postmaster = postmasterOf(dataDir)!
      // A fast shutdown waits for every process of the server, and this one does not go.
      process.kill(childrenOf(postmaster)[0]!, "SIGSTOP")
      killWithGuard(owner)
      process.kill(postmaster, "SIGINT")
      yield* TestClock.withLive(until(() => readFileSync(join(dataDir, "postmaster.pid"), "utf8").includes("stopping")))
      const starting = yield* Effect.forkChild(EmbeddedPostgres.pipe(Effect.provide(server(dataDir))))
      assert.strictEqual((yield* passUntilEnd(starting)).started, "adopted")
    }).pipe(Effect.scoped))

  it.live("starts where a killed server has left sessions, and files that name a living stranger", () =>
    Effect.gen(function*() {
      const dataDir = yield* madeBefore
      const owner = yield* hold(dataDir)
      const left = childrenOf(postmasterOf(dataDir)!).filter(stops)
      assert.isAbove(left.length, 0)
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
