import type { Schema } from "effect"
import { isOfCalendar } from "../../database/Instant.ts"
import { cut, plain } from "../../text/PlainText.ts"
import type { Property } from "./DataSource.ts"

/** Notion's limits: 2,000 characters of one text, 100 of these in a list. */
const mostText = 2000
const mostTexts = 100
export const mostTextInAll = mostText * mostTexts

/** Types of properties that a value of a result may fill. */
const fillable = new Set([
  "title",
  "rich_text",
  "number",
  "checkbox",
  "date",
  "select",
  "multi_select",
  "status",
  "url",
  "email",
  "phone_number",
  "people"
])

export const isFillable = (type: string): boolean => fillable.has(type)

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

export const rich = (text: string, most = mostTextInAll) =>
  slices(cut(plain(text), most)).slice(0, mostTexts).map((content) => ({ text: { content } }))

export const asText = (value: Schema.Json): string =>
  value === null ? "" : typeof value === "string" ? value : JSON.stringify(value)

/** The name of an option, which may hold no comma; undefined where nothing of it would be seen. */
const optionName = (value: Schema.Json): string | undefined => {
  const name = cut(plain(asText(value)).replaceAll(",", " ").trim(), 100)
  return name === "" ? undefined : name
}

/** An address as it stands there, which leads where it says: no user, no other scheme, no name that only looks like one. */
const webAddress = (text: string): string | undefined => {
  const url = URL.parse(text.trim())
  return url !== null && /^https?:$/u.test(url.protocol) && url.username === "" && url.password === ""
      && url.hostname.includes(".") && url.href.length <= mostText
    ? url.href
    : undefined
}

const userIds = (value: Schema.Json): ReadonlyArray<string> =>
  [...new Set((Array.isArray(value) ? value : [value]).map((id) => asText(id).trim().toLowerCase()))]
    .filter((id) => /^[0-9a-f]{8}-?(?:[0-9a-f]{4}-?){3}[0-9a-f]{12}$/u.test(id))
    .slice(0, mostTexts)

/** A day, or a moment with its offset, that the calendar and the clock have: `0000-00-00` is what an unknown date of a pattern is filled with. */
const isDate = (text: string): boolean => {
  const [, day] = /^(\d{4}-\d{2}-\d{2})(?:T[\d:.]{5,12}(?:Z|[+-]\d{2}:\d{2}))?$/u.exec(text) ?? []
  return day !== undefined && isOfCalendar(day) && !Number.isNaN(Date.parse(text))
}

/**
 * A property's value, texts of at most `most` characters. Undefined leaves it empty, because the value is not of its type:
 * Notion would refuse the whole page.
 */
export const propertyValue = ({ options, type }: Property, value: Schema.Json, most: number): object | undefined => {
  if (value === null) return undefined
  const text = asText(value)
  switch (type) {
    case "title":
      return { title: rich(text, most) }
    case "rich_text":
      return { rich_text: rich(text, most) }
    case "number":
      return typeof value === "number" ? { number: value } : undefined
    case "checkbox":
      return typeof value === "boolean" ? { checkbox: value } : undefined
    case "date":
      return isDate(text) ? { date: { start: text } } : undefined
    case "select": {
      const name = optionName(value)
      return name === undefined ? undefined : { select: { name } }
    }
    case "multi_select": {
      const names = (Array.isArray(value) ? value : [value]).flatMap((item) => optionName(item) ?? [])
      return { multi_select: [...new Set(names)].slice(0, mostTexts).map((name) => ({ name })) }
    }
    case "status": {
      const said = text.trim().toLowerCase()
      const name = options.has(text) ? text : [...options].find((option) => option.toLowerCase() === said)
      return name === undefined ? undefined : { status: { name } }
    }
    case "url": {
      const url = webAddress(text)
      return url === undefined ? undefined : { url }
    }
    case "email":
      return /^[^\s@<>,;]{1,64}@[^\s@<>,;]{1,130}\.[^\s@<>,;.]{2,}$/u.test(text.trim())
        ? { email: text.trim() }
        : undefined
    case "phone_number":
      return /^[+\d][\d\s()./-]{2,60}$/u.test(text.trim()) ? { phone_number: text.trim() } : undefined
    case "people": {
      const ids = userIds(value)
      return ids.length === 0 ? undefined : { people: ids.map((id) => ({ object: "user" as const, id })) }
    }
    default:
      return undefined
  }
}
