import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { createServer, type RequestListener } from "node:http"
import type { AddressInfo } from "node:net"
import { guardedGet } from "../../src/sources/GuardedGet.ts"
import { makeSourcePolicy } from "../../src/sources/SourcePolicy.ts"

const policy = makeSourcePolicy({ allow_private: "127.0.0.1/32" })

const serve = (listener: RequestListener) =>
  Effect.acquireRelease(
    Effect.callback<{ readonly url: string; readonly close: () => void }>((resume) => {
      const server = createServer(listener)
      server.listen(0, "127.0.0.1", () => {
        const { port } = server.address() as AddressInfo
        resume(Effect.succeed({
          url: `http://127.0.0.1:${port}/`,
          close: () => {
            server.close()
            server.closeAllConnections()
          }
        }))
      })
    }),
    ({ close }) => Effect.sync(close)
  )

describe("guardedGet", () => {
  it.live("reads a document with its status and headers, asking for what was wanted, uncoded", () =>
    Effect.gen(function*() {
      const asked: Array<unknown> = []
      const { url } = yield* serve(({ headers }, response) => {
        asked.push([headers.accept, headers["accept-encoding"]])
        response.writeHead(201, { etag: "\"a\"" }).end("{\"client_id\":\"ü\"}")
      })
      const { headers, status, text } = yield* guardedGet(url, {
        policy,
        max_bytes: 100,
        accept: "application/jwk+json"
      })
      assert.deepStrictEqual([status, text, headers["etag"]], [201, "{\"client_id\":\"ü\"}", "\"a\""])
      assert.deepStrictEqual(asked, [["application/jwk+json", "identity"]])
    }).pipe(Effect.scoped))

  it.live("follows no redirect", () =>
    Effect.gen(function*() {
      let hits = 0
      const { url } = yield* serve((_, response) => {
        hits++
        response.writeHead(302, { location: "/elsewhere" }).end()
      })
      assert.strictEqual((yield* guardedGet(url, { policy, max_bytes: 100 })).status, 302)
      assert.strictEqual(hits, 1)
    }).pipe(Effect.scoped))

  it.live("reads nothing that is longer than allowed, announced or not", () =>
    Effect.gen(function*() {
      const { url } = yield* serve((_, response) => {
        const more = () => response.destroyed ? undefined : response.write("x".repeat(1000), more)
        more()
      })
      const { blocked, message } = yield* Effect.flip(guardedGet(url, { policy, max_bytes: 5000 }))
      assert.deepStrictEqual([blocked, message], [false, "The document has more than 5000 bytes."])
    }).pipe(Effect.scoped))

  it.live("gives up on a document that does not come, and on one that never ends", () =>
    Effect.gen(function*() {
      const silent = yield* serve(() => undefined)
      const slow = yield* serve((_, response) => void response.write("{"))
      for (const { url } of [silent, slow]) {
        const { blocked } = yield* Effect.flip(guardedGet(url, { policy, max_bytes: 5000, timeout_ms: 60 }))
        assert.isFalse(blocked)
      }
    }).pipe(Effect.scoped))

  it.live("says which place is forbidden, and never repeats the URL", () =>
    Effect.gen(function*() {
      const strict = makeSourcePolicy()
      for (
        const url of ["http://127.0.0.1/?token=secret", "https://user:secret@example.com/", "file:///secret", "secret"]
      ) {
        const { blocked, message } = yield* Effect.flip(guardedGet(url, { policy: strict, max_bytes: 1 }))
        assert.isTrue(blocked)
        assert.notInclude(message, "secret")
      }
      const { blocked, message } = yield* Effect.flip(
        guardedGet("http://127.0.0.1:1/?token=secret", { policy, max_bytes: 1 })
      )
      assert.deepStrictEqual([blocked, message], [false, "The document could not be read: ECONNREFUSED."])
    }))
})
