import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, describe, expect, it } from "vitest"
import { resultValidator } from "../../../../../src/schemas/json-schema/ResultValidator.ts"
import { extract, extractBy } from "../../../../../workers/extraction/Extract.ts"
import { makeQaProposer } from "../../../../../workers/extraction/proposers/qa/QaProposer.ts"
import { questionOf } from "../../../../../workers/extraction/proposers/qa/QaQuestions.ts"
import { leafOf } from "../../../../../workers/extraction/text/Plan.ts"
import { type Footage, footage, inputOf, lecture } from "../../Footage.ts"
import { expectSound } from "../../Soundness.ts"
import { writeToyQa } from "./ToyQa.ts"

const root = mkdtempSync(join(tmpdir(), "footnote-qa-"))
afterAll(() => rmSync(root, { recursive: true }))

const run = async (schema: object, source: Footage) => {
  const out = await extractBy(makeQaProposer(writeToyQa(root)), inputOf(schema, source), new AbortController().signal)
  expect(resultValidator(schema as never)(out.result)).toBeUndefined()
  expectSound(out, source, schema)
  return out
}

const text = { type: "string" }
/** Everybody at the table, in words that name no field but the toy's. */
const party = footage([
  [1, "S1", "the host of the evening, as ever, is dana whitfield with all her friends."],
  [10, "S1", "there will be guests, fourteen of them, at the long table."],
  [20, "S1", "among the topics are tides and later on also currents."]
])

describe("makeQaProposer", () => {
  it("fills what the built-in proposer leaves open, with the words that answer and when they are said", async () => {
    const schema = { type: "object", properties: { who: { ...text, description: "The host, only if stated" } } }
    expect(extract(inputOf(schema, party)).result).toEqual({})
    const out = await run(schema, party)
    expect(out.result).toEqual({ who: "dana whitfield" })
    expect(out.evidence.spans).toMatchObject([
      { quote: "dana whitfield", t_start: 3.4, t_end: 4, support: "verbatim", confidence: 0.54, verified: true }
    ])
  })

  it("gives a number where its leaf wants one, and says nothing to yes-or-no leaves", async () => {
    const schema = {
      type: "object",
      properties: {
        guests: { type: "integer" },
        host_there: { type: "boolean", description: "Whether the host is asleep" }
      }
    }
    const { result } = await run(schema, party)
    expect(result).toMatchObject({ guests: 14 })
    expect((result as object) && "host_there" in (result as object)).toBe(
      "host_there" in (extract(inputOf(schema, party)).result as object)
    )
  })

  it("gives every answer to a list of plain values that nothing was found for", async () => {
    const far = footage([
      [1, "S1", "of all topics this is the first: tides."],
      ...Array.from(
        { length: 30 },
        (_, at) => [10 + at * 10, "S1", `nothing of note in minute ${at}, only talk and more talk.`] as const
      ),
      [400, "S1", "and the last of the topics: currents."]
    ])
    const schema = { type: "object", properties: { keywords: { type: "array", items: text, description: "topics" } } }
    const { result } = await run(schema, far)
    expect(result).toEqual({ keywords: ["tides", "currents"] })
  })

  it("tells its model, and the built-in one beside it, and how long it computed", async () => {
    const { cost, model_seconds, models, tokens } = await run({ type: "object", properties: { host: text } }, party)
    expect(models.map(({ name, role }) => [role, name])).toEqual([["extract", "footnote-extract-builtin"], [
      "qa",
      "toy-qa"
    ]])
    expect(model_seconds).toBeGreaterThan(0)
    expect([tokens, cost]).toEqual([0, 0])
  })

  it("changes nothing where it has no answer", async () => {
    const schema = { type: "object", properties: { title: text, lecturer: text, range_metres: { type: "integer" } } }
    const { evidence, result } = await run(schema, lecture)
    const builtin = extract(inputOf(schema, lecture))
    expect([result, evidence]).toEqual([builtin.result, builtin.evidence])
  })

  it("gives the same bytes again", async () => {
    const schema = { type: "object", properties: { host: text, guests: { type: "integer" } } }
    const [one, other] = [await run(schema, party), await run(schema, party)]
    expect(JSON.stringify([other.result, other.evidence])).toBe(JSON.stringify([one.result, one.evidence]))
  })
})

describe("questionOf", () => {
  it.each([
    ["year_built", { description: "Year the house was built" }, "What is the year the house was built?"],
    ["yearBuilt", {}, "What is the year built?"],
    ["host", { title: "The host." }, "What is the host?"],
    ["when", { description: "When does the train leave? Local time." }, "When does the train leave?"],
    ["usb_port", { description: "USB port" }, "What is the USB port?"]
  ])("asks for %s %j", (name, schema, question) => {
    expect(questionOf(leafOf(`/${name}`, name, { type: "string", ...schema }))).toBe(question)
  })
})
