import { Schema, SchemaGetter } from "effect"
import { EvidenceShape1, TranscriptShape1 } from "./EarlierShapes.ts"
import { Evidence } from "./Evidence.ts"
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

export const StoredEvidence = storedShape(Evidence, [
  earlier(EvidenceShape1, Evidence, ({ spans, unfilled }) => ({
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
