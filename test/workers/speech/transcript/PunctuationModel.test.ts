import { assert, describe, it } from "@effect/vitest"
import { readFileSync } from "node:fs"
import { gunzipSync, gzipSync } from "node:zlib"
import { FeatureList } from "../../../../workers/speech/transcript/PunctuationFeatures.ts"
import {
  bestClass,
  builtInPunctuation,
  parsePunctuationModel
} from "../../../../workers/speech/transcript/PunctuationModel.ts"

const file = readFileSync(new URL("../../../../models/footnote-punctuation-en.bin.gz", import.meta.url))

describe("parsePunctuationModel", () => {
  it("reads the model that comes with the service, which is at most 1.5 MB, and reads it once", () => {
    assert.isAtMost(file.length, 1_500_000)
    const { cases, list, marks, questions } = builtInPunctuation()
    assert.deepStrictEqual([marks, questions, cases, list].map(({ classes }) => classes), [3, 2, 3, 1])
    for (const { classes, slots, weights } of [marks, questions, cases, list]) {
      assert.strictEqual(slots & (slots - 1), 0)
      assert.strictEqual(weights.length, slots * classes)
    }
    assert.strictEqual(builtInPunctuation(), builtInPunctuation())
  })

  it("refuses a cut file and one of another make", () => {
    const bytes = gunzipSync(file)
    assert.throws(() => parsePunctuationModel(gzipSync(bytes.subarray(0, bytes.length - 1))), RangeError)
    assert.throws(() => parsePunctuationModel(gzipSync("{\"tables\":[]}\n")), RangeError)
  })
})

describe("bestClass", () => {
  it("is the class with the largest sum over the features, the first of equals", () => {
    const table = { slots: 4, classes: 3, scale: 1, weights: Int8Array.from([0, 0, 0, 1, 5, 2, 1, 0, 4, 9, 9, 9]) }
    const list = new FeatureList(4)
    const of = (...indices: ReadonlyArray<number>) => {
      list.clear()
      for (const index of indices) list.indices[list.size++] = index
      return bestClass(table, list)
    }
    assert.strictEqual(of(), 0)
    assert.strictEqual(of(1), 1)
    assert.strictEqual(of(1, 2), 2)
    assert.strictEqual(of(3), 0)
  })
})
