import type { Schema } from "effect"
import { cut, plain } from "../../text/PlainText.ts"
import type { DeliveryPayload } from "./content/Connector.ts"
import { labelOf, readable } from "./content/ReadableValue.ts"
import { clock, escapeToken, momentLink, spansAt } from "./content/SpokenMoment.ts"

/** Two blocks each, of the 50 that a message may have. */
const mostFields = 20
/** Slack's limit for one text of a section's fields, counted after escaping. */
const mostText = 2000
const mostLabel = 200
const mostQuote = 300
const mostMoments = 5

/**
 * Characters of all blocks together, their containers included, of the first try and of the second. `chat.postMessage`
 * refuses about 13,200 by a rule that is written nowhere (slackapi/bolt-js#2509), and less where blocks are nested.
 */
export const blockBudgets = [12_000, 4000] as const
/** What a block counts beside its JSON: a divider alone costs 125 (slackapi/bolt-js#2509). */
const perBlock = 60

const entities: Readonly<Record<string, string>> = { "&": "&amp;", "<": "&lt;", ">": "&gt;" }

/** Slack's three control characters: without them no mention, channel call or disguised link can be written. */
const escaped = (text: string): string => text.replaceAll(/[&<>]/gu, (character) => entities[character]!)

/** Escaped and within `most`, cut at a whole character rather than within an entity. */
const shown = (text: string, most: number): string => {
  let kept = cut(plain(text), most)
  while (escaped(kept).length > most) kept = cut(kept, Math.min(kept.length - 1, Math.ceil(kept.length * 0.9)))
  return escaped(kept)
}

/** Never markup: what a film says is shown letter by letter. */
const words = (text: string, most = mostText) => ({
  type: "plain_text" as const,
  text: shown(text, most).trim() === "" ? "–" : shown(text, most),
  emoji: false
})

/** The only markup there is: links of our own. */
const links = (text: string) => ({ type: "mrkdwn" as const, text, verbatim: true })

const context = (...elements: ReadonlyArray<ReturnType<typeof words> | ReturnType<typeof links>>) => ({
  type: "context" as const,
  elements
})

/** `<url|text>` with nothing in it that could end it. */
const link = (url: string, text: string) => `<${escaped(url).replaceAll("|", "%7C")}|${text}>`

/** When and where the value was said or seen first, in which words, and when else. */
const evidenceOf = (payload: DeliveryPayload, pointer: string) => {
  const [first, ...others] = spansAt(payload.evidence, pointer)
  if (first === undefined) return []
  const seconds = new Set([Math.floor(first.t_start)])
  const further = others.filter(({ t_start }) =>
    seconds.size < mostMoments && !seconds.has(Math.floor(t_start)) && seconds.add(Math.floor(t_start))
  )
  const moments = [first, ...further].map((span) => link(momentLink(payload, span), clock(span.t_start))).join(" · ")
  // A source's address may be as long as addresses are.
  if (moments.length > 3000) return []
  return [context(links(moments), words(`“${cut(first.quote, mostQuote)}”`, mostQuote + 100))]
}

const fieldsOf = (result: Schema.Json): ReadonlyArray<readonly [label: string, pointer: string, value: Schema.Json]> =>
  typeof result === "object" && result !== null && !Array.isArray(result)
    ? Object.entries(result).map(([key, value]) => [labelOf(key), `/${escapeToken(key)}`, value!])
    : result === null
    ? []
    : [["result", "", result]]

type Block = ReturnType<typeof context> | {
  readonly type: "header" | "section"
  readonly text?: ReturnType<typeof words>
  readonly fields?: ReadonlyArray<ReturnType<typeof words>>
}

/** What Slack is reckoned to count of these blocks. */
const sizeOf = (blocks: ReadonlyArray<Block>): number => JSON.stringify(blocks).length + blocks.length * perBlock

/**
 * A message about a finished job: fields of the result as plain text, each with the quote and the moment it comes from, and
 * links to the whole. Text of the result is never markup, and every link is one that this service built. Within `budget`
 * characters: long values are cut, all to the same length, before any field is left out, and what is missing is told.
 */
export const slackMessage = (payload: DeliveryPayload, budget: number = blockBudgets[0]) => {
  const { delivery_id, job } = payload
  const all = fieldsOf(payload.result)
  const fields = all.slice(0, mostFields)
  const header: Block = { type: "header", text: words(`Footnote job: ${job.status}`, 150) }
  const footer = context(
    links(`${link(payload.links.page, "Result and evidence")} · ${delivery_id}`)
  )
  const whole = link(payload.links.page, "the whole result")

  const build = (count: number, most: number) => {
    const values = fields.slice(0, count).map(([, , value]) => readable(value, most))
    const left = all.length - count
    const missing = [
      ...(left > 0 ? [`${left} more field${left === 1 ? "" : "s"}`] : []),
      ...(values.every((value) => value.whole) ? [] : ["values that are shortened here"])
    ]
    return [
      header,
      ...values.flatMap(({ text }, at): ReadonlyArray<Block> => {
        const [label, pointer] = fields[at]!
        const section: ReadonlyArray<Block> = [{ type: "section", fields: [words(label, mostLabel), words(text)] }]
        return section.concat(evidenceOf(payload, pointer))
      }),
      ...(missing.length === 0 ? [] : [context(links(`${missing.join(" and ")}: ${whole}`))]),
      footer
    ]
  }

  let [count, most] = [fields.length, mostText]
  let blocks = build(count, most)
  while (sizeOf(blocks) > budget && (most > 120 || count > 0)) {
    if (most > 120) most = Math.floor(most / 2)
    else count--
    blocks = build(count, most)
  }
  return { text: `Footnote job ${job.id}: ${job.status}`, blocks, unfurl_links: false, unfurl_media: false }
}
