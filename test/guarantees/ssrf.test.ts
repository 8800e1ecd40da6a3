import { assert, layer } from "@effect/vitest"
import { ConfigProvider, Effect, Layer, Stream } from "effect"
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { request } from "undici"
import { makeAddressPolicy } from "../../src/egress/AddressPolicy.ts"
import { Egress, makeEgress } from "../../src/egress/Egress.ts"
import { isAddressBlocked, makeGuardedAgent, type Resolver } from "../../src/egress/SsrfGuard.ts"
import { makeDocumentFetch } from "../../src/oauth/DocumentFetch.ts"
import { forbiddenSource } from "../../src/sources/SourceUri.ts"
import { defaultDeadlines, download } from "../../workers/media/source/Download.ts"
import { forbiddenNames, forbiddenUrls, loopbackCanary } from "../support/ForbiddenUrls.ts"
import * as Server from "../support/TestServer.ts"

const { TestServer } = Server

/** A port that no guard may rely on: the policy allows the canary's own. */
const policyOf = (port: number, allow_private = "") => makeAddressPolicy({ allow_ports: String(port), allow_private })

const resolver = (names: Readonly<Record<string, ReadonlyArray<ReadonlyArray<string>>>>): Resolver => {
  const asked = new Map<string, number>()
  return (host, _, callback) => {
    const answers = names[host] ?? [[]]
    const turn = asked.get(host) ?? 0
    asked.set(host, turn + 1)
    const addresses = answers[Math.min(turn, answers.length - 1)]!
    callback(null, addresses.map((address) => ({ address, family: address.includes(":") ? 6 : 4 })))
  }
}

/** As a header carries it: a host in percent-encoding is the same host. */
const ascii = (text: string) => text.replaceAll(/[^\p{ASCII}]/gu, encodeURIComponent)

/** Answers everything with a redirect to wherever its path says. */
const redirector = Effect.acquireRelease(
  Effect.callback<{ readonly port: number; readonly close: () => void }>((resume) => {
    const server = createServer((asked, response) => {
      response.writeHead(302, { location: decodeURIComponent(asked.url!.slice(1)) }).end()
    })
    server.listen(0, "127.0.0.3", () =>
      resume(Effect.succeed({
        port: (server.address() as AddressInfo).port,
        close: () => {
          server.close()
          server.closeAllConnections()
        }
      })))
  }),
  ({ close }) => Effect.sync(close)
)

layer(Server.layer, { excludeTestServices: true })("no tenant's URL reaches a place that is not public", (it) => {
  it.effect("at submission: source_uri and webhook_url, in more than 60 forms", () =>
    Effect.gen(function*() {
      const { send, tenant } = yield* TestServer
      const { port, sockets } = yield* loopbackCanary
      const { key } = yield* tenant("a")
      const urls = forbiddenUrls(port)
      assert.isAtLeast(urls.length, 60)
      for (const [what, url] of urls) {
        const source = yield* send("POST", "/v1/jobs", { key, json: { source_uri: url } })
        assert.deepStrictEqual([what, source.status, source.json.error.code], [what, 422, "SOURCE_BLOCKED"])
        assert.strictEqual(source.json.error.details[0].path, "/source_uri")
        const webhook = yield* send("POST", "/v1/jobs", {
          key,
          json: { source_uri: "https://example.com/a.mp4", webhook_url: url }
        })
        assert.strictEqual(webhook.status, 400, `${what} as webhook_url`)
        assert.match(webhook.json.error.details[0].path, /^\/webhook_url$/u)
      }
      assert.strictEqual(sockets(), 0)
    }).pipe(Effect.scoped))

  it.effect("at registration of a webhook destination", () =>
    Effect.gen(function*() {
      const { send, tenant } = yield* TestServer
      const { port, sockets } = yield* loopbackCanary
      const { key } = yield* tenant("a")
      for (const [what, url] of forbiddenUrls(port)) {
        const made = yield* send("POST", "/v1/destinations", {
          key,
          json: { name: "n", type: "webhook", config: { url } }
        })
        assert.deepStrictEqual([what, made.status, made.json.error.code], [what, 422, "DESTINATION_CONFIG_INVALID"])
      }
      assert.strictEqual(sockets(), 0)
    }).pipe(Effect.scoped))

  it.effect("at fetching: the URL itself, and as the target of a redirect", () =>
    Effect.gen(function*() {
      const { port, sockets } = yield* loopbackCanary
      const public_site = yield* redirector
      const ports = `${port},${public_site.port}`
      const policy = makeAddressPolicy({ allow_ports: ports, allow_private: "127.0.0.3/32" })
      const options = { policy, max_bytes: 1e6, deadlines: defaultDeadlines }
      for (const [what, text] of forbiddenUrls(port)) {
        const targets = [
          ...(URL.canParse(text) ? [text] : []),
          // A header cannot hold the end of a line.
          ...(text.includes("\n") ? [] : [`http://127.0.0.3:${public_site.port}/${encodeURIComponent(ascii(text))}`])
        ]
        for (const target of targets) {
          const failure = yield* Effect.flip(
            Stream.runDrain(download(new URL(target), { ...options, resolve: resolver({}) }))
          )
          // What leads nowhere or back to the public site cannot be followed; everything else is refused for what it is.
          const leads = URL.parse(target === text ? text : ascii(text), target)
          const harmless = leads === null || leads.hostname === "127.0.0.3"
          const expected = harmless ? "SOURCE_UNREACHABLE" : "SOURCE_BLOCKED"
          assert.deepStrictEqual([what, target, failure.code, failure.retryable], [what, target, expected, false])
        }
      }
      assert.strictEqual(sockets(), 0)
    }).pipe(Effect.scoped))

  it.effect("at sending: a webhook, a small document, and any request by the agent alone", () =>
    Effect.gen(function*() {
      const { port, sockets } = yield* loopbackCanary
      const policy = policyOf(port)
      const resolve = resolver({})
      const egress = Egress.layerWith(resolve).pipe(
        Layer.provide(ConfigProvider.layer(ConfigProvider.fromUnknown({ SOURCE_ALLOW_PORTS: String(port) })))
      )
      const agent = makeGuardedAgent(policy, defaultDeadlines, resolve)
      yield* Effect.gen(function*() {
        const { send } = yield* Egress
        for (const [what, url] of forbiddenUrls(port)) {
          const webhook = yield* Effect.flip(send({ method: "POST", url, headers: {}, body: "{}" }))
          assert.deepStrictEqual([what, webhook.reason, webhook.sent], [what, "blocked", false])
          const read = makeDocumentFetch({ send }, { accept: "application/json", most_bytes: 1000 })
          const document = yield* Effect.flip(Effect.tryPromise(() => read(url)))
          assert.deepInclude(document.cause, { reason: "blocked", sent: false }, what)
          if (!/^http/iu.test(url) || !URL.canParse(url)) continue
          const parsed = new URL(url)
          if (parsed.hostname === "example.com") continue
          // The last wall, which no caller can forget.
          const error = yield* Effect.promise(() =>
            request(parsed, { dispatcher: agent }).catch((thrown: unknown) => thrown)
          )
          assert.isTrue(isAddressBlocked(error), what)
        }
      }).pipe(Effect.provide(egress))
      yield* Effect.promise(() => agent.destroy())
      assert.strictEqual(sockets(), 0)
    }).pipe(Effect.scoped))

  it.effect("at connecting: a name by every address that it resolves to", () =>
    Effect.gen(function*() {
      const { port, sockets } = yield* loopbackCanary
      const policy = policyOf(port)
      for (const name of Object.keys(forbiddenNames)) {
        const url = `http://${name}:${port}/`
        assert.strictEqual(forbiddenSource(new URL(url), policy), undefined, name)
        const resolve = resolver(forbiddenNames)
        const failure = yield* Effect.flip(
          Stream.runDrain(download(new URL(url), { policy, max_bytes: 1e6, deadlines: defaultDeadlines, resolve }))
        )
        assert.deepStrictEqual([name, failure.code], [name, "SOURCE_BLOCKED"])
        const { send } = yield* makeEgress(policy, resolve)
        const { reason, sent } = yield* Effect.flip(send({ method: "GET", url, headers: {} }))
        assert.deepStrictEqual([name, reason, sent], [name, "blocked", false])
      }
      assert.strictEqual(sockets(), 0)
    }).pipe(Effect.scoped))

  it.effect("at rebinding: a name that is public when it is judged and private later is asked for once, and judged by that", () =>
    Effect.gen(function*() {
      const { port, sockets } = yield* loopbackCanary
      const public_site = yield* redirector
      const policy = policyOf(port, "127.0.0.3/32")
      const own = makeAddressPolicy({ allow_ports: `${port},${public_site.port}`, allow_private: "127.0.0.3/32" })
      const questions: Array<string> = []
      // Public to the first question of a connection, private to every later one.
      const rebinding: Resolver = (host, options, callback) => {
        questions.push(host)
        resolver({ "rebind.test": [[questions.length === 1 ? "127.0.0.3" : "127.0.0.1"]] })(host, options, callback)
      }
      const again = encodeURIComponent(`http://rebind.test:${port}/`)
      const failure = yield* Effect.flip(Stream.runDrain(
        download(new URL(`http://rebind.test:${public_site.port}/${again}`), {
          policy: own,
          max_bytes: 1e6,
          deadlines: defaultDeadlines,
          resolve: rebinding
        })
      ))
      // The first hop was answered by the address that was judged; the second one was judged anew.
      assert.deepStrictEqual([failure.code, questions], ["SOURCE_BLOCKED", ["rebind.test", "rebind.test"]])
      const late = resolver({ "late.test": [["127.0.0.1"]] })
      const { send } = yield* makeEgress(policy, late)
      const { reason } = yield* Effect.flip(send({ method: "GET", url: `http://late.test:${port}/`, headers: {} }))
      assert.strictEqual(reason, "blocked")
      assert.strictEqual(sockets(), 0)
    }).pipe(Effect.scoped))
})
