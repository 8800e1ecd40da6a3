import { describe, expect, it } from "vitest"
import { readAnswer } from "../../../../../workers/extraction/proposers/llm/LlmAnswer.ts"

const proposal = { path: "/a", item: null, value: "x", quote: "x", refs: [1], formula: null }
const answer = JSON.stringify({ proposals: [proposal] })
const valuesOf = (text: string) => readAnswer(text, ["/a"])?.proposals.map(({ value }) => value)

describe("readAnswer", () => {
  it.each([
    `<think>{"proposals":[{"path":"/a","value":"thought"}]}</think>${answer}`,
    `<THINK>one</think> <think>two</THINK> ${answer}`,
    `{"proposals":[{"path":"/a","value":"cut off"}]}</think> ${answer}`,
    `<reasoning>a <think> b</reasoning>${answer}`
  ])("passes over what a model thinks aloud: %j", (text) => {
    expect(valuesOf(text)).toEqual(["x"])
  })

  it("reads what stands behind thoughts that nothing closes, however many begin", () => {
    expect(valuesOf(`<think>${answer}`)).toEqual(["x"])
    // By a search for its end from each of them these took minutes.
    expect(valuesOf(`${"<think><thought>".repeat(100_000)}${answer}`)).toEqual(["x"])
  })

  it("takes texts and numbers alone for lines, quotes and items, however deep anything else is nested", () => {
    const deep = `${"[".repeat(20_000)}${"]".repeat(20_000)}`
    const text = `{"proposals":[{"path":"/a","value":"x","quote":${deep},"refs":${deep},"item":${deep}}]}`
    expect(readAnswer(text, ["/a"])?.proposals).toEqual([
      { path: "/a", item: "", value: "x", quote: "", refs: [] }
    ])
    expect(readAnswer(`{"proposals":[{"path":"/a","value":"x","refs":["2",3,null,true]}]}`, ["/a"])?.proposals[0]?.refs)
      .toEqual([2, 3])
  })
})
