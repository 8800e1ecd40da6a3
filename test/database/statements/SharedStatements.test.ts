import { assert, it } from "@effect/vitest"
import { Deferred, Effect, Exit, Fiber } from "effect"
import { vi } from "vitest"
import { makeSharedStatements } from "../../../src/database/statements/SharedStatements.ts"

/** Statements that end when they are told to, each with what it was asked. */
const scene = Effect.sync(() => {
  const statements: Array<{
    readonly questions: ReadonlyArray<string>
    readonly end: Deferred.Deferred<void, string>
    interrupted: boolean
  }> = []
  const begun: Array<Deferred.Deferred<void>> = []
  const began = (at: number) => begun[at] ??= Deferred.makeUnsafe<void>()
  const ask = makeSharedStatements<string, string, string>({
    line: (question) => question[0]!,
    ask: (questions) =>
      Effect.suspend(() => {
        const statement = { questions, end: Deferred.makeUnsafe<void, string>(), interrupted: false }
        statements.push(statement)
        Deferred.doneUnsafe(began(statements.length - 1), Effect.void)
        return Deferred.await(statement.end).pipe(
          Effect.as(questions.map((question) => `answer to ${question}`)),
          Effect.onInterrupt(() => Effect.sync(() => statement.interrupted = true))
        )
      })
  })
  const asked = (question: string) => Effect.forkChild(ask(question), { startImmediately: true })
  return { asked, statements, began: (at: number) => Deferred.await(began(at)) }
})

it.effect("questions that come while a statement is under way share the next, which none of them came after", () =>
  Effect.gen(function*() {
    const { asked, began, statements } = yield* scene
    const first = yield* asked("a1")
    yield* began(0)
    const others = [yield* asked("a2"), yield* asked("a3"), yield* asked("a2")]
    assert.deepStrictEqual(statements.map(({ questions }) => questions), [["a1"]])
    yield* Deferred.succeed(statements[0]!.end, undefined)
    assert.strictEqual(yield* Fiber.join(first), "answer to a1")
    yield* began(1)
    assert.deepStrictEqual(statements[1]!.questions, ["a2", "a3", "a2"])
    yield* Deferred.succeed(statements[1]!.end, undefined)
    const answers = yield* Effect.forEach(others, Fiber.join)
    assert.deepStrictEqual(answers, ["answer to a2", "answer to a3", "answer to a2"])
  }))

/** Timers of our own: none is over before it is told to be. */
const withoutTimers = Effect.acquireRelease(
  Effect.sync(() => vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] })),
  () => Effect.sync(() => vi.useRealTimers())
)

it.effect("a question that waits alone is asked as soon as the statement before it ends", () =>
  Effect.gen(function*() {
    yield* withoutTimers
    const { asked, began, statements } = yield* scene
    yield* asked("a1")
    yield* began(0)
    yield* asked("a2")
    yield* Deferred.succeed(statements[0]!.end, undefined)
    yield* began(1)
    assert.deepStrictEqual(statements[1]!.questions, ["a2"])
  }))

it.effect("of several that wait none is asked until 4 ms after the statement before them began, and then all are", () =>
  Effect.gen(function*() {
    const timers = yield* withoutTimers
    const { asked, began, statements } = yield* scene
    const first = yield* asked("a1")
    yield* began(0)
    yield* asked("a2")
    yield* asked("a3")
    yield* Deferred.succeed(statements[0]!.end, undefined)
    yield* Fiber.join(first)
    // Whatever follows from that end at once has followed after this turn of the event loop.
    yield* Effect.promise(() => new Promise((resolve) => setImmediate(resolve)))
    assert.lengthOf(statements, 1)
    yield* asked("a4")
    timers.advanceTimersByTime(4)
    yield* began(1)
    assert.deepStrictEqual(statements[1]!.questions, ["a2", "a3", "a4"])
  }))

it.effect("a statement that hangs holds up nobody who asks after it", () =>
  Effect.gen(function*() {
    const { asked, began, statements } = yield* scene
    yield* asked("a1")
    yield* began(0)
    const second = yield* asked("a2")
    yield* began(1)
    yield* Deferred.succeed(statements[1]!.end, undefined)
    assert.strictEqual(yield* Fiber.join(second), "answer to a2")
    assert.deepStrictEqual(statements.map(({ interrupted }) => interrupted), [false, false])
  }))

it.effect("a failure is that of all who shared the statement, and of no other line", () =>
  Effect.gen(function*() {
    const { asked, began, statements } = yield* scene
    const failing = [yield* asked("a1"), yield* asked("a2")]
    const other = yield* asked("b1")
    yield* began(1)
    assert.deepStrictEqual(statements.map(({ questions }) => questions), [["a1", "a2"], ["b1"]])
    yield* Deferred.fail(statements[0]!.end, "away")
    yield* Deferred.succeed(statements[1]!.end, undefined)
    const exits = yield* Effect.forEach(failing, Fiber.await)
    assert.deepStrictEqual(exits, [Exit.fail("away"), Exit.fail("away")])
    assert.strictEqual(yield* Fiber.join(other), "answer to b1")
  }))

it.effect("a statement is interrupted once nobody waits for it any more, and not before", () =>
  Effect.gen(function*() {
    const { asked, began, statements } = yield* scene
    const [one, two] = [yield* asked("a1"), yield* asked("a2")]
    yield* began(0)
    yield* Fiber.interrupt(one)
    assert.isFalse(statements[0]!.interrupted)
    yield* Fiber.interrupt(two)
    // Its line is free again at once.
    const next = yield* asked("a3")
    yield* began(1)
    assert.isTrue(statements[0]!.interrupted)
    yield* Deferred.succeed(statements[1]!.end, undefined)
    assert.strictEqual(yield* Fiber.join(next), "answer to a3")
  }))

it.effect("a question that is taken back before its statement is not asked", () =>
  Effect.gen(function*() {
    const { asked, began, statements } = yield* scene
    const [one] = [yield* asked("a1"), yield* asked("a2")]
    yield* Fiber.interrupt(one)
    yield* began(0)
    assert.deepStrictEqual(statements[0]!.questions, ["a2"])
  }))
