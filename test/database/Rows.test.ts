import { assert, describe, it } from "@effect/vitest"
import { Effect, Schema } from "effect"
import { readableRowsOf, rowsOf } from "../../src/database/Rows.ts"

const Row = Schema.Struct({
  id: Schema.String,
  stage: Schema.Literals(["fetch", "probe"]),
  note: Schema.NullOr(Schema.String)
})
const good = { id: "task_1", stage: "fetch", note: null, more: 1 }
const bad = { id: "task_2", job_id: "job_2", stage: "sk-secret", note: null }

describe("rows of a statement", () => {
  it.effect("go on as they are where they fit, in one piece", () =>
    Effect.gen(function*() {
      const rows = [good]
      assert.strictEqual(yield* rowsOf(Row)(Effect.succeed(rows)), rows as ReadonlyArray<object>)
      assert.deepStrictEqual(yield* rowsOf(Row)(Effect.succeed([])), [])
    }))

  it.effect("fail as the database's where one does not fit, by its ids and its column and without its value", () =>
    Effect.gen(function*() {
      const { message, reason } = yield* Effect.flip(rowsOf(Row)(Effect.succeed([good, bad])))
      assert.strictEqual(reason._tag, "UnknownError")
      const said = `${message} ${reason.message} ${String(reason.cause)}`
      assert.match(said, /"id":"task_2","job_id":"job_2"/u)
      assert.match(said, /stage/u)
      assert.notInclude(said, "sk-secret")
    }))

  it.effect("are parted where one that does not fit must not hold up the others", () =>
    Effect.gen(function*() {
      const { broken, rows } = yield* readableRowsOf(Row)(Effect.succeed([good, bad, good]))
      assert.lengthOf(rows, 2)
      assert.deepStrictEqual(broken.map(({ row }) => row), [bad])
    }))
})
