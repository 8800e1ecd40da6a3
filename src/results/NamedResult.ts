import type { Schema } from "effect"
import type { Evidence, EvidenceSpan } from "../artifacts/Evidence.ts"
import type { Transcript } from "../artifacts/Transcript.ts"
import { namesOf, type SpeakerNaming, speakersBySegment } from "../reviews/model/SpeakerNaming.ts"
import { applyEdits } from "../schemas/json-schema/ValueEdits.ts"

/** A value of the result that is by its formula the name of whoever speaks, as it is named now. */
export interface NamedValue {
  readonly pointer: string
  /** The voice, as it was heard. */
  readonly speaker: string
  readonly label: string
}

/** Every value that is another one by a naming. What is said or shown stays, even where it is a speaker's name. */
export const namedValues = (
  spans: ReadonlyArray<EvidenceSpan>,
  naming: SpeakerNaming,
  heard: Pick<Transcript, "segments" | "speakers">
): ReadonlyArray<NamedValue> => {
  const { labelOf, toldAs } = namesOf(naming)
  /** Who is another one is called as that one is, named or not. */
  const calledNow = (speaker: string) =>
    labelOf(speaker) ??
      (toldAs(speaker) === speaker ? undefined : heard.speakers.find(({ id }) => id === toldAs(speaker))?.label)
  const speakers = speakersBySegment(heard)
  return spans.flatMap(({ formula, pointer, source_ref, value }) => {
    const speaker = formula?.startsWith("speaker(") === true ? speakers.get(source_ref) : undefined
    const label = speaker === undefined ? undefined : calledNow(speaker)
    return speaker === undefined || label === undefined || label === value ? [] : [{ pointer, speaker, label }]
  })
}

/** Result and evidence with every such value. Where one cannot stand in the result any more, both keep what they had there. */
export const nameResult = <R extends { readonly result: Schema.Json; readonly evidence: Evidence }>(
  reading: R,
  naming: SpeakerNaming,
  heard: Pick<Transcript, "segments" | "speakers">
): R => {
  const named = namedValues(reading.evidence.spans, naming, heard)
  if (named.length === 0) return reading
  const applied = applyEdits(reading.result, named.map(({ label, pointer }) => ({ at: pointer, set: label })))
  if ("impossible" in applied) return reading
  const labels = new Map(named.map(({ label, pointer }) => [pointer, label]))
  const spans = reading.evidence.spans.map((span) => {
    const label = labels.get(span.pointer)
    return label === undefined ? span : { ...span, value: label }
  })
  return { ...reading, result: applied.value, evidence: { ...reading.evidence, spans } }
}
