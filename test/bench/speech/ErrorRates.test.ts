import { assert, describe, it } from "@effect/vitest"
import * as fc from "fast-check"
import { execFileSync } from "node:child_process"
import { existsSync, mkdtempSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { align, comparable, rate, tally } from "../../../bench/speech/ErrorRates.ts"

/** NIST's scorer: Debian's `sctk`. */
const sclite = "/usr/lib/sctk/bin/sclite"
const missing = !existsSync(sclite)
if (missing) process.stdout.write(`Word errors are not compared with sclite's: ${sclite} is not here (Debian: sctk)\n`)

/** What recognisers make of what people read. */
const readings = [
  [
    "And Mr. John Dashwood had then leisure to consider how much there might be prudently in his power to do for them.",
    "and mr john guess would have been at leisure to consider how much there might be prickly in his power to do for"
  ],
  ["He was not an ill-disposed young man", "he was not until this blows young man"],
  ["Ask not what your country can do for you", "ask not what your country can do for you"],
  ["It’s the colour of the light that matters", "its the color of light that that matters"],
  ["Thank you", ""]
] as const

const words = fc.array(fc.constantFrom("a", "b", "c"), { maxLength: 8 })

const errors = (a: string, b: string) => align(a.split(" "), b.split(" ")).errors

describe("ErrorRates", () => {
  it("counts the least number of wrong, missing and additional words", () => {
    assert.strictEqual(errors("the cat sat", "the cat sat"), 0)
    assert.strictEqual(errors("the cat sat", "the bat sat"), 1)
    assert.strictEqual(errors("the cat sat", "cat sat down"), 2)
  })

  it("pairs equal words only, in order, and as many as the errors leave", () => {
    fc.assert(fc.property(words, words, (a, b) => {
      const { equal, errors } = align(a, b)
      let [i, j] = [-1, -1]
      for (const [x, y] of equal) {
        assert.strictEqual(a[x], b[y])
        assert.isAbove(x, i)
        assert.isAbove(y, j)
        ;[i, j] = [x, y]
      }
      assert.isAtLeast(equal.length, Math.max(a.length, b.length) - errors)
      assert.strictEqual(errors, align(b, a).errors)
    }))
  })

  it("compares words as they sound, not as they are written", () => {
    assert.deepStrictEqual(comparable("Mr. O’Neill said: ‘No!’ — twice-over"), [
      "mister",
      "o'neill",
      "said",
      "no",
      "twice",
      "over"
    ])
  })

  it.each([
    ["one dollar", "$1"],
    ["five million dollars", "$5 million"],
    ["twenty euros", "20 €"],
    ["twenty, five dollars", "20 $5"],
    ["one kilometer", "1 km"],
    ["twenty twenty-four", "2024"],
    ["two thousand and twenty-four", "2024"],
    ["two thousand fifteen people", "2,015 people"],
    ["two thousand twenty-four people", "2,024 people"],
    ["two thousand four", "2004"],
    ["nineteen hundred", "1900"],
    ["nineteen oh five", "1905"],
    ["first, twelfth, twentieth, twenty-first", "1st, 12th, 20th, 21st"],
    ["naive", "naïve"],
    ["caf\u00e9", "cafe\u0301"]
  ])("counts no error between %s and %s", (said, written) => {
    assert.deepStrictEqual(comparable(written), comparable(said))
  })

  it.each([["one dollar", "$2"], ["third", "3"], ["five dollars", "$5 million"], ["two kilometers", "2 kg"]])(
    "counts an error between %s and %s",
    (said, written) => {
      assert.notDeepEqual(comparable(written), comparable(said))
    }
  )

  it("sums errors over utterances before it divides", () => {
    const [letters, sums] = [{ errors: 0, total: 0 }, { errors: 0, total: 0 }]
    tally(sums, letters, "one two three", "one two three")
    tally(sums, letters, "four", "for")
    assert.strictEqual(rate(sums), 1 / 4)
    assert.strictEqual(rate(letters), 1 / 17)
    assert.strictEqual(rate({ errors: 0, total: 0 }), 0)
  })

  it.skipIf(missing)("counts as many word errors as NIST's sclite on the same words", () => {
    const folder = mkdtempSync(join(tmpdir(), "sclite-"))
    const [reference, heard] = [0, 1].map((side) => {
      const file = join(folder, `${side}.trn`)
      writeFileSync(file, readings.map((pair, i) => `${comparable(pair[side]!).join(" ")} (s-${i})\n`).join(""))
      return file
    })
    const printed = execFileSync(sclite, [
      "-r",
      reference!,
      "trn",
      "-h",
      heard!,
      "trn",
      "-i",
      "rm",
      "-o",
      "rsum",
      "stdout"
    ], {
      encoding: "utf8",
      stdio: ["ignore", "pipe", "pipe"]
    })
    const [, counts, columns] = /\| Sum\s*\|\s*([\d\s]+)\|([^|]*)\|/u.exec(printed)!
    const [, total] = counts!.trim().split(/\s+/u).map(Number)
    const [, , , , errors] = columns!.trim().split(/\s+/u).map(Number)
    const [sum, letters] = [{ errors: 0, total: 0 }, { errors: 0, total: 0 }]
    for (const [said, found] of readings) tally(sum, letters, said, found)
    assert.deepStrictEqual(sum, { errors, total })
  })
})
