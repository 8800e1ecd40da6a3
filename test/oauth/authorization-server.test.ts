import { PgClient } from "@effect/sql-pg"
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { begin, clientOf, redirect_uri, signIn, token } from "../support/SignIn.ts"
import * as Server from "../support/TestServer.ts"
import { callTool, request } from "../support/ToolClient.ts"

const { TestServer } = Server

const statusOf = (access_token: string) => Effect.map(request(access_token, "tools/list"), ({ status }) => status)

const refresh = (base_url: string, client_id: string, refresh_token: string) =>
  Effect.promise(() => token(base_url, { grant_type: "refresh_token", client_id, refresh_token }))

/** The first answer to a sign-in, whatever it is. */
const authorize = async (base_url: string, headers: Readonly<Record<string, string>>) => {
  const query = new URLSearchParams({
    client_id: await clientOf(base_url),
    redirect_uri,
    response_type: "code",
    code_challenge: "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM",
    code_challenge_method: "S256"
  })
  return fetch(`${base_url}/oauth/authorize?${query}`, { redirect: "manual", headers })
}

const fetchJson = async (url: string): Promise<any> => (await fetch(url)).json()

layer(Server.layer, { excludeTestServices: true })("the authorization server", (it) => {
  const arrange = Effect.gen(function*() {
    const server = yield* TestServer
    const tenant = yield* server.tenant("oauth")
    const granted = yield* Effect.promise(() => signIn(server.base_url, tenant.key))
    return { ...server, ...tenant, ...granted }
  })

  it.effect("a token speaks for the tenant whose key was signed in with, and for no other", () =>
    Effect.gen(function*() {
      const { base_url, send, tenant } = yield* TestServer
      const alice = yield* tenant("alice")
      const bob = yield* tenant("bob")
      const { access_token } = yield* Effect.promise(() => signIn(base_url, alice.key))
      const { structured } = yield* callTool(access_token, "extract", { source_uri: "https://example.com/a.mp4" })
      assert.strictEqual((yield* send("GET", `/v1/jobs/${structured.job_id}`, { key: alice.key })).status, 200)
      assert.strictEqual((yield* send("GET", `/v1/jobs/${structured.job_id}`, { key: bob.key })).status, 404)
    }))

  it.effect("no token, a wrong one and an API key are 401, with where to get one", () =>
    Effect.gen(function*() {
      const { base_url, key, send } = yield* arrange
      const metadata = `resource_metadata="${base_url}/.well-known/oauth-protected-resource/mcp", scope="footnote"`
      const none = yield* send("POST", "/mcp", { json: {} })
      assert.strictEqual(none.status, 401)
      assert.strictEqual(none.headers["www-authenticate"], `Bearer ${metadata}`)
      assert.strictEqual(none.json.error.code, "UNAUTHENTICATED")
      for (const wrong of ["garbage", key, `${"A".repeat(43)}`]) {
        const answer = yield* send("POST", "/mcp", { key: wrong, json: {} })
        assert.strictEqual(answer.status, 401)
        assert.strictEqual(answer.headers["www-authenticate"], `Bearer ${metadata}, error="invalid_token"`)
      }
      assert.strictEqual((yield* send("GET", "/mcp")).status, 401)
      assert.strictEqual((yield* send("POST", `/mcp?access_token=x`, { json: {} })).status, 401)
    }))

  it.effect("an access token is no key of the REST API", () =>
    Effect.gen(function*() {
      const { access_token, send } = yield* arrange
      assert.strictEqual((yield* send("GET", "/v1/jobs", { key: access_token })).status, 401)
    }))

  it.effect("revoking the key ends its access tokens, refresh tokens and codes at once", () =>
    Effect.gen(function*() {
      const { access_token, base_url, client_id, key, key_id, refresh_token, send } = yield* arrange
      const other = (yield* send("POST", "/v1/api-keys", { key, json: { name: "other" } })).json.secret
      const begun = yield* Effect.promise(() => begin(base_url))
      const { at } = yield* Effect.promise(() => begun.browser.submit(begun.at, { api_key: key, decision: "allow" }))
      assert.strictEqual(yield* statusOf(access_token), 200)
      assert.strictEqual((yield* send("DELETE", `/v1/api-keys/${key_id}`, { key: other })).status, 200)
      assert.strictEqual(yield* statusOf(access_token), 401)
      assert.strictEqual((yield* refresh(base_url, client_id, refresh_token)).json.error, "invalid_grant")
      const exchanged = yield* Effect.promise(() =>
        token(base_url, {
          grant_type: "authorization_code",
          code: at.searchParams.get("code")!,
          code_verifier: begun.verifier,
          client_id,
          redirect_uri
        })
      )
      assert.deepInclude(exchanged, { status: 400 })
      assert.strictEqual(exchanged.json.error, "invalid_grant")
    }))

  it.effect("a refresh token works once; used again, it ends all that it led to", () =>
    Effect.gen(function*() {
      const { base_url, client_id, refresh_token } = yield* arrange
      const next = (yield* refresh(base_url, client_id, refresh_token)).json
      assert.strictEqual(yield* statusOf(next.access_token), 200)
      assert.notStrictEqual(next.refresh_token, refresh_token)
      assert.strictEqual((yield* refresh(base_url, client_id, refresh_token)).json.error, "invalid_grant")
      assert.strictEqual(yield* statusOf(next.access_token), 401)
      assert.strictEqual((yield* refresh(base_url, client_id, next.refresh_token)).json.error, "invalid_grant")
    }))

  it.effect("a code works once; used again, it ends all that it led to", () =>
    Effect.gen(function*() {
      const { access_token, base_url, code_fields, refresh_token, client_id } = yield* arrange
      const replay = yield* Effect.promise(() => token(base_url, code_fields))
      assert.strictEqual(replay.json.error, "invalid_grant")
      assert.strictEqual(yield* statusOf(access_token), 401)
      assert.strictEqual((yield* refresh(base_url, client_id, refresh_token)).json.error, "invalid_grant")
    }))

  it.effect("a client can revoke its tokens", () =>
    Effect.gen(function*() {
      const { access_token, base_url, client_id, refresh_token, send } = yield* arrange
      const body = new URLSearchParams({ token: refresh_token, client_id }).toString()
      const headers = { "content-type": "application/x-www-form-urlencoded" }
      assert.strictEqual((yield* send("POST", "/oauth/revoke", { body, headers })).status, 200)
      assert.strictEqual((yield* refresh(base_url, client_id, refresh_token)).json.error, "invalid_grant")
      assert.strictEqual(yield* statusOf(access_token), 401)
    }))

  const refused: Readonly<Record<string, { readonly params: Record<string, string>; readonly error: string }>> = {
    "without PKCE": { params: { code_challenge: "", code_challenge_method: "" }, error: "invalid_request" },
    "with plain PKCE": { params: { code_challenge_method: "plain" }, error: "invalid_request" },
    "for another resource": { params: { resource: "https://elsewhere.example/mcp" }, error: "invalid_target" },
    "with the implicit flow": { params: { response_type: "token" }, error: "unsupported_response_type" },
    "without asking anyone": { params: { prompt: "none" }, error: "login_required" }
  }
  for (const [title, { error, params }] of Object.entries(refused)) {
    it.effect(`a sign-in ${title} goes back to the client as ${error}, with the issuer`, () =>
      Effect.gen(function*() {
        const { base_url } = yield* TestServer
        const { at } = yield* Effect.promise(() => begin(base_url, params))
        const told = new URLSearchParams(`${at.search.slice(1)}&${at.hash.slice(1)}`)
        assert.strictEqual(`${at.origin}${at.pathname}`, redirect_uri)
        assert.strictEqual(told.get("error"), error)
        assert.strictEqual(told.get("iss"), base_url)
        assert.strictEqual(told.get("code"), null)
      }))
  }

  it.effect("an address that the client did not register is never gone to", () =>
    Effect.gen(function*() {
      const { base_url } = yield* TestServer
      for (
        const address of [
          "https://evil.example/callback",
          "http://127.0.0.1:9/other",
          "http://localhost.evil.example:9/callback"
        ]
      ) {
        const { at, response } = yield* Effect.promise(() => begin(base_url, { redirect_uri: address }))
        assert.strictEqual(at.origin, base_url)
        assert.strictEqual(response.status, 400)
        assert.match(response.headers.get("content-security-policy") ?? "", /^default-src 'none'/u)
      }
    }))

  it.effect("a program on the person's machine may listen on any port of its loopback address", () =>
    Effect.gen(function*() {
      const { base_url } = yield* TestServer
      const { at, response } = yield* Effect.promise(() =>
        begin(base_url, { redirect_uri: "http://127.0.0.1:54321/callback" })
      )
      assert.strictEqual(response.status, 200)
      assert.match(at.pathname, /^\/oauth\/sign-in\//u)
    }))

  it.effect("a client that writes the resource with a slash at its end signs in once, as without", () =>
    Effect.gen(function*() {
      const { base_url, tenant } = yield* TestServer
      const { key } = yield* tenant("a")
      const { access_token } = yield* Effect.promise(() => signIn(base_url, key, { resource: `${base_url}/mcp/` }))
      assert.isNotEmpty(access_token)
    }))

  it.effect("clients that ask for no scope or no resource get what there is", () =>
    Effect.gen(function*() {
      const { base_url, tenant } = yield* TestServer
      const { key } = yield* tenant("old")
      const { access_token, granted } = yield* Effect.promise(() => signIn(base_url, key, { scope: "", resource: "" }))
      assert.strictEqual(granted.scope, "footnote")
      assert.strictEqual(yield* statusOf(access_token), 200)
    }))

  it.effect("metadata is wherever clients look, and says what is true", () =>
    Effect.gen(function*() {
      const { base_url, send } = yield* TestServer
      for (const path of ["", "/mcp"]) {
        const { json } = yield* send("GET", `/.well-known/oauth-protected-resource${path}`)
        assert.deepStrictEqual(json, {
          resource: `${base_url}/mcp`,
          authorization_servers: [base_url],
          scopes_supported: ["footnote"],
          bearer_methods_supported: ["header"],
          resource_name: "Footnote"
        })
      }
      const documents = []
      for (
        const path of [
          "/.well-known/oauth-authorization-server",
          "/.well-known/oauth-authorization-server/mcp",
          "/.well-known/openid-configuration",
          "/.well-known/openid-configuration/mcp",
          "/mcp/.well-known/openid-configuration"
        ]
      ) documents.push((yield* send("GET", path)).json)
      for (const document of documents) assert.deepStrictEqual(document, documents[0])
      assert.deepInclude(documents[0], {
        issuer: base_url,
        code_challenge_methods_supported: ["S256"],
        grant_types_supported: ["authorization_code", "refresh_token"],
        response_types_supported: ["code"],
        registration_endpoint: `${base_url}/oauth/register`,
        revocation_endpoint: `${base_url}/oauth/revoke`,
        client_id_metadata_document_supported: true,
        authorization_response_iss_parameter_supported: true
      })
    }))

  it.effect("without a public address, the names of this very machine are one", () =>
    Effect.gen(function*() {
      const { base_url, send, tenant } = yield* TestServer
      const { key } = yield* tenant("local")
      const host = `localhost:${new URL(base_url).port}`
      const { json } = yield* send("GET", "/.well-known/oauth-protected-resource/mcp")
      assert.strictEqual(json.resource, `${base_url}/mcp`)
      const there = yield* Effect.promise(async () => {
        const answer = await fetchJson(`http://${host}/.well-known/oauth-protected-resource/mcp`)
        const { access_token } = await signIn(base_url, key, { resource: answer.resource, scope: "footnote" })
        return { resource: answer.resource, access_token }
      })
      assert.strictEqual(there.resource, `http://${host}/mcp`)
      assert.strictEqual(yield* statusOf(there.access_token), 200)
    }))

  it.effect("addresses come from the configuration, whatever Host and X-Forwarded-* a request has", () =>
    Effect.gen(function*() {
      const { base_url, send } = yield* Server.replica({ FOOTNOTE_PUBLIC_URL: "https://footnote.test" })
      const headers = {
        "x-forwarded-host": "evil.example",
        "x-forwarded-proto": "http",
        forwarded: "host=evil.example"
      }
      const { json } = yield* send("GET", "/.well-known/oauth-authorization-server", { headers })
      assert.strictEqual(json.issuer, "https://footnote.test")
      assert.strictEqual(json.token_endpoint, "https://footnote.test/oauth/token")
      const resource = yield* send("GET", "/.well-known/oauth-protected-resource", { headers })
      assert.strictEqual(resource.json.resource, "https://footnote.test/mcp")
      const begun = yield* Effect.promise(() => authorize(base_url, headers))
      assert.match(begun.headers.get("location") ?? "", /^https:\/\/footnote\.test\/oauth\/sign-in\//u)
      for (const cookie of begun.headers.getSetCookie()) assert.match(cookie, /; secure; httponly(?:;|$)/iu)
      const refused = yield* send("POST", "/mcp", { headers, json: {} })
      assert.include(refused.headers["www-authenticate"], `"https://footnote.test/.well-known/`)
    }))

  it.effect("replicas share keys, clients and tokens; a token for another address is refused", () =>
    Effect.gen(function*() {
      const address = { FOOTNOTE_PUBLIC_URL: "http://127.0.0.1:1" }
      const first = yield* Server.replica(address)
      const second = yield* Server.replica(address)
      const keys = yield* Effect.forEach([first, second], ({ send }) => send("GET", "/oauth/jwks"))
      assert.strictEqual(keys[0]!.text, keys[1]!.text)
      assert.notInclude(keys[0]!.text, `"d"`)
      const { access_token, base_url } = yield* arrange
      assert.strictEqual((yield* second.send("POST", "/mcp", { key: access_token, json: {} })).status, 401)
      const same = yield* Server.replica({ FOOTNOTE_PUBLIC_URL: base_url })
      const listed = request(access_token, "tools/list")
      assert.strictEqual((yield* Effect.provideService(listed, TestServer, same)).status, 200)
      // Registered at one, known at the other.
      const client_id = yield* Effect.promise(() => clientOf(first.base_url))
      const begun = yield* Effect.promise(() =>
        begin(second.base_url, { client_id, resource: `${address.FOOTNOTE_PUBLIC_URL}/mcp` })
      )
      assert.match(begun.at.href, /^http:\/\/127\.0\.0\.1:1\/oauth\/sign-in\//u)
    }))

  it.effect("what is stored lets nobody in: tokens as hashes, keys sealed", () =>
    Effect.gen(function*() {
      const { access_token, code_fields, refresh_token } = yield* arrange
      const sql = yield* PgClient.PgClient
      const rows = yield* sql`SELECT e::text AS row FROM footnote.oauth_entries e`
      const everything = JSON.stringify(rows)
      for (const secret of [access_token, refresh_token, code_fields.code]) assert.notInclude(everything, secret)
      const secrets = yield* sql<{ sealed: Uint8Array }>`SELECT sealed FROM footnote.oauth_secrets`
      assert.lengthOf(secrets, 2)
      for (const { sealed } of secrets) assert.notMatch(Buffer.from(sealed).toString("latin1"), /"d"|"kty"/u)
    }))
})
