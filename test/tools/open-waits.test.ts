import { assert, layer } from "@effect/vitest"
import { Effect, Fiber, Queue } from "effect"
import { signIn } from "../support/SignIn.ts"
import * as Server from "../support/TestServer.ts"
import { message } from "../support/ToolClient.ts"

layer(Server.layer, { excludeTestServices: true })("waits of the tool server", (it) => {
  for (const [named, _meta] of [["without", {}], ["with", { progressToken: "p" }]] as const) {
    it.effect(`${named} a progress token take one place each of STREAMS_PER_TENANT, and beyond it are told to come again`, () =>
      Effect.gen(function*() {
        const server = yield* Server.replica({ STREAMS_PER_TENANT: "3" })
        const { key } = yield* server.tenant("waits")
        const { access_token } = yield* Effect.promise(() => signIn(server.base_url, key))
        const { json: { id: job_id } } = yield* server.send("POST", "/v1/jobs", {
          key,
          json: { source_uri: "https://example.com/a.mp4" }
        })
        const call = (wait_seconds: number) =>
          Effect.map(
            server.send("POST", "/mcp", {
              key: access_token,
              ...message("tools/call", { name: "get_job", arguments: { job_id, wait_seconds }, _meta })
            }),
            ({ text }) => text
          )
        const answers = yield* Queue.unbounded<string>()
        const calls = yield* Effect.forkChild(
          Effect.forEach(
            [1, 2, 3, 4, 5],
            () => Effect.flatMap(call(50), (text) => Queue.offer(answers, text)),
            { concurrency: "unbounded" }
          )
        )
        const refused = [yield* Queue.take(answers), yield* Queue.take(answers)]
        for (const text of refused) assert.include(text, "RATE_LIMITED")
        // A look holds nothing.
        assert.include(yield* call(0), `"status":"queued"`)
        yield* server.send("POST", `/v1/jobs/${job_id}/cancel`, { key })
        yield* Fiber.join(calls)
        for (const text of yield* Queue.takeAll(answers)) assert.include(text, `"status":"cancelled"`)
      }).pipe(Effect.scoped))
  }
})
