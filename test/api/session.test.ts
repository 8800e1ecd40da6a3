import { PgClient } from "@effect/sql-pg"
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { RateLimitOptions } from "../../src/rate-limits/RateLimitOptions.ts"
import * as Server from "../support/TestServer.ts"

const { TestServer } = Server
type Server = typeof TestServer.Service

const source_uri = "https://example.com/talk.mp4"

const signIn = Effect.fnUntraced(function*({ base_url, send }: Server, api_key: string, before = "") {
  const answer = yield* send("POST", "/v1/session", {
    json: { api_key },
    headers: { origin: base_url, "sec-fetch-site": "same-origin", ...(before === "" ? {} : { cookie: before }) }
  })
  const set = answer.headers["set-cookie"] ?? ""
  const cookie = set.split(";", 1)[0]!
  return { answer, set, cookie, csrf_token: answer.json?.csrf_token as string }
})

/** A page of the service's own, in a browser that is signed in. */
const page = Effect.fnUntraced(function*(server: Server, api_key: string) {
  const { cookie, csrf_token } = yield* signIn(server, api_key)
  const own = { cookie, origin: server.base_url, "sec-fetch-site": "same-origin" }
  return { cookie, csrf_token, reads: { cookie }, own, writes: { ...own, "x-csrf-token": csrf_token } }
})

const listen = ({ base_url }: Server, job_id: string, cookie: string) =>
  fetch(`${base_url}/v1/jobs/${job_id}/events`, { headers: { cookie, connection: "close" } })

const code = ({ json, status }: { readonly status: number; readonly json: any }) => [status, json?.error?.code]

layer(Server.layer, { excludeTestServices: true })("/v1/session", (it) => {
  it.effect("POST 201 exchanges a key for a cookie that pages cannot read and other sites cannot send", () =>
    Effect.gen(function*() {
      const server = yield* TestServer
      const { key, key_id, tenant_id } = yield* server.tenant("Ada & Co")
      const { answer, set } = yield* signIn(server, key)
      assert.strictEqual(answer.status, 201)
      const { csrf_token, expires_at, ...whom } = answer.json
      assert.deepStrictEqual(whom, {
        tenant: { id: tenant_id, name: "Ada & Co" },
        key: { id: key_id, name: "first", prefix: key.slice(0, 12) }
      })
      assert.match(set, /^footnote_session=[\w-]{43}; Path=\/; HttpOnly; SameSite=Strict$/u)
      assert.notInclude(answer.text, set.slice(17, 60))
      assert.notInclude(set, csrf_token)
      const hours = (Date.parse(expires_at) - Date.parse(answer.headers["date"]!)) / 3_600_000
      assert.isTrue(hours > 11.9 && hours < 12.1, String(hours))
      assert.strictEqual(answer.headers["cache-control"], "no-store")
    }))

  it.effect("the cookie is Secure where the service is public over https", () =>
    Effect.gen(function*() {
      const server = yield* Server.replica({ FOOTNOTE_PUBLIC_URL: "https://footnote.example" })
      const { key } = yield* server.tenant("a")
      const answer = yield* server.send("POST", "/v1/session", {
        json: { api_key: key },
        headers: { origin: "https://footnote.example" }
      })
      assert.match(answer.headers["set-cookie"] ?? "", /; Secure(;|$)/u)
      const elsewhere = yield* server.send("POST", "/v1/session", {
        json: { api_key: key },
        headers: { origin: server.base_url }
      })
      assert.deepStrictEqual(code(elsewhere), [403, "CSRF_TOKEN_INVALID"])
    }))

  it.effect("POST 401 says the same of malformed, unknown and revoked keys, and sets no cookie", () =>
    Effect.gen(function*() {
      const server = yield* TestServer
      const { key } = yield* server.tenant("a")
      const second = (yield* server.send("POST", "/v1/api-keys", { key, json: { name: "n" } })).json
      yield* server.send("DELETE", `/v1/api-keys/${second.id}`, { key })
      const flipped = key.slice(0, -1) + (key.endsWith("0") ? "1" : "0")
      for (const api_key of ["", "nonsense", flipped, second.secret]) {
        const { answer, set } = yield* signIn(server, api_key)
        assert.deepStrictEqual(code(answer), [401, "UNAUTHENTICATED"])
        assert.strictEqual(set, "")
      }
    }))

  it.effect("POST 429 for an address that tries keys, as everywhere", () =>
    Effect.gen(function*() {
      const few = { reads: 0, writes: 0, uploads: 0, processor_ms: 0, failed_auth: 3 }
      const server = yield* Effect.provideService(
        Server.replica({ TRUST_PROXY: "127.0.0.1" }),
        RateLimitOptions,
        few
      )
      const { key } = yield* server.tenant("a")
      const from = (api_key: string) =>
        server.send("POST", "/v1/session", { json: { api_key }, headers: { "x-forwarded-for": "203.0.113.77" } })
      const answers = yield* Effect.forEach(Array.from({ length: 5 }), () => from("fnk_wrong"))
      assert.deepStrictEqual(answers.map(({ status }) => status), [401, 401, 401, 429, 429])
      assert.strictEqual((yield* from(key)).status, 201)
    }))

  it.effect("the cookie alone reads every route, and with the CSRF token changes things", () =>
    Effect.gen(function*() {
      const server = yield* TestServer
      const { key, tenant_id } = yield* server.tenant("a")
      const { reads, writes } = yield* page(server, key)
      assert.strictEqual((yield* server.send("GET", "/v1/jobs", { headers: reads })).status, 200)
      const made = yield* server.send("POST", "/v1/jobs", { json: { source_uri }, headers: writes })
      assert.strictEqual(made.status, 201, made.text)
      const listed = yield* server.send("GET", "/v1/jobs", { key })
      assert.deepStrictEqual(listed.json.data.map(({ id }: { id: string }) => id), [made.json.id])
      const session = yield* server.send("GET", "/v1/session", { headers: reads })
      assert.strictEqual(session.json.tenant.id, tenant_id)
      assert.strictEqual(session.json.csrf_token, writes["x-csrf-token"])
    }))

  it.effect("a cookie that another site has sent along changes nothing: no token, a wrong one, another's, or another origin", () =>
    Effect.gen(function*() {
      const server = yield* TestServer
      const { key } = yield* server.tenant("a")
      const { own, writes } = yield* page(server, key)
      const others = yield* page(server, (yield* server.tenant("b")).key)
      const { origin: _, ...withoutOrigin } = writes
      const forged: ReadonlyArray<Record<string, string>> = [
        own,
        { ...own, "x-csrf-token": "" },
        { ...own, "x-csrf-token": others.csrf_token },
        { ...own, "x-csrf-token": `${writes["x-csrf-token"]}x` },
        withoutOrigin,
        { ...writes, origin: "https://elsewhere.example" },
        { ...writes, origin: "null" },
        { ...writes, origin: server.base_url.replace("http:", "https:") },
        { ...writes, "sec-fetch-site": "cross-site" },
        { ...writes, "sec-fetch-site": "same-site" }
      ]
      for (const headers of forged) {
        for (
          const [method, path, json] of [
            ["POST", "/v1/jobs", { source_uri }],
            ["POST", "/v1/api-keys", { name: "stolen" }],
            ["PATCH", "/v1/settings", { default_destination_ids: [] }],
            ["DELETE", "/v1/session", undefined]
          ] as const
        ) {
          const answer = yield* server.send(method, path, { headers, ...(json === undefined ? {} : { json }) })
          assert.deepStrictEqual(code(answer), [403, "CSRF_TOKEN_INVALID"], JSON.stringify(headers))
        }
      }
      assert.deepStrictEqual((yield* server.send("GET", "/v1/jobs", { key })).json.data, [])
      assert.lengthOf((yield* server.send("GET", "/v1/api-keys", { key })).json.data, 1)
      assert.strictEqual((yield* server.send("GET", "/v1/session", { headers: own })).status, 200)
    }))

  it.effect("a read by cookie that a browser says is of another site is refused, an image as well as a stream", () =>
    Effect.gen(function*() {
      const server = yield* TestServer
      const { key } = yield* server.tenant("a")
      const { reads } = yield* page(server, key)
      for (const site of ["cross-site", "same-site", "anything"]) {
        for (
          const path of ["/v1/jobs", "/v1/session", "/v1/jobs/job_0/frames/frm_000000/image", "/v1/jobs/job_0/events"]
        ) {
          const headers = { ...reads, "sec-fetch-site": site }
          assert.deepStrictEqual(code(yield* server.send("GET", path, { headers })), [403, "CSRF_TOKEN_INVALID"])
        }
      }
      for (const site of ["same-origin", "none"]) {
        const headers = { ...reads, "sec-fetch-site": site }
        assert.strictEqual((yield* server.send("GET", "/v1/jobs", { headers })).status, 200)
      }
    }))

  it.effect("another site cannot sign a browser in as somebody else", () =>
    Effect.gen(function*() {
      const server = yield* TestServer
      const { key } = yield* server.tenant("a")
      for (const headers of [{ origin: "https://elsewhere.example" }, { "sec-fetch-site": "cross-site" }]) {
        const answer = yield* server.send("POST", "/v1/session", { json: { api_key: key }, headers })
        assert.deepStrictEqual(code(answer), [403, "CSRF_TOKEN_INVALID"])
        assert.isUndefined(answer.headers["set-cookie"])
      }
      const form = { "content-type": "text/plain", origin: server.base_url }
      const plain = yield* server.send("POST", "/v1/session", { body: JSON.stringify({ api_key: key }), headers: form })
      assert.strictEqual(plain.status, 415)
    }))

  it.effect("a key in the header goes before the cookie, and a bad one is not made good by it", () =>
    Effect.gen(function*() {
      const server = yield* TestServer
      const [a, b] = [yield* server.tenant("a"), yield* server.tenant("b")]
      const { own, reads } = yield* page(server, a.key)
      yield* server.send("POST", "/v1/jobs", { key: b.key, json: { source_uri }, headers: own })
      assert.lengthOf((yield* server.send("GET", "/v1/jobs", { key: b.key })).json.data, 1)
      assert.lengthOf((yield* server.send("GET", "/v1/jobs", { key: a.key })).json.data, 0)
      for (const authorization of ["Bearer nonsense", "Bearer", "Basic eDp5", ""]) {
        const answer = yield* server.send("GET", "/v1/jobs", { headers: { ...reads, authorization } })
        assert.deepStrictEqual(code(answer), [401, "UNAUTHENTICATED"], authorization)
      }
      const session = yield* server.send("GET", "/v1/session", { key: b.key })
      assert.deepStrictEqual(code(session), [401, "UNAUTHENTICATED"])
    }))

  it.effect("DELETE 204 ends it everywhere at once and clears the cookie; signing in again ends the last one", () =>
    Effect.gen(function*() {
      const server = yield* TestServer
      const { key } = yield* server.tenant("a")
      const first = yield* page(server, key)
      const ended = yield* server.send("DELETE", "/v1/session", { headers: first.writes })
      assert.strictEqual(ended.status, 204)
      assert.match(ended.headers["set-cookie"] ?? "", /^footnote_session=; Max-Age=0; Path=\/; .*HttpOnly/u)
      for (const path of ["/v1/jobs", "/v1/session"]) {
        assert.deepStrictEqual(code(yield* server.send("GET", path, { headers: first.reads })), [
          401,
          "UNAUTHENTICATED"
        ])
      }
      assert.strictEqual((yield* server.send("GET", "/v1/jobs", { key })).status, 200)
      const second = yield* signIn(server, key)
      const third = yield* signIn(server, key, second.cookie)
      const [old, fresh] = yield* Effect.forEach(
        [second.cookie, third.cookie],
        (cookie) => server.send("GET", "/v1/session", { headers: { cookie } })
      )
      assert.deepStrictEqual([old!.status, fresh!.status], [401, 200])
    }))

  it.effect("ends with its key and after 12 hours, with its event streams, and only its hash is stored", () =>
    Effect.gen(function*() {
      const server = yield* TestServer
      const { key } = yield* server.tenant("a")
      const job = (yield* server.send("POST", "/v1/jobs", { key, json: { source_uri } })).json.id as string
      const ends = [
        (id: string) => server.send("DELETE", `/v1/api-keys/${id}`, { key }),
        (id: string) =>
          server.sql(`UPDATE footnote.sessions SET expires_at = now() - interval '1 second' WHERE key_id = '${id}'`)
      ]
      for (const end of ends) {
        const { id, secret } = (yield* server.send("POST", "/v1/api-keys", { key, json: { name: "n" } })).json
        const { reads } = yield* page(server, secret)
        const stream = yield* Effect.promise(() => listen(server, job, reads.cookie))
        assert.strictEqual(stream.status, 200)
        yield* end(id)
        assert.strictEqual((yield* server.send("GET", "/v1/jobs", { headers: reads })).status, 401)
        const text = yield* Effect.promise(() => stream.text())
        assert.strictEqual(text.match(/^event: /gmu)?.length, 1)
      }
      const { cookie, writes } = yield* page(server, key)
      const stream = yield* Effect.promise(() => listen(server, job, cookie))
      yield* server.send("DELETE", "/v1/session", { headers: writes })
      yield* Effect.promise(() => stream.text())
      const sql = yield* PgClient.PgClient
      const stored = yield* sql<{ row: string }>`SELECT row_to_json(s)::text AS row FROM footnote.sessions s`
      for (const { row } of stored) assert.notInclude(row, cookie.slice(17))
    }))
})
