import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { Listener } from "../../src/web/server/Listener.ts"
import { begin, redirect_uri, token } from "../support/SignIn.ts"
import * as Server from "../support/TestServer.ts"

const { TestServer } = Server

/** A caller that keeps its connections, as browsers do. */
const visit = async (url: string, key: string): Promise<number> => {
  const answer = await fetch(url, { headers: { authorization: `Bearer ${key}` } })
  await answer.text()
  return answer.status
}

/** Every connection of the caller has been ended by the server. */
const idledOut = Effect.flatMap(
  Listener,
  ({ connections }) => Effect.repeat(connections, { until: (open) => open === 0 })
)

layer(Server.layerListenedBy(Listener.layer({ headersMillis: 500, keepAliveMillis: 100 })), {
  excludeTestServices: true
})((it) => {
  it.effect("who comes back after the server has ended an idle connection has the page, and an answer", () =>
    Effect.gen(function*() {
      const { base_url, tenant } = yield* TestServer
      const { key } = yield* tenant("reader")
      for (const path of ["/docs", "/v1/jobs"]) {
        assert.strictEqual(yield* Effect.promise(() => visit(`${base_url}${path}`, key)), 200, path)
        yield* idledOut
      }
    }))

  it.effect("the sign-in goes on with the key that somebody took an hour to find, on another connection", () =>
    Effect.gen(function*() {
      const { base_url, sql, tenant } = yield* TestServer
      const { key } = yield* tenant("latecomer")
      const { at, browser, client_id, verifier } = yield* Effect.promise(async () => {
        const begun = await begin(base_url)
        await begun.response.text()
        return begun
      })
      yield* idledOut
      const aged = yield* sql(`UPDATE footnote.oauth_entries SET expires_at = expires_at - interval '1 hour',
        created_at = created_at - interval '1 hour', payload = payload || jsonb_build_object(
          'exp', (payload->>'exp')::bigint - 3600, 'iat', (payload->>'iat')::bigint - 3600)
        WHERE model = 'Interaction' RETURNING id`)
      assert.lengthOf(aged, 1)
      const allowed = yield* Effect.promise(() => browser.submit(at, { api_key: key, decision: "allow" }))
      const code = allowed.at.searchParams.get("code") ?? ""
      const fields = { grant_type: "authorization_code", code, code_verifier: verifier, client_id, redirect_uri }
      const { json, status } = yield* Effect.promise(() => token(base_url, { ...fields, resource: `${base_url}/mcp` }))
      assert.strictEqual(status, 200, JSON.stringify(json))
    }))
})
