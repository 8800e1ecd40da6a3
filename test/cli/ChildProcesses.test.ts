import { assert, describe, it } from "@effect/vitest"
import { Effect, Exit, Fiber, Scope } from "effect"
import { TestClock } from "effect/testing"
import { readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { keepRunning } from "../../src/cli/ChildProcesses.ts"
import { folder } from "../support/ApiProcess.ts"

const path = process.env["PATH"]!

/** A program that ends so many times in this way before it says that it is ready. */
const program = (file: string, ends: number, how: string) =>
  writeFileSync(
    file,
    `const { appendFileSync, readFileSync } = require("node:fs")
appendFileSync(${JSON.stringify(`${file}.starts`)}, "x")
if (readFileSync(${JSON.stringify(`${file}.starts`)}).length <= ${ends}) ${how}
else { process.send({ ready: true }); setInterval(() => {}, 1000) }
`
  )

/** How it went, with the half seconds between starts passed at once, and how often it was started. */
const outcome = Effect.fnUntraced(function*(ends: number, how: string, outlasts: boolean) {
  const file = join(yield* folder, "program.cjs")
  program(file, ends, how)
  const scope = yield* Effect.scope
  const fiber = yield* keepRunning({
    name: "tried",
    entry: file,
    args: [],
    env: { PATH: path },
    output: "inherit",
    outlasts
  }).pipe(Scope.provide(scope), Effect.exit, Effect.forkChild)
  while (fiber.pollUnsafe() === undefined) {
    yield* TestClock.adjust("500 millis")
    // Real processes end in real time.
    yield* Effect.promise(() => new Promise(setImmediate))
  }
  return { exit: yield* Fiber.join(fiber), starts: readFileSync(`${file}.starts`, "utf8").length }
})

describe("a process of the service", () => {
  it.effect(
    "is awaited for as long as what it needs is away, where another one has found it before",
    () =>
      Effect.gen(function*() {
        const { exit, starts } = yield* outcome(25, "process.exit(75)", true)
        assert.isTrue(Exit.isSuccess(exit))
        assert.strictEqual(starts, 26)
      }),
    60_000
  )

  it.effect(
    "fails with its name where what it needs has never been there in twenty starts",
    () =>
      Effect.gen(function*() {
        const { exit, starts } = yield* outcome(25, "process.exit(75)", false)
        assert.isTrue(Exit.isFailure(exit))
        assert.strictEqual(starts, 20)
      }),
    60_000
  )

  it.effect("fails where it is killed at each of twenty starts, whatever it outlasts", () =>
    Effect.gen(function*() {
      const { exit, starts } = yield* outcome(25, "process.kill(process.pid, 'SIGKILL')", true)
      assert.isTrue(Exit.isFailure(exit))
      assert.strictEqual(starts, 20)
    }), 60_000)

  it.effect("fails at once where it ends by something that a restart does not cure", () =>
    Effect.gen(function*() {
      const { exit, starts } = yield* outcome(25, "process.exit(1)", true)
      assert.isTrue(Exit.isFailure(exit))
      assert.strictEqual(starts, 1)
    }), 60_000)
})
