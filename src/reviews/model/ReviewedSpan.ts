import type { Schema } from "effect"
import { type Citation, type EvidenceSpan, PERSON_REF, type Reviewer } from "../../artifacts/Evidence.ts"
import { frameId } from "../../artifacts/Frames.ts"
import { mediaFragment } from "../../artifacts/MediaFragment.ts"
import type { ReviewCitation } from "./Review.ts"

/** Who decided, by which revision. */
export interface Decider {
  readonly author: Reviewer
  readonly revision: number
}

export const decidedBy = ({ author, revision }: Decider) => ({ reviewed_by: author, revision })

const cited = ({ box, ...citation }: ReviewCitation): Citation => ({
  ...citation,
  role: "value",
  media_fragment: mediaFragment(citation, box ?? null)
})

const isFrame = (ref: string): boolean => ref.startsWith("frame#")

const modalityOf = (citations: ReadonlyArray<ReviewCitation>): EvidenceSpan["modality"] => {
  const [seen, heard] = [true, false].map((frame) => citations.some((one) => isFrame(one.source_ref) === frame))
  return seen && heard ? "both" : seen ? "visual" : heard ? "audio" : "none"
}

type Alternative = EvidenceSpan["alternatives"][number]

/** What a value that gives way is kept as: a reviewer may choose it again. None where it stood at no place of the source. */
const givenWay = (span: EvidenceSpan | undefined): ReadonlyArray<Alternative> => {
  if (span === undefined) return []
  const { media_fragment, quote, source_ref, t_end, t_start, value } = span
  return /^(seg|frame)#/u.test(source_ref) ? [{ value, source_ref, t_start, t_end, quote, media_fragment }] : []
}

/** The span of a value that a person gave: true by their word, and verified where they point at a place that says so. */
export const personSpan = (
  pointer: string,
  value: Schema.Json,
  citations: ReadonlyArray<ReviewCitation>,
  by: Decider,
  old: EvidenceSpan | undefined
): EvidenceSpan => {
  const [first] = citations
  const moment = first ?? { t_start: 0, t_end: 0 }
  const quote = first?.quote ?? ""
  const alternatives = [...givenWay(old), ...(old?.alternatives ?? [])]
  return {
    pointer,
    value,
    origin: "person",
    origin_channel: first?.origin_channel ?? "metadata",
    modality: modalityOf(citations),
    t_start: moment.t_start,
    t_end: moment.t_end,
    source_ref: first?.source_ref ?? PERSON_REF,
    ...(first !== undefined && isFrame(first.source_ref)
      ? { frame_id: frameId(Number(first.source_ref.slice(6))) }
      : {}),
    quote,
    media_fragment: mediaFragment(moment, first?.box ?? null),
    node_id: null,
    support: quote !== "" && quote.includes(String(value)) ? "verbatim" : "inferred",
    confidence: 1,
    verified: first !== undefined,
    corroborated_by: [],
    alternatives: alternatives.filter((one) => JSON.stringify(one.value) !== JSON.stringify(value)),
    grade: old === undefined || old.grade === "default" ? "stated" : old.grade,
    citations: citations.map(cited),
    checks: { quoted: first !== undefined, derivable: null, answers: 1, judged_by: "person" },
    proposed_by: "person",
    ...decidedBy(by)
  }
}

/** A span whose value a person has held to be right: the other checks stay what they were. */
export const acceptedSpan = (span: EvidenceSpan, by: Decider): EvidenceSpan => ({
  ...span,
  checks: { ...span.checks, answers: 1, judged_by: "person" },
  verified: span.checks.quoted && span.checks.derivable !== false,
  ...decidedBy(by)
})
