import { Schema } from "effect"
import type { EvidenceSpan } from "../../artifacts/Evidence.ts"
import type { Transcript } from "../../artifacts/Transcript.ts"
import type { Vision } from "../../artifacts/Vision.ts"
import { isObject, valueAt } from "../../schemas/json-schema/JsonSchema.ts"
import { applyEdits, type Edit } from "../../schemas/json-schema/ValueEdits.ts"
import { leavesOf, type Reviewed } from "./FoldReviews.ts"

const Kind = Schema.Literals(["stated", "normalised", "classified", "computed", "generated"])

const Line = Schema.Struct({
  id: Schema.String.annotate({ description: "What `evidence` names it by." }),
  speaker: Schema.NullOr(Schema.String).annotate({ description: "Who says it; null where that is not known." }),
  t0: Schema.Finite.annotate({ description: "When it begins, in seconds." }),
  t1: Schema.Finite.annotate({ description: "When it ends, in seconds." }),
  text: Schema.String.annotate({ description: "Its words." })
})

const byPointer = <S extends Schema.Top>(value: S, description: string) =>
  Schema.Record(Schema.String, value).annotate({ description })

/** A reviewed job in the form of the footage that extraction is measured on (`bench/extraction/footage/README.md`). */
export const GoldRecord = Schema.Struct({
  id: Schema.String.annotate({ description: "The job's id." }),
  kind: Schema.Literals(["video", "audio"]).annotate({ description: "Whether there is a picture." }),
  lang: Schema.String.annotate({ description: "The language that is spoken." }),
  schema: Schema.Json.annotate({ description: "The job's schema, as it was sent." }),
  segments: Schema.Array(Line).annotate({ description: "What was said." }),
  ocr: Schema.Array(Schema.Struct({
    ...Line.fields,
    frame: Schema.String.annotate({ description: "The kept frame that it was read on." })
  })).annotate({
    description: "What was on screen, line by line of each kept frame."
  }),
  gold: Schema.Json.annotate({ description: "The right result; what nobody states is not in it." }),
  evidence: byPointer(Schema.Array(Schema.String), "By leaf of `gold`: the lines that say it."),
  kinds: byPointer(Kind, "By leaf of `gold`: how its value comes about."),
  facts: byPointer(
    Schema.Array(Schema.String),
    "By generated leaf: what any right text holds. Always empty: a review does not say, and the text itself is compared."
  ),
  traps: Schema.Array(Schema.Struct({
    pointer: Schema.String.annotate({ description: "The leaf that it is wrong for." }),
    value: Schema.Json.annotate({ description: "The wrong value." }),
    why: Schema.String.annotate({ description: "Why it is wrong." }),
    evidence: Schema.Array(Schema.String).annotate({ description: "The lines that say it." })
  })).annotate({ description: "Wrong values that a person replaced or rejected." }),
  not_stated: Schema.Array(Schema.String).annotate({ description: "Leaves that are rightly empty." })
}).annotate({
  identifier: "GoldRecord",
  description: "A reviewed job as a line of footage by which an extractor can be scored."
})
export type GoldRecord = typeof GoldRecord.Type

interface GoldSource {
  readonly job_id: string
  readonly schema: Schema.Json
  readonly transcript: Transcript
  readonly vision: Vision
  readonly reviewed: Reviewed
}

/** The leaves that nobody has decided on; a record of these would call right what nobody has looked at. */
export const undecided = ({ evidence: { spans, unfilled } }: Reviewed): ReadonlyArray<string> =>
  [...spans, ...unfilled].filter((leaf) => leaf.revision === undefined).map(({ pointer }) => pointer)

const segmentId = (index: number): string => `seg_${String(index).padStart(5, "0")}`

const kindOf = ({ grade, quote, support, value }: EvidenceSpan): typeof Kind.Type => {
  if (grade === "classified" || grade === "computed" || grade === "generated") return grade
  if (typeof value === "boolean") return "classified"
  return support === "verbatim" || quote.includes(String(value)) ? "stated" : "normalised"
}

/** Without the leaves that are rightly empty, which a job's result may fill with null or a placeholder. */
const withoutEmpty = ({ evidence, result }: Reviewed): Schema.Json => {
  const places = evidence.unfilled.filter(({ pointer }) =>
    // An entry of an array stays: those behind it would move away from their evidence.
    valueAt(result, pointer) !== undefined && isObject(valueAt(result, pointer.slice(0, pointer.lastIndexOf("/"))))
  )
  const edits = places.map(({ pointer }): Edit => ({ at: pointer, remove: true }))
  const applied = applyEdits(result, edits)
  return "value" in applied ? applied.value : result
}

/** Values that the footage says and that are wrong here, as a person has said: replaced or rejected. */
const trapsOf = ({ evidence, result }: Reviewed, refs: (cited: Cited) => Array<string>): GoldRecord["traps"] => {
  const why = "replaced or rejected by a reviewer"
  const trap = (pointer: string, cited: Cited & { readonly value: Schema.Json }) =>
    cited.source_ref === null || JSON.stringify(cited.value) === JSON.stringify(valueAt(result, pointer))
      ? []
      : [{ pointer, value: cited.value, why, evidence: refs(cited) }]
  return [
    ...evidence.spans.flatMap(({ alternatives, origin, pointer }) =>
      origin === "person" ? alternatives.slice(0, 1).flatMap((one) => trap(pointer, one)) : []
    ),
    ...evidence.unfilled.flatMap(({ candidates, pointer, reason }) =>
      reason === "rejected" ? candidates.flatMap((one) => trap(pointer, one)) : []
    )
  ]
}

interface Cited {
  readonly source_ref: string | null
  readonly quote: string
}

/** The record of a job of which every leaf has been decided on. */
export const goldRecord = ({ job_id, reviewed, schema, transcript, vision }: GoldSource): GoldRecord => {
  const segments = transcript.segments.map((segment, index) => ({
    id: segmentId(index),
    speaker: segment.speaker,
    t0: segment.t_start,
    t1: segment.t_end,
    text: segment.text
  }))
  const frames = vision.frames
  const ocr = frames.flatMap(({ source_ref, text, timestamp }, at) =>
    text.map((line, row) => ({
      id: `${source_ref}/l${row}`,
      frame: source_ref,
      speaker: null,
      t0: timestamp,
      t1: Math.max(timestamp, frames[at + 1]?.timestamp ?? transcript.duration_seconds),
      text: line.text
    }))
  )
  const numbers = new Map(transcript.segments.map(({ id }, index) => [id, segmentId(index)]))
  const refsOf = ({ quote, source_ref }: Cited): Array<string> => {
    const segment = numbers.get(source_ref ?? "")
    if (segment !== undefined) return [segment]
    const lines = ocr.filter(({ frame }) => frame === source_ref)
    const said = lines.filter(({ text }) => quote !== "" && (text.includes(quote) || quote.includes(text)))
    return (said.length > 0 ? said : lines).map(({ id }) => id)
  }
  const gold = withoutEmpty(reviewed)
  const spans = new Map(reviewed.evidence.spans.map((span) => [span.pointer, span]))
  const kept = [...leavesOf(gold)].flatMap(([pointer, value]) => {
    const span = spans.get(pointer)
    return span === undefined || typeof value === "object" ? [] : [[pointer, span] as const]
  })
  return {
    id: job_id,
    kind: vision.visual_branch === "present" ? "video" : "audio",
    lang: transcript.language ?? "en",
    schema,
    segments,
    ocr,
    gold,
    evidence: Object.fromEntries(
      kept.map(([pointer, span]) => [pointer, [...new Set(span.citations.flatMap(refsOf))]])
    ),
    kinds: Object.fromEntries(kept.map(([pointer, span]) => [pointer, kindOf(span)])),
    facts: {},
    traps: trapsOf(reviewed, refsOf),
    not_stated: reviewed.evidence.unfilled.map(({ pointer }) => pointer)
  }
}
