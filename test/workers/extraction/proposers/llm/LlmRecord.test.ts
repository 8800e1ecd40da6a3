import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, describe, expect, it } from "vitest"
import { extractBy } from "../../../../../workers/extraction/Extract.ts"
import type { LlmEndpoint } from "../../../../../workers/extraction/proposers/llm/LlmEndpoint.ts"
import { makeLlmProposer } from "../../../../../workers/extraction/proposers/llm/LlmProposer.ts"
import { inputOf, meeting } from "../../Footage.ts"
import { KEY, type PlayedModel, playModel } from "./ModelServer.ts"
import { goodMinutes, minutes } from "./PlayedRun.ts"

const folders: Array<string> = []
const folder = (): string => {
  const made = mkdtempSync(join(tmpdir(), "footnote-record-"))
  folders.push(made)
  return made
}
afterAll(() => folders.forEach((made) => rmSync(made, { recursive: true })))

const signal = new AbortController().signal
const extracted = (endpoint: LlmEndpoint, schema: object = minutes) =>
  extractBy(makeLlmProposer(endpoint), inputOf(schema, meeting), signal)

/** One that is asked twice about the same lines, is cut off at first, and judges itself. */
const fussy: PlayedModel = (call) =>
  call.number === 0 ? { cut: true } : call.system.startsWith("You check") ? { text: "{}" } : goodMinutes(call)

describe("recorded answers of a model", () => {
  it("give the same result, evidence, graph and manifest facts once more, byte for byte, with no endpoint", async () => {
    const record = folder()
    await using server = await playModel(fussy)
    const endpoint = server.endpoint({ judge: true, chunk_tokens: 60 })
    const first = await extracted({ ...endpoint, record })
    expect(server.calls.length).toBeGreaterThan(3)
    const { calls: { length } } = server
    const again = await extracted({ ...endpoint, url: "http://127.0.0.1:1/v1", replay: record })
    expect(JSON.stringify(again)).toBe(JSON.stringify(first))
    expect(server.calls).toHaveLength(length)
    expect(first.asked).toMatchObject({
      requests: length,
      served_by: [{ model: "played-model-2", build: "fp_played" }]
    })
  })

  it.each<readonly [string, PlayedModel]>([
    [
      "a question that came to nothing",
      (call) =>
        call.fields.length > 0 && call.lines[0]?.number === 0 ? { status: 200, body: "<html>" } : goodMinutes(call)
    ],
    ["the same question with another answer", (call) => call.number === 0 ? { text: "{ none" } : goodMinutes(call)],
    ["an endpoint that goes away", (call) => call.number > 1 ? { status: 401 } : goodMinutes(call)]
  ])("give %s once more, too", async (_, model) => {
    const record = folder()
    await using server = await playModel(model)
    const endpoint = server.endpoint({ chunk_tokens: 60, concurrency: 1 })
    const first = await extracted({ ...endpoint, record })
    const again = await extracted({ ...endpoint, url: "http://127.0.0.1:1/v1", replay: record })
    expect(JSON.stringify(again)).toBe(JSON.stringify(first))
  })

  it("lie in files that their owner alone reads and that do not hold the key", async () => {
    const record = folder()
    await using server = await playModel(goodMinutes)
    await extracted({ ...server.endpoint(), record })
    const files = readdirSync(record)
    expect(files.length).toBeGreaterThan(1)
    for (const name of files) {
      expect(statSync(join(record, name)).mode & 0o077).toBe(0)
      expect(readFileSync(join(record, name), "utf8")).not.toContain(KEY)
    }
  })

  it("answer nothing else: another question is told as a model that is away", async () => {
    const record = folder()
    await using server = await playModel(goodMinutes)
    const endpoint = server.endpoint()
    await extracted({ ...endpoint, record })
    const other = await extracted({ ...endpoint, replay: record }, {
      type: "object",
      properties: { project: { type: "string", description: "Something else" } }
    })
    expect(other.warnings.map(({ code, message }) => [code, message.includes("FOOTNOTE_LLM_REPLAY")])).toEqual([
      ["LLM_UNAVAILABLE", true]
    ])
    expect(server.calls).toHaveLength(1)
  })
})

describe("what a manifest says of a model's answers", () => {
  it("is the same for the same questions, and another hash for other ones", async () => {
    await using server = await playModel(goodMinutes)
    const [one, same, other] = [
      await extracted(server.endpoint()),
      await extracted(server.endpoint()),
      await extracted(server.endpoint(), { type: "object", properties: { project: { type: "string" } } })
    ]
    expect(same.asked).toEqual(one.asked)
    expect(other.asked?.["prompts"]).toEqual(one.asked?.["prompts"])
    expect(other.asked?.["requests_sha256"]).not.toEqual(one.asked?.["requests_sha256"])
  })
})
