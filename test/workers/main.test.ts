import { assert, describe, it } from "@effect/vitest"
import { Effect, Redacted } from "effect"
import { type ChildProcess, fork } from "node:child_process"
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { breadth } from "../support/Breadth.ts"
import * as TestDatabase from "../support/TestDatabase.ts"
import * as WorkerProcess from "../support/WorkerProcess.ts"

const program = fileURLToPath(new URL("../../workers/main.ts", import.meta.url))
const forbidModels = fileURLToPath(new URL("../support/forbid-models.ts", import.meta.url))

const start = Effect.fnUntraced(function*(args: ReadonlyArray<string>, execArgv: ReadonlyArray<string> = []) {
  const url = yield* Effect.promise(TestDatabase.create)
  const folder = yield* Effect.acquireRelease(
    Effect.sync(() => mkdtempSync(join(tmpdir(), "footnote-worker-"))),
    (path) => Effect.sync(() => rmSync(path, { recursive: true, force: true }))
  )
  return yield* Effect.acquireRelease(
    Effect.sync(() =>
      fork(program, args, {
        execArgv: [...execArgv],
        env: { ...process.env, DATABASE_URL: Redacted.value(url), FOOTNOTE_DATA: folder },
        stdio: ["ignore", 2, 2, "ipc"]
      })
    ),
    (child: ChildProcess) => Effect.sync(() => void child.kill("SIGKILL"))
  )
})

describe("workers/main.ts", () => {
  it.live("needs no model runtime for media and for delivery, and ends cleanly when told to", () =>
    Effect.gen(function*() {
      for (const pool of ["media", "delivery"]) {
        const worker = yield* start([pool], ["--import", forbidModels])
        const { pools } = yield* WorkerProcess.message<{ readonly pools: ReadonlyArray<string> }>(
          worker,
          (said) => "ready" in said
        )
        assert.deepStrictEqual(pools, pool === "media" ? ["fetch", "media"] : [pool], "whoever decodes fetches too")
        worker.kill("SIGTERM")
        assert.strictEqual(yield* WorkerProcess.exited(worker), 0)
      }
    }).pipe(Effect.scoped))

  it.live("serves any other pools together", () =>
    Effect.gen(function*() {
      const worker = yield* start(["extraction", "speech", "media", "vision"])
      const { pools } = yield* WorkerProcess.message<{ readonly pools: ReadonlyArray<string> }>(
        worker,
        (said) => "ready" in said
      )
      assert.deepStrictEqual(pools, ["fetch", "media", "speech", "vision", "extraction"])
      worker.disconnect()
      assert.strictEqual(yield* WorkerProcess.exited(worker), 0, "it ends with the process that started it")
    }).pipe(Effect.scoped))

  it.live("ends by itself with 0 until idle, and refuses a number of tasks without that", () =>
    Effect.gen(function*() {
      assert.strictEqual(yield* WorkerProcess.exited(yield* start(["media", "--until-idle", "--max-tasks", "1"])), 0)
      for (const wrong of breadth([["--max-tasks", "1"], ["--until-idle", "--max-tasks", "0"], ["--until-ilde"]])) {
        assert.strictEqual(yield* WorkerProcess.exited(yield* start(["media", ...wrong])), 2)
      }
    }).pipe(Effect.scoped))

  it.live("refuses a pool that does not exist", () =>
    Effect.gen(function*() {
      assert.strictEqual(yield* WorkerProcess.exited(yield* start(["medai"])), 2)
    }).pipe(Effect.scoped))

  it.live("refuses deliveries beside what opens strangers' files, and a command line without a pool", () =>
    Effect.gen(function*() {
      const refused = ["fetch", "media", "speech", "vision", "extraction"].map((other) => [other, "delivery"])
      for (const wrong of breadth([[], ...refused])) {
        assert.strictEqual(yield* WorkerProcess.exited(yield* start(wrong)), 2)
      }
    }).pipe(Effect.scoped))
})
