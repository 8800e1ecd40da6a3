import { mkdtempSync, readFileSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { setImmediate as turn } from "node:timers/promises"
import { afterAll, describe, expect, it } from "vitest"
import { isReaderInstalled } from "../../../../../src/model-stacks/ReaderRuntime.ts"
import { resultValidator } from "../../../../../src/schemas/json-schema/ResultValidator.ts"
import { extract, extractBy } from "../../../../../workers/extraction/Extract.ts"
import { wireSchema } from "../../../../../workers/extraction/proposers/llm/LlmAnswer.ts"
import type { ChatRequest } from "../../../../../workers/extraction/proposers/llm/LlmDialect.ts"
import { openLlamaReader } from "../../../../../workers/extraction/proposers/reader/LlamaReader.ts"
import { makeReaderProposer } from "../../../../../workers/extraction/proposers/reader/ReaderProposer.ts"
import { makeModelShelf } from "../../../../../workers/onnx/ModelShelf.ts"
import { footage, inputOf } from "../../Footage.ts"
import { expectSound } from "../../Soundness.ts"
import { writeToyReader } from "./ToyReader.ts"

const root = mkdtempSync(join(tmpdir(), "footnote-reader-"))
afterAll(() => rmSync(root, { recursive: true }))

const here = isReaderInstalled()

const settings = {
  timeout_seconds: 60,
  concurrency: 4,
  chunk_tokens: 12_000,
  most_tokens: 500_000,
  input_price: 2,
  output_price: 8,
  fallback: "builtin",
  judge: false,
  graph: false,
  pictures: "auto"
} as const

/** One proposal for the field `/project`, in pieces that are a token each. */
const answers = [
  "{\"proposals\": [{\"path\": \"/project\", \"item\": null, \"value\": \"",
  "Atlas",
  "\", \"quote\": \"",
  "Atl",
  "as\", \"refs\": [0], \"formula\": null}]}"
]
const schema = wireSchema(["/project", "/done"])
const isForm = resultValidator(schema as never)
const asking = (more: Partial<ChatRequest> = {}): ChatRequest => ({
  messages: [{ role: "system", content: "You find facts." }, { role: "user", content: "[0|S1|00:00] Atlas it is." }],
  schema,
  most_output_tokens: 256,
  ...more
})
const never = new AbortController().signal

/** Text without end: it can only be cut off, or stopped. */
const endless = [answers[0]!, "Atlas and ", "so on "]

/** Megabytes of memory that this process holds. */
const resident = () => Number(/VmRSS:\s+(\d+)/u.exec(readFileSync("/proc/self/status", "utf8"))![1]) / 1024

describe.skipIf(!here)("a local language model", () => {
  it("answers in the form that proposals have, whatever its weights", async () => {
    for (const pieces of [answers, null]) {
      await using reader = await openLlamaReader(writeToyReader(root, pieces))
      const { finish, output_tokens, served_by, text } = await reader.ask(asking(), never)
      expect(finish).toBe("stop")
      expect(isForm(JSON.parse(text))).toBeUndefined()
      if (pieces !== null) expect(text).toBe(pieces.join(""))
      expect(output_tokens).toBeGreaterThan(0)
      expect(served_by!.model).toMatch(/^toy-reader@[0-9a-f]{12}$/u)
      expect(served_by!.build).toMatch(/^node-llama-cpp \S+, llama\.cpp \S+, template [0-9a-f]{12}$/u)
    }
  })

  it("is cut off at the limit, and answers nothing that exceeds its context", async () => {
    await using reader = await openLlamaReader(writeToyReader(root, endless, { forever: true }))
    expect(await reader.ask(asking({ most_output_tokens: 40 }), never)).toMatchObject({ finish: "length" })
    const long = asking({ messages: [{ role: "user", content: "Atlas. ".repeat(2000) }] })
    await expect(reader.ask(long, never)).rejects.toMatchObject({ too_large: true })
  })

  it("stops in the middle of an answer when it is cancelled, and answers the next question as ever", async () => {
    await using reader = await openLlamaReader(writeToyReader(root, endless, { forever: true }))
    const controller = new AbortController()
    const asked = reader.ask(asking({ most_output_tokens: 3000 }), controller.signal)
    const waiting = new AbortController()
    const behind = reader.ask(asking(), waiting.signal)
    while (reader.tokens() < 60) await turn()
    waiting.abort(new Error("not wanted any more"))
    controller.abort(new Error("the job was cancelled"))
    await expect(behind).rejects.toThrow("not wanted any more")
    await expect(asked).rejects.toThrow("the job was cancelled")
    const { output_tokens } = await reader.ask(asking({ most_output_tokens: 20 }), never)
    expect(output_tokens).toBe(20)
    expect(reader.tokens()).toBeLessThan(1000)
  })

  it("takes tenants in turn, however many questions one of them has", async () => {
    await using reader = await openLlamaReader(writeToyReader(root, answers))
    const order: Array<string> = []
    const ask = (tenant: string) => reader.ask(asking(), never, tenant).then(() => order.push(tenant))
    await Promise.all(["a", "a", "a", "a", "b"].map(ask))
    expect(order.indexOf("b")).toBeLessThan(2)
  })

  it("gives its memory back when another is opened in its place", async () => {
    const shelf = makeModelShelf(openLlamaReader, 1)
    const use = async (threads: number) => {
      const model = writeToyReader(root, answers, { threads, context_tokens: 4096 })
      await shelf.use(model, (reader) => reader.ask(asking(), never))
      return resident()
    }
    await use(1)
    const first = await use(2)
    let last = 0
    for (let round = 0; round < 3; round++) last = await use(1 + round % 2)
    // A context of it alone takes 16 MB.
    expect(last - first).toBeLessThan(40)
  })
})

const meeting = footage([[1, "S1", "Atlas is what we call the project from now on."]])
const form = {
  type: "object",
  properties: { project: { type: "string", description: "Name that the sponsors chose, only if stated" } }
}

describe.skipIf(!here)("makeReaderProposer", () => {
  it("proposes through the gate that every proposer passes, and says which model ran here and for how long", async () => {
    const proposer = makeReaderProposer(writeToyReader(root, answers), settings)
    const out = await extractBy(proposer, { ...inputOf(form, meeting), tenant_id: "ten_1" }, never)
    expect(out.result).toEqual({ project: "Atlas" })
    expectSound(out, meeting, form)
    expect(out.models).toMatchObject([{ role: "reader", execution_provider: "cpu" }])
    expect(out).toMatchObject({ tokens: 0, cost: 0, warnings: [] })
    expect(out.model_seconds).toBeGreaterThan(0)
    expect(JSON.stringify(out.asked)).toContain("node-llama-cpp")
  })

  it("lets nothing through that the footage does not say", async () => {
    const invented = answers.map((piece) =>
      piece.replace("Atlas", "Comet").replace("Atl", "Com").replace("as\"", "et\"")
    )
    const proposer = makeReaderProposer(writeToyReader(root, invented), settings)
    const out = await extractBy(proposer, inputOf(form, meeting), never)
    expect(JSON.stringify(out.result)).not.toContain("Comet")
  })
})

describe("makeReaderProposer without a model that can be opened", () => {
  it("leaves the job to the built-in extractor with a warning, or fails it where nothing may take its place", async () => {
    const model = { ...writeToyReader(root, answers), driver: "none" }
    const out = await extractBy(makeReaderProposer(model, settings), inputOf(form, meeting), never)
    expect(out.result).toEqual(extract(inputOf(form, meeting)).result)
    expect(out.warnings.map(({ code }) => code)).toContain("LLM_UNAVAILABLE")
    const strict = makeReaderProposer(model, { ...settings, fallback: "fail" })
    await expect(extractBy(strict, inputOf(form, meeting), never)).rejects.toMatchObject({
      code: "MODEL_UNAVAILABLE",
      retryable: false
    })
  })
})
