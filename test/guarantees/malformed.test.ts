import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { malformedRequests } from "../../bench/hygiene/MalformedRequests.ts"
import { sendAll } from "../../bench/hygiene/RawSender.ts"
import { ErrorCatalog } from "../../src/errors/ErrorCatalog.ts"
import { rounds } from "../support/Breadth.ts"
import { signIn } from "../support/SignIn.ts"
import * as Server from "../support/TestServer.ts"

const { TestServer } = Server
const statuses = new Set<number>(Object.values(ErrorCatalog).map(({ status }) => status))

/** A fifth of them has every kind as well. */
const count = rounds(5000)

layer(Server.layer, { excludeTestServices: true })("malformed requests", (it) => {
  it.effect("cause no server error, each answer has an id, and the service goes on", () =>
    Effect.gen(function*() {
      const { tenant } = yield* TestServer
      const { key } = yield* tenant("a")
      const { base_url, send } = yield* Server.replica({ TRUST_PROXY: "127.0.0.1" })
      const signed_in = yield* Effect.promise(() => signIn(base_url, key))
      const wrong: Array<string> = []
      const requests = malformedRequests(11, key, signed_in)
      yield* Effect.promise(() =>
        sendAll(
          Number(new URL(base_url).port),
          requests,
          count,
          64,
          ({ breaksOff, bytes, kind, mayWait }, { head, status }) => {
            // It broke off, or the server was right to wait for more.
            if (status === "none" && (breaksOff === true || mayWait === true)) return
            const good = status !== "none" && (status < 400 || statuses.has(status))
            const named = /^x-request-id: \S+\r$/imu.test(head) && /^x-content-type-options: nosniff\r$/imu.test(head)
            if (!good || status >= 500 || !named) {
              wrong.push(`${kind} ${bytes.toString("latin1").slice(0, 300)}\n${head}`)
            }
          }
        )
      )
      assert.deepStrictEqual(wrong.slice(0, 3), [])
      assert.strictEqual((yield* send("GET", "/healthz")).status, 200)
      assert.isUndefined(({} as { polluted?: number }).polluted)
    }))
})
