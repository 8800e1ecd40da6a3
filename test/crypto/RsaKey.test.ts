import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { generateKeyPairSync, verify } from "node:crypto"
import { openRsaKey, provesItself, rsaPrivateKey, signJwt } from "../../src/crypto/RsaKey.ts"
import { dsaKey, rsaKey, rsaKeyOf } from "../support/HostileKeys.ts"

const made = generateKeyPairSync("rsa", { modulusLength: 2048 })
const numbers = rsaKeyOf(made.privateKey)

const pemOf = (bytes: Buffer) => `-----BEGIN PRIVATE KEY-----\n${bytes.toString("base64")}\n-----END PRIVATE KEY-----\n`

describe("an RSA private key of a caller's", () => {
  it("is taken in both forms of PEM, with all of its numbers", () => {
    for (const type of ["pkcs1", "pkcs8"] as const) {
      const pem = made.privateKey.export({ type, format: "pem" }) as string
      assert.deepStrictEqual(rsaPrivateKey(pem)?.export({ format: "jwk" }), made.privateKey.export({ format: "jwk" }))
    }
  })

  it("is refused above 4096 bits, below 2048, with another exponent and where its numbers do not belong together", () => {
    const large = generateKeyPairSync("rsa", { modulusLength: 1024 })
    const other = generateKeyPairSync("rsa", { modulusLength: 2048, publicExponent: 3 })
    assert.isUndefined(rsaPrivateKey(large.privateKey.export({ type: "pkcs8", format: "pem" }) as string))
    assert.isUndefined(rsaPrivateKey(other.privateKey.export({ type: "pkcs8", format: "pem" }) as string))
    assert.isDefined(rsaPrivateKey(rsaKey(numbers)))
    for (const bits of [4097, 8192, 16_384, 40_000]) {
      assert.isUndefined(rsaPrivateKey(rsaKey({ ...numbers, n: (1n << BigInt(bits - 1)) + 1n })))
    }
    for (const name of ["n", "d", "p", "q", "dp", "dq", "qi"] as const) {
      assert.isUndefined(rsaPrivateKey(rsaKey({ ...numbers, [name]: numbers[name] + 2n })), name)
      assert.isUndefined(rsaPrivateKey(rsaKey({ ...numbers, [name]: 0n })), name)
    }
  })

  it("of another kind is not even opened: the public half of a made-up DSA key costs OpenSSL 19 s", () => {
    assert.isUndefined(rsaPrivateKey(dsaKey(4000)))
  })

  it("is refused wherever its DER is cut or a byte of its frame is another one, and never throws", () => {
    const der = made.privateKey.export({ type: "pkcs8", format: "der" })
    assert.isDefined(rsaPrivateKey(pemOf(der)))
    for (let at = 0; at < der.length; at += 7) assert.isUndefined(rsaPrivateKey(pemOf(der.subarray(0, at))))
    for (let at = 0; at < 40; at++) {
      // The version's last bit says that a public key follows, which nobody reads.
      for (const flip of at === 6 ? [2, 0x7F, 0x80, 0xFF] : [1, 0x7F, 0x80, 0xFF]) {
        const bytes = Buffer.from(der)
        bytes[at]! ^= flip
        assert.isUndefined(rsaPrivateKey(pemOf(bytes)), `${at} ^ ${flip}`)
      }
    }
  })

  it.effect("signs without holding the event loop, and what it signs verifies", () =>
    Effect.gen(function*() {
      const key = yield* openRsaKey(made.privateKey.export({ type: "pkcs8", format: "pem" }) as string)
      let turned = false
      setImmediate(() => {
        turned = true
      })
      const token = yield* signJwt({ iss: "account" }, key)
      // A signature made in this turn of the loop would be there before it turned.
      assert.isTrue(turned)
      const [header, claims, signature] = token.split(".")
      assert.deepStrictEqual(JSON.parse(String(Buffer.from(header!, "base64url"))), { alg: "RS256", typ: "JWT" })
      assert.deepStrictEqual(JSON.parse(String(Buffer.from(claims!, "base64url"))), { iss: "account" })
      const signed = Buffer.from(`${header}.${claims}`)
      assert.isTrue(verify("RSA-SHA256", signed, made.publicKey, Buffer.from(signature!, "base64url")))
    }))

  it.effect("whose exponents are no pair does not prove itself", () =>
    Effect.gen(function*() {
      assert.isTrue(yield* provesItself(rsaKey(numbers)))
      const d = numbers.d + 2n
      const wrong = { ...numbers, d, dp: d % (numbers.p - 1n), dq: d % (numbers.q - 1n) }
      assert.isDefined(rsaPrivateKey(rsaKey(wrong)))
      assert.isFalse(yield* provesItself(rsaKey(wrong)))
    }))
})
