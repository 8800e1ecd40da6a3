import type { Schema } from "effect"
import {
  type Evidence,
  evidenceAddress,
  type EvidenceSpan,
  PERSON_REF,
  type Unfilled
} from "../../artifacts/Evidence.ts"
import type { JobRecord } from "../../jobs/model/Job.ts"
import { openUri, shownUri } from "../../sources/ShownUri.ts"
import { escapeHtml, styleSource } from "../../web/server/Html.ts"

/** Values beyond this are counted: a browser lays out some thousands of elements at once. */
const mostValues = 3000
const mostText = 20_000
const mostMoments = 3

const style =
  `:root{color-scheme:light dark;--ink:#1c1d20;--soft:#5b5e66;--line:#c9ccd3;--page:#f4f5f7;--sheet:#fff;--deed:#1f4fd1;--alarm:#a8071a}
@media(prefers-color-scheme:dark){:root{--ink:#eceef2;--soft:#a9adb8;--line:#4a4e59;--page:#16171b;--sheet:#212329;--deed:#8fb0ff;--alarm:#ff9aa2}}
*{box-sizing:border-box}
body{margin:0;background:var(--page);color:var(--ink);font:1rem/1.5 system-ui,sans-serif}
main{max-width:52rem;margin:0 auto;padding:1.5rem 1.25rem 3rem;background:var(--sheet);min-height:100vh}
h1{margin:0 0 1rem;font-size:1.4rem;line-height:1.25}
h2{margin:2rem 0 .5rem;font-size:1.1rem}
p,ul,ol,dl{margin:0 0 .5rem}
dl.facts{display:grid;grid-template-columns:auto 1fr;gap:.15rem 1rem}
dt{color:var(--soft);overflow-wrap:anywhere}
dd{margin:0;overflow-wrap:anywhere}
dl.values>dt{margin-top:.75rem;font-weight:600}
dl.values dl.values,ol.values{border-left:2px solid var(--line);margin-left:.2rem;padding-left:1.2rem}
ol.values{padding-left:2.2rem}
.value{white-space:pre-wrap;overflow-wrap:anywhere}
.none{color:var(--soft)}
.alarm{color:var(--alarm)}
blockquote{margin:0;color:var(--soft);font-size:.9rem;white-space:pre-wrap;overflow-wrap:anywhere}
blockquote:target{border-left:3px solid var(--deed);padding-left:.5rem;scroll-margin-top:30vh}
a{color:var(--deed)}
time,a time{font-variant-numeric:tabular-nums}`

/** Loads nothing, runs nothing, sends nothing, is framed by nobody, and tells nobody the address by which it was opened. */
const headers = {
  "content-type": "text/html; charset=utf-8",
  "content-security-policy": `default-src 'none'; style-src ${
    styleSource(style)
  }; form-action 'none'; base-uri 'none'; frame-ancestors 'none'`,
  "cache-control": "private, no-store",
  "referrer-policy": "no-referrer",
  "x-robots-tag": "noindex, nofollow"
}

const page = (title: string, main: string) => ({
  headers,
  body: `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(title)}</title>
<style>${style}</style>
</head>
<body>
<main>
${main}
</main>
</body>
</html>
`
})

/** Text that somebody else wrote: shown letter by letter, and turning nothing around it, whatever its direction is. */
const text = (value: string): string => `<bdi>${escapeHtml(value.toWellFormed())}</bdi>`

const two = (number: number) => String(number).padStart(2, "0")
const clock = (seconds: number): string => {
  const whole = Math.floor(seconds)
  const rest = `${two(Math.floor(whole / 60) % 60)}:${two(whole % 60)}`
  return whole < 3600 ? rest : `${Math.floor(whole / 3600)}:${rest}`
}

const channels = { asr: "heard", captions: "captions", ocr: "on screen", vision: "seen", metadata: "metadata" } as const

/** The first moment of a value has the address that links to the value lead to. */
const moment = (span: EvidenceSpan, source: string | undefined, at: number): string => {
  if (span.grade === "default") return `<blockquote>given by the schema</blockquote>`
  if (span.source_ref === PERSON_REF) return `<blockquote>given by a reviewer</blockquote>`
  const range = `<time>${clock(span.t_start)}</time>–<time>${clock(span.t_end)}</time>`
  const shown = source === undefined
    ? range
    : `<a href="${escapeHtml(`${source}${span.media_fragment}`)}" rel="noopener noreferrer">${range}</a>`
  const doubt = span.verified ? "" : ` · <span class="alarm">not verified</span>`
  const id = at === 0 ? ` id="${escapeHtml(evidenceAddress(span.pointer))}"` : ""
  return `<blockquote${id}>“${text(span.quote.slice(0, mostText))}” ${shown} · ${
    channels[span.origin_channel]
  } · ${span.grade}${doubt}</blockquote>`
}

/** What was held back of a leaf, for a person to judge. */
const heldBack = ({ quote, refused_because, t_start, value }: Unfilled["candidates"][number]): string =>
  `<blockquote>perhaps ${text(String(value).slice(0, mostText))}: “${text(quote.slice(0, mostText))}”${
    t_start === null ? "" : ` <time>${clock(t_start)}</time>`
  } · ${text(refused_because)}</blockquote>`

interface Shown {
  readonly spans: ReadonlyMap<string, ReadonlyArray<EvidenceSpan>>
  readonly unfilled: ReadonlyMap<string, Unfilled>
  readonly source: string | undefined
  left: number
}

const leaf = (value: Schema.Json, pointer: string, shown: Shown): string => {
  const spans = shown.spans.get(pointer) ?? []
  const { candidates = [], reason } = shown.unfilled.get(pointer) ?? {}
  const why = reason === undefined ? "" : ` <span class="none">(${escapeHtml(reason.replaceAll("_", " "))})</span>`
  const said = value === null
    ? `<span class="none">not found</span>`
    : value === ""
    ? `<span class="none">empty</span>`
    : `<span class="value">${text(String(value).slice(0, mostText))}</span>`
  return `${said}${why}${spans.slice(0, mostMoments).map((span, at) => moment(span, shown.source, at)).join("")}${
    candidates.map(heldBack).join("")
  }`
}

const token = (key: string) => key.replaceAll("~", "~0").replaceAll("/", "~1")

/** A value and what is within it, in the order of the result. */
const tree = (value: Schema.Json, pointer: string, shown: Shown): string => {
  if (shown.left-- <= 0) return `<span class="none">…</span>`
  if (typeof value !== "object" || value === null) return leaf(value, pointer, shown)
  if (Array.isArray(value)) {
    return value.length === 0
      ? `<span class="none">none</span>`
      : `<ol class="values">${
        value.map((item, at) => `<li>${tree(item, `${pointer}/${at}`, shown)}</li>`).join("")
      }</ol>`
  }
  const members = Object.entries(value)
  if (members.length === 0) return `<span class="none">empty</span>`
  return `<dl class="values">${
    members.map(([key, member]) =>
      `<dt>${text(key.slice(0, 500))}</dt><dd>${tree(member!, `${pointer}/${token(key)}`, shown)}</dd>`
    ).join("")
  }</dl>`
}

const grouped = (spans: ReadonlyArray<EvidenceSpan>): ReadonlyMap<string, ReadonlyArray<EvidenceSpan>> => {
  const groups = new Map<string, Array<EvidenceSpan>>()
  for (const span of spans) {
    const group = groups.get(span.pointer)
    if (group === undefined) groups.set(span.pointer, [span])
    else group.push(span)
  }
  return groups
}

const facts = (rows: ReadonlyArray<readonly [string, string]>) =>
  `<dl class="facts">${rows.map(([name, value]) => `<dt>${name}</dt><dd>${value}</dd>`).join("")}</dl>`

const about = (job: JobRecord, until: Date) => {
  const source = openUri(job.source_uri)
  const shownSource = text(shownUri(job.source_uri))
  return facts([
    [
      "Source",
      source === undefined
        ? shownSource
        : `<a href="${escapeHtml(source)}" rel="noopener noreferrer">${shownSource}</a>`
    ],
    ...(job.source === null ? [] : [["Length", clock(job.source.duration_seconds ?? 0)] as const]),
    ["Job", escapeHtml(job.id)],
    ["This page", `can be opened by anybody who has its address, until ${escapeHtml(until.toUTCString())}`]
  ])
}

/**
 * A finished job for people: every value of the result in its order with the words and seconds that it was read from, and
 * why one is missing. What a film says stands there as text and is never markup; links lead to the source alone.
 */
export const resultPage = (job: JobRecord, result: Schema.Json, evidence: Evidence, until: Date) => {
  const shown: Shown = {
    spans: grouped(evidence.spans),
    unfilled: new Map(evidence.unfilled.map((one) => [one.pointer, one])),
    source: openUri(job.source_uri),
    left: mostValues
  }
  const values = tree(result, "", shown)
  const rest = shown.left >= 0
    ? ""
    : `<p class="alarm">Only the first ${mostValues} values are shown; the API gives the whole result.</p>`
  return page(
    "Result – Footnote",
    `<h1>What was found</h1>
${about(job, until)}
<h2>Result</h2>
${rest}${values}`
  )
}

/** A job that has no result, and why. */
export const noResultPage = (job: JobRecord, until: Date) =>
  page(
    "No result – Footnote",
    `<h1>This job has no result</h1>
${about(job, until)}
<p>It is ${escapeHtml(job.status)}${job.error === null ? "" : `: ${text(job.error.message)}`}.</p>`
  )

/** Why there is nothing to see, in a sentence. */
export const wordPage = (title: string, sentence: string) =>
  page(
    `${title} – Footnote`,
    `<h1>${escapeHtml(title)}</h1>
<p>${escapeHtml(sentence)}</p>`
  )
