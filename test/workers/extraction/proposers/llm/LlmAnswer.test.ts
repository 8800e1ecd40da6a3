import { describe, expect, it } from "vitest"
import { readAnswer } from "../../../../../workers/extraction/proposers/llm/LlmAnswer.ts"

const proposal = { path: "/a", item: null, value: "x", quote: "x", refs: [1], formula: null }
const one = JSON.stringify(proposal)
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

  it.each([
    ["a comma behind the last", `{"proposals":[${one},${JSON.stringify({ ...proposal, refs: [] })},]}`, ["x", "x"]],
    ["a value that is no JSON", `{"proposals":[${one},{"path":"/a","value":NaN,"refs":[]}]}`, ["x"]],
    ["a member that is no object", `{"proposals":[${one},"none"]}`, ["x"]],
    ["one alone", one, ["x"]],
    ["one a line", `${one}\n${one}`, ["x", "x"]],
    ["a stray quotation mark before it", `Values like {a", b}: ${answer}`, ["x"]],
    ["an object around it", `{"answer":${answer}}`, ["x"]],
    ["a cut behind the first", `{"proposals":[${one},{"path":"/a","val`, ["x"]]
  ])("reads every whole proposal of an answer with %s", (_, text, values) => {
    expect(valuesOf(text)).toEqual(values)
  })

  it.each([
    `{"proposals":[{"path":"/a","value":NaN,"refs":[]}]}`,
    `{"path":"/a","value":x,"refs":[]}`,
    `{"proposals":[{"field":"/a","value":"x"}]}`,
    `{"proposals":[{"path":"/other","value":"x"}]}`
  ])("takes no answer that it cannot read for one that found nothing: %j", (text) => {
    expect(readAnswer(text, ["/a"])).toBeUndefined()
  })

  it.each([
    [`{"proposals":[${JSON.stringify({ ...proposal, value: "a </think> b" })}]}`],
    [`<think>hm</think>{"proposals":[${JSON.stringify({ ...proposal, value: "a </think> b" })}]}`]
  ])("takes no tag that is quoted for the end of a thought: %j", (text) => {
    expect(valuesOf(text)).toEqual(["a </think> b"])
  })

  it.each(["a", "$.a", "$/a", "/a"])("knows the field by the path %j", (path) => {
    expect(readAnswer(JSON.stringify({ proposals: [{ ...proposal, path }] }), ["/a"])?.proposals[0]?.path).toBe("/a")
  })

  it.each([["an object", { toString: 1 }], ["an array", [[1]]], ["a number without end", "1e999"]])(
    "leaves out a value that is %s",
    (_, value) => {
      const text = JSON.stringify({ proposals: [proposal, { ...proposal, value }] }).replace("\"1e999\"", "1e999")
      expect(valuesOf(text)).toEqual(["x"])
    }
  )

  it.each([
    ["brackets", "[".repeat(2_000_000)],
    ["braces and names", "{\"a".repeat(500_000)],
    ["objects that are none", "{a}".repeat(500_000)],
    ["levels that end", `${"[".repeat(500_000)}${"]".repeat(500_000)}`],
    ["levels around what is no JSON", `${"{\"a\":".repeat(200_000)}NaN${"}".repeat(200_000)}`],
    ["proposals of nothing", `{"proposals":[${"{\"a\":1},".repeat(200_000)}`]
  ])("reads what an endpoint sends to harm it in one pass: %s", (_, text) => {
    const began = performance.now()
    expect(readAnswer(text, ["/a"])).toBeUndefined()
    expect(performance.now() - began).toBeLessThan(5000)
  })

  it("takes texts and numbers alone for lines, quotes and items, however deep anything else is nested", () => {
    const deep = `${"[".repeat(20_000)}${"]".repeat(20_000)}`
    const text = `{"proposals":[{"path":"/a","value":"x","quote":${deep},"refs":${deep},"item":${deep}}]}`
    expect(readAnswer(text, ["/a"])?.proposals).toEqual([
      { path: "/a", item: "", value: "x", quote: "", refs: [] }
    ])
    expect(
      readAnswer("{\"proposals\":[{\"path\":\"/a\",\"value\":\"x\",\"refs\":[\"\",\" \",\"-1\",1.5]}]}", ["/a"])
        ?.proposals[0]?.refs
    )
      .toEqual([])
    expect(readAnswer(`{"proposals":[{"path":"/a","value":"x","refs":["2",3,null,true]}]}`, ["/a"])?.proposals[0]?.refs)
      .toEqual([2, 3])
  })
})
