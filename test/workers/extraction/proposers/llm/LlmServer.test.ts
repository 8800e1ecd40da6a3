import { describe, expect, it } from "vitest"
import { extractBy } from "../../../../../workers/extraction/Extract.ts"
import type { LlmEndpoint } from "../../../../../workers/extraction/proposers/llm/LlmEndpoint.ts"
import { makeLlmProposer } from "../../../../../workers/extraction/proposers/llm/LlmProposer.ts"
import { footage, inputOf } from "../../Footage.ts"
import { type PlayedModel, playModel } from "./ModelServer.ts"

const signal = new AbortController().signal

const schema = { type: "object", properties: { scores: { type: "array", items: { type: "integer" } } } }
const long = footage(
  Array.from(
    { length: 60 },
    (_, at) => [at * 10, "S1", `Player ${at + 21} is on the field now, as it was said.`] as const
  )
)
const counts: PlayedModel = ({ lines }) => ({
  say: lines.map(({ number, text }) => ({
    path: "/scores/*",
    value: Number(/\d+/u.exec(text)![0]),
    quote: text,
    refs: [number]
  }))
})

/** Ollama's own interface, by its documentation (docs.ollama.com/api), with a model that reads so much at once. */
const ollama = (context_length: number, { file = false } = {}) => {
  const asked: Array<string> = []
  let loaded = false
  const model = "played-model:latest"
  const tell = (path: string, answer: (body: string) => object) => (body: string) => {
    asked.push(path)
    return answer(body)
  }
  const about = {
    "/api/version": tell("version", () => ({ version: "0.12.6" })),
    "/api/ps": tell("ps", () => ({ models: loaded ? [{ name: model, model, context_length }] : [] })),
    "/api/show": tell("show", () => ({
      parameters: `${
        file ? `num_ctx                        ${context_length}\n` : ""
      }stop                           "<|eot|>"`,
      model_info: { "llama.context_length": 131_072 }
    })),
    "/api/generate": tell("generate", () => {
      loaded = true
      return { model, done: true, done_reason: "load" }
    })
  }
  return { asked, about }
}

const extracted = async (
  played: ReturnType<typeof ollama>,
  model: PlayedModel = counts,
  more: Partial<LlmEndpoint> = {}
) => {
  await using server = await playModel(model, played.about)
  const out = await extractBy(makeLlmProposer(server.endpoint(more)), inputOf(schema, long), signal)
  return { out, calls: server.calls }
}

/** As `counts`, and holds that the first claim of each judgement is supported. */
const judging: PlayedModel = (call) =>
  call.system.startsWith("You check")
    ? { text: JSON.stringify({ verdicts: [{ claim: 1, verdict: "supports", score: 0.9 }] }) }
    : counts(call)

describe("a server that cuts what is longer than its context", () => {
  it("is sent no more than it reads at once, and the job says what would help", async () => {
    for (const file of [false, true]) {
      const played = ollama(2048, { file })
      const { calls, out } = await extracted(played)
      expect(played.asked).toEqual(file ? ["version", "show", "ps"] : ["version", "show", "ps", "generate", "ps"])
      expect(calls.length).toBeGreaterThan(1)
      for (const { prompt, system } of calls) expect((prompt.length + system.length) / 4).toBeLessThan(2048)
      expect(out.result).toEqual({ scores: Array.from({ length: 60 }, (_, at) => at + 21) })
      const warning = out.warnings.find(({ code }) => code.startsWith("LLM_"))
      expect(warning).toMatchObject({ code: "LLM_CONTEXT_SMALL" })
      expect(warning!.message).toContain("OLLAMA_CONTEXT_LENGTH")
      expect(out.asked?.["served_by"]).toEqual([{ model: "played-model-2", build: "ollama 0.12.6" }])
    }
  })

  it("is asked to judge no more than it reads at once", async () => {
    const { calls } = await extracted(ollama(2048), judging, { judge: true })
    const judged = calls.filter(({ system }) => system.startsWith("You check"))
    expect(judged.length).toBeGreaterThan(4)
    for (const { prompt, system } of judged) expect((prompt.length + system.length) / 4).toBeLessThan(2048)
  })

  it("that has read as much as it can has cut the prompt, which is told, and what it judges then is not taken", async () => {
    const played = ollama(1000)
    const { out } = await extracted(
      played,
      judging,
      { judge: true }
    )
    expect(out.warnings.map(({ code }) => code)).toContain("LLM_PROMPT_CUT")
    expect(out.evidence.spans.some(({ checks }) => checks.judged_by === "model")).toBe(false)
  })

  it("is asked as any other where it reads enough", async () => {
    const { calls, out } = await extracted(ollama(32_768))
    expect(calls).toHaveLength(1)
    expect(out.warnings.filter(({ code }) => code.startsWith("LLM_"))).toEqual([])
  })

  it("is named by its build where it is no Ollama, and is asked for it once", async () => {
    let asked = 0
    const version = () => {
      asked++
      return { version: "0.11.0" }
    }
    await using server = await playModel(counts, { "/version": version })
    const propose = makeLlmProposer(server.endpoint())
    for (const _ of [1, 2]) {
      const out = await extractBy(propose, inputOf(schema, long), signal)
      expect(out.asked?.["served_by"]).toEqual([{ model: "played-model-2", build: "vllm 0.11.0" }])
    }
    expect(asked).toBe(1)
  })
})
