import { assert, describe, it } from "@effect/vitest"
import * as fc from "fast-check"
import { hashApiKey, isApiKey, mintSecret, visiblePrefix } from "../../src/api-keys/ApiKeySecret.ts"

const base62 = [..."0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"]

describe("an API key", () => {
  it("is well formed, and no two are alike", () => {
    const keys = Array.from({ length: 1000 }, mintSecret)
    for (const key of keys) {
      assert.match(key, /^fnk_[0-9A-Za-z]{38}$/u)
      assert.isTrue(isApiKey(key))
    }
    assert.strictEqual(new Set(keys).size, 1000)
  })

  it("is known to be wrong without the database after any one changed character", () => {
    const key = mintSecret()
    fc.assert(
      fc.property(fc.integer({ min: 4, max: 41 }), fc.constantFrom(...base62), (at, character) => {
        const typo = key.slice(0, at) + character + key.slice(at + 1)
        assert.strictEqual(isApiKey(typo), typo === key)
      }),
      { numRuns: 2000 }
    )
  })

  it("is refused in any other shape", () => {
    const key = mintSecret()
    for (
      const text of ["", "fnk_", key.slice(1), `${key}0`, ` ${key}`, key.toUpperCase(), key.replace("fnk_", "abc_")]
    ) {
      assert.isFalse(isApiKey(text), text)
    }
  })

  it("shows 8 of its 32 random characters and is stored as a hash of 32 bytes", () => {
    const key = mintSecret()
    assert.strictEqual(visiblePrefix(key), key.slice(0, 12))
    assert.strictEqual(hashApiKey(key).length, 32)
    assert.notDeepEqual(hashApiKey(key), hashApiKey(mintSecret()))
  })

  it("draws every character about equally often", () => {
    const counts = new Map(base62.map((character) => [character, 0]))
    for (let n = 0; n < 2000; n++) {
      for (const character of mintSecret().slice(4, 36)) counts.set(character, counts.get(character)! + 1)
    }
    const expected = 2000 * 32 / 62
    const chiSquare = [...counts.values()].reduce((sum, count) => sum + (count - expected) ** 2 / expected, 0)
    // 61 degrees of freedom: above 160 once in 10^10 fair draws, while a plain remainder of a byte gives about 2,500.
    assert.isBelow(chiSquare, 160)
  })
})
