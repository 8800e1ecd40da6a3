import { createServer, type ServerResponse } from "node:http"
import type { AddressInfo } from "node:net"
import { describe, expect, it } from "vitest"
import { makeLlmClient } from "../../../../../workers/extraction/proposers/llm/LlmClient.ts"
import { type ChatRequest, dialectOf } from "../../../../../workers/extraction/proposers/llm/LlmDialect.ts"
import type { LlmEndpoint } from "../../../../../workers/extraction/proposers/llm/LlmEndpoint.ts"
import { openLedger } from "../../../../../workers/extraction/proposers/llm/LlmLedger.ts"
import { estimateTokens } from "../../../../../workers/extraction/proposers/llm/LlmParts.ts"

const usage = { prompt_tokens: 1000, completion_tokens: 500 }
const completion = (content: unknown) =>
  JSON.stringify({ choices: [{ finish_reason: "stop", message: { content } }], usage })

const asked: ChatRequest = { messages: [{ role: "user", content: "u" }], schema: {}, most_output_tokens: 9 }
const pictured = (data: string): ChatRequest => ({
  ...asked,
  pictures: [{ caption: "c", data, sha256: "0".repeat(64), width: 1, height: 1 }]
})
const signal = new AbortController().signal

/** An endpoint that answers each request as it is told. */
const serving = async (answer: (body: string, response: ServerResponse) => void, more: Partial<LlmEndpoint> = {}) => {
  let calls = 0
  const server = createServer((request, response) => {
    const parts: Array<Buffer> = []
    request.on("data", (part: Buffer) => parts.push(part))
    request.on("end", () => {
      calls++
      answer(Buffer.concat(parts).toString(), response)
    })
  })
  await new Promise<void>((resume) => server.listen(0, "127.0.0.1", resume))
  const client = makeLlmClient({
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    model: "m",
    key: null,
    timeout_seconds: 30,
    concurrency: 1,
    chunk_tokens: 1000,
    most_tokens: 10_000,
    input_price: 0,
    output_price: 0,
    fallback: "builtin",
    ...more
  }, { wait: async () => {} })
  return {
    client,
    calls: () => calls,
    [Symbol.asyncDispose]: async () => {
      await client[Symbol.asyncDispose]()
      server.closeAllConnections()
      server.close()
    }
  }
}

describe("a question that waits for its turn", () => {
  it("is left at once where its job is cancelled, and the next has its turn", async () => {
    const held: Array<ServerResponse> = []
    await using endpoint = await serving((_, response) => void held.push(response))
    const first = endpoint.client.ask(asked, signal)
    const cancel = new AbortController()
    const second = endpoint.client.ask(asked, cancel.signal)
    const third = endpoint.client.ask(asked, signal)
    await expect.poll(() => held.length).toBe(1)
    cancel.abort(new Error("cancelled"))
    await expect(second).rejects.toThrow("cancelled")
    held[0]!.end(completion("{}"))
    await first
    await expect.poll(() => held.length).toBe(2)
    held[1]!.end(completion("{}"))
    await third
    expect(endpoint.calls()).toBe(2)
  })
})

const refuse = (response: ServerResponse, message: string) =>
  response.writeHead(400).end(JSON.stringify({ error: { message } }))

describe("pictures that an endpoint refuses", () => {
  it.each([
    "The image data you provided does not represent a valid image.",
    "Could not process image",
    "invalid_image_format"
  ])("are left out of that question alone where one cannot be read: %s", async (message) => {
    await using endpoint = await serving((body, response) =>
      body.includes("QkFE") ? refuse(response, message) : response.end(completion("{}"))
    )
    const unseen: Array<boolean> = []
    for (const data of ["QkFE", "R09PRA==", "QkFE", "R09PRA=="]) {
      unseen.push((await endpoint.client.ask(pictured(data), signal)).unseen ?? false)
    }
    expect(unseen).toEqual([true, false, true, false])
    // Not tried in every manner first.
    expect(endpoint.calls()).toBe(6)
  })

  it.each(["This model does not support image input.", "unknown variant image_url, expected text"])(
    "are sent no more where its model sees none: %s",
    async (message) => {
      await using endpoint = await serving((body, response) =>
        body.includes("R09PRA==") ? refuse(response, message) : response.end(completion("{}"))
      )
      for (const _ of [1, 2, 3]) await endpoint.client.ask(pictured("R09PRA=="), signal)
      expect(endpoint.calls()).toBe(4)
    }
  )
})

describe("an answer of an endpoint", () => {
  const { answerOf } = dialectOf({ url: "http://127.0.0.1/v1", key: null })

  it.each([
    ["no choice", { choices: [], usage }],
    ["no message", { choices: [{ finish_reason: "length", message: null }], usage }]
  ])("with %s costs what it counts", (_, body) => {
    expect(answerOf(JSON.stringify(body))).toMatchObject({ text: "", input_tokens: 1000, output_tokens: 500 })
  })

  it("with neither is none", () => {
    expect(answerOf(JSON.stringify({ error: { code: 429 } }))).toBeNull()
  })

  it("is read from parts, without what the model thought, and behind a byte order mark", () => {
    const parts = [{ type: "thinking", thinking: [{ type: "text", text: "hm" }] }, { type: "text", text: "{}" }]
    expect(answerOf(`\ufeff${completion(parts)}`)).toMatchObject({ text: "{}", finish: "stop" })
  })

  it("is asked for as plain text of bytes", async () => {
    let encoding: unknown
    await using endpoint = await serving((_, response) => {
      encoding = response.req.headers["accept-encoding"]
      response.end(completion("{}"))
    })
    await endpoint.client.ask(asked, signal)
    expect(encoding).toBe("identity")
  })
})

describe("tokens that are estimated", () => {
  it.each([
    ["a sentence of plain words here", 8],
    ["本日の会議では来年度", 10],
    ["Привет как дела", 7]
  ])("are as many as tokenisers make of the letters: %s", (text, tokens) => {
    expect(estimateTokens(text)).toBe(tokens)
  })

  it("are never more than a job may spend, whatever it is written in", () => {
    const ledger = openLedger({ input_price: 0, output_price: 0, most_tokens: 1000 })
    expect(ledger.affords({ ...asked, messages: [{ role: "user", content: "会".repeat(900) }] })).toBe(true)
    expect(ledger.affords({ ...asked, messages: [{ role: "user", content: "会".repeat(1000) }] })).toBe(false)
  })
})
