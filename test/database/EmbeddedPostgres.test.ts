import { afterAll, assert, describe, it } from "@effect/vitest"
import { Effect, Layer, Schedule } from "effect"
import { TestClock } from "effect/testing"
import { existsSync } from "node:fs"
import { join } from "node:path"
import { EmbeddedPostgres } from "../../src/database/EmbeddedPostgres.ts"
import {
  ask,
  folder,
  gone,
  hold,
  killWithGuard,
  madeBefore,
  pass,
  passUntilEnd,
  postmasterOf,
  removeMade,
  server,
  until,
  withoutSetpriv
} from "../support/PostgresOwners.ts"

describe("EmbeddedPostgres", () => {
  afterAll(removeMade)

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

  it.effect("is awaited for as long as a server runs that takes no queries yet", () =>
    Effect.gen(function*() {
      const dataDir = yield* TestClock.withLive(madeBefore)
      yield* TestClock.withLive(hold(dataDir))
      const postmaster = postmasterOf(dataDir)!
      process.kill(postmaster, "SIGSTOP")
      yield* Effect.addFinalizer(() => Effect.sync(() => process.kill(postmaster, "SIGCONT")))
      const joining = yield* Effect.forkChild(EmbeddedPostgres.pipe(Effect.provide(server(dataDir))))
      yield* pass(200)
      assert.isUndefined(joining.pollUnsafe())
      process.kill(postmaster, "SIGCONT")
      assert.strictEqual((yield* passUntilEnd(joining)).started, "joined")
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
})
