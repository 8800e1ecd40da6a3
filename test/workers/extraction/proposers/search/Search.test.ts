import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, describe, expect, it } from "vitest"
import { extractBy } from "../../../../../workers/extraction/Extract.ts"
import { makeLlmProposer } from "../../../../../workers/extraction/proposers/llm/LlmProposer.ts"
import { makeSearch } from "../../../../../workers/extraction/proposers/search/Search.ts"
import { openTextEmbedding } from "../../../../../workers/extraction/proposers/search/TextEmbedding.ts"
import { footage, inputOf } from "../../Footage.ts"
import { lineOf, type ModelCall, playModel } from "../llm/ModelServer.ts"
import { writeToySearch } from "./ToySearch.ts"

const root = mkdtempSync(join(tmpdir(), "footnote-search-"))
afterAll(() => rmSync(root, { recursive: true }))
const never = { signal: new AbortController().signal }

const talk = Array.from({ length: 60 }, (_, at) => `And now to point ${at} of the agenda, about nothing in particular.`)
const said = talk.with(40, "The venue of the next harvest festival is Aldersham, as agreed.")
const source = footage(said.map((text, at) => [at * 10, "S1", text] as const))
const schema = {
  type: "object",
  properties: {
    venue: { type: "string", description: "Venue of the next harvest festival" },
    points: { type: "array", description: "Points of the agenda", items: { type: "string" } }
  }
}

describe("openTextEmbedding", () => {
  it("gives the vectors that the network's own numbers give, whatever it is asked between", async () => {
    const { model, reference } = writeToySearch(join(root, "exact"), said)
    await using embedding = await openTextEmbedding(model)
    for (const text of [said[40]!, said[3]!, "venue, harvest; unknownword", said[40]!]) {
      const found = await embedding.passage(text, never)
      reference(text).forEach((one, i) => expect(found[i]).toBeCloseTo(one, 5))
    }
    expect(embedding.name).toMatch(/^toy-search@[0-9a-f]{12}$/u)
  })

  it("puts its words before what is sought alone, and cuts what is too long", async () => {
    const { model, reference } = writeToySearch(join(root, "cut"), said, { query_prefix: "Point: ", max_tokens: 4 })
    await using embedding = await openTextEmbedding(model)
    const passage = await embedding.passage("the venue of the next harvest", never)
    reference("the venue of").forEach((one, i) => expect(passage[i]).toBeCloseTo(one, 5))
    const query = await embedding.query("venue", never)
    reference("point venue").forEach((one, i) => expect(query[i]).toBeCloseTo(one, 1))
  })

  it("refuses a network of another layout by the model's name", async () => {
    const { model } = writeToySearch(join(root, "other"), said, {}, "logits")
    await expect(openTextEmbedding(model)).rejects.toThrow("toy-search has no output last_hidden_state")
  })

  it("stops when it is cancelled, and serves whoever waits behind", async () => {
    const { model } = writeToySearch(join(root, "cancel"), said)
    await using embedding = await openTextEmbedding(model)
    const controller = new AbortController()
    const wanted = said.map((text) => embedding.passage(text, { signal: controller.signal, tenant_id: "a" }))
    const other = embedding.passage(said[0]!, { ...never, tenant_id: "b" })
    controller.abort(new Error("the job was cancelled"))
    const outcomes = await Promise.allSettled(wanted)
    expect(outcomes.every(({ status }) => status === "rejected")).toBe(true)
    expect((await other).length).toBeGreaterThan(0)
  })
})

/** What a model is asked with so little room that the source has to be divided, and what comes of it. */
const asked = async (model: Parameters<typeof makeSearch>[0] | undefined) => {
  await using server = await playModel((call) => {
    const refs = lineOf(call, "Aldersham")
    return {
      say: refs.length === 0 || !call.fields.includes("/venue")
        ? []
        : [{ path: "/venue", value: "Aldersham", quote: "Aldersham", refs }]
    }
  })
  const propose = makeLlmProposer(server.endpoint({ chunk_tokens: 300 }))
  const { signal } = never
  const out = await extractBy(
    (task, signal, onSpent) =>
      propose(model === undefined ? task : { ...task, search: makeSearch(model, { signal }) }, signal, onSpent),
    inputOf(schema, source),
    signal
  )
  return { out, calls: server.calls.filter(({ repairs }) => !repairs) }
}
const about = (calls: ReadonlyArray<ModelCall>, field: string) => calls.filter(({ fields }) => fields.includes(field))

describe("a source that is longer than what a model reads at once", () => {
  it("is searched for single fields, and read as a whole for lists", async () => {
    const whole = await asked(undefined)
    const { calls, out } = await asked(writeToySearch(join(root, "whole"), [...said, JSON.stringify(schema)]).model)
    expect(out.result).toMatchObject({ venue: "Aldersham" })
    expect(about(calls, "/venue")).toHaveLength(1)
    expect(about(whole.calls, "/venue").length).toBeGreaterThan(4)
    expect(about(calls, "/points/*")).toHaveLength(about(whole.calls, "/points/*").length)
    const shown = about(calls, "/venue")[0]!.lines
    expect(shown.map(({ text }) => text)).toContain(said[40])
    expect(shown.map(({ number }) => number)).toEqual(shown.map(({ number }) => number).toSorted((a, b) => a - b))
    expect(out.models).toContainEqual(expect.objectContaining({ role: "search", execution_provider: "cpu" }))
  })

  it("is read in parts where the model that searches cannot be used, and the job says so", async () => {
    const { model } = writeToySearch(join(root, "broken"), said, {}, "logits")
    const { calls, out } = await asked(model)
    expect(out.result).toMatchObject({ venue: "Aldersham" })
    expect(about(calls, "/venue").length).toBeGreaterThan(4)
    expect(out.warnings).toContainEqual(expect.objectContaining({ code: "LLM_INCOMPLETE" }))
  })
})
