import { assert, it } from "@effect/vitest"
import { Effect, Exit, Logger, References, Scope } from "effect"
import { TestClock } from "effect/testing"
import { makeRefusalLog } from "../../../src/web/server/RefusalLog.ts"

const lines: Array<unknown> = []

const line = (tenant_id: string, count: number) => [["requests refused"], { tenant_id, status: "429", count }]

it.effect("refusals of a tenant are its first one of a minute and one line with the count of the others", () =>
  Effect.gen(function*() {
    const logger = Logger.make(({ fiber, message }) => {
      lines.push([message, fiber.getRef(References.CurrentLogAnnotations)])
    })
    const scope = yield* Scope.make()
    yield* Effect.gen(function*() {
      const { isFirst } = yield* Effect.provideService(makeRefusalLog, Scope.Scope, scope)
      assert.deepStrictEqual(["a", "a", "b", "a"].map(isFirst), [true, false, true, false])
      yield* TestClock.adjust("59 seconds")
      assert.deepStrictEqual(lines, [])
      yield* TestClock.adjust("1 second")
      assert.deepStrictEqual(lines.splice(0), [line("a", 2)])
      assert.deepStrictEqual(["a", "b", "b"].map(isFirst), [true, true, false])
      // The process ends within the minute.
      yield* Scope.close(scope, Exit.void)
      assert.deepStrictEqual(lines, [line("b", 1)])
    }).pipe(Effect.provide(Logger.layer([logger])))
  }))
