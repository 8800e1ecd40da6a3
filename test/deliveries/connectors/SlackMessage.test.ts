import * as fc from "fast-check"
import assert from "node:assert/strict"
import { describe, test } from "vitest"
import { readable } from "../../../src/deliveries/connectors/content/ReadableValue.ts"
import { blockBudgets, slackMessage } from "../../../src/deliveries/connectors/SlackMessage.ts"
import { checkBlocks, refusal } from "../../support/vendors/FakeSlack.ts"
import { payloadOf } from "../../support/vendors/Vendors.ts"

const [example] = payloadOf(1).evidence

const textsOf = (message: ReturnType<typeof slackMessage>): ReadonlyArray<string> =>
  message.blocks.flatMap((block) => [
    ...("text" in block && block.text !== undefined ? [block.text.text] : []),
    ...("fields" in block && block.fields !== undefined ? block.fields.map(({ text }) => text) : []),
    ...("elements" in block ? block.elements.map(({ text }) => text) : [])
  ])

/** What of a message is markup. */
const markupOf = (message: ReturnType<typeof slackMessage>): ReadonlyArray<string> =>
  message.blocks.flatMap((block) => "elements" in block ? block.elements : [])
    .flatMap(({ text, type }) => type === "mrkdwn" ? [text] : [])

const shownOf = (result: unknown) => textsOf(slackMessage(payloadOf(1, { result: result as never })))

describe("a message to Slack", () => {
  test("is taken by Slack whatever the result says and however much of it there is", () => {
    const text = fc.oneof(
      fc.string({ unit: "binary" }),
      fc.stringMatching(/^[<>&|*_~`@!# ]{0,40}$/u),
      fc.tuple(fc.constantFrom("&", "a", "\u{1F3AC}", "\n", "<!channel> ", "\uD800"), fc.nat(4000)).map((
        [unit, times]
      ) => unit.repeat(times))
    )
    const { value } = fc.letrec((tie) => ({
      value: fc.oneof(
        { depthSize: "small" },
        text,
        fc.double({ noDefaultInfinity: true, noNaN: true }),
        fc.boolean(),
        fc.constant(null),
        fc.array(tie("value"), { maxLength: 30 }),
        fc.dictionary(text, tie("value"), { maxKeys: 30 })
      )
    }))
    const result = fc.oneof(fc.dictionary(text, value, { maxKeys: 60 }), value)
    const quotes = fc.array(fc.record({ quote: text, t_start: fc.nat(40_000) }), { maxLength: 40 })
    fc.assert(
      fc.property(result, quotes, fc.webUrl({ withFragments: false, size: "large" }), (result, quotes, source_uri) => {
        const keys = typeof result === "object" && result !== null ? Object.keys(result) : []
        const evidence = quotes.map((quote, at) => ({
          ...example!,
          ...quote,
          t_end: quote.t_start + 1,
          media_fragment: `#t=${quote.t_start},${quote.t_start + 1}`,
          pointer: `/${(keys[at % Math.max(1, keys.length)] ?? "").replaceAll("~", "~0").replaceAll("/", "~1")}`
        }))
        const payload = payloadOf(1, { result: result as never, evidence })
        const job = { ...payload.job, source_uri }
        for (const budget of blockBudgets) {
          const message = slackMessage({ ...payload, job }, budget)
          assert.equal(refusal(message), undefined)
          assert.ok(JSON.stringify(message.blocks).length <= budget)
          checkBlocks(message)
          for (const markup of markupOf(message)) {
            const plainPart = markup.replaceAll(
              /<[^>|]+\|(?:\d+:)?\d\d:\d\d>|<[^>|]+\|(?:Result and evidence|the whole result)>/gu,
              ""
            )
            assert.match(
              plainPart,
              /^(?:[ ·]|dlv_\w+|\d+ more fields?| and |values that are shortened here|: )*$/u,
              "no text of the result is markup"
            )
          }
        }
      }),
      { numRuns: 100 }
    )
  })

  test("of ten long fields stays under what Slack takes together, and tells that the rest is behind a link", () => {
    const result = Object.fromEntries(Array.from({ length: 10 }, (_, at) => [`field_${at}`, "word ".repeat(500)]))
    const message = slackMessage(payloadOf(1, { result }))
    assert.equal(refusal(message), undefined)
    const texts = textsOf(message)
    for (const label of Object.keys(result)) assert.ok(texts.includes(label))
    assert.ok(texts.some((text) => text.startsWith("values that are shortened here: <https://footnote.test/")))
  })

  test("names fields as the schema does", () => {
    assert.ok(shownOf({ key_claims: "x", "a*b~c`": "y" }).includes("key_claims"))
    assert.ok(shownOf({ "a*b~c`": "y" }).includes("a*b~c`"))
  })

  test("shows under each field the words and the second that it was read from", () => {
    const message = slackMessage(payloadOf(1))
    const at = message.blocks.findIndex((block) => "fields" in block && block.fields![0]!.text === "title")
    const evidence = message.blocks[at + 1]!
    assert.deepEqual("elements" in evidence && evidence.elements.map(({ text, type }) => [type, text]), [
      ["mrkdwn", "<https://example.com/talk.mp4#t=134,135|02:14>"],
      ["plain_text", "“Orbits”"]
    ])
  })

  test("of more fields than fit tells how many are left", () => {
    const result = Object.fromEntries(Array.from({ length: 70 }, (_, at) => [`field ${at}`, at]))
    assert.ok(shownOf(result).some((text) => text.startsWith("50 more fields: <https://footnote.test/")))
  })
})

describe("a value in words", () => {
  test.each<[unknown, string]>([
    [null, "(not found)"],
    ["", "(empty)"],
    [" \n", "(empty)"],
    [[], "(none)"],
    [{}, "(empty)"],
    [false, "false"],
    [0, "0"],
    [["a", null, ""], "a, –, (empty)"],
    [[{ name: "Ada", age: 36 }, { name: "Grace", age: null }], "• name: Ada · age: 36\n• name: Grace · age: –"],
    [{ plan: { name: "Home", price: 9 }, tags: [] }, "plan: name: Home · price: 9\ntags: (none)"],
    [[{ who: { first: "Ada" } }], "• who: (first: Ada)"],
    [[{ a: { b: { c: { d: 1 } } } }], "• a: (b: 1 field)"]
  ])("%j is %j", (value, text) => {
    assert.equal(readable(value as never, 500).text, text)
  })

  test("counts what is left out, and says that it is not the whole", () => {
    const { text, whole } = readable(Array.from({ length: 100 }, (_, at) => ({ name: `person ${at}` })), 60)
    assert.match(text, /^• name: person 0\n• name: person 1\n• name: person 2\n… 97 more$/u)
    assert.equal(whole, false)
    assert.equal(readable(["short"], 60).whole, true)
  })
})
