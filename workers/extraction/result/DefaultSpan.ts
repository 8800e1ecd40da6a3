import { type EvidenceSpan, SCHEMA_REF } from "../../../src/artifacts/Evidence.ts"
import { mediaFragment } from "../../../src/artifacts/MediaFragment.ts"
import type { Assembled } from "./Assemble.ts"

/** A value that the schema gives by itself: it has neither moment nor quote, and nothing of the footage speaks for it. */
export const defaultSpan = ({ pointer, value }: Assembled["defaults"][number]): EvidenceSpan => ({
  pointer,
  value,
  origin: "default",
  origin_channel: "metadata",
  modality: "none",
  t_start: 0,
  t_end: 0,
  source_ref: SCHEMA_REF,
  quote: "",
  media_fragment: mediaFragment({ t_start: 0, t_end: 0 }, null),
  node_id: null,
  support: "verbatim",
  confidence: 1,
  verified: false,
  corroborated_by: [],
  alternatives: [],
  grade: "default",
  citations: [],
  checks: { quoted: false, derivable: true, answers: null, judged_by: null },
  proposed_by: "schema"
})
