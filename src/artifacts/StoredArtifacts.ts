import { Schema, SchemaGetter } from "effect"
import { EvidenceShape1, EvidenceShape2, TranscriptShape1 } from "./EarlierShapes.ts"
import { type Checks, type Citation, countsOf, Evidence, type EvidenceSpan, type Grade } from "./Evidence.ts"
import { Frames } from "./Frames.ts"
import { Graph } from "./Graph.ts"
import { mediaFragment } from "./MediaFragment.ts"
import { storedShape } from "./StoredShape.ts"
import { type Segment, type SpeakerTurn, Transcript } from "./Transcript.ts"
import { Vision } from "./Vision.ts"

/** An earlier shape of which today's can be made. It is never written again. */
const earlier = <Older, A>(
  older: Schema.Codec<Older, any>,
  today: Schema.Codec<A, any>,
  toToday: (older: Older) => A
) =>
  older.pipe(Schema.decodeTo(Schema.toType(today), {
    decode: SchemaGetter.transform(toToday),
    encode: SchemaGetter.forbidden(() => "An earlier shape is only read")
  }))

/** Who is heard when, as far as the segments tell: in time order, and nobody while another still has the word. */
export const turnsOf = (
  segments: ReadonlyArray<Pick<Segment, "speaker" | "t_start" | "t_end">>
): ReadonlyArray<SpeakerTurn> => {
  const turns: Array<SpeakerTurn> = []
  for (const { speaker, t_end, t_start } of segments.toSorted((a, b) => a.t_start - b.t_start)) {
    const last = turns.at(-1)
    const from = Math.max(t_start, last?.t_end ?? 0)
    if (speaker === null || t_end <= from) continue
    if (last?.speaker === speaker && last.t_end === from) turns[turns.length - 1] = { ...last, t_end }
    else turns.push({ speaker, t_start: from, t_end })
  }
  return turns
}

/** With the moment alone: which part of the picture was read was not kept. */
const withFragment = <C extends { readonly t_start: number; readonly t_end: number }>(cited: C) => ({
  ...cited,
  media_fragment: mediaFragment(cited, null)
})

export const StoredTranscript = storedShape(Transcript, [
  earlier(TranscriptShape1, Transcript, (older) => ({ ...older, turns: turnsOf(older.segments) }))
])

type Span2 = (typeof EvidenceShape2.Type)["spans"][number]

const gradeOf = ({ origin, support, value }: Span2): Grade =>
  origin === "default"
    ? "default"
    : origin === "derived"
    ? "computed"
    : typeof value === "boolean" || support === "inferred"
    ? "classified"
    : "stated"

/**
 * A span of before there were grades: its grade is read from its origin and support, its one citation is its own place, and
 * nobody had judged whether it answers its field. `verified` stays what that version wrote.
 */
const withGrade = (span: Span2): EvidenceSpan => {
  const { media_fragment, origin, origin_channel, quote, source_ref, t_end, t_start } = span
  const grade = gradeOf(span)
  const role: Citation["role"] = origin === "derived" ? "input" : "value"
  const derivable = grade === "classified" ? null : span.verified
  const checks: Checks = { quoted: span.verified, derivable, answers: null, judged_by: null }
  return {
    ...span,
    grade,
    citations: [{ source_ref, t_start, t_end, quote, role, origin_channel, media_fragment }],
    checks,
    proposed_by: "unrecorded"
  }
}

const graded = ({ spans, unfilled }: typeof EvidenceShape2.Type): Evidence => {
  const today = spans.map(withGrade)
  return {
    spans: today,
    unfilled: unfilled.map((one) => ({ ...one, candidates: [] })),
    counts: countsOf(today, unfilled)
  }
}

export const StoredEvidence = storedShape(Evidence, [
  earlier(EvidenceShape2, Evidence, graded),
  earlier(EvidenceShape1, Evidence, ({ spans, unfilled }) =>
    graded({
      unfilled,
      spans: spans.map((span) => ({
        ...withFragment(span),
        corroborated_by: span.corroborated_by.map((cited) => withFragment(cited)),
        alternatives: span.alternatives.map((cited) => withFragment(cited))
      }))
    }))
])

export const StoredFrames = storedShape(Frames)
export const StoredVision = storedShape(Vision)
export const StoredGraph = storedShape(Graph)
