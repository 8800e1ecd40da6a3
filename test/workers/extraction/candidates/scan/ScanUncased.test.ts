import * as fc from "fast-check"
import { describe, expect, it } from "vitest"
import { isUncased, scanUncased } from "../../../../../workers/extraction/candidates/scan/ScanUncased.ts"
import { extract } from "../../../../../workers/extraction/Extract.ts"
import { footage, inputOf, materialOf } from "../../Footage.ts"

const passagesOf = (...texts: ReadonlyArray<string>) =>
  materialOf(texts.map((text, at) => [at * 10, "S1", text])).reading.passages

describe("isUncased", () => {
  it("tells speech without capitals from speech with them, whatever is on screen", () => {
    expect(isUncased(passagesOf("we met in oslo", "and i'm glad we did"))).toBe(true)
    expect(isUncased(passagesOf("We met in Oslo.", "And I'm glad we did."))).toBe(false)
    expect(isUncased([])).toBe(false)
    expect(isUncased(materialOf([[0, "S1", "we met in oslo"]], [[0.5, ["Oslo Harbour"]]]).reading.passages)).toBe(true)
  })
})

describe("scanUncased", () => {
  it("offers what may be a name and no ordinary words", () => {
    const texts = passagesOf("please book a table at harbour kitchen in rotterdam").flatMap(scanUncased).map(
      ({ text }) => text
    )
    expect(texts).toEqual(expect.arrayContaining(["harbour kitchen", "rotterdam"]))
    expect(texts).not.toContain("book")
    expect(texts).not.toContain("table")
  })

  it("offers stretches of the passage itself, at most five words, at most five a word", () => {
    const word = fc.constantFrom("harbour", "kitchen", "and", "the", "of", "please", "four", "oslo", "vs", "?", "4")
    fc.assert(fc.property(fc.array(word, { minLength: 1, maxLength: 40 }), (words) => {
      const [passage] = passagesOf(words.join(" "))
      const found = scanUncased(passage!)
      for (const { from, text, to } of found) {
        expect(passage!.text.slice(from, to)).toBe(text)
        expect(text.split(" ").length).toBeLessThanOrEqual(5)
      }
      expect(found.length).toBeLessThanOrEqual(5 * words.length)
    }))
  })
})

describe("speech without capitals", () => {
  const schema = {
    type: "object",
    properties: {
      city: { type: "string", description: "City where the restaurant is" },
      restaurant_name: { type: "string", description: "Name of the restaurant" }
    }
  }

  it("still gives names, word for word", () => {
    const { evidence, graph, result } = extract(inputOf(
      schema as never,
      footage([
        [0, "S1", "i'd like to reserve a table at a restaurant in rotterdam"],
        [8, "S2", "there is a restaurant called harbour kitchen in rotterdam"],
        [16, "S1", "that sounds good"],
        [20, "S2", "please confirm a table at harbour kitchen in rotterdam"],
        [26, "S1", "yes that is right"]
      ])
    ))
    expect(result).toEqual({ city: "rotterdam", restaurant_name: "harbour kitchen" })
    expect(evidence.spans.map(({ quote, value }) => [quote, value])).toEqual(
      expect.arrayContaining([["rotterdam", "rotterdam"], ["harbour kitchen", "harbour kitchen"]])
    )
    // A guess is for the ranker alone: no node is made of it.
    expect(graph.nodes.filter(({ kind }) => kind === "entity")).toEqual([])
  })
})
