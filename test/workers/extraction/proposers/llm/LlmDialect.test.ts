import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { describe, expect, it } from "vitest"
import { extractBy } from "../../../../../workers/extraction/Extract.ts"
import { makeLlmClient } from "../../../../../workers/extraction/proposers/llm/LlmClient.ts"
import { makeLlmProposer } from "../../../../../workers/extraction/proposers/llm/LlmProposer.ts"
import { inputOf, meeting } from "../../Footage.ts"
import { KEY, type PlayedModel, playModel, TOKENS } from "./ModelServer.ts"
import { goodMinutes, minutes } from "./PlayedRun.ts"

const asked = { messages: [{ role: "user", content: "?" }], schema: {}, most_output_tokens: 10 } as const
const signal = new AbortController().signal

const unasked = {
  model: "m",
  key: null,
  timeout_seconds: 30,
  chunk_tokens: 1000,
  most_tokens: 1000,
  input_price: 0,
  output_price: 0,
  fallback: "builtin"
} as const

/** A model behind Anthropic's Messages API. */
const behindMessages = async (model: PlayedModel) => {
  const server = await playModel(model)
  const endpoint = server.endpoint({ url: `${server.url}/messages` })
  const client = makeLlmClient(endpoint, { wait: async () => {} })
  return {
    server,
    client,
    endpoint,
    [Symbol.asyncDispose]: async () => {
      await client[Symbol.asyncDispose]()
      await server[Symbol.asyncDispose]()
    }
  }
}

describe("an endpoint that speaks Anthropic's messages", () => {
  it("is asked in their form, with its key in its own header, and its cached tokens are counted", async () => {
    await using played = await behindMessages(goodMinutes)
    const { client, endpoint, server } = played
    const out = await extractBy(makeLlmProposer(endpoint, client), inputOf(minutes, meeting), signal)
    expect(out.result).toMatchObject({ project: "Atlas", migration_done: true, actions: [{ owner: "Tom" }, {}] })
    expect(out.evidence.spans[0]?.proposed_by).toBe("llm:played-model")
    const [{ body, headers, system }] = server.calls as [typeof server.calls[number]]
    expect([headers["x-api-key"], headers["authorization"], headers["anthropic-version"]])
      .toEqual([KEY, undefined, "2023-06-01"])
    expect(system).not.toBe("")
    expect(body).toMatchObject({
      model: "played-model",
      max_tokens: 4096,
      messages: [{ role: "user" }],
      output_config: { format: { type: "json_schema", schema: { type: "object" } } }
    })
    expect(body).not.toHaveProperty("response_format")
    expect(out.tokens).toBe(server.calls.length * (TOKENS.prompt_tokens + TOKENS.completion_tokens))
  })

  it("is asked without schema and temperature where it takes neither, and so at once the next time", async () => {
    await using played = await behindMessages(({ body }) =>
      body["output_config"] === undefined && body["temperature"] === undefined
        ? { text: "{}" }
        : { status: 400, body: "{}" }
    )
    const { client, server } = played
    await client.ask(asked, signal)
    expect(server.calls.length).toBe(4)
    await client.ask(asked, signal)
    expect(server.calls.length).toBe(5)
  })

  it("is heard where it is cut off and where it refuses", async () => {
    await using cut = await behindMessages(() => ({ cut: true }))
    expect(await cut.client.ask(asked, signal)).toMatchObject({ finish: "length" })
    await using refusing = await behindMessages(() => ({ text: "", refuses: true }))
    expect(await refusing.client.ask(asked, signal)).toMatchObject({ finish: "other", refused: true })
  })
})

describe("an endpoint that is asked too much", () => {
  it("is asked by one call at a time where it refuses four at once, until each has its answer", async () => {
    const held: Array<(status: number) => void> = []
    let came: (() => void) | undefined
    const server = createServer((request, response) => {
      request.resume().on("end", () => {
        held.push((status) => {
          response.writeHead(status, { "content-type": "application/json" })
          response.end(
            status === 204
              ? undefined
              : JSON.stringify({ content: [{ type: "text", text: "{}" }], stop_reason: "end_turn" })
          )
        })
        came?.()
      })
    })
    await new Promise<void>((resume) => server.listen(0, "127.0.0.1", resume))
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1/messages`
    const holding = async (count: number) => {
      while (held.length < count) await new Promise<void>((resume) => came = resume)
      return held.splice(0, count)
    }
    const most = 4
    await using client = makeLlmClient({ ...unasked, url, concurrency: most }, { wait: async () => {} })
    const answers = Array.from({ length: most }, () => client.ask(asked, signal))
    for (const answer of await holding(most)) answer(429)
    const [alone] = await holding(1)
    // Somebody else's request goes the same way, and nothing came before it.
    const other = fetch(url, { method: "POST", body: "{}" })
    for (const answer of await holding(1)) answer(204)
    expect((await other).status).toBe(204)
    expect(held).toEqual([])
    alone!(200)
    for (let left = most - 1; left > 0; left--) for (const answer of await holding(1)) answer(200)
    expect((await Promise.all(answers)).length).toBe(most)
    await new Promise((resume) => {
      server.close(resume)
      server.closeAllConnections()
    })
  })
})
