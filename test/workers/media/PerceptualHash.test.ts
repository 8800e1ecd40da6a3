import { assert, describe, it } from "@effect/vitest"
import * as fc from "fast-check"
import { existsSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { HASH_SIDE, hashDistance, hashHex, perceptualHash, spread } from "../../../workers/media/PerceptualHash.ts"
import vectors from "./hash-vectors.json" with { type: "json" }

const larger = join(import.meta.dirname, "../../../../shared/assets/phash")
const sets = ["imagehash-vectors.json", "imagehash-vectors-synthetic.json"].map((name) => join(larger, name))
const present = sets.every((file) => existsSync(file))
if (!present) process.stdout.write("The larger hash vectors are not on this machine; the committed ones are checked.\n")

const hashOf = (base64: string) => hashHex(perceptualHash(Buffer.from(base64, "base64")))

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
