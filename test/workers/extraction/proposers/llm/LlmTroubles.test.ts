import { describe, expect, it } from "vitest"
import { extract, extractBy } from "../../../../../workers/extraction/Extract.ts"
import { makeLlmClient } from "../../../../../workers/extraction/proposers/llm/LlmClient.ts"
import { makeLlmProposer } from "../../../../../workers/extraction/proposers/llm/LlmProposer.ts"
import { type Footage, footage, inputOf, meeting } from "../../Footage.ts"
import { KEY, type PlayedModel, playModel, TOKENS } from "./ModelServer.ts"
import { goodMinutes, minutes, run } from "./PlayedRun.ts"

const builtin = (schema: object, source: Footage) => extract(inputOf(schema, source)).result

/** Fails `times` calls first. */
const after = (times: number, trouble: PlayedModel, then: PlayedModel): PlayedModel => (call) =>
  (call.number < times ? trouble : then)(call)

/** A number in each line, asked for as a list: the longer the source, the longer the answer. */
const numbers = { type: "object", properties: { scores: { type: "array", items: { type: "integer" } } } }
const counting = footage(
  Array.from({ length: 16 }, (_, at) => [at * 10, "S1", `Player ${at + 21} is on the field now.`] as const)
)
const counts: PlayedModel = ({ lines }) => ({
  say: lines.map(({ number, text }) => ({
    path: "/scores/*",
    value: Number(/\d+/u.exec(text)![0]),
    quote: text,
    refs: [number]
  }))
})
const all = { scores: Array.from({ length: 16 }, (_, at) => at + 21) }

describe("a truncating model", () => {
  it("is asked in halves until its answers are whole", async () => {
    const { codes, out, server } = await run(
      (call) => call.lines.length > 4 ? { cut: true } : counts(call),
      numbers,
      counting
    )
    expect(out.result).toEqual(all)
    expect(server.calls.map(({ lines }) => lines.length)).toEqual([16, 16, 8, 4, 4, 8, 4, 4])
    expect(server.calls.map(({ body }) => body["max_tokens"]).slice(0, 2)).toEqual([4096, 16_384])
    expect(codes).toEqual([])
    expect(out.tokens).toBe(8 * (TOKENS.prompt_tokens + TOKENS.completion_tokens))
  })

  it("is asked for fewer fields before it is shown less of the source", async () => {
    const { out, server } = await run(
      (call) => {
        if (call.fields.length > 2) return { cut: true }
        const { say } = goodMinutes(call) as Extract<ReturnType<PlayedModel>, { say: unknown }>
        return { say: say.filter(({ path }) => call.fields.includes(path!)) }
      },
      minutes,
      meeting
    )
    expect(out.result).toMatchObject({ project: "Atlas", actions: [{ owner: "Tom" }, {}] })
    expect(new Set(server.calls.map(({ lines }) => lines.length)).size).toBe(1)
  })

  it("that never finishes leaves its fields to the built-in proposer, with a warning", async () => {
    const { codes, out } = await run(() => ({ cut: true }), numbers, counting)
    expect(codes).toEqual(["LLM_INCOMPLETE"])
    expect(out.result).toEqual(builtin(numbers, counting))
  })
})

describe("a slow model", () => {
  it("is given up after two calls without an answer in time, with a warning", async () => {
    const { codes, out, server } = await run(() => ({ hang: true }), numbers, counting, {
      timeout_seconds: 0.2,
      chunk_tokens: 60,
      concurrency: 1
    })
    expect(codes).toEqual(["LLM_UNAVAILABLE"])
    expect(server.calls).toHaveLength(2)
    expect(out.result).toEqual(builtin(numbers, counting))
    expect(out.tokens).toBe(0)
  })

  it("loses one answer and keeps the others", async () => {
    const { codes, out } = await run(after(1, () => ({ hang: true }), counts), numbers, counting, {
      timeout_seconds: 1,
      chunk_tokens: 60,
      concurrency: 1
    })
    expect(codes).toEqual(["LLM_INCOMPLETE"])
    const { scores } = out.result as typeof all
    expect(all.scores).toEqual(expect.arrayContaining(scores))
    expect(scores.length).toBeGreaterThan(8)
  })

  it("is left at once by a job that is cancelled", async () => {
    await using server = await playModel(() => {
      setImmediate(() => cancel.abort(new Error("cancelled")))
      return { hang: true }
    })
    const cancel = new AbortController()
    const proposer = makeLlmProposer(server.endpoint())
    await expect(extractBy(proposer, inputOf(minutes, meeting), cancel.signal)).rejects.toThrow("cancelled")
  })

  it("is not waited for longer than a job has time", async () => {
    await using server = await playModel(() => ({ hang: true }))
    const endpoint = server.endpoint()
    await using client = makeLlmClient(endpoint)
    const out = await extractBy(
      makeLlmProposer(endpoint, client, 0.2),
      inputOf(minutes, meeting),
      new AbortController().signal
    )
    expect(out.warnings.map(({ code }) => code)).toEqual(["LLM_UNAVAILABLE"])
    expect(out.result).toEqual(builtin(minutes, meeting))
  })

  it("is never asked more at a time than the operator allows", async () => {
    const { out, server } = await run(counts, numbers, counting, { chunk_tokens: 40, concurrency: 2 })
    expect(server.calls.length).toBeGreaterThan(4)
    expect(server.most_at_once()).toBe(2)
    expect(out.result).toEqual(all)
  })
})

describe("an endpoint in trouble", () => {
  it.each(
    [
      ["429", { status: 429 }],
      ["500", { status: 500 }],
      ["503 with a page", { status: 503, body: "<html>busy</html>" }],
      ["a lost connection", { disconnect: true }]
    ] as const
  )("is asked again after %s, later each time", async (_, trouble) => {
    const { codes, out, waits } = await run(after(2, () => trouble, goodMinutes), minutes, meeting)
    expect(out.result).toMatchObject({ project: "Atlas" })
    expect(waits).toEqual([500, 1000])
    expect(codes).toEqual([])
    expect(out.tokens).toBe(TOKENS.prompt_tokens + TOKENS.completion_tokens)
  })

  it("is given the pause that it asks for", async () => {
    const { waits } = await run(
      after(1, () => ({ status: 429, headers: { "retry-after": "7" } }), goodMinutes),
      minutes,
      meeting
    )
    expect(waits).toEqual([7000])
  })

  it("that limits the rate without saying for how long is waited for over a minute", async () => {
    const { codes, out, waits } = await run(after(7, () => ({ status: 429 }), goodMinutes), minutes, meeting)
    expect(out.result).toMatchObject({ project: "Atlas" })
    expect(waits).toEqual([500, 1000, 2000, 4000, 8000, 16_000, 32_000])
    expect(codes).toEqual([])
  })

  it("that asks for more than a minute is away", async () => {
    const { codes, server, waits } = await run(
      () => ({ status: 429, headers: { "retry-after": "3600" } }),
      minutes,
      meeting
    )
    expect([codes, server.calls.length, waits]).toEqual([["LLM_UNAVAILABLE"], 1, []])
  })

  it.each(
    [
      ["nobody listens", { status: 502 }, 4],
      ["the key is wrong", { status: 401 }, 1],
      ["the model is unknown", { status: 404 }, 1],
      ["nothing is paid for", { status: 402 }, 1],
      ["it takes no request, however it is put", { status: 400 }, 5],
      ["it points elsewhere", { status: 307, headers: { location: "http://127.0.0.1:9/v1" } }, 1]
    ] as const
  )("is replaced by the built-in proposer, with a warning, where %s", async (_, trouble, calls) => {
    const { codes, out, server } = await run(() => trouble, minutes, meeting)
    expect(codes).toEqual(["LLM_UNAVAILABLE"])
    expect(server.calls).toHaveLength(calls)
    expect(out.result).toEqual(builtin(minutes, meeting))
    expect(out.models).toEqual([{ role: "extract", name: "footnote-extract-builtin", execution_provider: "cpu" }])
    expect(out.warnings[0]!.message).not.toMatch(/127\.0\.0\.1|Incorrect/u)
  })

  it("is not replaced where the operator forbids it: the job fails, to be tried again, and says nothing of the key", async () => {
    await using server = await playModel(() => ({ status: 500 }))
    const endpoint = server.endpoint({ fallback: "fail" })
    const proposer = makeLlmProposer(endpoint, makeLlmClient(endpoint, { wait: () => Promise.resolve() }))
    const failure = await extractBy(proposer, inputOf(minutes, meeting), new AbortController().signal).catch((error) =>
      error
    )
    expect(failure).toMatchObject({ code: "MODEL_UNAVAILABLE", retryable: true })
    expect(String(failure.message)).not.toContain(KEY)
  })

  it.each(["json_schema", "json_object"])("that knows no %s is asked without it, from then on", async (unknown) => {
    const model: PlayedModel = (call) => {
      const format = call.body["response_format"] as { readonly type: string } | undefined
      const refused = format !== undefined && (format.type === unknown || unknown === "json_object")
      return refused ? { status: 400 } : counts(call)
    }
    const { codes, out, server } = await run(model, numbers, counting, { chunk_tokens: 60, concurrency: 1 })
    expect([out.result, codes]).toEqual([all, []])
    const formats = server.calls.map(({ body }) => (body["response_format"] as { type: string } | undefined)?.type)
    const kept = formats.slice(formats.findIndex((format) => format !== "json_schema"))
    expect(new Set(kept.slice(1)).size).toBe(1)
  })

  it.each(
    [
      ["413", { status: 413 }],
      ["400 and why", { status: 400, body: "{\"error\":{\"code\":\"context_length_exceeded\"}}" }]
    ] as const
  )("that finds a request too long, by %s, gets it in halves", async (_, refusal) => {
    const { codes, out } = await run((call) => call.lines.length > 4 ? refusal : counts(call), numbers, counting)
    expect([out.result, codes]).toEqual([all, []])
  })

  it("that finds everything too long is not asked a thousand times", async () => {
    const long = footage(Array.from({ length: 300 }, (_, at) => [at * 2, "S1", `Player ${at} runs.`] as const))
    const { codes, server } = await run(() => ({ status: 413 }), numbers, long)
    expect(codes).toEqual(["LLM_INCOMPLETE"])
    expect(server.calls.length).toBeLessThan(200)
  })

  it("that takes no temperature and another name of the limit is asked so", async () => {
    const { out, server } = await run(
      (call) => "temperature" in call.body || "max_tokens" in call.body ? { status: 400 } : goodMinutes(call),
      minutes,
      meeting
    )
    expect(out.result).toMatchObject({ project: "Atlas" })
    expect(server.calls.at(-1)!.body).toHaveProperty("max_completion_tokens")
  })
})

describe("an answer that is none", () => {
  it("that says no is named a refusal and not asked for again", async () => {
    const { codes, out, server } = await run(() => ({ text: "I am sorry, I cannot do that." }), minutes, meeting)
    expect(codes).toEqual(["LLM_REFUSED"])
    expect(server.calls).toHaveLength(1)
    expect(out.result).toEqual(builtin(minutes, meeting))
  })

  it.each(["null", ""])("is done without where it is no JSON: %j", async (garbage) => {
    const { codes, out, server } = await run(() => ({ text: garbage }), minutes, meeting)
    expect(codes).toEqual(["LLM_INCOMPLETE"])
    expect(server.calls).toHaveLength(1)
    expect(out.result).toEqual(builtin(minutes, meeting))
  })

  it.each(["{\"proposals\": [{\"path\": \"/pro", "[1, 2", "{}"])(
    "is asked for once more and then done without where it breaks off or has another shape: %j",
    async (garbage) => {
      const { codes, out, server } = await run(() => ({ text: garbage }), minutes, meeting)
      expect(codes).toEqual(["LLM_INCOMPLETE"])
      expect(server.calls).toHaveLength(2)
      expect(out.result).toEqual(builtin(minutes, meeting))
      expect(out.tokens).toBe(2 * (TOKENS.prompt_tokens + TOKENS.completion_tokens))
    }
  )

  it("is read from between sentences and from a code fence", async () => {
    const { out } = await run(
      (call) => {
        const { say } = goodMinutes(call) as { readonly say: ReadonlyArray<object> }
        return { text: `Here it is:\n\`\`\`json\n${JSON.stringify({ proposals: say })}\n\`\`\`\nAnything else?` }
      },
      minutes,
      meeting
    )
    expect(out.result).toMatchObject({ project: "Atlas", actions: [{ owner: "Tom" }, {}] })
  })

  it("is read behind what the model thinks aloud, whatever that holds", async () => {
    const { out } = await run(
      (call) => {
        const { say } = goodMinutes(call) as { readonly say: ReadonlyArray<object> }
        return { text: `<think>The form wants {name, [price]} ...</think>\n${JSON.stringify({ proposals: say })}` }
      },
      minutes,
      meeting
    )
    expect(out.result).toMatchObject({ project: "Atlas", actions: [{ owner: "Tom" }, {}] })
  })

  it("of members of any type harms nobody", async () => {
    const odd = [null, 5, "x", [], {}, { path: 1 }, { path: "/project" }, {
      path: "/project",
      value: [1],
      refs: "x",
      quote: 7
    }]
    const { out } = await run(() => ({ text: JSON.stringify({ proposals: odd }) }), minutes, meeting)
    // What the built-in says of this field alone may be held back beside the other fields of the schema.
    const own = builtin({ ...minutes, properties: { project: minutes.properties.project } }, meeting)
    expect([own, {}]).toContainEqual(out.result)
  })
})

describe("a budget", () => {
  it("is never exceeded, and what it leaves open the built-in proposer takes over, with a warning", async () => {
    const most_tokens = 6000
    const { codes, out, server } = await run(counts, numbers, counting, {
      chunk_tokens: 60,
      concurrency: 1,
      most_tokens
    })
    expect(codes).toEqual(["LLM_BUDGET_SPENT"])
    expect(server.calls.length).toBeGreaterThan(0)
    expect(out.tokens).toBe(server.calls.length * (TOKENS.prompt_tokens + TOKENS.completion_tokens))
    expect(out.tokens).toBeLessThanOrEqual(most_tokens)
  })

  it("that is too small for one question asks none", async () => {
    const { codes, out, server } = await run(counts, numbers, counting, { most_tokens: 100 })
    expect([codes, server.calls.length, out.tokens]).toEqual([["LLM_BUDGET_SPENT"], 0, 0])
  })
})

const error = (code: string) => JSON.stringify({ error: { message: `${code} for ${KEY}`, type: code, code } })

describe("an account or a filter that says no for good", () => {
  it("is not waited for where its money is used up", async () => {
    const { codes, server, waits } = await run(
      () => ({ status: 429, body: error("insufficient_quota") }),
      numbers,
      counting
    )
    expect([codes, waits, server.calls.length]).toEqual([["LLM_UNAVAILABLE"], [], 1])
  })

  it("is told as a refusal where the prompt was filtered, and is not asked in other manners", async () => {
    const { codes, server } = await run(() => ({ status: 400, body: error("content_filter") }), numbers, counting)
    expect([codes, server.calls.length]).toEqual([["LLM_REFUSED"], 1])
  })
})
