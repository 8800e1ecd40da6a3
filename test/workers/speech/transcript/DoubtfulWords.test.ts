import { describe, expect, it } from "vitest"
import { seemly } from "../../../../workers/speech/transcript/DoubtfulWords.ts"

const word = (text: string, confidence: number) => ({ t_start: 1, t_end: 2, text, confidence })

describe("seemly", () => {
  it("puts an ellipsis for an obscenity that the recogniser is not sure of, and keeps marks, times and confidence", () => {
    expect(seemly(word("Shit,", 0.7))).toEqual(word("…,", 0.7))
    expect(seemly(word("motherfucker.", 0.2))).toEqual(word("….", 0.2))
  })

  it("keeps an obscenity that is surely said", () => {
    expect(seemly(word("Shit,", 0.95))).toEqual(word("Shit,", 0.95))
  })

  it("keeps every other word, however unsure", () => {
    for (const text of ["cocktail", "Scunthorpe", "document", "Dick", "assess", "shiitake", "titanium"]) {
      expect(seemly(word(text, 0.1))).toEqual(word(text, 0.1))
    }
  })
})
