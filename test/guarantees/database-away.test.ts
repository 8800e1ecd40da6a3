import { NodeServices } from "@effect/platform-node"
import { assert, it } from "@effect/vitest"
import { Context, Effect, Exit, Layer, Redacted, Scope } from "effect"
import { join } from "node:path"
import { EmbeddedPostgres } from "../../src/database/EmbeddedPostgres.ts"
import { api, folder, printedKeys } from "../support/ApiProcess.ts"
import { begin, redirect_uri, registerClient, signIn, token } from "../support/SignIn.ts"

/** A PostgreSQL that stops with its scope and keeps what it stored. */
const postgres = Effect.fnUntraced(function*(dataDir: string) {
  const scope = yield* Scope.make()
  yield* Effect.addFinalizer(() => Scope.close(scope, Exit.void))
  const context = yield* Layer.buildWithScope(EmbeddedPostgres.layer({ dataDir }), scope).pipe(
    Effect.provide(NodeServices.layer)
  )
  return { ...Context.get(context, EmbeddedPostgres), stop: Scope.close(scope, Exit.void) }
})

interface Asked {
  readonly status: number
  readonly headers: Headers
  readonly text: string
}

const heard = async (response: Response): Promise<Asked> => ({
  status: response.status,
  headers: response.headers,
  text: await response.text()
})

const fetched = async (url: string, init: RequestInit) => heard(await fetch(url, { redirect: "manual", ...init }))

const ask = (url: string, init: RequestInit = {}) => Effect.promise(() => fetched(url, init))

const form = (fields: Readonly<Record<string, string>>): RequestInit => ({
  method: "POST",
  headers: { "content-type": "application/x-www-form-urlencoded" },
  body: new URLSearchParams(fields).toString()
})

const json = (body: unknown, headers: Readonly<Record<string, string>> = {}): RequestInit => ({
  method: "POST",
  headers: { "content-type": "application/json", accept: "application/json, text/event-stream", ...headers },
  body: JSON.stringify(body)
})

const initialize = {
  jsonrpc: "2.0",
  id: 1,
  method: "initialize",
  params: { protocolVersion: "2025-11-25", capabilities: {}, clientInfo: { name: "test", version: "1" } }
}
const list = { jsonrpc: "2.0", id: 2, method: "tools/list", params: {} }
const call = { jsonrpc: "2.0", id: 3, method: "tools/call", params: { name: "list_jobs", arguments: {} } }

const away = ({ headers, status, text }: Asked, what: string) => {
  assert.strictEqual(status, 503, `${what}: ${text}`)
  assert.match(headers.get("retry-after") ?? "", /^[1-9]\d*$/u, what)
  assert.match(headers.get("x-request-id") ?? "", /./u, what)
  assert.notMatch(text, /\n\s+at |node_modules|SqlError|postgres|ECONN|ENOENT/u, what)
}

it.live(
  "while the database is away the tool server and the authorization server say so, each in its own words, and go on when it is back",
  () =>
    Effect.gen(function*() {
      const dataDir = join(yield* folder, "postgres")
      const database = yield* postgres(dataDir)
      const service = yield* api({
        DATABASE_URL: Redacted.value(database.url),
        DATABASE_OWNER_URL: Redacted.value(database.owner_url),
        FOOTNOTE_DATA: yield* folder
      })
      yield* service.ready
      const key = printedKeys(service.output())[0]!
      const at = (path: string) => `${service.base_url}${path}`

      const { access_token, client_id, refresh_token } = yield* Effect.promise(() => signIn(service.base_url, key))
      const bearer = { authorization: `Bearer ${access_token}` }
      const session = (yield* ask(at("/mcp"), json(initialize, bearer))).headers.get("mcp-session-id")!
      const sessioned = { ...bearer, "mcp-session-id": session, "mcp-protocol-version": "2025-11-25" }
      // One person is about to type a key, another has signed in and holds a code.
      const page = yield* Effect.promise(() => begin(service.base_url, { client_id }))
      const other = yield* Effect.promise(async () => {
        const { at, browser, verifier } = await begin(service.base_url, { client_id })
        const allowed = await browser.submit(at, { api_key: key, decision: "allow" })
        return { code: allowed.at.searchParams.get("code")!, code_verifier: verifier }
      })
      const exchange = form({ grant_type: "authorization_code", ...other, client_id, redirect_uri })
      const refresh = { grant_type: "refresh_token", refresh_token, client_id }

      yield* database.stop

      // Twice: the second time the pools hold no connection that could still be broken.
      for (const round of ["at once", "later"]) {
        for (
          const [what, init] of [
            ["a call", json(call, sessioned)],
            ["a list", json(list, sessioned)],
            ["a new session", json(initialize, bearer)],
            ["the end of a session", { method: "DELETE", headers: sessioned }]
          ] as const
        ) {
          const answer = yield* ask(at("/mcp"), init)
          away(answer, `${what}, ${round}`)
          assert.strictEqual(JSON.parse(answer.text).error.code, "SERVICE_UNAVAILABLE", what)
        }
        assert.strictEqual((yield* ask(at("/mcp"), json(list))).status, 401)

        for (
          const [path, init] of [
            ["/oauth/token", exchange],
            ["/oauth/token", form(refresh)],
            ["/oauth/revoke", form({ token: refresh_token, client_id })],
            ["/oauth/register", json({ redirect_uris: [redirect_uri] })]
          ] as const
        ) {
          const answer = yield* ask(at(path), init)
          away(answer, `${path}, ${round}`)
          assert.strictEqual(JSON.parse(answer.text).error, "temporarily_unavailable", path)
        }

        const asked = new URLSearchParams({ response_type: "code", client_id, redirect_uri })
        const authorize = yield* ask(at(`/oauth/authorize?${asked}`), { headers: { accept: "text/html" } })
        const shown = yield* Effect.promise(async () => heard(await page.browser.open(page.at)))
        const typed = yield* Effect.promise(async () =>
          heard((await page.browser.submit(page.at, { api_key: key, decision: "allow" })).response)
        )
        for (const answer of [authorize, shown, typed]) {
          away(answer, "a page")
          assert.match(answer.headers.get("content-type") ?? "", /^text\/html/u)
          assert.match(answer.headers.get("content-security-policy") ?? "", /^default-src 'none'/u)
          assert.include(answer.text, "Load this page again")
        }

        // What needs no database is there as before.
        for (
          const path of [
            "/.well-known/oauth-protected-resource/mcp",
            "/.well-known/oauth-authorization-server",
            "/oauth/jwks",
            "/healthz"
          ]
        ) assert.strictEqual((yield* ask(at(path))).status, 200, path)
      }

      yield* postgres(dataDir)
      yield* Effect.repeat(ask(at("/v1/jobs"), { headers: { authorization: `Bearer ${key}` } }), {
        until: ({ status, text }) => {
          assert.include([200, 503], status, text)
          return status === 200
        }
      })
      // Nothing was lost or used up meanwhile: session, code, refresh token and a sign-in that was under way.
      const called = yield* ask(at("/mcp"), json(call, sessioned))
      assert.strictEqual(called.status, 200, called.text)
      assert.strictEqual((yield* ask(at("/oauth/token"), exchange)).status, 200)
      const refreshed = yield* Effect.promise(() => token(service.base_url, refresh))
      assert.strictEqual(refreshed.status, 200, JSON.stringify(refreshed.json))
      const allowed = yield* Effect.promise(() => page.browser.submit(page.at, { api_key: key, decision: "allow" }))
      assert.isString(allowed.at.searchParams.get("code"), allowed.at.href)
      assert.isString(yield* Effect.promise(() => registerClient(service.base_url)))
    }).pipe(Effect.scoped)
)
