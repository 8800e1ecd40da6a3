import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { makeAddressPolicy } from "../../src/egress/AddressPolicy.ts"
import { makeEgress } from "../../src/egress/Egress.ts"
import { makeDocumentFetch, remembering } from "../../src/oauth/DocumentFetch.ts"
import { receiver, type Reply } from "../support/Receiver.ts"

const reading = Effect.fnUntraced(function*(reply: Reply, most_bytes = 100) {
  const inbox = yield* receiver(reply)
  const egress = yield* makeEgress(makeAddressPolicy({ allow_private: "127.0.0.0/8" }))
  const read = makeDocumentFetch(egress, { accept: "application/jwk-set+json", most_bytes })
  return { ...inbox, fetched: Effect.tryPromise(() => read(`${inbox.url}?token=secret`)) }
})

describe("the documents of OAuth", () => {
  it.live("are asked for as what they are, uncoded, and told with status and headers", () =>
    Effect.gen(function*() {
      const { fetched, received } = yield* reading({ status: 201, headers: { "cache-control": "max-age=60" } })
      const response = yield* fetched
      assert.deepStrictEqual([response.status, response.headers.get("cache-control")], [201, "max-age=60"])
      assert.strictEqual(yield* Effect.promise(() => response.text()), "ok")
      assert.deepInclude(received[0]!.headers, { accept: "application/jwk-set+json", "accept-encoding": "identity" })
    }).pipe(Effect.scoped))

  it.live("may be nothing at all", () =>
    Effect.gen(function*() {
      const { fetched } = yield* reading({ status: 304 })
      assert.strictEqual((yield* fetched).status, 304)
    }).pipe(Effect.scoped))

  it.live("are refused where they are longer than allowed, in words that do not say where they are", () =>
    Effect.gen(function*() {
      const { fetched } = yield* reading({ status: 200 }, 1)
      const { cause } = yield* Effect.flip(fetched)
      assert.deepInclude(cause, { reason: "broken_off", message: "too long, cut off or too slow" })
    }).pipe(Effect.scoped))
})

describe("a document that is remembered", () => {
  it("is asked for once a minute, whatever the answer, and is whole for each who asks", async () => {
    let now = 0
    const asked: Array<string> = []
    const fetch = remembering(async (url) => {
      asked.push(String(url))
      if (String(url).endsWith("away")) throw new Error("away")
      return new Response("text", { status: String(url).endsWith("none") ? 404 : 200, headers: { etag: "x" } })
    }, () => now)
    for (const url of ["https://a.example/", "https://a.example/none"]) {
      for (const response of await Promise.all([fetch(url), fetch(url)])) {
        assert.deepStrictEqual([await response.text(), response.headers.get("etag")], ["text", "x"])
      }
    }
    for (let times = 0; times < 3; times++) {
      assert.isTrue(await fetch("https://a.example/away").then(() => false, () => true))
    }
    assert.lengthOf(asked, 3)
    now = 60_000
    await fetch("https://a.example/")
    assert.lengthOf(asked, 4)
    // The one that was asked first is forgotten for those that came since.
    for (let other = 0; other < 200; other++) await fetch(`https://a.example/${other}`)
    await fetch("https://a.example/")
    assert.lengthOf(asked, 205)
  })
})
