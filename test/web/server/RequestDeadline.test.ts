import { assert, describe, it } from "@effect/vitest"
import { Context, Deferred, Effect, Exit, Fiber } from "effect"
import { HttpServerRequest, HttpServerResponse } from "effect/http"
import { AnswerSeconds, withinDeadline } from "../../../src/web/server/RequestDeadline.ts"
import { captured } from "../../support/LogLines.ts"

const request = HttpServerRequest.fromWeb(new Request("http://localhost/v1/jobs"))

const asked = <E>(app: Effect.Effect<HttpServerResponse.HttpServerResponse, E>, seconds: number) =>
  withinDeadline(app).pipe(
    Effect.provideContext(
      Context.empty().pipe(
        Context.add(HttpServerRequest.HttpServerRequest, request),
        Context.add(AnswerSeconds, seconds)
      )
    ),
    captured().logged
  )

const answer = HttpServerResponse.text("here")

describe("a request's time", () => {
  it.live("changes no answer that comes within it, be it at once or later, and no failure", () =>
    Effect.gen(function*() {
      assert.strictEqual((yield* asked(Effect.succeed(answer), 30)).status, 200)
      assert.strictEqual((yield* asked(Effect.as(Effect.yieldNow, answer), 30)).status, 200)
      for (const failing of [Effect.fail("no"), Effect.andThen(Effect.yieldNow, Effect.fail("no"))]) {
        assert.deepStrictEqual(yield* Effect.exit(asked(failing, 30)), Exit.fail("no"))
      }
    }))

  it.live("ends with 503 though the work cannot be stopped, which is told to stop all the same", () =>
    Effect.gen(function*() {
      const held = yield* Deferred.make<void>()
      const stopped = yield* Deferred.make<void>()
      const stuck = Effect.uninterruptible(Deferred.await(held)).pipe(
        Effect.andThen(Effect.never),
        Effect.onInterrupt(() => Deferred.succeed(stopped, undefined))
      )
      assert.strictEqual((yield* asked(stuck, 0.01)).status, 503)
      yield* Deferred.succeed(held, undefined)
      yield* Deferred.await(stopped)
    }))

  it.live("ends the work of a caller that leaves", () =>
    Effect.gen(function*() {
      const begun = yield* Deferred.make<void>()
      const stopped = yield* Deferred.make<void>()
      const work = Deferred.succeed(begun, undefined).pipe(
        Effect.andThen(Effect.never),
        Effect.onInterrupt(() => Deferred.succeed(stopped, undefined))
      )
      const fiber = yield* Effect.forkChild(asked(work, 30))
      yield* Deferred.await(begun)
      yield* Fiber.interrupt(fiber)
      yield* Deferred.await(stopped)
    }))
})
