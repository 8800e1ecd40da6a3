import { readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import sharp from "sharp"
import type { EvidenceSpan } from "../src/artifacts/Evidence.ts"
import type { Frame } from "../src/artifacts/Frames.ts"
import { clock } from "../src/cli/output/EvidenceTable.ts"
import { cut } from "../src/text/PlainText.ts"

/**
 * Draws the folder that `npm run extract -- FILE --out DIR` wrote as one SVG: values on the left, and for each of them a
 * footnote with its moment, its words and, where it was seen, the frame. `node tools/draw-result.ts DIR FILE.svg [COUNT]`.
 */
const [folder, target, count = "9"] = process.argv.slice(2)
if (folder === undefined || target === undefined) {
  console.error("Usage: node tools/draw-result.ts DIR FILE.svg [COUNT]")
  process.exit(2)
}
const read = (name: string) => JSON.parse(readFileSync(join(folder, name), "utf8"))
const spans: ReadonlyArray<EvidenceSpan> = read("evidence.json").spans
const frames: ReadonlyArray<Frame> = read("frames.json").frames
const duration_seconds: number = read("job.json").source?.duration_seconds ?? 0

/** Text of one line that XML can hold, cut to `length`. */
const shown = (text: string, length: number) =>
  cut(text.replaceAll(/[\s\p{Cc}\p{Cs}\u{FFFE}\u{FFFF}]+/gu, " ").trim(), length)
    .replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;")

/** A spread over fields and moments instead of the first ones: one span per field in turn, at most two of one frame. */
const chosen: Array<EvidenceSpan> = []
const extracted = spans.filter((span) => span.origin === "extracted")
const byField = [...Map.groupBy(extracted, (span) => span.pointer.replaceAll(/\/\d+/gu, "/*")).values()]
for (let round = 0; round < extracted.length; round++) {
  for (const group of byField) {
    const span = group[round]
    if (span === undefined || chosen.length >= Number(count)) continue
    if (chosen.filter(({ source_ref }) => source_ref === span.source_ref).length < 2) chosen.push(span)
  }
}
chosen.sort((a, b) => spans.indexOf(a) - spans.indexOf(b))

const row = 84
const top = 64
const width = 1180
const height = top + chosen.length * row + 24
const timeline = { x: 590, width: 560 }

const thumbnail = async (span: EvidenceSpan): Promise<string | undefined> => {
  const frame = frames.find(({ source_ref }) => source_ref === span.source_ref)
    ?? frames.find(({ source_ref }) => span.corroborated_by.some((other) => other.source_ref === source_ref))
  if (frame === undefined) return undefined
  const image = await sharp(join(folder, "frames", `${frame.id}.jpg`)).resize({ width: 224 }).jpeg({ quality: 70 })
    .toBuffer()
  return `data:image/jpeg;base64,${image.toString("base64")}`
}

const source: Record<string, string> = {
  asr: "heard",
  captions: "caption",
  ocr: "on screen",
  vision: "seen",
  metadata: "file"
}
const parts = await Promise.all(chosen.map(async (span, index) => {
  const y = top + index * row
  const picture = await thumbnail(span)
  const value = typeof span.value === "string" ? span.value : JSON.stringify(span.value)
  const x = (seconds: number) =>
    timeline.x + (duration_seconds > 0 ? Math.min(seconds / duration_seconds, 1) : 0) * timeline.width
  const from = span.modality === "both" ? "heard and on screen" : source[span.origin_channel]
  return `
  <line x1="24" x2="${width - 24}" y1="${y}" y2="${y}" stroke="#e3e6ea"/>
  <text x="24" y="${y + 28}" class="pointer">${shown(span.pointer, 44)}</text>
  <text x="24" y="${y + 56}" class="value"><tspan class="said">${
    shown(value, 36)
  }</tspan><tspan class="mark" dx="3" dy="-7">${index + 1}</tspan></text>
  ${
    picture === undefined ?
      "" :
      `<image x="448" y="${y + 10}" width="112" height="63" href="${picture}"/><rect x="448" y="${
        y + 10
      }" width="112" height="63" fill="none" stroke="#d5dae0"/>`
  }
  <rect x="${timeline.x}" y="${y + 18}" width="${timeline.width}" height="6" rx="3" fill="#eef0f3"/>
  <rect x="${x(span.t_start).toFixed(1)}" y="${y + 15}" width="${
    Math.max(6, x(span.t_end) - x(span.t_start)).toFixed(1)
  }" height="12" rx="3" fill="#c2571a"/>
  <text x="${timeline.x}" y="${y + 50}" class="note"><tspan class="mark">${index + 1}</tspan>  ${clock(span.t_start)}–${
    clock(span.t_end)
  }  ·  ${from}  ·  ${span.source_ref}</text>
  <text x="${timeline.x}" y="${y + 70}" class="quote">“<tspan class="said">${shown(span.quote, 76)}</tspan>”</text>`
}))

writeFileSync(
  target,
  `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="img" aria-label="A typed result with a footnote for every value">
<style>
  text { font-family: "DejaVu Sans", "Segoe UI", Helvetica, Arial, sans-serif; fill: #1d2733 }
  .head { font-size: 15px; fill: #5b6876 }
  .pointer { font: 13px "DejaVu Sans Mono", Menlo, Consolas, monospace; fill: #5b6876 }
  .value { font-size: 17px; font-weight: 600 }
  .mark { font-size: 12px; font-weight: 700; fill: #c2571a }
  .note { font-size: 13px; fill: #5b6876 }
  .quote { font-size: 13px; font-style: italic }
  .said { unicode-bidi: isolate }
</style>
<rect width="100%" height="100%" fill="#fff"/>
<text x="24" y="40" class="head">Value</text><text x="448" y="40" class="head">Frame</text><text x="${timeline.x}" y="40" class="head">Its moment in ${
    clock(duration_seconds)
  } of footage, and the words that say so</text>${parts.join("")}
</svg>
`
)
