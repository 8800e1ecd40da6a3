import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import * as Server from "../support/TestServer.ts"

const { TestServer } = Server

layer(Server.layer, { excludeTestServices: true })("a sign-in that cannot begin", (it) => {
  it.effect("tells a person in our words that the application is not known, and what to do", () =>
    Effect.gen(function*() {
      const { send } = yield* TestServer
      const query = "response_type=code&client_id=nobody&redirect_uri=https://a.example/cb"
      const { status, text } = yield* send("GET", `/oauth/authorize?${query}`, { headers: { accept: "text/html" } })
      assert.strictEqual(status, 400)
      assert.include(text, "The application is not registered here")
      assert.notInclude(text, "client is invalid")
    }))
})
