import { mkdirSync, mkdtempSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"

const words = (text: string, from: number, each: number) =>
  text.split(" ").map((word, i) => ({
    text: word,
    t_start: Math.round((from + i * each) * 1000) / 1000,
    t_end: Math.round((from + (i + 1) * each) * 1000) / 1000,
    confidence: 0.9
  }))

const segment = (index: number, speaker: string, from: number, text: string) => {
  const list = words(text, from, 0.4)
  return {
    id: `seg#${String(index).padStart(6, "0")}`,
    origin: "asr",
    t_start: from,
    t_end: list.at(-1)!.t_end,
    speaker,
    text,
    confidence: 0.9,
    words: list
  }
}

const frame = (index: number, timestamp: number, kept: boolean, cluster: number) => ({
  id: `frm_${String(index).padStart(6, "0")}`,
  source_ref: `frame#${String(index).padStart(6, "0")}`,
  timestamp,
  cluster,
  phash: "00ff00ff00ff00ff",
  kept,
  width: 640,
  height: 360
})

/** All lines of a frame here stand in the upper left. */
const seen = "&xywh=percent:10,10,50,60"

/** What goes with a span's origin and support: its grade, itself as its citation, and what was checked. */
const graded = (
  value: unknown,
  more: { readonly t_start: number; readonly t_end: number; readonly origin_channel?: string } & Record<string, unknown>
) => {
  const { origin, origin_channel = "asr", quote, source_ref, support, t_end, t_start } = more
  const derived = origin === "derived"
  const classified = !derived && (support === "inferred" || typeof value === "boolean")
  const formula = typeof value === "string"
    ? "speaker(quote)"
    : value === t_start
    ? "t_start(quote)"
    : "position(entry)"
  const media_fragment = `#t=${t_start},${t_end}${origin_channel === "ocr" ? seen : ""}`
  return {
    grade: derived ? "computed" : classified ? "classified" : "stated",
    citations: [
      { source_ref, t_start, t_end, quote, role: derived ? "input" : "value", origin_channel, media_fragment }
    ],
    checks: { quoted: true, derivable: classified ? null : true, answers: 0.8, judged_by: "rules" },
    proposed_by: "ranker",
    ...(derived ? { formula } : {})
  }
}

const span = (
  pointer: string,
  value: unknown,
  more: { readonly t_start: number; readonly t_end: number; readonly origin_channel?: string } & Record<string, unknown>
) => ({
  pointer,
  media_fragment: `#t=${more.t_start},${more.t_end}${more.origin_channel === "ocr" ? seen : ""}`,
  value,
  origin: "extracted",
  origin_channel: "asr",
  modality: "audio",
  node_id: null,
  support: "verbatim",
  confidence: 0.8,
  verified: true,
  corroborated_by: [],
  alternatives: [],
  ...graded(value, more),
  ...more
})

const line = (text: string, row: number) => ({ text, box: [0.1, 0.1 + 0.2 * row, 0.5, 0.1], confidence: 0.95 })

const ocr = (source_ref: string, t_start: number, t_end: number) => ({
  origin_channel: "ocr",
  modality: "visual",
  source_ref,
  t_start,
  t_end
})

/** A small, honest job: spoken and shown values of every kind of support, a placeholder and something not found. */
export const goodArtifacts = () => {
  const result = {
    title: "Gradient descent in one dimension",
    lecturer: "Ada Berg",
    rate: 0.25,
    price: 1200,
    currency: "EUR",
    day: "2026-03-12",
    claim: "the loss falls at every step",
    level: "beginner",
    recorded: true,
    url: "https://example.org/gd",
    outline: [
      { slide_no: 1, title: "Gradient descent in one dimension", t_start: 0 },
      { slide_no: 2, title: "Why it works", t_start: 6 }
    ],
    speaker: "S1",
    course: null,
    room: ""
  }
  return {
    job: { id: "job_1", status: "succeeded", result },
    result,
    schema: {
      type: "object",
      required: ["title", "room"],
      properties: {
        title: { type: "string" },
        lecturer: { type: "string" },
        rate: { type: "number" },
        price: { type: "number" },
        currency: { type: "string" },
        day: { type: "string", format: "date" },
        claim: { type: "string" },
        level: { enum: ["beginner", "expert"], description: "For whom the course is" },
        recorded: { type: "boolean", description: "Whether the session is recorded" },
        url: { type: "string", format: "uri" },
        outline: { type: "array", items: { type: "object", properties: { slide_no: { type: "integer" } } } },
        speaker: { type: "string" },
        course: { type: ["string", "null"] },
        room: { type: "string" },
        topic: { type: "string" }
      }
    },
    transcript: {
      language: "en",
      duration_seconds: 20,
      text: "",
      audio_branch: "present",
      model: null,
      speakers: [{ id: "S1", label: "Speaker 1", speaking_seconds: 9 }],
      segments: [
        segment(0, "S1", 0.5, "Hello I am ada berg and the rate is zero point two five"),
        segment(1, "S1", 7, "On the twelfth of March it costs twelve hundred euros"),
        segment(2, "S1", 12, "so you see that the los falls at every step"),
        segment(3, "S1", 16, "this is for beginners and the session is recorded")
      ]
    },
    frames: {
      visual_branch: "present",
      sampled: 4,
      kept: 2,
      frames: [frame(0, 0, true, 0), frame(30, 3, false, 0), frame(60, 6, true, 1), frame(200, 20, false, 1)]
    },
    vision: {
      visual_branch: "present",
      model: null,
      frames: [
        {
          frame_id: "frm_000000",
          source_ref: "frame#000000",
          timestamp: 0,
          description: "A slide with a title.",
          text: [line("Gradient descent in", 0), line("one dimension", 1), line("Ada Berg", 2)],
          labels: []
        },
        {
          frame_id: "frm_000060",
          source_ref: "frame#000060",
          timestamp: 6,
          description: "A slide with two lines.",
          text: [line("Why it works", 0), line("See example.org/gd", 1)],
          labels: []
        }
      ]
    },
    graph: {
      view: "canonical",
      nodes: [
        { id: "ent_ada", kind: "entity", label: "Ada Berg", source_refs: ["seg#000000", "frame#000000"] },
        { id: "clm_rate", kind: "claim", label: "Hello I am ada berg and the rate", source_refs: ["seg#000000"] },
        { id: "ent_loss", kind: "entity", label: "loss", source_refs: ["seg#000002"] }
      ],
      edges: []
    },
    evidence: {
      spans: [
        span("/title", result.title, { ...ocr("frame#000000", 0, 3), quote: "Gradient descent in one dimension" }),
        span("/lecturer", "Ada Berg", {
          source_ref: "seg#000000",
          quote: "ada berg",
          t_start: 1.7,
          t_end: 2.5,
          support: "normalised",
          modality: "both",
          node_id: "ent_ada",
          corroborated_by: [{
            origin_channel: "ocr",
            source_ref: "frame#000000",
            t_start: 0,
            t_end: 3,
            quote: "Ada Berg",
            media_fragment: "#t=0,3&xywh=percent:10,50,50,10"
          }]
        }),
        span("/rate", 0.25, {
          source_ref: "seg#000000",
          quote: "zero point two five",
          t_start: 4.1,
          t_end: 5.7,
          support: "normalised"
        }),
        span("/price", 1200, {
          source_ref: "seg#000001",
          quote: "twelve hundred euros",
          t_start: 9.8,
          t_end: 11,
          support: "normalised"
        }),
        span("/currency", "EUR", {
          source_ref: "seg#000001",
          quote: "twelve hundred euros",
          t_start: 9.8,
          t_end: 11,
          support: "normalised"
        }),
        span("/day", "2026-03-12", {
          source_ref: "seg#000001",
          quote: "the twelfth of March",
          t_start: 7.4,
          t_end: 9,
          support: "normalised"
        }),
        span("/claim", result.claim, {
          source_ref: "seg#000002",
          quote: "the los falls at every step",
          t_start: 13.6,
          t_end: 16,
          support: "fuzzy"
        }),
        span("/level", "beginner", {
          source_ref: "seg#000003",
          quote: "for beginners",
          t_start: 16.8,
          t_end: 17.6,
          support: "inferred"
        }),
        span("/recorded", true, {
          source_ref: "seg#000003",
          quote: "the session is recorded",
          t_start: 18,
          t_end: 19.6,
          support: "inferred"
        }),
        span("/url", result.url, {
          ...ocr("frame#000060", 6, 20),
          quote: "example.org/gd",
          support: "normalised"
        }),
        ...[["0", 0, 3], ["60", 6, 20]].flatMap(([index, t_start, t_end], i) => {
          const at = ocr(`frame#${String(index).padStart(6, "0")}`, t_start as number, t_end as number)
          const quote = result.outline[i]!.title
          return [
            span(`/outline/${i}/slide_no`, i + 1, { ...at, quote, origin: "derived", support: "inferred" }),
            span(`/outline/${i}/title`, quote, { ...at, quote }),
            span(`/outline/${i}/t_start`, t_start, { ...at, quote, origin: "derived", support: "inferred" })
          ]
        }),
        span("/speaker", "S1", {
          source_ref: "seg#000002",
          quote: "so you see",
          t_start: 12,
          t_end: 13.2,
          origin: "derived",
          support: "inferred",
          alternatives: [
            {
              value: "S1",
              source_ref: "seg#000000",
              t_start: 0.5,
              t_end: 0.9,
              quote: "Hello",
              media_fragment: "#t=0.5,0.9"
            }
          ]
        })
      ],
      unfilled: [
        { pointer: "/course", reason: "not_found", candidates: [] },
        { pointer: "/room", reason: "not_found", candidates: [] },
        { pointer: "/topic", reason: "not_found", candidates: [] }
      ],
      counts: { leaves: 20, filled: 17, verified: 17, unfilled: 3 }
    }
  }
}

export type GoodArtifacts = ReturnType<typeof goodArtifacts>

/** Writes the artifacts as the command line leaves them, kept pictures included, and gives the folder. */
export const writeFolder = (artifacts: GoodArtifacts): string => {
  const folder = mkdtempSync(join(tmpdir(), "footnote-evidence-"))
  for (const [name, value] of Object.entries(artifacts)) {
    writeFileSync(join(folder, `${name}.json`), JSON.stringify(value))
  }
  mkdirSync(join(folder, "frames"))
  for (const { id, kept } of artifacts.frames.frames) {
    if (kept) writeFileSync(join(folder, "frames", `${id}.jpg`), Buffer.from("ffd8ffe000104a464946ffd9", "hex"))
  }
  return folder
}
