import { assert, describe, it } from "@effect/vitest"
import { Redacted } from "effect"
import * as fc from "fast-check"
import { createCipheriv } from "node:crypto"
import { makeKeyRing, type WrappingKey } from "../../src/crypto/KeyRing.ts"
import {
  openEnvelope,
  rewrapEnvelope,
  type SealedPlace,
  sealEnvelope,
  wrapKey
} from "../../src/crypto/SealedEnvelope.ts"

const key = (id: string, byte: number): WrappingKey => ({
  id,
  bytes: Redacted.make(new Uint8Array(32).fill(byte))
})
const place: SealedPlace = { tenant_id: "ten_a", table: "destinations", row_id: "dst_1", field: "config" }
const one = makeKeyRing([key("k1", 1)])
const both = makeKeyRing([key("k2", 2), key("k1", 1)])
const two = makeKeyRing([key("k2", 2)])
/** What is behind the magic, the id's length, the id (of two letters) and the wrapped key. */
const bodyOf = (sealed: Uint8Array) => sealed.slice(3 + 1 + 2 + 40)

describe("a sealed envelope", () => {
  it("gives back any text in its own place", () => {
    fc.assert(fc.property(fc.string({ unit: "binary", maxLength: 2000 }), (text) => {
      assert.strictEqual(openEnvelope(one, sealEnvelope(one, text, place), place), text)
    }))
  })

  it("opens for no other tenant, table, row or field", () => {
    const sealed = sealEnvelope(one, "secret", place)
    for (const field of ["tenant_id", "table", "row_id", "field"] as const) {
      assert.throws(() => openEnvelope(one, sealed, { ...place, [field]: `${place[field]}x` }))
    }
  })

  it("tells places apart that read the same when they are joined", () => {
    const name = fc.string({ unit: "binary" })
    const parts = fc.record({ tenant_id: name, table: name, row_id: name, field: name })
    fc.assert(fc.property(parts, (a) => {
      const sealed = sealEnvelope(one, "secret", a)
      const shifted = { ...a, tenant_id: a.tenant_id + a.table.slice(0, 1), table: a.table.slice(1) }
      if (a.table !== "") assert.throws(() => openEnvelope(one, sealed, shifted))
      else assert.strictEqual(openEnvelope(one, sealed, shifted), "secret")
    }))
  })

  it("does not open when any single bit is another or any byte is missing at its end", () => {
    const sealed = sealEnvelope(one, "secret", place)
    for (let bit = 0; bit < sealed.length * 8; bit++) {
      const changed = Uint8Array.from(sealed)
      changed[bit >> 3]! ^= 1 << (bit & 7)
      assert.throws(() => openEnvelope(one, changed, place), undefined, undefined, `bit ${bit}`)
    }
    for (let at = 0; at < sealed.length; at++) assert.throws(() => openEnvelope(one, sealed.slice(0, at), place))
  })

  it("never seals the same text to the same bytes, and shows nothing of it", () => {
    const sealed = sealEnvelope(one, "whsec_geheim", place)
    assert.notDeepEqual(sealed, sealEnvelope(one, "whsec_geheim", place))
    assert.notInclude(Buffer.from(sealed).toString("latin1"), "geheim")
  })

  it("wraps keys as RFC 3394 does (its test vector 4.6)", () => {
    const kek = Buffer.from("000102030405060708090A0B0C0D0E0F101112131415161718191A1B1C1D1E1F", "hex")
    const data = Buffer.from("00112233445566778899AABBCCDDEEFF000102030405060708090A0B0C0D0E0F", "hex")
    assert.strictEqual(
      wrapKey({ id: "rfc", bytes: Redacted.make(kek) }, data).toString("hex").toUpperCase(),
      "28C9F404C4B810F4CBCCB35CFB87F8263F5786E2D80ED326CBC7F0E71A99F43BFB988B9B7A02DD21"
    )
  })

  it("comes under another key without its encrypted bytes being touched, and needs the old key no more", () => {
    const sealed = sealEnvelope(one, "secret", place)
    const moved = rewrapEnvelope(both, sealed, place)
    assert.deepStrictEqual(bodyOf(moved), bodyOf(sealed))
    assert.notDeepEqual(moved.slice(0, 46), sealed.slice(0, 46))
    assert.strictEqual(openEnvelope(two, moved, place), "secret")
    assert.throws(() => openEnvelope(one, moved, place))
    assert.throws(() => openEnvelope(two, sealed, place))
    assert.throws(() => rewrapEnvelope(two, sealed, place))
  })

  it("takes what earlier versions sealed under the deployment's key, and brings it into this form", () => {
    // Nonce, tag and text under the key itself, bound to the column and the tenant.
    const nonce = Buffer.alloc(12, 5)
    const cipher = createCipheriv("aes-256-gcm", Buffer.alloc(32, 1), nonce)
      .setAAD(Buffer.from("jobs.webhook_secret of ten_a"))
    const text = Buffer.concat([cipher.update("whsec_old"), cipher.final()])
    const old = Buffer.concat([nonce, cipher.getAuthTag(), text])
    const job = { tenant_id: "ten_a", table: "jobs", row_id: "job_1", field: "webhook_secret" }
    for (const ring of [one, both]) assert.strictEqual(openEnvelope(ring, old, job), "whsec_old")
    assert.throws(() => openEnvelope(two, old, job))
    assert.throws(() => openEnvelope(one, old, { ...job, tenant_id: "ten_b" }))
    assert.strictEqual(openEnvelope(two, rewrapEnvelope(both, old, job), job), "whsec_old")
  })
})
