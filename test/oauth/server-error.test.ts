import { assert, layer } from "@effect/vitest"
import { Effect, Logger, References } from "effect"
import { clientOf, redirect_uri } from "../support/SignIn.ts"
import * as Server from "../support/TestServer.ts"

const { TestServer } = Server

interface Line {
  readonly level: string
  readonly message: string
  readonly request_id: unknown
}

const ask = async (url: string, accept: string, form?: Readonly<Record<string, string>>) => {
  const response = await fetch(url, {
    method: form === undefined ? "GET" : "POST",
    redirect: "manual",
    headers: {
      accept,
      "x-request-id": `asked-${accept.slice(-4)}-${form === undefined ? "get" : "post"}`,
      ...(form === undefined ? {} : { "content-type": "application/x-www-form-urlencoded" })
    },
    ...(form === undefined ? {} : { body: new URLSearchParams(form).toString() })
  })
  return { response, text: await response.text() }
}

layer(Server.layer, { excludeTestServices: true })("what fails below /oauth on our side", (it) => {
  it.effect("is 500 with the headers of every answer and its id, in JSON or words, and an error in the log with that id", () =>
    Effect.gen(function*() {
      const { sql } = yield* TestServer
      const lines: Array<Line> = []
      const logger = Logger.make<unknown, void>(({ fiber, logLevel, message }) =>
        void lines.push({
          level: logLevel,
          message: String([message].flat()[0]),
          request_id: fiber.getRef(References.CurrentLogAnnotations)["request_id"]
        })
      )
      const { base_url } = yield* Server.replica().pipe(Effect.provide(Logger.layer([logger])))
      const client_id = yield* Effect.promise(() => clientOf(base_url))
      yield* sql("ALTER TABLE footnote.oauth_entries RENAME TO oauth_elsewhere")
      const query = new URLSearchParams({
        client_id,
        redirect_uri,
        response_type: "code",
        code_challenge: "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM",
        code_challenge_method: "S256"
      })
      const fields = { grant_type: "refresh_token", refresh_token: "x", client_id }
      const answers = yield* Effect.promise(async () => [
        await ask(`${base_url}/oauth/token`, "application/json", fields),
        await ask(`${base_url}/oauth/revoke`, "application/json", { token: "x", client_id }),
        await ask(`${base_url}/oauth/authorize?${query}`, "text/html"),
        await ask(`${base_url}/oauth/authorize?${query}`, "application/json")
      ]).pipe(Effect.ensuring(sql("ALTER TABLE footnote.oauth_elsewhere RENAME TO oauth_entries")))
      for (const { response, text } of answers) {
        const id = response.headers.get("x-request-id")!
        assert.strictEqual(response.status, 500)
        assert.include(text, id)
        for (
          const name of ["content-security-policy", "x-content-type-options", "x-frame-options", "referrer-policy"]
        ) {
          assert.isNotNull(response.headers.get(name), name)
        }
        assert.strictEqual(response.headers.get("cache-control"), "no-store")
        if (text.startsWith("{")) assert.strictEqual(JSON.parse(text).error, "server_error")
        assert.isTrue(
          lines.some(({ level, message, request_id }) =>
            level === "Error" && message.includes("server_error") && request_id === id
          ),
          JSON.stringify(lines)
        )
      }
      assert.include(answers[2]!.text, "<h1>This sign-in failed</h1>")
    }))
})
