import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { mintSecret } from "../../src/api-keys/ApiKeySecret.ts"
import { begin, registerClient } from "../support/SignIn.ts"
import * as Server from "../support/TestServer.ts"

const { TestServer } = Server

const register = (base_url: string, metadata: object) =>
  fetch(`${base_url}/oauth/register`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(metadata)
  })

/** Counted by address, which all tests share. */
const uncounted = Effect.andThen(
  TestServer,
  (server) => Effect.as(server.sql("DELETE FROM footnote.rate_limits"), server)
)

layer(Server.layer, { excludeTestServices: true })("POST /oauth/sign-in/{uid}", (it) => {
  const submitted = Effect.fnUntraced(function*(headers: (base_url: string) => Readonly<Record<string, string>>) {
    const { base_url, tenant } = yield* uncounted
    const { key } = yield* tenant("person")
    return yield* Effect.promise(async () => {
      const { at, browser } = await begin(base_url)
      return browser.follow(at, {
        method: "POST",
        headers: { "content-type": "application/x-www-form-urlencoded", ...headers(base_url) },
        body: new URLSearchParams({ api_key: key, decision: "allow" }).toString()
      })
    })
  })

  const foreign: Readonly<Record<string, (base_url: string) => Readonly<Record<string, string>>>> = {
    "another origin": () => ({ origin: "https://evil.test" }),
    "another port of the same host": () => ({ origin: "http://127.0.0.1:1" }),
    "another origin, said by both headers": () => ({ origin: "https://evil.test", "sec-fetch-site": "cross-site" }),
    "a site that only Sec-Fetch-Site tells": (base_url) => ({ origin: base_url, "sec-fetch-site": "cross-site" }),
    "a sister site": (base_url) => ({ origin: base_url, "sec-fetch-site": "same-site" }),
    "an origin that is withheld": () => ({ origin: "null" })
  }
  it.effect(`from ${Object.keys(foreign).join(", ")}: 403 in words, and no code`, () =>
    Effect.gen(function*() {
      for (const [title, headers] of Object.entries(foreign)) {
        const { at, response } = yield* submitted(headers)
        assert.strictEqual(response.status, 403, title)
        assert.isNull(at.searchParams.get("code"), title)
        assert.include(yield* Effect.promise(() => response.text()), "from another site", title)
      }
    }))

  it.effect("from our own page: a code, also where a browser withholds the origin and vouches for the site", () =>
    Effect.gen(function*() {
      for (
        const headers of [
          (base_url: string) => ({ origin: base_url, "sec-fetch-site": "same-origin" }),
          (base_url: string) => ({ origin: base_url }),
          () => ({ origin: "null", "sec-fetch-site": "same-origin" })
        ]
      ) {
        const { at } = yield* submitted(headers)
        assert.isString(at.searchParams.get("code"))
      }
    }))

  it.effect("with a good key: a code, although others at the address try wrong ones in sign-ins of their own", () =>
    Effect.gen(function*() {
      const { base_url, tenant } = yield* uncounted
      const { key } = yield* tenant("beside")
      const { at, statuses } = yield* Effect.promise(async () => {
        const statuses: Array<number> = []
        for (let other = 0; other < 3; other++) {
          const { at, browser } = await begin(base_url)
          for (let wrong = 0; wrong < 4; wrong++) {
            const { response } = await browser.submit(at, { api_key: mintSecret(), decision: "allow" })
            statuses.push(response.status)
          }
        }
        const mine = await begin(base_url)
        return { statuses, ...(await mine.browser.submit(mine.at, { api_key: key, decision: "allow" })) }
      })
      assert.deepStrictEqual([statuses.slice(0, 10), statuses.at(-1)], [Array.from({ length: 10 }, () => 401), 429])
      assert.isString(at.searchParams.get("code"))
    }))
})

layer(Server.layer, { excludeTestServices: true })("GET /oauth/authorize", (it) => {
  it.effect("shows a client's name so that it turns, hides and imitates nothing", () =>
    Effect.gen(function*() {
      const { base_url } = yield* uncounted
      const names = [
        ["Footnote\u202Emoc.live", "Footnotemoc.live"],
        ["a\u2066b\u2069\u200E\u061C\uFEFF\u00AD\u{E0041}c", "abc"],
        ["two\n\u2028lines\t here", "twolines here"],
        ["\u200B\u3164\u2800", "An application without a name"],
        ["עברית", "עברית"]
      ] as const
      for (const [client_name, shown] of names) {
        const text = yield* Effect.promise(async () => {
          const redirect_uris = ["http://127.0.0.1:9/callback"]
          const { client_id } = await (await register(base_url, { client_name, redirect_uris })).json() as any
          return (await begin(base_url, { client_id })).response.text()
        })
        assert.include(text, `<h1>Let <bdi>${shown}</bdi> use Footnote?</h1>`)
        assert.include(text, `<title>Sign in to Footnote for \u2068${shown}\u2069</title>`)
        assert.notMatch(text, /[\u202A-\u202E\u2066\u2067\u200B-\u200F\u061C\u3164\u2800]/u)
      }
    }))

  it.effect("with response_mode=form_post, which could not work here, tells the client so", () =>
    Effect.gen(function*() {
      const { base_url, send } = yield* uncounted
      const { at } = yield* Effect.promise(() => begin(base_url, { response_mode: "form_post" }))
      assert.strictEqual(at.searchParams.get("error"), "unsupported_response_mode")
      assert.strictEqual(at.searchParams.get("state"), "s")
      for (const path of ["/.well-known/oauth-authorization-server", "/.well-known/openid-configuration"]) {
        const { json } = yield* send("GET", path)
        assert.deepStrictEqual(json.response_modes_supported, ["fragment", "query"])
      }
      const redirect_uris = ["http://127.0.0.1:9/callback"]
      const refused = yield* Effect.promise(() => register(base_url, { redirect_uris, response_modes: ["form_post"] }))
      assert.strictEqual(refused.status, 400)
    }))

  it.effect("lets its form lead to a program by the program's scheme", () =>
    Effect.gen(function*() {
      const { base_url } = yield* uncounted
      const uri = "cursor://anysphere.cursor-mcp/oauth/callback"
      const policy = yield* Effect.promise(async () => {
        const client_id = await registerClient(base_url, uri)
        const { response } = await begin(base_url, { client_id, redirect_uri: uri })
        return response.headers.get("content-security-policy")
      })
      assert.include(policy ?? "", "form-action 'self' cursor:;")
    }))
})

layer(Server.layer, { excludeTestServices: true })("POST /oauth/register", (it) => {
  const refused = [
    "https://a;script-src/cb",
    "https://*/cb",
    "https://a,b/cb",
    "https://a'b/cb",
    "https://user:pass@host.example/",
    "mailto:a@b.example",
    "tel:1",
    "view-source:https://a.example/",
    "chrome://settings",
    "ms-settings:",
    "ftp://a.example/",
    "ws://a.example/",
    "x:"
  ]
  it.effect(`400 invalid_redirect_uri for ${refused.join(" ")}`, () =>
    Effect.gen(function*() {
      for (const uri of refused) {
        const { base_url } = yield* uncounted
        const response = yield* Effect.promise(() => register(base_url, { redirect_uris: [uri] }))
        assert.strictEqual(response.status, 400, uri)
        const { error } = (yield* Effect.promise(() => response.json())) as any
        assert.strictEqual(error, "invalid_redirect_uri", uri)
      }
    }))
})
