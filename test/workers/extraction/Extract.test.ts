import * as fc from "fast-check"
import { describe, expect, it } from "vitest"
import { resultValidator } from "../../../src/schemas/json-schema/ResultValidator.ts"
import { findTemplate, templates } from "../../../src/schemas/Templates.ts"
import { extract } from "../../../workers/extraction/Extract.ts"
import { demo, type Footage, footage, inputOf, lecture, meeting } from "./Footage.ts"
import { expectSound } from "./Soundness.ts"

const sources: ReadonlyArray<readonly [string, Footage]> = [
  ["a lecture", lecture],
  ["a meeting", meeting],
  ["a demo", demo],
  ["silence", footage([])]
]

const template = (name: string) => findTemplate(name)!.json_schema

/** What is warned of where these lines are all that each frame shows. */
const warnedOf = (...lines: ReadonlyArray<ReadonlyArray<string>>) => warnedAt(0.9, ...lines)

const warnedAt = (confidence: number, ...lines: ReadonlyArray<ReadonlyArray<string>>) => {
  const empty = footage([])
  const frames = lines.map((texts, at) => ({
    frame_id: `frm_00000${at}`,
    source_ref: `frame#00000${at}`,
    timestamp: at,
    description: "A scene.",
    text: texts.map((text) => ({ text, box: [0.1, 0.1, 0.1, 0.1] as const, confidence })),
    labels: []
  }))
  const source = { ...empty, vision: { visual_branch: "present" as const, frames, model: "ocr" } }
  return extract(inputOf({}, source)).warnings.map(({ code }) => code)
}

describe("extract", () => {
  for (const { json_schema, name } of templates) {
    for (const [title, source] of sources) {
      it(`gives ${name} of ${title} that fits its schema, every leaf with one span or told as unfilled`, () => {
        const out = extract(inputOf(json_schema, source))
        expect(resultValidator(json_schema as never)(out.result)).toBeUndefined()
        expectSound(out, source, json_schema)
      })
    }
  }

  it("tells of values in the result that the source does not support, and which they are", () => {
    const phone = {
      type: "object",
      required: ["phone", "n"],
      properties: { phone: { type: "string" }, n: { type: "integer", minimum: 7 } }
    }
    const { result, warnings } = extract(inputOf(phone, footage([])))
    expect(result).toEqual({ phone: "", n: 7 })
    const told = warnings.find(({ code }) => code === "PLACEHOLDERS")
    expect(told?.pointers).toEqual(["/phone", "/n"])
    expect(told?.message).toContain("/phone, /n")
    expect(extract(inputOf(template("lecture-notes"), lecture)).warnings).toEqual([])
  })

  it("cites the picture of what was seen, and how sure the recogniser was of what was heard", () => {
    const { spans } = extract(inputOf(template("lecture-notes"), lecture)).evidence
    const seen = spans.filter(({ source_ref }) => source_ref.startsWith("frame#"))
    const heard = spans.filter(({ origin_channel }) => origin_channel === "asr")
    expect(seen.length).toBeGreaterThan(0)
    expect(heard.length).toBeGreaterThan(0)
    for (const { frame_id, source_ref, word_confidence } of seen) {
      expect(frame_id).toBe(source_ref.replace("frame#", "frm_"))
      expect(word_confidence).toBeUndefined()
    }
    for (const { frame_id, word_confidence } of heard) {
      expect(frame_id).toBeUndefined()
      expect(word_confidence).toBeGreaterThan(0)
    }
  })

  it("gives the same bytes for the same input", () => {
    const [first, second] = [lecture, structuredClone(lecture)].map((source) =>
      JSON.stringify(extract(inputOf(template("lecture-notes"), source)))
    )
    expect(second).toBe(first)
  })

  it("takes lecture notes from slides and speech", () => {
    const { result } = extract(inputOf(template("lecture-notes"), lecture))
    expect(result).toMatchObject({
      title: "Ocean Tides",
      lecturer: "Ruth Andersen",
      course: "Oceanography 101",
      outline: [
        { slide_no: 1, title: "Ocean Tides", t_start: 0.5 },
        { slide_no: 2, title: "Two terms", t_start: 30.5 },
        { slide_no: 3, title: "Ranges", t_start: 60.5 },
        { slide_no: 4, title: "Further reading", t_start: 90.5 }
      ]
    })
    const { definitions, examples, references } = result as Record<string, ReadonlyArray<{ term: string }>>
    expect(definitions!.map(({ term }) => term).toSorted()).toEqual(["Neap tide", "spring tide", "tidal range"])
    expect(examples).toEqual(["the Bay of Fundy has a range of sixteen metres"])
    expect(references).toContain("Waves and Currents by Paul Hall")
  })

  it("takes minutes from speech alone", () => {
    const { result } = extract(inputOf(template("meeting-minutes"), meeting))
    expect(result).toMatchObject({
      attendees: ["Priya Raman", "Tom Becker"],
      decisions: ["move staging to the larger instances"],
      actions: [
        { task: "resize the staging cluster", owner: "Tom", due: "Thursday" },
        { task: "write the report for the outage", owner: "Tom Becker", due: "Friday" }
      ],
      open_questions: ["Who pays for the second region?"]
    })
  })

  it("takes a demo's product, maker, prices and address", () => {
    const { evidence, result } = extract(inputOf(template("product-demo"), demo))
    expect(result).toMatchObject({
      product: "Trail Buddy",
      company: "Northwind Software",
      presenters: ["Nina Sommer"],
      features: [{ name: "Rain warnings", description: "You get a warning when rain is coming." }, {
        name: "Shared maps"
      }],
      prices: [{ amount: 5, currency: "USD", plan: "Solo" }, { amount: 8.5, currency: "EUR", plan: "Family" }],
      url: "www.trail-buddy.example",
      questions: ["How much does it cost?"]
    })
    const five = evidence.spans.find(({ pointer }) => pointer === "/prices/0/amount")!
    expect(five).toMatchObject({ modality: "both", origin_channel: "ocr", quote: "$5", t_start: 20.5, t_end: 30 })
    expect(five.corroborated_by).toMatchObject([{ origin_channel: "asr", quote: "five dollars" }])
  })

  it("says which second of the picture a moment is computed from", () => {
    const { evidence } = extract(inputOf(template("default"), lecture))
    const moments = evidence.spans.filter(({ pointer }) => /\/t_(?:start|end)$/u.test(pointer))
    expect(moments.length).toBeGreaterThan(0)
    for (const { origin, pointer, t_end, t_start, value } of moments) {
      expect(origin).toBe("derived")
      expect(value).toBe(pointer.endsWith("t_start") ? t_start : t_end)
    }
  })

  it("spells a name as the screen does where speech is only nearly so", () => {
    const source = footage([[1, "S1", "my name is ruth andersin and i teach"]], [[0.5, ["Tides", "Ruth Andersen"]]])
    const { evidence } = extract(inputOf({ type: "object", properties: { lecturer: { type: "string" } } }, source))
    expect(evidence.spans).toMatchObject([{ pointer: "/lecturer", value: "Ruth Andersen", origin_channel: "ocr" }])
  })

  it("spells a name as the screen does, without the possessive that it has there alone", () => {
    const source = footage([[1, "S1", "Hi, I am Rosa, and today we make lemon chicken."]], [[0.5, [
      "Lemon Chicken",
      "Rosa's Kitchen"
    ]]])
    const { evidence } = extract(inputOf({ type: "object", properties: { host: { type: "string" } } }, source))
    expect(evidence.spans).toMatchObject([{ pointer: "/host", value: "Rosa", quote: "Rosa", origin_channel: "ocr" }])
  })

  it("takes what speech says plainly", () => {
    const source = footage([
      [1, "S1", "Hello, I'm Professor Amara Lind and welcome."],
      [10, "S1", "With me is Dana Whitfield, our chief executive officer."],
      [20, "S1", "There's a lovely garden with a tree."],
      [30, "S1", "There is no garage unfortunately."],
      [40, "S1", "It was built in 1987 and renovated two years ago."]
    ])
    const boolean = { type: "boolean" }
    const schema = {
      type: "object",
      properties: {
        host: { type: "string" },
        ceo: { type: "string", description: "Chief executive officer" },
        has_garden: boolean,
        has_garage: boolean,
        has_pool: boolean,
        year_built: { type: "integer", description: "Year the house was built" }
      }
    }
    const out = extract(inputOf(schema, source))
    expect(out.result).toEqual({
      host: "Amara Lind",
      ceo: "Dana Whitfield",
      has_garden: true,
      has_garage: false,
      year_built: 1987
    })
    expectSound(out, source, schema)
  })

  it("gives every value a confidence, a rule's by its record, and never more than the source's own", () => {
    const schema = { type: "object", properties: { title: { type: "string" }, range_metres: { type: "integer" } } }
    const { evidence, result_confidence } = extract(inputOf(schema, lecture))
    const [title, range] = ["/title", "/range_metres"].map((at) =>
      evidence.spans.find(({ pointer }) => pointer === at)!
    )
    expect(title!.confidence).toBeGreaterThan(0)
    expect(range!.confidence).toBeGreaterThan(0)
    expect(range!.confidence).toBeLessThanOrEqual(0.9)
    expect(result_confidence).toBeCloseTo((title!.confidence! + range!.confidence!) / 2, 2)
  })

  it.each([
    [{ type: "array", items: { type: "string" }, description: "Decisions" }, ["move staging to the larger instances"]],
    [{ type: ["string", "null"], title: "Next meeting" }, undefined]
  ])("takes roots that are no objects: %j", (schema, expected) => {
    const out = extract(inputOf(schema, meeting))
    if (expected !== undefined) expect(out.result).toEqual(expected)
    expectSound(out, meeting, schema)
  })

  it("fills a map from labelled lines on screen", () => {
    const schema = {
      type: "object",
      properties: { facts: { type: "object", additionalProperties: { type: "string" } } }
    }
    const out = extract(inputOf(schema, lecture))
    expect(out.result).toMatchObject({ facts: { Lecturer: "Ruth Andersen", Course: "Oceanography 101" } })
    expectSound(out, lecture, schema)
  })

  it("settles dates by the hint of the recording's day, and leaves them out without it", () => {
    const schema = {
      type: "object",
      properties: { date: { type: "string", format: "date", description: "When the next meeting takes place" } }
    }
    expect(extract(inputOf(schema, meeting)).result).toEqual({})
    expect(extract(inputOf(schema, meeting, { hints: { recorded_at: "2026-06-04" } })).result).toEqual({
      date: "2026-06-11"
    })
  })

  it("fails with EXTRACTION_FAILED where a required leaf is missing and the job forbids filling", () => {
    const schema = {
      type: "object",
      required: ["isbn"],
      properties: { isbn: { type: "string", pattern: "^\\d{13}$" } }
    }
    expect(() => extract(inputOf(schema, lecture, { on_missing: "fail" }))).toThrow(
      expect.objectContaining({ code: "EXTRACTION_FAILED", retryable: false })
    )
    const filled = extract(inputOf(schema, lecture))
    expect(filled.evidence).toMatchObject({ spans: [], unfilled: [{ pointer: "/isbn", reason: "not_found" }] })
  })

  it("fails with EXTRACTION_FAILED where nothing fits the schema", () => {
    expect(() => extract(inputOf({ type: "string", minLength: 3, maxLength: 1 }, lecture))).toThrow(
      expect.objectContaining({ code: "EXTRACTION_FAILED" })
    )
  })

  it("warns that nothing can be read and that a language is not known", () => {
    expect(extract(inputOf({}, footage([]))).warnings.map(({ code }) => code)).toEqual(["NOTHING_TO_READ"])
    expect(warnedOf(["O", "|1"], ["E:"])).toEqual(["NOTHING_TO_READ"])
    expect(warnedAt(0.74, ["S.IIE"], ["S.IIE"])).toEqual(["NOTHING_TO_READ"])
    for (const read of [[["Exit"]], [["€ 5"]], [["42"]], [["A"], ["A"]], [["出口"]]]) {
      expect(warnedOf(...read)).toEqual([])
    }
    const german = { ...meeting, transcript: { ...meeting.transcript, language: "de" } }
    expect(extract(inputOf({}, german)).warnings.map(({ code }) => code)).toEqual(["LANGUAGE_UNSUPPORTED"])
  })

  it("stays sound whatever is said", () => {
    const word = fc.oneof(
      fc.constantFrom(
        "Anna",
        "Cole",
        "will",
        "send",
        "$5",
        "by",
        "Friday",
        "is",
        "the",
        "a",
        "plan:",
        "=",
        "costs",
        "twelve",
        "we",
        "decided",
        "to",
        "?",
        "e.g.",
        "www.a.example"
      ),
      fc.string({ minLength: 1, maxLength: 8 }).filter((text) => text.trim() === text && !text.includes(" "))
    )
    const line = fc.array(word, { minLength: 1, maxLength: 12 }).map((words) => words.join(" "))
    const source = fc.tuple(
      fc.array(line, { maxLength: 6 }),
      fc.array(fc.array(line, { minLength: 1, maxLength: 4 }), { maxLength: 3 })
    )
    fc.assert(
      fc.property(source, fc.constantFrom(...templates), ([said, seen], { json_schema }) => {
        const film = footage(
          said.map((text, at) => [at * 10, `S${at % 2}`, text] as const),
          seen.map((lines, at) => [at * 15, lines] as const)
        )
        const out = extract(inputOf(json_schema, film))
        expect(resultValidator(json_schema as never)(out.result)).toBeUndefined()
        expectSound(out, film, json_schema)
      }),
      { numRuns: 60 }
    )
  })
})
