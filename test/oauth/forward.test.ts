import { NodeHttpServer, NodeHttpServerRequest } from "@effect/platform-node"
import { assert, it } from "@effect/vitest"
import { Deferred, Effect } from "effect"
import { HttpServerRequest } from "effect/http"
import { once } from "node:events"
import { createServer } from "node:http"
import { type AddressInfo, connect } from "node:net"
import type Provider from "oidc-provider"
import { makeForward } from "../../src/oauth/Forward.ts"

/** Answers nothing: whoever asked is gone. */
const provider = { callback: () => async () => {} } as unknown as Provider

it.effect("a caller who broke off before the authorization server was asked is waited for no longer", () =>
  Effect.gen(function*() {
    const forward = makeForward(provider, "http://127.0.0.1")
    const over = yield* Deferred.make<number>()
    const handler = yield* NodeHttpServer.makeHandler(
      Effect.gen(function*() {
        const request = yield* HttpServerRequest.HttpServerRequest
        yield* Effect.promise(() => once(NodeHttpServerRequest.toServerResponse(request), "close"))
        const answer = yield* forward(request)
        yield* Deferred.succeed(over, answer.status)
        return answer
      }).pipe(Effect.orDie, Effect.uninterruptible),
      { scope: yield* Effect.scope }
    )
    const server = yield* Effect.acquireRelease(
      Effect.sync(() => createServer(handler).listen(0, "127.0.0.1")),
      (opened) => Effect.sync(() => opened.close())
    )
    yield* Effect.promise(() => once(server, "listening"))
    const caller = connect((server.address() as AddressInfo).port, "127.0.0.1")
    const asked = once(server, "request")
    caller.write("GET /oauth/authorize HTTP/1.1\r\nhost: a\r\n\r\n")
    yield* Effect.promise(() => asked)
    caller.destroy()
    assert.strictEqual(yield* Deferred.await(over), 200)
  }))
