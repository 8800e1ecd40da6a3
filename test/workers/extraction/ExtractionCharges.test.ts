import { assert, describe, it } from "@effect/vitest"
import { Deferred, Effect, Fiber } from "effect"
import { SqlError, UnknownError } from "effect/sql/SqlError"
import type { Spent } from "../../../workers/engine/Stage.ts"
import { meeting } from "./Footage.ts"
import { type ModelServer, type PlayedModel, playModel, TOKENS } from "./proposers/llm/ModelServer.ts"
import { goodMinutes, minutes } from "./proposers/llm/PlayedRun.ts"
import { laneWith, run } from "./StageRun.ts"

const play = (model: PlayedModel) => Effect.acquireDisposable(Effect.promise(() => playModel(model)))

const lane = ({ url }: ModelServer, more: Readonly<Record<string, string>> = {}) =>
  laneWith({
    FOOTNOTE_LLM_URL: url,
    FOOTNOTE_LLM_GRAPH: "false",
    FOOTNOTE_LLM_JUDGE: "false",
    FOOTNOTE_LLM_MODEL: "played-model",
    FOOTNOTE_LLM_INPUT_PRICE: "2",
    FOOTNOTE_LLM_OUTPUT_PRICE: "8",
    ...more
  })

const book = () => {
  const told: Array<Spent> = []
  return { told, charge: (spent: Spent) => Effect.sync(() => void told.push(spent)) }
}

const oneCall: Spent = {
  tokens: TOKENS.prompt_tokens + TOKENS.completion_tokens,
  cost: (2 * TOKENS.prompt_tokens + 8 * TOKENS.completion_tokens) / 1e6
}

describe("what an extraction spends on a model", () => {
  it.live("is booked as its output tells it where it succeeds", () =>
    Effect.gen(function*() {
      const server = yield* play(goodMinutes)
      const { charge, told } = book()
      const { output } = yield* run(meeting, { json_schema: minutes, pictures: false, charge }).pipe(
        Effect.provide(lane(server))
      )
      assert.deepStrictEqual(told.at(-1), { tokens: output.tokens, cost: output.cost })
      assert.deepStrictEqual(told.at(-1), oneCall)
    }).pipe(Effect.scoped))

  it.live("is booked also where it fails, and by a book that could not be written at first", () =>
    Effect.gen(function*() {
      const server = yield* play(({ number }) => number === 0 ? { text: "{ no JSON" } : { status: 401 })
      const { charge, told } = book()
      let tries = 0
      const away = new SqlError({ reason: new UnknownError({ cause: "away" }) })
      const failure = yield* Effect.flip(
        run(meeting, {
          json_schema: minutes,
          pictures: false,
          charge: (spent) => ++tries === 1 ? Effect.fail(away) : charge(spent)
        })
      ).pipe(Effect.provide(lane(server, { FOOTNOTE_LLM_FALLBACK: "fail" })))
      assert.strictEqual(failure._tag, "StageFailure")
      assert.strictEqual(tries, 2)
      assert.deepStrictEqual(told, [oneCall])
    }).pipe(Effect.scoped))

  it.live("is booked where the job is cancelled in the middle of the next call", () =>
    Effect.gen(function*() {
      const asked = yield* Deferred.make<void>()
      const server = yield* play(({ number }) => {
        if (number === 0) return { text: "{ no JSON" }
        Deferred.doneUnsafe(asked, Effect.void)
        return { hang: true }
      })
      const { charge, told } = book()
      const running = yield* Effect.forkChild(
        run(meeting, { json_schema: minutes, pictures: false, charge }).pipe(Effect.provide(lane(server)))
      )
      yield* Deferred.await(asked)
      yield* Fiber.interrupt(running)
      assert.deepStrictEqual(told, [oneCall])
    }).pipe(Effect.scoped))

  it.live("is nothing where no model is asked", () =>
    Effect.gen(function*() {
      const { charge, told } = book()
      yield* run(meeting, { pictures: false, charge }).pipe(Effect.provide(laneWith()))
      assert.deepStrictEqual(told, [])
    }))
})
