import { assert, it } from "@effect/vitest"
import { Effect, Fiber } from "effect"
import { HttpServerRequest, HttpServerResponse } from "effect/http"
import { TestClock } from "effect/testing"
import { TextCheck } from "../../../src/api/RequestChecks.ts"
import { TextCheckLayer } from "../../../src/http/middleware/RequestChecksLayer.ts"

const answered = Effect.succeed(HttpServerResponse.empty())

/** What becomes of a request whose body is `bytes`, or never comes. */
const checked = Effect.fnUntraced(function*(bytes: Effect.Effect<ArrayBuffer>, headers: Record<string, string> = {}) {
  const check = (yield* TextCheck) as unknown as (app: typeof answered) => Effect.Effect<
    HttpServerResponse.HttpServerResponse,
    { readonly _tag: string; readonly headers?: Readonly<Record<string, string>> },
    HttpServerRequest.HttpServerRequest
  >
  const request = { method: "POST", url: "/v1/jobs", headers, arrayBuffer: bytes }
  return yield* check(answered).pipe(
    Effect.provideService(HttpServerRequest.HttpServerRequest, request as never)
  )
})

it.effect("a JSON body has 30 s to arrive, then its sender is refused and its connection ended", () =>
  Effect.gen(function*() {
    const waiting = yield* Effect.forkChild(Effect.flip(checked(Effect.never)))
    yield* TestClock.adjust("29 seconds")
    assert.isUndefined(waiting.pollUnsafe())
    yield* TestClock.adjust("1 second")
    const error = yield* Fiber.join(waiting)
    assert.strictEqual(error._tag, "INVALID_REQUEST")
    assert.deepStrictEqual(error.headers, { connection: "close" })
  }).pipe(Effect.provide(TextCheckLayer)))

it.effect("a body of another kind may take as long as it takes", () =>
  Effect.gen(function*() {
    const response = yield* checked(Effect.never, { "content-type": "video/mp4" })
    assert.strictEqual(response.status, 204)
  }).pipe(Effect.provide(TextCheckLayer)))
