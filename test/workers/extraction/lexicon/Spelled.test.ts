import { describe, expect, it } from "vitest"
import { spells } from "../../../../tools/verify-evidence/Spelling.ts"
import { spelledIn } from "../../../../workers/extraction/lexicon/Spelled.ts"
import { tokenise } from "../../../../workers/extraction/text/Tokens.ts"

const spelled = (text: string) => spelledIn(text, tokenise(text)).map(({ value }) => value)

const counted = (text: string) => spelledIn(text, tokenise(text)).map((one) => one.counted)

describe("spelledIn", () => {
  const said = [
    ["Oh seven seven, double zero, nine hundred, one four six.", "07700900146"],
    ["It says K V, then three, zero, seven, one.", "KV3071"],
    ["The barrier code is four four one nine, then press the hash key.", "4419"],
    ["H as in hotel, four four zero, nine two seven, K.", "H440927K"],
    ["Kilo Tango, seven, four, Whiskey, Echo, Romeo", "KT74WER"],
    ["Eight oh two A.", "802A"],
    ["tag zero nine eight two", "0982"],
    ["Two-oh-nine at the door", "209"],
    ["T-K-nine-zero-three-seven-L", "TK9037L"]
  ] as const

  it("writes what is spelled without blanks, with every figure, and another program reads the same", () => {
    for (const [text, value] of said) {
      expect(spelled(text)).toEqual([value])
      expect(spells(text, value)).toBe(true)
      expect(spells(text, `${value.slice(0, -1)}X`)).toBe(false)
    }
  })

  it("leaves what is written with its hyphens, slashes and blanks, and so does another program", () => {
    for (const text of ["27-0318-B", "07700 900146", "KV 3071", "P/24/0317"]) {
      expect(spelled(`It is ${text}.`).filter((value) => value !== text)).toEqual([])
      expect(spells(text, text.replaceAll(/[^A-Z0-9]/gu, ""))).toBe(false)
    }
    expect(spelled("rooms 101, 102, 103")).toEqual([])
  })

  it("leaves out what is taken back, said twice over or goes on in other words", () => {
    expect(spelled("Nine hundred, one four six. Sorry, one six four.")).toEqual(["164"])
    expect(spelled("Item 7B, seven B as in boy.")).toEqual([])
    expect(spelled("H, four four zero, then a dash, I think.")).toEqual([])
  })

  it("finds nothing in what is counted and dated", () => {
    expect(spelled("I have two and three apples, three, I think, in November 2024.")).toEqual([])
  })

  it("tells what may as well be several numbers in a row from one that is spelled", () => {
    for (
      const text of ["one, two, three, four", "forty, fifty, sixty", "seven, eight hundred, nine", "three two one"]
    ) {
      expect(counted(text)).toEqual([true])
    }
    for (
      const text of ["Oh seven seven, double zero, nine hundred, one four six.", "four, four, one", "K V, three, zero"]
    ) {
      expect(counted(text)).toEqual([false])
    }
  })
})
