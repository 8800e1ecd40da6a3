import { assert, it } from "@effect/vitest"
import { Clock, Deferred, Effect, Fiber, Queue, Stream } from "effect"
import type { HttpServerResponse } from "effect/http"
import { TestClock } from "effect/testing"
import { eventStream } from "../../../src/http/middleware/EventStream.ts"

const text = ({ body }: HttpServerResponse.HttpServerResponse) =>
  body._tag === "Stream" ? Stream.orDie(Stream.decodeText(body.stream)) : Stream.empty

it.effect("tells how soon to come back, then every event with its id, and ends with the last one", () =>
  Effect.gen(function*() {
    const events = Stream.make({ id: 1, type: "status", a: 1 }, { id: 2, type: "stage", a: 2 })
    const told = yield* Stream.mkString(text(eventStream(events, Effect.never)))
    assert.strictEqual(
      told,
      "retry: 2000\n\n"
        + `id: 1\nevent: status\ndata: {"id":1,"type":"status","a":1}\n\n`
        + `id: 2\nevent: stage\ndata: {"id":2,"type":"stage","a":2}\n\n`
    )
  }))

it.effect("says every 15 s that it is still there, so that no proxy cuts it, and ends where the service drains", () =>
  Effect.gen(function*() {
    const stop = yield* Deferred.make<void>()
    const heard = yield* Queue.unbounded<string>()
    const watching = yield* Effect.forkChild(
      Stream.runForEach(text(eventStream(Stream.never, Deferred.await(stop))), (said) => Queue.offer(heard, said))
    )
    const passing = yield* Effect.forkChild(
      Effect.forever(Effect.andThen(TestClock.adjust("1 second"), Effect.yieldNow))
    )
    assert.strictEqual(yield* Queue.take(heard), "retry: 2000\n\n")
    for (let beat = 0; beat < 4; beat++) {
      const before = yield* Clock.currentTimeMillis
      assert.strictEqual(yield* Queue.take(heard), ": still here\n\n")
      assert.isAtMost((yield* Clock.currentTimeMillis) - before, 20_000)
    }
    yield* Deferred.succeed(stop, undefined)
    yield* Fiber.join(watching)
    yield* Fiber.interrupt(passing)
  }))
