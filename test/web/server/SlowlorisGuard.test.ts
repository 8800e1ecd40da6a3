import { assert, describe, it } from "@effect/vitest"
import { EventEmitter } from "node:events"
import type { IncomingMessage, ServerResponse } from "node:http"
import { makeSlowlorisGuard, senderRule } from "../../../src/web/server/SlowlorisGuard.ts"

const { bytes, window_ms } = senderRule

/** A request under way, as far as the rule looks at it. */
const underWay = () => {
  const state = { socket: { bytesRead: 500 }, complete: false, readableLength: 0 }
  const request = Object.assign(new EventEmitter(), state) as unknown as IncomingMessage & typeof state
  const response = { writableEnded: false }
  const senders = makeSlowlorisGuard(senderRule)
  senders.watch(request, response as ServerResponse, 0)
  const slowAt = (now: number) => senders.take(now).some((sender) => sender.request === request)
  return { request, response, slowAt }
}

describe("a sender", () => {
  it("is slow once a minute is over in which less than 60 KiB came, and is told once", () => {
    const { request, slowAt } = underWay()
    request.socket.bytesRead += bytes - 1
    assert.isFalse(slowAt(window_ms - 1))
    assert.isTrue(slowAt(window_ms))
    assert.isFalse(slowAt(2 * window_ms))
  })

  it("is not slow at 1 KiB/s, however long it goes on, and is from the minute on in which it stops", () => {
    const { request, slowAt } = underWay()
    for (let minute = 1; minute <= 1000; minute++) {
      request.socket.bytesRead += bytes
      assert.isFalse(slowAt(minute * window_ms))
    }
    assert.isTrue(slowAt(1001 * window_ms))
  })

  it("is not blamed for bytes that wait to be read, until the answer is out", () => {
    const { request, response, slowAt } = underWay()
    request.readableLength = 1
    for (let minute = 1; minute <= 10; minute++) assert.isFalse(slowAt(minute * window_ms))
    response.writableEnded = true
    assert.isTrue(slowAt(11 * window_ms))
  })

  it("whose body is whole, or who is gone, is not watched", () => {
    const whole = underWay()
    whole.request.complete = true
    assert.isFalse(whole.slowAt(window_ms))
    for (const event of ["end", "close"]) {
      const over = underWay()
      over.request.emit(event)
      assert.isFalse(over.slowAt(window_ms), event)
    }
  })
})
