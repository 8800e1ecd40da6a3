import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { makeAddressPolicy } from "../../src/egress/AddressPolicy.ts"
import { makeEgress } from "../../src/egress/Egress.ts"
import { makeDocumentFetch } from "../../src/oauth/DocumentFetch.ts"
import { forbiddenUrls, loopbackCanary } from "../support/ForbiddenUrls.ts"
import { httpsDocuments } from "../support/HttpsDocument.ts"
import { begin, redirect_uri, signIn, token } from "../support/SignIn.ts"
import * as Server from "../support/TestServer.ts"
import { request } from "../support/ToolClient.ts"

const { TestServer } = Server

const describe = (client_id: string, more: object = {}) => ({
  body: JSON.stringify({ client_id, client_name: "Described", redirect_uris: [redirect_uri], ...more })
})

layer(Server.layer, { excludeTestServices: true })("a client that describes itself at an address", (it) => {
  const hosted = Effect.acquireRelease(
    Effect.promise(httpsDocuments),
    ({ close }) => Effect.promise(close)
  )
  /** A server that may reach this machine on that port, as an operator allows it. */
  const arrange = Effect.gen(function*() {
    const host = yield* hosted
    const server = yield* Server.replica({
      SOURCE_ALLOW_PRIVATE: "127.0.0.0/8,::1/128",
      SOURCE_ALLOW_PORTS: String(host.port)
    })
    return { ...host, server }
  })

  it.effect("needs no registration, is shown with its address, and gets tokens", () =>
    Effect.gen(function*() {
      const { asked, documents, origin, server } = yield* arrange
      const { base_url, tenant } = server
      const { key } = yield* tenant("cimd")
      const client_id = `${origin}/client.json`
      documents.set("/client.json", describe(client_id))
      const page = yield* Effect.promise(async () => (await begin(base_url, { client_id })).response.text())
      assert.include(page, "Let <bdi>Described</bdi> use Footnote?")
      assert.include(page, `<dt>Described at</dt><dd>${client_id}</dd>`)
      const { access_token, granted } = yield* Effect.promise(() => signIn(base_url, key, { client_id }))
      assert.isString(granted.refresh_token)
      const answer = yield* Effect.provideService(request(access_token, "tools/list"), TestServer, server)
      assert.strictEqual(answer.status, 200)
      // Two sign-ins and an exchange: read once.
      assert.strictEqual(asked.get("/client.json"), 1)
    }))

  it.effect("is refused where its document is not its own, too long, missing, elsewhere, or names a secret", () =>
    Effect.gen(function*() {
      const { asked, documents, origin, server } = yield* arrange
      const { base_url } = server
      const at = (path: string) => `${origin}${path}`
      documents.set("/other.json", describe(at("/client.json")))
      documents.set("/long.json", describe(at("/long.json"), { filler: "x".repeat(5 * 1024) }))
      documents.set("/moved.json", { status: 302, headers: { location: at("/real.json") }, body: "" })
      documents.set("/real.json", describe(at("/real.json")))
      documents.set("/secret.json", describe(at("/secret.json"), { client_secret: "s" }))
      documents.set("/text.json", { body: "hello" })
      documents.set("/open.json", describe(at("/open.json"), { redirect_uris: ["http://app.example/callback"] }))
      documents.set("/mail.json", describe(at("/mail.json"), { redirect_uris: ["mailto:a@app.example"] }))
      documents.set("/policy.json", describe(at("/policy.json"), { redirect_uris: ["https://a;script-src/cb"] }))
      for (
        const path of [
          "/other.json",
          "/long.json",
          "/moved.json",
          "/secret.json",
          "/text.json",
          "/open.json",
          "/mail.json",
          "/policy.json",
          "/none.json"
        ]
      ) {
        const { at: shown, response } = yield* Effect.promise(() => begin(base_url, { client_id: at(path) }))
        assert.include([400, 401], response.status, path)
        assert.strictEqual(shown.origin, base_url, path)
        // Once a minute, however often a sign-in looks for it.
        assert.strictEqual(asked.get(path), 1, path)
        yield* Effect.promise(() =>
          token(base_url, { grant_type: "refresh_token", refresh_token: "x", client_id: at(path) })
        )
        assert.strictEqual(asked.get(path), 1, path)
      }
      assert.isUndefined(asked.get("/real.json"))
    }))

  it.effect("is not looked for at an address that is not public", () =>
    Effect.gen(function*() {
      const { asked, documents, origin, port } = yield* arrange
      const { base_url } = yield* TestServer
      documents.set("/client.json", describe(`${origin}/client.json`))
      const addresses = [
        `${origin}/client.json`,
        `https://localhost:${port}/client.json`,
        `https://[::1]:${port}/client.json`,
        "https://169.254.169.254/client.json",
        "https://10.0.0.1/client.json"
      ]
      for (const client_id of addresses) {
        const { response } = yield* Effect.promise(() => begin(base_url, { client_id }))
        assert.include([400, 401], response.status, client_id)
      }
      assert.strictEqual(asked.size, 0)
    }))

  it.effect("is not looked for at any way to write an address inside", () =>
    Effect.gen(function*() {
      const { port, sockets } = yield* loopbackCanary
      const egress = yield* makeEgress(makeAddressPolicy({ allow_ports: String(port) }))
      const read = makeDocumentFetch(egress, { accept: "application/json", most_bytes: 5000 })
      for (const [what, url] of forbiddenUrls(port)) {
        const failed = yield* Effect.promise(() => read(url).then(() => false, () => true))
        assert.isTrue(failed, what)
      }
      assert.strictEqual(sockets(), 0)
    }))
})
