import type { Evidence, EvidenceSpan, Unfilled } from "../../src/artifacts/Evidence.ts"
import { countsOf } from "../../src/artifacts/Evidence.ts"

/** A schema with a value of each kind, a job's result by it, and where each value comes from. */
export const schema = {
  type: "object",
  properties: {
    title: { type: "string" },
    price: { type: "number" },
    paid: { type: ["boolean", "null"] },
    city: { type: "string" },
    rooms: {
      type: "array",
      items: { type: "object", properties: { name: { type: "string" }, size: { type: "integer" } }, required: ["name"] }
    },
    tags: { type: "array", items: { type: "string" } }
  },
  required: ["title", "paid"],
  additionalProperties: false
}

export const result = {
  title: "Orbits",
  price: 12,
  paid: null,
  rooms: [{ name: "Hall", size: 30 }, { name: "Attic", size: 9 }],
  tags: ["old", "cheap"]
}

const segments = [
  "We call it Orbits, for twelve euros, or was it fifteen.",
  "The hall has thirty square metres.",
  "The attic has nine.",
  "It is old and cheap, in Graz."
].map((text, index) => ({
  id: `seg#${String(index).padStart(6, "0")}`,
  origin: "asr" as const,
  t_start: index * 10,
  t_end: index * 10 + 5,
  speaker: "S1",
  text,
  confidence: 0.9,
  words: text.split(" ").map((word, at) => ({
    t_start: index * 10 + at * 0.5,
    t_end: index * 10 + at * 0.5 + 0.4,
    text: word,
    confidence: 0.9
  }))
}))

export const transcript = {
  language: "en",
  duration_seconds: 40,
  text: segments.map(({ text }) => text).join(" "),
  speakers: [{ id: "S1", label: "Ada", speaking_seconds: 20 }],
  segments,
  turns: [{ speaker: "S1", t_start: 0, t_end: 35 }],
  audio_branch: "present" as const,
  model: "ctc-1"
}

export const vision = {
  visual_branch: "present" as const,
  frames: [{
    frame_id: "frm_000040",
    source_ref: "frame#000040",
    timestamp: 20,
    description: "A sign.",
    text: [
      { text: "Orbits Inn", box: [0.1, 0.1, 0.3, 0.1] as const, confidence: 0.9 },
      { text: "€ 12", box: [0.1, 0.5, 0.3, 0.1] as const, confidence: 0.9 }
    ],
    labels: []
  }],
  model: "ocr-1"
}

const place = (number: number, quote: string) => {
  const segment = segments[number]!
  const { id: source_ref, t_end, t_start } = segment
  return { source_ref, t_start, t_end, quote, media_fragment: `#t=${t_start},${t_end}` }
}

const span = (pointer: string, value: EvidenceSpan["value"], number: number, quote: string): EvidenceSpan => ({
  pointer,
  value,
  origin: "extracted",
  origin_channel: "asr",
  modality: "audio",
  ...place(number, quote),
  node_id: null,
  support: "verbatim",
  confidence: 0.8,
  verified: false,
  corroborated_by: [],
  alternatives: pointer === "/price" ? [{ value: 15, ...place(0, "fifteen") }] : [],
  grade: "stated",
  citations: [{ ...place(number, quote), role: "value", origin_channel: "asr" }],
  checks: { quoted: true, derivable: true, answers: 0.4, judged_by: "rules" },
  proposed_by: "ranker"
})

const spans = [
  span("/title", "Orbits", 0, "Orbits"),
  span("/price", 12, 0, "twelve"),
  span("/rooms/0/name", "Hall", 1, "hall"),
  span("/rooms/0/size", 30, 1, "thirty"),
  span("/rooms/1/name", "Attic", 2, "attic"),
  span("/rooms/1/size", 9, 2, "nine"),
  span("/tags/0", "old", 3, "old"),
  span("/tags/1", "cheap", 3, "cheap")
]

const { media_fragment: _, ...graz } = place(3, "Graz")
const unfilled: ReadonlyArray<Unfilled> = [
  { pointer: "/paid", reason: "not_found", candidates: [] },
  {
    pointer: "/city",
    reason: "below_threshold",
    candidates: [{ value: "Graz", confidence: 0.3, ...graz, refused_because: "not sure enough" }]
  }
]

export const evidence: Evidence = { spans, unfilled, counts: countsOf(spans, unfilled) }
