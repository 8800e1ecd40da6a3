import { assert, it } from "@effect/vitest"
import { Effect, Fiber } from "effect"
import { TestClock } from "effect/testing"
import process from "node:process"
import type { Worker } from "node:worker_threads"
import type { JsonSchema } from "../../src/schemas/json-schema/JsonSchema.ts"
import { normaliseDialect } from "../../src/schemas/json-schema/JsonSchemaDialect.ts"
import { checkSchemaSafely, checkThreads } from "../../src/schemas/SchemaCheck.ts"
import { defaultTemplate } from "../../src/schemas/Templates.ts"
import { breadth } from "../support/Breadth.ts"
import { hostileSchemas } from "./hostileSchemas.ts"

const name = (index: number) => `p${index}`

/** What passes the linter and keeps a checker busy for minutes, or fills its memory. */
const billionOf = (items: JsonSchema): unknown =>
  Array.from({ length: 3 }).reduce<unknown>((items) => ({ type: "array", minItems: 1000, items }), items)
const endless: Readonly<Record<string, unknown>> = {
  "a billion strings": billionOf({ type: "string", minLength: 10_000 }),
  "a billion objects": billionOf({
    type: "object",
    required: ["a"],
    properties: { a: { type: "string", minLength: 99 } }
  })
}

it.live("gives a usable schema's warnings and its copy in 2020-12", () =>
  Effect.gen(function*() {
    const checked = yield* checkSchemaSafely(defaultTemplate.json_schema)
    assert.deepStrictEqual(checked.warnings, [])
    assert.deepStrictEqual(JSON.parse(checked.normalised), normaliseDialect(defaultTemplate.json_schema as JsonSchema))
  }))

it.live("fails with SCHEMA_INVALID, reason and pointer for everything hostile, many at a time", () =>
  Effect.gen(function*() {
    const hostile = Object.entries(hostileSchemas).filter(([, { reason }]) => reason !== null)
    yield* Effect.forEach(hostile, ([what, { reason, schema }]) =>
      Effect.gen(function*() {
        const error = yield* Effect.flip(checkSchemaSafely(schema))
        assert.strictEqual(error._tag, "SCHEMA_INVALID")
        assert.match(error.details![0]!.message, new RegExp(`^${reason}: `, "u"), what)
        assert.isAtMost(error.details!.length, 10)
      }), { concurrency: 4 })
  }))

const patterns = (count: number, pattern: string) => ({
  properties: Object.fromEntries(Array.from({ length: count }, (_, at) => [name(at), { pattern: pattern + at }]))
})

it.live("refuses patterns that are dear to compile in sum, at the dearest, without compiling them", () =>
  Effect.gen(function*() {
    const sum = yield* Effect.flip(checkSchemaSafely({
      ...patterns(100, "^[a-z]{900}"),
      patternProperties: { "^[a-z]{990}": {} }
    }))
    assert.strictEqual(sum.details![0]!.path, "/patternProperties/^[a-z]{990}")
    assert.match(
      sum.details![0]!.message,
      /^too_complex: All patterns together take more than 60000 steps, this one 99\d/u
    )
    // Those that people write pass, and one pattern in many places counts once.
    yield* checkSchemaSafely(patterns(20, "^[\\p{L}\\p{M}' -]{1,100}$|"))
    yield* checkSchemaSafely({
      properties: Object.fromEntries(Array.from({ length: 500 }, (_, at) => [name(at), { pattern: "^[a-z]{900}$" }]))
    })
  }))

it.effect("refuses no schema for the time that its thread waits for a processor: the request's own deadline answers for that", () =>
  Effect.gen(function*() {
    const checking = yield* Effect.forkChild(checkSchemaSafely(patterns(10, "^[\\p{L}\\p{M}' -]{1,100}$|")))
    const hours = Effect.forever(
      Effect.andThen(TestClock.adjust("1 second"), Effect.promise(() => new Promise(setImmediate)))
    )
    const { normalised } = yield* Effect.raceFirst(Fiber.join(checking), hours)
    assert.include(normalised, "p9")
  }))

it.live("kills the thread of a check that does not end, refuses the schema and goes on with the next", () =>
  Effect.gen(function*() {
    const threads: Array<Worker> = []
    const count = (thread: Worker) => threads.push(thread)
    process.on("worker", count)
    const usable = checkSchemaSafely({ type: "object" })
    const checks = breadth(Object.values(endless)).map((schema) => Effect.flip(checkSchemaSafely(schema)))
    const [errors] = yield* Effect.all([
      Effect.all(checks, { concurrency: 2 }),
      Effect.all(Array.from({ length: 20 }, () => usable), { concurrency: 2 })
    ], { concurrency: "unbounded" })
    process.off("worker", count)
    for (const error of errors) {
      assert.strictEqual(error._tag, "SCHEMA_INVALID")
      assert.match(error.details![0]!.message, /^too_complex: /u)
    }
    assert.deepStrictEqual(yield* usable, { warnings: [], normalised: `{"type":"object"}` })
    // -1 is the id of a thread that has ended; as many as may run may be kept for the next checks.
    assert.isAtMost(threads.filter(({ threadId }) => threadId !== -1).length, checkThreads)
    assert.isAtLeast(threads.length, checks.length)
  }))

it.live("starts no thread for a check where one has ended, while another check runs without end", () =>
  Effect.gen(function*() {
    const usable = checkSchemaSafely({ type: "object" })
    yield* Effect.all([usable, usable], { concurrency: 2 })
    const threads: Array<Worker> = []
    const count = (thread: Worker) => threads.push(thread)
    process.on("worker", count)
    const busy = yield* Effect.forkChild(Effect.flip(checkSchemaSafely(Object.values(endless)[0])))
    yield* Effect.yieldNow
    yield* usable
    yield* usable
    process.off("worker", count)
    assert.deepStrictEqual(threads, [])
    yield* Fiber.interrupt(busy)
  }))
