import type { Schema } from "effect"
import type { NotionConfig } from "../destinations/DestinationConfig.ts"
import { isOurLink, valueAt } from "./Columns.ts"
import type { Parcel } from "./Connector.ts"
import type { DataSource } from "./DataSource.ts"
import { cut, plain, plainJson } from "./PlainText.ts"

/** The property by which a page is found again. Text. */
export const jobIdProperty = "Job ID"

/** Notion's limits: 2,000 characters of one text, 100 of these in a list. */
const mostText = 2000
const mostTexts = 100
const mostTextInAll = mostText * mostTexts
/** A request may have 500 KB; the JSON is escaped once more within it. */
const mostRequestBytes = 490_000
const mostJsonBytes = 300_000

/** Types of properties that a value of a result may fill. Links are left out: those are built by us alone. */
const fillable = new Set(["title", "rich_text", "number", "checkbox", "date", "select", "multi_select"])

/** Slices of at most 2,000 UTF-16 units, none of which ends within a character. */
const slices = (text: string): ReadonlyArray<string> => {
  const parts: Array<string> = []
  for (let at = 0; at < text.length;) {
    let end = Math.min(at + mostText, text.length)
    if (end < text.length && /[\uD800-\uDBFF]/u.test(text[end - 1]!)) end--
    parts.push(text.slice(at, end))
    at = end
  }
  return parts
}

const rich = (text: string, most = mostTextInAll) =>
  slices(cut(plain(text), most)).slice(0, mostTexts).map((content) => ({ text: { content } }))

const asText = (value: Schema.Json): string =>
  value === null ? "" : typeof value === "string" ? value : JSON.stringify(value)

/** An option's name may hold no comma. */
const optionOf = (value: Schema.Json) => ({ name: cut(plain(asText(value)).replaceAll(",", " "), 100) })

/** A property's value, texts of at most `most` characters; undefined leaves it empty, because the value is not of its type. */
const propertyOf = (type: string, value: Schema.Json, most: number): object | undefined => {
  if (value === null) return undefined
  switch (type) {
    case "title":
      return { title: rich(asText(value), most) }
    case "rich_text":
      return { rich_text: rich(asText(value), most) }
    case "number":
      return typeof value === "number" ? { number: value } : undefined
    case "checkbox":
      return typeof value === "boolean" ? { checkbox: value } : undefined
    case "date":
      return typeof value === "string" && /^\d{4}-\d{2}-\d{2}(?:T[\d:.]{5,12}(?:Z|[+-]\d{2}:\d{2}))?$/u.test(value)
        ? { date: { start: value } }
        : undefined
    case "select":
      return asText(value) === "" ? undefined : { select: optionOf(value) }
    case "multi_select":
      return {
        multi_select: (Array.isArray(value) ? value : [value]).slice(0, mostTexts).map(optionOf)
      }
    default:
      return undefined
  }
}

/** What of the destination's map does not fit its data source, in words; undefined where all of it does. */
export const misfit = (source: DataSource, map: NotionConfig["property_map"] = {}): string | undefined => {
  if (source.get(jobIdProperty) !== "rich_text") return `the data source has no text property "${jobIdProperty}"`
  for (const [name, path] of Object.entries(map)) {
    const type = source.get(name)
    if (name === jobIdProperty || type === undefined) return "property_map names a property that cannot be filled"
    if (type === "url" ? !isOurLink(path) : !fillable.has(type)) {
      return `property_map fills a property of type ${/^[a-z_]{1,40}$/u.test(type) ? type : "unknown"}`
    }
  }
  return undefined
}

const linked = (label: string, url: string) => ({ text: { content: label, link: { url } } })

const pageOf = (config: NotionConfig, source: DataSource, parcel: Parcel, most: number) => {
  const { job, links } = parcel
  const map = Object.entries(config.property_map ?? {})
  const titleName = [...source].find(([, type]) => type === "title")?.[0]
  const mapped = map.flatMap(([name, path]) => {
    const value = valueAt(path, parcel)
    const type = source.get(name)!
    const property = type === "url"
      ? (value === null ? undefined : { url: asText(value) })
      : propertyOf(type, value, most)
    return property === undefined ? [] : [[name, property] as const]
  })
  const titled = mapped.some(([name]) => name === titleName)
  const json = JSON.stringify(plainJson(parcel.result), null, 2)
  const whole = json.length <= mostTextInAll && Buffer.byteLength(JSON.stringify(json)) <= mostJsonBytes
  return {
    parent: { type: "data_source_id" as const, data_source_id: config.data_source_id },
    properties: {
      ...(titled || titleName === undefined ? {} : { [titleName]: { title: rich(`Footnote ${job.id}`) } }),
      ...Object.fromEntries(mapped),
      [jobIdProperty]: { rich_text: rich(job.id) }
    },
    children: [
      {
        object: "block" as const,
        type: "paragraph" as const,
        paragraph: {
          rich_text: [
            linked("Job", links.job),
            { text: { content: " · " } },
            linked("Evidence", links.evidence),
            ...(whole
              ? []
              : [{ text: { content: " · the result is too large for a page: " } }, linked("Result", links.result)])
          ]
        }
      },
      ...(whole
        ? [{
          object: "block" as const,
          type: "code" as const,
          code: { language: "json" as const, rich_text: rich(json) }
        }]
        : [])
    ]
  }
}

/**
 * The page of a finished job: its id where it can be found again, the mapped properties by the types that the data source
 * has, links to the job and its evidence, and the result as JSON, in whole or, where it is too large, not at all. Texts of
 * properties that are too large together are cut, the same for all of them.
 */
export const notionPage = (config: NotionConfig, source: DataSource, parcel: Parcel) => {
  let most = mostTextInAll
  let page = pageOf(config, source, parcel, most)
  while (most > 1 && Buffer.byteLength(JSON.stringify(page)) > mostRequestBytes) {
    most = Math.floor(most / 2)
    page = pageOf(config, source, parcel, most)
  }
  return page
}
