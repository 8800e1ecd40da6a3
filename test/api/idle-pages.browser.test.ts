import { assert, describe, layer } from "@effect/vitest"
import { Effect } from "effect"
import { createHash, randomBytes } from "node:crypto"
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { Listener } from "../../src/web/server/Listener.ts"
import { axeViolations, faultsOf, launch, noChromium } from "../support/Chromium.ts"
import { registerClient, token } from "../support/SignIn.ts"
import * as Server from "../support/TestServer.ts"

const { TestServer } = Server

/** What the server waits for seconds, in fractions of one: what a browser leaves open idles out soon. */
const soonIdle = Listener.layer({ headersMillis: 2000, keepAliveMillis: 500 })

const page = Effect.acquireRelease(Effect.promise(launch), (opened) => Effect.promise(() => opened.close())).pipe(
  Effect.flatMap((opened) => Effect.promise(() => opened.newContext())),
  Effect.flatMap((context) =>
    Effect.promise(async () => {
      // A busy machine is no fault: the test's own limit ends the wait.
      context.setDefaultTimeout(0)
      return { faults: await faultsOf(context), page: await context.newPage() }
    })
  )
)

/** The address that a client waits at for the browser to come back. */
const callback = Effect.acquireRelease(
  Effect.callback<ReturnType<typeof createServer>>((resume) => {
    const server = createServer((_, response) => response.end("back"))
    server.listen(0, "127.0.0.1", () => resume(Effect.succeed(server)))
  }),
  (server) =>
    Effect.callback<void>((resume) => {
      server.close(() => resume(Effect.void))
      server.closeAllConnections()
    })
).pipe(Effect.map((server) => `http://127.0.0.1:${(server.address() as AddressInfo).port}/callback`))

/** Every connection of the browser, used and spare, has been ended by the server. */
const idledOut = Effect.flatMap(
  Listener,
  ({ connections }) => Effect.repeat(connections, { until: (open) => open === 0 })
)

describe.skipIf(noChromium !== undefined)(
  "a page that nobody touches until the server has ended its connections",
  () => {
    layer(Server.layerListenedBy(soonIdle), { excludeTestServices: true, timeout: 120_000 })((it) => {
      it.effect("/docs is there again at the next visit, and what is tried on it is answered, every time", () =>
        Effect.gen(function*() {
          const { base_url, tenant } = yield* TestServer
          const { key } = yield* tenant("reader")
          const { faults, page: docs } = yield* page
          for (let visit = 0; visit < 3; visit++) {
            const answer = yield* Effect.promise(() => docs.goto(`${base_url}/docs`))
            assert.strictEqual(answer!.status(), 200, `visit ${visit}`)
            yield* idledOut
          }
          yield* Effect.promise(() => docs.fill("#key input", key))
          yield* Effect.promise(() => docs.locator("#listJobs .try summary").click())
          yield* idledOut
          yield* Effect.promise(() => docs.locator("#listJobs .try button:not(.stop)").first().click())
          const shown = docs.locator("#listJobs .try .answer")
          yield* Effect.promise(() => shown.locator("pre, a").first().waitFor())
          assert.match(yield* Effect.promise(() => shown.innerText()), /^200/u)
          assert.deepStrictEqual(faults, [])
        }))

      it.effect("the sign-in goes on with the key that somebody took an hour to find", () =>
        Effect.gen(function*() {
          const { base_url, sql, tenant } = yield* TestServer
          const { key } = yield* tenant("latecomer")
          const redirect_uri = yield* callback
          const { page: consent } = yield* page
          const client_id = yield* Effect.promise(() => registerClient(base_url, redirect_uri))
          const code_verifier = randomBytes(32).toString("base64url")
          const asked = new URLSearchParams({
            response_type: "code",
            client_id,
            redirect_uri,
            code_challenge: createHash("sha256").update(code_verifier).digest("base64url"),
            code_challenge_method: "S256",
            resource: `${base_url}/mcp`,
            state: "s"
          })
          yield* Effect.promise(() => consent.goto(`${base_url}/oauth/authorize?${asked}`))
          const widths = [390, 1280].map((width) => ({ width, height: 844 }))
          for (const size of widths) {
            for (const colorScheme of ["light", "dark"] as const) {
              yield* Effect.promise(async () => {
                await consent.setViewportSize(size)
                await consent.emulateMedia({ colorScheme })
                assert.deepStrictEqual(await axeViolations(consent), [], `${size.width} ${colorScheme}`)
              })
            }
          }
          yield* idledOut
          // An hour passes for the sign-in, which the server keeps by the database's clock and the provider by the payload's.
          const aged = yield* sql(`UPDATE footnote.oauth_entries SET expires_at = expires_at - interval '1 hour',
          created_at = created_at - interval '1 hour', payload = payload || jsonb_build_object(
            'exp', (payload->>'exp')::bigint - 3600, 'iat', (payload->>'iat')::bigint - 3600)
          WHERE model = 'Interaction' RETURNING id`)
          assert.lengthOf(aged, 1)
          yield* Effect.promise(() => consent.fill("input[name=api_key]", key))
          yield* Effect.promise(() => consent.press("input[name=api_key]", "Enter"))
          yield* Effect.promise(() => consent.waitForURL(`${redirect_uri}?**`))
          const code = new URL(consent.url()).searchParams.get("code") ?? ""
          const fields = { grant_type: "authorization_code", code, code_verifier, client_id, redirect_uri }
          const { json, status } = yield* Effect.promise(() =>
            token(base_url, { ...fields, resource: `${base_url}/mcp` })
          )
          assert.strictEqual(status, 200, JSON.stringify(json))
        }))
    })
  }
)
