import { assert, layer } from "@effect/vitest"
import { Clock, Effect } from "effect"
import { Sealing } from "../../../src/crypto/Sealing.ts"
import { openResultToken, resultToken } from "../../../src/deliveries/signing/ResultLink.ts"
import type { JobId, TenantId } from "../../../src/identity/Id.ts"
import * as Server from "../../support/TestServer.ts"
import { payloadOf } from "../../support/vendors/Vendors.ts"

const { TestServer } = Server

const hour = 3_600_000
/** Far from any moment of a test. */
const later = () => Date.now() + 24 * hour

const [example] = payloadOf(1).evidence

/** A succeeded job of a tenant of its own, and tokens for it. */
const arranged = Effect.fnUntraced(function*(
  result: unknown,
  quote = "Orbits",
  source_uri = "https://example.com/talk.mp4"
) {
  const { send, succeed, tenant } = yield* TestServer
  const sealing = yield* Sealing
  const { key, tenant_id } = yield* tenant("a")
  const { json, text } = yield* send("POST", "/v1/jobs", { key, json: { source_uri } })
  assert.isDefined(json.id, text)
  const job_id = json.id as JobId
  yield* succeed(job_id, {
    result: result as never,
    evidence: {
      spans: [{ ...example!, quote }],
      unfilled: [{ pointer: "/note", reason: "not_found" }]
    } as never
  })
  const tokenOf = (more: { readonly tenant_id?: TenantId; readonly until?: number } = {}) =>
    resultToken(sealing, { tenant_id, job_id, until: later(), ...more })
  return { key, tenant_id, job_id, tokenOf, open: (token: string) => send("GET", `/s/${token}`) }
})

/** What a page of ours is made of; every other tag or attribute is a breach. */
const ours =
  /<!doctype html>|<\/?(?:html|head|body|main|title|h1|h2|p|dl|dt|dd|ol|li|span|blockquote|bdi|time|style)>|<html lang="en">|<meta (?:charset="utf-8"|name="viewport" content="width=device-width, initial-scale=1")>|<blockquote id="\/evidence[^"<>]*">|<(?:dl|ol|span) (?:class="(?:facts|values|value|none|alarm)")>|<a href="https:\/\/[^"<>]*" rel="noopener noreferrer">|<\/a>/gu

layer(Server.layer, { excludeTestServices: true })("the page of a result", (it) => {
  it.effect("opens without a key by its link, with the words and the second of each value", () =>
    Effect.gen(function*() {
      const { open, tokenOf } = yield* arranged({ title: "Orbits", note: null, tags: [], rooms: [{ name: "Hall" }] })
      const { headers, status, text } = yield* open(tokenOf())
      assert.strictEqual(status, 200, text)
      assert.match(headers["content-type"]!, /^text\/html/u)
      assert.match(
        headers["content-security-policy"]!,
        /^default-src 'none'; style-src 'sha256-[^']+'; form-action 'none'/u
      )
      assert.strictEqual(headers["referrer-policy"], "no-referrer")
      assert.match(headers["x-robots-tag"]!, /noindex/u)
      assert.include(text, "<bdi>Orbits</bdi>")
      assert.include(text, `<a href="https://example.com/talk.mp4#t=134,135" rel="noopener noreferrer">`)
      assert.include(text, "<time>02:14</time>")
      assert.include(text, `<blockquote id="/evidence/title">“<bdi>Orbits`)
      assert.include(text, "(not found)")
      assert.include(text, "Hall")
    }))

  it.effect("shows what a film says as text, whatever it says", () =>
    Effect.gen(function*() {
      const attacks = [
        "<script>alert(1)</script>",
        `"><img src=x onerror=alert(1)>`,
        "</style><script>1</script>",
        "<!--",
        "]]>",
        "&lt;b&gt;",
        "\u202Egnp.exe",
        "javascript:alert(1)"
      ]
      const result = Object.fromEntries(attacks.flatMap((attack, at) => [[attack, attack], [`list ${at}`, [attack]]]))
      const { open, tokenOf } = yield* arranged(
        result,
        attacks.join(" "),
        `https://example.com/a.mp4?q="><script>alert(1)</script>`
      )
      const { status, text } = yield* open(tokenOf())
      assert.strictEqual(status, 200)
      const style = /<style>[^<]*<\/style>/u
      assert.notMatch(text.replace(style, "").replaceAll(ours, ""), /[<>]/u)
      assert.include(text, "&#60;script&#62;alert(1)&#60;/script&#62;")
    }))

  it.effect("is not found by any other text, and the answer is the same for all of them", () =>
    Effect.gen(function*() {
      const { key, open, tenant_id, tokenOf } = yield* arranged({ title: "Orbits" })
      const other = yield* arranged({ title: "Other" })
      const { send } = yield* TestServer
      const good = tokenOf()
      const changed = Array.from(good, (char, at) =>
        `${good.slice(0, at)}${char === "a" ? "b" : "a"}${good.slice(at + 1)}`)
      const [job, , until, mac] = good.split(".")
      const wrong = [
        ...changed.filter((_, at) =>
          at % 7 === 0 || at > good.length - 3
        ),
        good.slice(0, -1),
        `${good}a`,
        "x",
        `${job}.${other.tenant_id.slice(4)}.${until}.${mac}`,
        `${other.job_id.slice(4)}.${tenant_id.slice(4)}.${until}.${mac}`,
        // Signed by us, and of a tenant that has no such job.
        tokenOf({ tenant_id: other.tenant_id })
      ]
      const bodies = new Set<string>()
      for (const token of wrong) {
        const { status, text } = yield* open(token)
        assert.strictEqual(status, 404, token)
        bodies.add(text)
      }
      assert.strictEqual((yield* open(good)).status, 200)
      const gone = yield* send("DELETE", `/v1/jobs/${(yield* send("GET", "/v1/jobs", { key })).json.data[0].id}`, {
        key
      })
      assert.strictEqual(gone.status, 200, gone.text)
      const after = yield* open(good)
      assert.strictEqual(after.status, 404)
      bodies.add(after.text)
      assert.strictEqual(bodies.size, 1)
    }))

  it.effect("ends when its time is over", () =>
    Effect.gen(function*() {
      const { open, tokenOf } = yield* arranged({ title: "Orbits" })
      const { status, text } = yield* open(tokenOf({ until: (yield* Clock.currentTimeMillis) - 1000 }))
      assert.strictEqual(status, 410)
      assert.notInclude(text, "Orbits")
    }))

  it.effect("counts as a read of the job's tenant, whoever opens it", () =>
    Effect.gen(function*() {
      const { sql } = yield* TestServer
      const { open, tenant_id, tokenOf } = yield* arranged({ title: "Orbits" })
      yield* sql(`UPDATE footnote.tenants SET reads_per_minute = 1 WHERE id = '${tenant_id}'`)
      const replica = yield* Server.replica()
      const [token] = [tokenOf()]
      const statuses = []
      for (let time = 0; time < 3; time++) statuses.push((yield* replica.send("GET", `/s/${token}`)).status)
      assert.deepStrictEqual(statuses, [200, 429, 429])
      assert.strictEqual((yield* open("x")).status, 404)
    }).pipe(Effect.scoped))

  it.effect("has a token that says what it was made for, to the second, and to this deployment alone", () =>
    Effect.gen(function*() {
      const sealing = yield* Sealing
      const linked = {
        job_id: "job_01kz0000000000000000000001" as const,
        tenant_id: "ten_01kz0000000000000000000002" as const,
        until: 1e12
      }
      assert.deepStrictEqual(openResultToken(sealing, resultToken(sealing, linked)), linked)
      const elsewhere = { ...sealing, verifiesMac: () => false }
      assert.isUndefined(openResultToken(elsewhere, resultToken(sealing, linked)))
    }))
})
