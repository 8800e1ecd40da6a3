import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { Browser } from "../support/Browser.ts"
import { begin, redirect_uri, registerClient } from "../support/SignIn.ts"
import * as Server from "../support/TestServer.ts"

const { TestServer } = Server

const register = (base_url: string, metadata: object) =>
  fetch(`${base_url}/oauth/register`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(metadata)
  })

layer(Server.layer, { excludeTestServices: true })("signing in", (it) => {
  it.effect("the page names the client and where it leads, as text and nothing else", () =>
    Effect.gen(function*() {
      const { base_url } = yield* TestServer
      const client_name = `<script>alert(1)</script>"'& Tool`
      const redirect = "https://app.example:8443/callback?a=<b>"
      const page = yield* Effect.promise(async () => {
        const { client_id } = await (await register(base_url, { client_name, redirect_uris: [redirect] })).json() as any
        const { response } = await begin(base_url, { client_id, redirect_uri: redirect })
        return { status: response.status, headers: response.headers, text: await response.text() }
      })
      assert.strictEqual(page.status, 200)
      assert.notInclude(page.text, "<script")
      assert.include(page.text, "&#60;script&#62;alert(1)&#60;/script&#62;&#34;&#39;&#38; Tool")
      assert.include(page.text, "<dd>app.example:8443</dd>")
      assert.strictEqual(page.headers.get("cache-control"), "no-store")
      assert.strictEqual(page.headers.get("referrer-policy"), "same-origin")
      assert.strictEqual(page.headers.get("x-frame-options"), "DENY")
      const policy = page.headers.get("content-security-policy")!
      assert.match(
        policy,
        /^default-src 'none'; style-src 'sha256-[\w+/]+='; form-action 'self' https:\/\/app\.example:8443; /u
      )
      assert.include(policy, "base-uri 'none'; frame-ancestors 'none'")
      // Nothing to load and nothing to run.
      assert.notMatch(page.text, /\b(?:src|href|on\w+|style)=/u)
      // Understood without seeing it.
      assert.match(page.text, /<html lang="en">/u)
      assert.match(page.text, /<label for="api_key">[^<]+<\/label>\n<input id="api_key"[^>]* aria-describedby="hint">/u)
    }))

  it.effect("a program on this device is told apart from a site", () =>
    Effect.gen(function*() {
      const { base_url } = yield* TestServer
      const local = yield* Effect.promise(async () => (await begin(base_url)).response.text())
      assert.include(local, "program on this device")
      assert.include(local, "<dd>127.0.0.1:9</dd>")
      const remote = yield* Effect.promise(async () => {
        const uri = "https://app.example/callback"
        return (await begin(base_url, { client_id: await registerClient(base_url, uri), redirect_uri: uri })).response
          .text()
      })
      assert.notInclude(remote, "program on this device")
      const scheme = yield* Effect.promise(async () => {
        const uri = "com.example.tool://auth/callback"
        const { response } = await begin(base_url, {
          client_id: await registerClient(base_url, uri),
          redirect_uri: uri
        })
        return { text: await response.text(), policy: response.headers.get("content-security-policy")! }
      })
      assert.include(scheme.text, "<dd>com.example.tool://auth</dd>")
      assert.include(scheme.policy, "form-action 'self' com.example.tool:;")
    }))

  it.effect("a wrong key is told on the page, and the right one still works", () =>
    Effect.gen(function*() {
      const { base_url, tenant } = yield* TestServer
      const { key } = yield* tenant("typo")
      yield* Effect.promise(async () => {
        const { at, browser } = await begin(base_url)
        for (const wrong of ["", "nonsense", `fnk_${"A".repeat(38)}`]) {
          const { response } = await browser.submit(at, { api_key: wrong, decision: "allow" })
          assert.strictEqual(response.status, 401)
          const text = await response.text()
          assert.match(text, /aria-describedby="problem hint" aria-invalid="true"/u)
          assert.match(text, /<p id="problem" class="alarm" role="alert">This is not a valid API key\.<\/p>/u)
          if (wrong !== "") assert.notInclude(text, wrong)
        }
        const allowed = await browser.submit(at, { api_key: ` ${key}\n`, decision: "allow" })
        assert.isString(allowed.at.searchParams.get("code"))
      })
    }))

  it.effect("who does not allow it sends the client back without a code", () =>
    Effect.gen(function*() {
      const { base_url } = yield* TestServer
      const { at, browser } = yield* Effect.promise(() => begin(base_url))
      const denied = yield* Effect.promise(() => browser.submit(at, { decision: "deny" }))
      assert.strictEqual(`${denied.at.origin}${denied.at.pathname}`, redirect_uri)
      assert.strictEqual(denied.at.searchParams.get("error"), "access_denied")
      assert.strictEqual(denied.at.searchParams.get("state"), "s")
      assert.strictEqual(denied.at.searchParams.get("code"), null)
    }))

  it.effect("a sign-in belongs to the browser that began it, and is over once it has been used", () =>
    Effect.gen(function*() {
      const { base_url, tenant } = yield* TestServer
      const { key } = yield* tenant("browser")
      yield* Effect.promise(async () => {
        const { at, browser } = await begin(base_url)
        const stranger = new Browser()
        assert.strictEqual((await stranger.open(at)).status, 400)
        const foreign = await stranger.submit(at, { api_key: key, decision: "allow" })
        assert.strictEqual(foreign.response.status, 400)
        const other = await begin(base_url)
        assert.strictEqual((await browser.open(other.at)).status, 400)
        await browser.submit(at, { api_key: key, decision: "allow" })
        const again = await browser.submit(at, { api_key: key, decision: "allow" })
        assert.strictEqual(again.response.status, 400)
        assert.strictEqual(again.at.origin, base_url)
      })
    }))

  it.effect("nobody stays signed in: the same browser is asked again", () =>
    Effect.gen(function*() {
      const { base_url, tenant } = yield* TestServer
      const { key } = yield* tenant("again")
      const other = yield* tenant("other")
      yield* Effect.promise(async () => {
        const first = await begin(base_url)
        await first.browser.submit(first.at, { api_key: key, decision: "allow" })
        const url = new URL(first.at)
        assert.match(url.pathname, /^\/oauth\/sign-in\//u)
        const authorize = new URL(`${base_url}/oauth/authorize`)
        const params = {
          response_type: "code",
          client_id: first.client_id,
          redirect_uri,
          code_challenge: "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM",
          code_challenge_method: "S256"
        }
        for (const [name, value] of Object.entries(params)) authorize.searchParams.set(name, value)
        const second = await first.browser.follow(authorize)
        assert.match(second.at.pathname, /^\/oauth\/sign-in\//u)
        // Another tenant's key in the same browser is no trouble either.
        const allowed = await first.browser.submit(second.at, { api_key: other.key, decision: "allow" })
        assert.isString(allowed.at.searchParams.get("code"))
      })
    }))

  const refusedClients: Readonly<Record<string, object>> = {
    "that comes back in the open": { redirect_uris: ["http://app.example/callback"] },
    "with a script for an address": { redirect_uris: ["javascript:alert(1)"] },
    "with a fragment in its address": { redirect_uris: ["https://app.example/#a"] },
    "without an address": { redirect_uris: [] },
    "with a name of 201 characters": { client_name: "x".repeat(201), redirect_uris: [redirect_uri] },
    "with 21 addresses": { redirect_uris: Array.from({ length: 21 }, (_, index) => `https://app.example/${index}`) }
  }
  it.effect(`a client ${Object.keys(refusedClients).join(", ")} is not registered`, () =>
    Effect.gen(function*() {
      const { base_url } = yield* Server.replica({ FOOTNOTE_PUBLIC_URL: "http://127.0.0.1:2" })
      yield* Effect.promise(async () => {
        for (const [title, metadata] of Object.entries(refusedClients)) {
          const response = await register(base_url, metadata)
          assert.strictEqual(response.status, 400, title)
          assert.match(((await response.json()) as any).error, /^invalid_(?:redirect_uri|client_metadata)$/u, title)
        }
      })
    }))
})

layer(Server.layer, { excludeTestServices: true })("limits of signing in", (it) => {
  it.effect("a sixth wrong key for one sign-in is not looked at", () =>
    Effect.gen(function*() {
      const { base_url, tenant } = yield* TestServer
      const { key } = yield* tenant("guessed")
      const statuses = yield* Effect.promise(async () => {
        const { at, browser } = await begin(base_url)
        const answers: Array<number> = []
        for (let attempt = 0; attempt < 6; attempt++) {
          answers.push((await browser.submit(at, { api_key: `wrong ${attempt}`, decision: "allow" })).response.status)
        }
        const late = await browser.submit(at, { api_key: key, decision: "allow" })
        return [...answers, late.response.status]
      })
      assert.deepStrictEqual(statuses.slice(0, 5), [401, 401, 401, 401, 401])
      assert.deepStrictEqual(statuses.slice(5), [429, 429])
    }))

  it.effect("one address registers no more than ten clients in a minute", () =>
    Effect.gen(function*() {
      const { base_url } = yield* TestServer
      const answers = yield* Effect.promise(async () => {
        const answers: Array<Response> = []
        for (let attempt = 0; attempt < 12; attempt++) {
          answers.push(await register(base_url, { redirect_uris: [redirect_uri] }))
        }
        return answers
      })
      const last = answers.at(-1)!
      assert.strictEqual(last.status, 429)
      assert.isAbove(Number(last.headers.get("retry-after")), 0)
      assert.strictEqual(((yield* Effect.promise(() => last.json())) as any).error, "temporarily_unavailable")
      assert.isAtMost(answers.filter(({ status }) => status === 201).length, 10)
    }))
})
