import { type Evidence, type EvidenceSpan, type UnfilledReason } from "../../artifacts/Evidence.ts"

/** `1:04.2`: minutes, seconds and tenths, as a player shows them. */
export const clock = (seconds: number): string => {
  const tenths = Math.round(seconds * 10)
  const minutes = Math.floor(tenths / 600)
  return `${minutes}:${((tenths - minutes * 600) / 10).toFixed(1).padStart(4, "0")}`
}

const cut = (text: string, width: number): string => {
  const plain = text.replaceAll(/\s+/gu, " ")
  return plain.length <= width ? plain : `${plain.slice(0, Math.max(1, width - 1))}…`
}

const show = (value: unknown): string => typeof value === "string" ? value : JSON.stringify(value)

const channel: Record<EvidenceSpan["origin_channel"], string> = {
  asr: "heard",
  captions: "caption",
  ocr: "on screen",
  vision: "seen",
  metadata: "file"
}

const why: Record<UnfilledReason, string> = {
  not_found: "nothing in the footage answers it",
  not_stated: "the field wants it in so many words, and nobody says so",
  below_threshold: "what was found is not sure enough for this precision",
  refused: "what was proposed is not in the words that it cites, or does not fit the schema",
  conflicting: "the footage says several values, and none prevails",
  source_unclear: "speech or picture are too unclear there",
  unsupported: "nothing here answers a field of this shape",
  budget: "the job's tokens, time or room ran out"
}

/** What a reason says; of one that a later version writes, the reason alone. */
const reasoned = (reason: string): string =>
  Object.hasOwn(why, reason) ? `(${reason}) ${why[reason as UnfilledReason]}` : `(${reason})`

/** A link as terminals take it (OSC 8); one that knows none shows the text alone. */
const linked = (text: string, url: string): string => `\u001b]8;;${url}\u001b\\${text}\u001b]8;;\u001b\\`

/**
 * The typed result as a table: one row per leaf with its value, its moment, where it comes from and the words or pixels
 * that say so; a question mark before the grade is a value that is not verified. What was not found follows, with the reason and
 * what was held back. With the source's address each moment is a link to itself.
 */
export const renderEvidence = (evidence: Evidence, columns: number, source?: string): string => {
  const width = Math.max(60, Math.min(columns, 160))
  const field = Math.min(34, Math.max(5, ...evidence.spans.map((span) => span.pointer.length)))
  const rest = width - field - 45
  const value = Math.max(12, Math.floor(rest / 2))
  const row = (cells: readonly [string, string, string, string, string, string]) =>
    [
      cut(cells[0], field).padEnd(field),
      cut(cells[1], value).padEnd(value),
      cells[2].padStart(15),
      cells[3].padEnd(9),
      cells[4].padEnd(11),
      cut(cells[5], Math.max(12, rest - value))
    ].join("  ").trimEnd()

  const lines = [row(["FIELD", "VALUE", "MOMENT", "SOURCE", "GRADE", "QUOTE"])]
  for (const span of evidence.spans) {
    if (span.grade === "default") {
      lines.push(row([span.pointer, show(span.value), "", "schema", "default", ""]))
      continue
    }
    const moment = `${clock(span.t_start)}–${clock(span.t_end)}`
    const line = row([
      span.pointer,
      show(span.value),
      moment,
      span.modality === "both" ? "both" : channel[span.origin_channel],
      `${span.verified ? "" : "?"}${span.grade}`,
      `“${span.quote}”`
    ])
    // Behind the field and the value, whose text may hold the same characters; its width is that of what is seen.
    const at = line.indexOf(moment, field + 2 + value)
    lines.push(
      source === undefined
        ? line
        : line.slice(0, at) + linked(moment, source + span.media_fragment) + line.slice(at + moment.length)
    )
  }
  if (evidence.unfilled.length > 0) {
    lines.push("", "Not found in the footage:")
    for (const { candidates, pointer, reason } of evidence.unfilled) {
      lines.push(`  ${pointer}  ${cut(reasoned(reason), Math.max(20, width - pointer.length - 4))}`)
      for (const { confidence, quote, refused_because, t_start, value: held } of candidates) {
        const sure = confidence === null ? "" : ` ${confidence.toFixed(2)}`
        const at = t_start === null ? "" : ` ${clock(t_start)}`
        lines.push(`    ${cut(`${show(held)}${sure}${at} “${quote}”`, width - 4)}`)
        lines.push(`      ${cut(refused_because, width - 6)}`)
      }
    }
  }
  const { counts: { filled, leaves, unfilled, verified } } = evidence
  lines.push(
    "",
    `${leaves} leaves: ${filled} filled, ${verified} of them verified${
      verified < filled ? " (? marks what is not)" : ""
    }, ${unfilled} not filled.`
  )
  return lines.join("\n")
}

/** What somebody may do who wants more than a strict result gives; undefined where nothing was left out for want of sureness. */
export const howToGetMore = ({ unfilled }: Evidence): string | undefined => {
  const unsure =
    unfilled.filter(({ candidates, reason }) => reason === "below_threshold" && candidates.length > 0).length
  return unsure === 0
    ? undefined
    : `Of ${unsure} more something was found that is not sure enough for a strict result: --precision balanced gives the `
      + "likelier of it, of which more is wrong."
}
