import { cut, plain, plainJson } from "../../text/PlainText.ts"
import type { NotionConfig } from "../model/DestinationConfig.ts"
import { isOurLink, valueAt } from "./content/Columns.ts"
import type { DeliveryPayload } from "./content/Connector.ts"
import { clock, momentLink, shownPath } from "./content/SpokenMoment.ts"
import { type DataSource, propertyNamed } from "./DataSource.ts"
import { asText, isFillable, mostTextInAll, propertyValue, rich } from "./NotionProperty.ts"

/** The property by which a page is found again. Text. */
export const jobIdProperty = "Job ID"

/** A request may have 500 KB; the JSON is escaped once more within it. */
const mostRequestBytes = 490_000
const mostJsonBytes = 300_000
/** Of the 100 blocks that one request may make. */
const mostQuotes = 90
const mostQuote = 300

/** What of the destination's map does not fit its data source, in words that name it; undefined where all of it does. */
export const misfit = (source: DataSource, map: NotionConfig["property_map"] = {}): string | undefined => {
  const key = propertyNamed(source, jobIdProperty)
  if (key?.type !== "rich_text") return `the data source has no text property "${jobIdProperty}"`
  for (const [name, path] of Object.entries(map)) {
    const property = propertyNamed(source, name)
    const called = `property_map: "${cut(plain(name), 100)}"`
    if (property === undefined) return `${called} is no property of the data source`
    if (property === key) return `${called} is filled with the job's id`
    if (!isFillable(property.type)) {
      return `${called} is of type ${
        /^[a-z_]{1,40}$/u.test(property.type) ? property.type : "unknown"
      }, which cannot be filled`
    }
    if (isOurLink(path) && property.type !== "url" && property.type !== "rich_text" && property.type !== "title") {
      return `${called} is of type ${property.type}, which holds no link`
    }
  }
  return undefined
}

const linked = (label: string, url: string) => ({ text: { content: label, link: { url } } })

/** A line for each value: field, words and moment, which is a link to where it can be seen. */
const quotes = (payload: DeliveryPayload, most: number) =>
  payload.evidence.slice(0, mostQuotes).map((span) => {
    const at = clock(span.t_start)
    const href = momentLink(payload, span)
    return {
      object: "block" as const,
      type: "bulleted_list_item" as const,
      bulleted_list_item: {
        rich_text: [
          { text: { content: `${cut(shownPath(span.pointer), 200)}: “${cut(plain(span.quote), most)}” ` } },
          // Notion takes addresses of 2,000 characters.
          href.length <= 2000 ? linked(at, href) : { text: { content: at } }
        ]
      }
    }
  })

const heading = (content: string) => ({
  object: "block" as const,
  type: "heading_2" as const,
  heading_2: { rich_text: [{ text: { content } }] }
})

const pageOf = (
  config: NotionConfig,
  data_source_id: string,
  source: DataSource,
  payload: DeliveryPayload,
  most: number
) => {
  const { job, links } = payload
  const titleName = [...source.values()].find(({ type }) => type === "title")?.name
  const mapped = Object.entries(config.property_map ?? {}).flatMap(([name, path]) => {
    const property = propertyNamed(source, name)!
    const value = valueAt(path, payload)
    // Our own links may lead to a host without a dot.
    const filled = isOurLink(path) && property.type === "url"
      ? { url: asText(value) }
      : propertyValue(property, value, most)
    return filled === undefined ? [] : [[property.name, filled] as const]
  })
  const titled = mapped.some(([name]) => name === titleName)
  const json = JSON.stringify(plainJson(payload.result), null, 2)
  const whole = json.length <= mostTextInAll && Buffer.byteLength(JSON.stringify(json)) <= mostJsonBytes
  const left = payload.evidence.length - mostQuotes
  return {
    parent: { type: "data_source_id" as const, data_source_id },
    properties: {
      ...(titled || titleName === undefined ? {} : { [titleName]: { title: rich(`Footnote ${job.id}`) } }),
      ...Object.fromEntries(mapped),
      [propertyNamed(source, jobIdProperty)!.name]: { rich_text: rich(job.id) }
    },
    children: [
      {
        object: "block" as const,
        type: "paragraph" as const,
        paragraph: {
          rich_text: [
            linked("Result and evidence", links.page),
            ...(whole ? [] : [{ text: { content: " · the result is too large for a page" } }]),
            ...(left > 0 ? [{ text: { content: ` · ${left} more values have evidence there` } }] : [])
          ]
        }
      },
      ...(whole
        ? [{
          object: "block" as const,
          type: "code" as const,
          code: { language: "json" as const, rich_text: rich(json) }
        }]
        : []),
      ...(payload.evidence.length === 0 ? [] : [heading("Evidence"), ...quotes(payload, Math.min(mostQuote, most))])
    ]
  }
}

/**
 * The page of a finished job: its id where it can be found again, the mapped properties by the types that the data source
 * has, a link to the result and its evidence, the result as JSON, in whole or, where it is too large, not at all, and the
 * words and seconds of its values. Texts that are too large together are cut, the same for all of them.
 */
export const notionPage = (
  config: NotionConfig,
  data_source_id: string,
  source: DataSource,
  payload: DeliveryPayload
) => {
  let most = mostTextInAll
  let page = pageOf(config, data_source_id, source, payload, most)
  while (most > 1 && Buffer.byteLength(JSON.stringify(page)) > mostRequestBytes) {
    most = Math.floor(most / 2)
    page = pageOf(config, data_source_id, source, payload, most)
  }
  return page
}
