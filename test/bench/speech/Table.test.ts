import { assert, describe, it } from "@effect/vitest"
import { printed } from "../../../bench/speech/Table.ts"

const table = { titles: ["set", "WER"], rows: [["librispeech", "3.1 %"], ["jfk", ""]] }

describe("Table", () => {
  it("lines its columns up", () => {
    assert.strictEqual(
      printed(table, false),
      ["set            WER", "-----------  -----", "librispeech  3.1 %", "jfk"].join("\n")
    )
  })

  it("is Markdown when it is to be pasted", () => {
    assert.strictEqual(
      printed(table, true),
      [
        "| set         |   WER |",
        "| ----------- | ----: |",
        "| librispeech | 3.1 % |",
        "| jfk         |       |"
      ].join("\n")
    )
  })
})
