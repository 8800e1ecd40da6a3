import { assert, describe, it } from "@effect/vitest"
import * as fc from "fast-check"
import { existsSync, readFileSync } from "node:fs"
import { join } from "node:path"
import {
  HASH_SIDE,
  hashDistance,
  hashHex,
  perceptualHash,
  spread
} from "../../../../workers/media/pixels/PerceptualHash.ts"
import vectors from "../hash-vectors.json" with { type: "json" }

const larger = join(import.meta.dirname, "../../../../../shared/assets/phash")
const sets = ["imagehash-vectors.json", "imagehash-vectors-synthetic.json"].map((name) => join(larger, name))
const present = sets.every((file) => existsSync(file))
if (!present) process.stdout.write("The larger hash vectors are not on this machine; the committed ones are checked.\n")

const hashOf = (base64: string) => hashHex(perceptualHash(Buffer.from(base64, "base64")))

/** The definition, word for word and slowly: DCT-II of all rows and columns, the lowest 8x8, each above their median or not. */
const byDefinition = (pixels: Uint8Array): string => {
  const coefficients: Array<number> = []
  for (let v = 0; v < 8; v++) {
    for (let u = 0; u < 8; u++) {
      let sum = 0
      for (let y = 0; y < HASH_SIDE; y++) {
        for (let x = 0; x < HASH_SIDE; x++) {
          sum += pixels[y * HASH_SIDE + x]! * 2 * Math.cos((Math.PI * u * (2 * x + 1)) / 64) * 2
            * Math.cos((Math.PI * v * (2 * y + 1)) / 64)
        }
      }
      coefficients.push(sum)
    }
  }
  const ranked = coefficients.toSorted((a, b) => a - b)
  const median = (ranked[31]! + ranked[32]!) / 2
  const bits = coefficients.map((coefficient) => coefficient > median + 1e-6 ? "1" : "0").join("")
  return BigInt(`0b${bits}`).toString(16).padStart(16, "0")
}

/** Squares that a formula draws: slopes, waves, blocks and words of noise, none of them symmetric. */
const drawn = Array.from({ length: 24 }, (_, kind) =>
  Uint8Array.from({ length: HASH_SIDE ** 2 }, (__, i) => {
    const [x, y] = [i % HASH_SIDE, Math.floor(i / HASH_SIDE)]
    const wave = 60 * Math.sin((x * (kind + 3)) / 11 + kind) + 50 * Math.cos((y * (kind + 1)) / 7 + x / 9)
    const block = (x * 5 + y * 3 + kind) % 13 < 5 && x > kind ? 40 : 0
    return Math.max(0, Math.min(255, Math.round(110 + wave + block + ((i * 7919 * (kind + 1)) % 17))))
  }))

const square = fc.uint8Array({ minLength: HASH_SIDE ** 2, maxLength: HASH_SIDE ** 2 })

describe("PerceptualHash", () => {
  it.each(vectors)("hashes $name as imagehash does", ({ gray32, phash }) => {
    assert.strictEqual(hashOf(gray32), phash)
  })

  it.skipIf(!present)("hashes every vector of the larger sets as imagehash does", () => {
    for (const file of sets) {
      const list = JSON.parse(readFileSync(file, "utf8")) as ReadonlyArray<(typeof vectors)[number]>
      assert.deepStrictEqual(list.map(({ gray32 }) => hashOf(gray32)), list.map(({ phash }) => phash))
    }
  })

  it("hashes drawn and random squares as the definition does", () => {
    for (const pixels of drawn) assert.strictEqual(hashHex(perceptualHash(pixels)), byDefinition(pixels))
    assert.isAtLeast(new Set(drawn.map((pixels) => hashHex(perceptualHash(pixels)))).size, 20)
    fc.assert(
      fc.property(square, (pixels) => assert.strictEqual(hashHex(perceptualHash(pixels)), byDefinition(pixels))),
      { numRuns: 20 }
    )
  })

  it("does not take what is zero in theory for a bit: a slope along one side only has no other frequencies", () => {
    const slope = Uint8Array.from({ length: HASH_SIDE ** 2 }, (_, i) => (i % HASH_SIDE) * 8)
    assert.strictEqual(hashHex(perceptualHash(slope)), "8000000000000000")
  })

  it("gives flat pictures the mean's bit alone and calls them blank", () => {
    for (const value of [1, 17, 128, 255]) {
      const flat = new Uint8Array(HASH_SIDE ** 2).fill(value)
      assert.strictEqual(hashHex(perceptualHash(flat)), "8000000000000000")
      assert.strictEqual(spread(flat), 0)
    }
    assert.strictEqual(hashHex(perceptualHash(new Uint8Array(HASH_SIDE ** 2))), "0000000000000000")
  })

  it("measures a distance that is zero on itself, symmetric and at most 64", () => {
    fc.assert(fc.property(square, square, (a, b) => {
      const [x, y] = [perceptualHash(a), perceptualHash(b)]
      assert.strictEqual(hashDistance(x, x), 0)
      assert.strictEqual(hashDistance(x, y), hashDistance(y, x))
      assert.isAtMost(hashDistance(x, y), 64)
      assert.match(hashHex(x), /^[0-9a-f]{16}$/u)
    }))
  })

  it("does not move when the whole picture gets a little brighter", () => {
    fc.assert(fc.property(square, (pixels) => {
      const dim = pixels.map((value) => 20 + (value >> 1))
      const bright = dim.map((value) => value + 10)
      assert.isAtMost(hashDistance(perceptualHash(dim), perceptualHash(bright)), 1)
    }))
  })
})
