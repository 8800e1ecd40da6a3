import type { Schema } from "effect"
import { shownUri } from "../sources/ShownUri.ts"
import type { Parcel } from "./Connector.ts"
import { cut, plain } from "./PlainText.ts"

const mostFields = 10
/** Slack's limits: 2,000 characters for a field, 3,000 for a text, counted after escaping. */
const mostText = 2000

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
  text: shown(text, most) || " ",
  emoji: false
})

const summary = (value: Schema.Json): string => {
  if (value === null) return "–"
  if (Array.isArray(value)) {
    return value.every((item) => typeof item !== "object" || item === null)
      ? value.map((item) => item === null ? "–" : String(item)).join(", ")
      : `${value.length} items`
  }
  return typeof value === "object" ? `${Object.keys(value).length} fields` : String(value)
}

/** The address of the job's source where it may be shown, else nothing: a signed link is a right, not a reference. */
const sourceLink = (uri: string): string | undefined =>
  /^https?:/iu.test(uri) && shownUri(uri) === URL.parse(uri)?.href ? URL.parse(uri)!.href : undefined

const clock = (seconds: number): string => {
  const whole = Math.floor(seconds)
  const minutes = String(Math.floor(whole / 60)).padStart(2, "0")
  return `${minutes}:${String(whole % 60).padStart(2, "0")}`
}

/** `<url|text>` with nothing in it that could end it. */
const link = (url: string, text: string) => `<${escaped(url).replaceAll("|", "%7C")}|${text}>`

const escapeToken = (key: string) => key.replaceAll("~", "~0").replaceAll("/", "~1")

/** When and where the value of a field of the result was said or seen first. */
const momentOf = (parcel: Parcel, key: string): string | undefined => {
  const pointer = `/${escapeToken(key)}`
  const [first] = parcel.evidence.filter((span) => span.pointer === pointer || span.pointer.startsWith(`${pointer}/`))
    .toSorted((a, b) => a.t_start - b.t_start)
  if (first === undefined) return undefined
  const source = sourceLink(parcel.job.source_uri)
  const at = clock(first.t_start)
  return source === undefined ? link(parcel.links.evidence, at) : link(`${source}${first.media_fragment}`, at)
}

const fieldsOf = (result: Schema.Json): ReadonlyArray<readonly [string, Schema.Json]> =>
  typeof result === "object" && result !== null && !Array.isArray(result)
    ? Object.entries(result).slice(0, mostFields) as ReadonlyArray<readonly [string, Schema.Json]>
    : []

/** The only markup there is: links of our own. */
const context = (text: string) => ({
  type: "context" as const,
  elements: [{ type: "mrkdwn" as const, text, verbatim: true }]
})

/**
 * A message about a finished job: up to ten fields of the result as plain text, each with the moment it comes from, and
 * links to the job and its evidence. Text of the result is never markup, and every link is one that this service built.
 */
export const slackMessage = (parcel: Parcel) => {
  const { delivery_id, job, links } = parcel
  const fields = fieldsOf(parcel.result)
  const moments = fields.flatMap(([key]) => {
    const moment = momentOf(parcel, key)
    return moment === undefined ? [] : [`${shown(key.replaceAll(/[*_~`]/gu, ""), 60)} ${moment}`]
  })
  const moment = moments.join(" · ")
  return {
    text: `Footnote job ${job.id}: ${job.status}`,
    blocks: [
      { type: "header" as const, text: words(`Footnote job: ${job.status}`, 150) },
      ...fields.map(([key, value]) => ({
        type: "section" as const,
        fields: [words(key, 200), words(summary(value))]
      })),
      ...(moment === "" || moment.length > 3000 ? [] : [context(moment)]),
      context(`${link(links.job, "Job")} · ${link(links.evidence, "Evidence")} · ${delivery_id}`)
    ],
    unfurl_links: false,
    unfurl_media: false
  }
}
