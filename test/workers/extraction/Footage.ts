import { createHash } from "node:crypto"
import type { Frames } from "../../../src/artifacts/Frames.ts"
import { roundSeconds } from "../../../src/artifacts/Moment.ts"
import type { Segment, Transcript } from "../../../src/artifacts/Transcript.ts"
import type { Vision } from "../../../src/artifacts/Vision.ts"
import type { SourceFacts } from "../../../src/jobs/model/StageIo.ts"
import { registryOf } from "../../../workers/extraction/candidates/EntityRegistry.ts"
import type { Material } from "../../../workers/extraction/candidates/Mention.ts"
import { read } from "../../../workers/extraction/candidates/Reading.ts"
import type { ExtractInput } from "../../../workers/extraction/Extract.ts"
import { sentencesOf } from "../../../workers/extraction/text/Sentences.ts"
import { makeSourceDocument, type SourceDocument } from "../../../workers/extraction/text/SourceDocument.ts"

/** `[second, speaker, words]`: a turn spoken at 0.3 s a word. */
export type Turn = readonly [at: number, speaker: string, text: string]
/** `[second, lines]`: a slide with its title first, or lines with their own place and size. */
export type Shown = readonly [at: number, lines: ReadonlyArray<string | Line>]
interface Line {
  readonly text: string
  readonly box: readonly [left: number, top: number, width: number, height: number]
}

const WORD_SECONDS = 0.3

const segment = ([at, speaker, text]: Turn, index: number): Segment => {
  const words = text.split(" ").map((word, k) => ({
    t_start: roundSeconds(at + k * WORD_SECONDS),
    t_end: roundSeconds(at + (k + 1) * WORD_SECONDS),
    text: word,
    confidence: 0.9
  }))
  return {
    id: `seg#${String(index + 1).padStart(6, "0")}`,
    origin: "asr",
    t_start: at,
    t_end: words.at(-1)!.t_end,
    speaker,
    text,
    confidence: 0.9,
    words
  }
}

export interface Footage {
  readonly transcript: Transcript
  readonly vision: Vision
  readonly frames: Frames
}

/** One sample every half second; each shown picture is kept at its own sample and stands until the next one. */
const inventory = (shown: ReadonlyArray<Shown>, seconds: number): Frames => {
  const frames = Array.from({ length: shown.length > 0 ? seconds * 2 : 0 }, (_, index) => {
    const cluster = shown.findLastIndex(([at]) => at <= index / 2) + 1
    const name = String(index).padStart(6, "0")
    return {
      id: `frm_${name}`,
      source_ref: `frame#${name}`,
      timestamp: index / 2,
      cluster,
      phash: createHash("sha256").update(String(cluster)).digest("hex").slice(0, 16),
      kept: shown.some(([at]) => at === index / 2),
      width: 1280,
      height: 720
    }
  })
  return { visual_branch: shown.length > 0 ? "present" : "absent", sampled: frames.length, kept: shown.length, frames }
}

/** Artifacts of a video that says and shows exactly this. Slides are set in one column, titles twice as large. */
export const footage = (turns: ReadonlyArray<Turn>, shown: ReadonlyArray<Shown> = [], seconds = 600): Footage => {
  const segments = turns.map(segment)
  const speakers = Array.from(new Set(turns.map(([, speaker]) => speaker)))
  const branch = shown.length > 0 ? "present" : "absent"
  return {
    transcript: {
      language: "en",
      duration_seconds: seconds,
      text: segments.map(({ text }) => text).join(" "),
      speakers: speakers.map((id, at) => ({ id, label: `Speaker ${at + 1}`, speaking_seconds: 1 })),
      segments,
      turns: segments.map(({ t_end, t_start }, at) => ({ speaker: turns[at]![1], t_start, t_end })),
      audio_branch: segments.length > 0 ? "present" : "absent",
      model: null
    },
    vision: {
      visual_branch: branch,
      model: null,
      frames: shown.map(([timestamp, lines]) => {
        const index = String(Math.round(timestamp * 2)).padStart(6, "0")
        return {
          frame_id: `frm_${index}`,
          source_ref: `frame#${index}`,
          timestamp,
          description: "A slide.",
          labels: [],
          text: lines.map((line, row) =>
            typeof line === "string"
              ? { text: line, confidence: 0.97, box: [0.1, 0.1 + 0.12 * row, 0.4, row === 0 ? 0.1 : 0.05] as const }
              : { ...line, confidence: 0.97 }
          )
        }
      })
    },
    frames: inventory(shown, seconds)
  }
}

export const documentOf = (turns: ReadonlyArray<Turn>, shown: ReadonlyArray<Shown> = []): SourceDocument =>
  makeSourceDocument(footage(turns, shown))

export const materialOf = (turns: ReadonlyArray<Turn>, shown: ReadonlyArray<Shown> = []): Material => {
  const document = documentOf(turns, shown)
  const reading = read(document)
  return { reading, sentences: sentencesOf(document), registry: registryOf(reading) }
}

const facts: SourceFacts = {
  container: "mp4",
  duration_seconds: 600,
  width: 1280,
  height: 720,
  frame_rate: 25,
  audio: "aac",
  video: "h264",
  size_bytes: 1,
  sha256: "0".repeat(64)
}

export const inputOf = (
  json_schema: object,
  source: Footage,
  options: Partial<Pick<ExtractInput, "hints" | "on_missing" | "precision">> = {}
): ExtractInput => ({
  ...source,
  json_schema: json_schema as ExtractInput["json_schema"],
  facts,
  hints: {},
  on_missing: "fill",
  precision: "balanced",
  ...options
})

/** A lecture as one would hold it: five slides, a lecturer and a student. */
export const lecture = footage(
  [
    [1, "S1", "Good morning, I'm Ruth Andersen and today we talk about ocean tides."],
    [32, "S1", "A spring tide is a tide with the largest range, when sun and moon line up."],
    [40, "S1", "The tidal range means the difference between high water and low water."],
    [65, "S2", "Why is the range larger in some bays?"],
    [70, "S1", "For example, the Bay of Fundy has a range of sixteen metres."],
    [95, "S1", "Please read chapter three of Waves and Currents before Wednesday."]
  ],
  [
    [0.5, ["Ocean Tides", "Lecturer: Ruth Andersen", "Course: Oceanography 101"]],
    [30.5, ["Two terms", "Neap tide: the tide with the smallest range", "Its range is r = h - l"]],
    [60.5, ["Ranges", "Bay of Fundy: 16 m"]],
    [90.5, ["Further reading", "Waves and Currents by Paul Hall", "www.tides.example/course"]]
  ],
  120
)

/** A meeting of three, without pictures. */
export const meeting = footage(
  [
    [1, "S1", "Okay, good morning, I'm Priya Raman and this is the Atlas weekly."],
    [10, "S2", "Hi, I'm Tom Becker. The migration finished on Friday without any loss of data."],
    [20, "S1", "We have decided to move staging to the larger instances."],
    [30, "S1", "Tom, can you resize the staging cluster by Thursday?"],
    [40, "S2", "I'll write the report for the outage by Friday."],
    [50, "S1", "Who pays for the second region?"],
    [55, "S1", "I don't know, we will come back to it."],
    [70, "S1", "The next meeting is Tuesday the 11th of June at ten."]
  ],
  [],
  90
)

/** A product demo: opening slide, features, prices, address. */
export const demo = footage(
  [
    [1, "S1", "Hello, I am Nina Sommer and this is Trail Buddy."],
    [12, "S1", "You get a warning when rain is coming."],
    [22, "S2", "How much does it cost?"],
    [25, "S1", "The solo plan costs five dollars per month."]
  ],
  [
    [0.5, ["Trail Buddy", "by Northwind Software"]],
    [10.5, ["Features", "• Rain warnings", "• Shared maps"]],
    [15.5, ["Rain warnings", "You get a warning when rain is coming."]],
    [
      20.5,
      [
        { text: "Prices", box: [0.1, 0.08, 0.3, 0.1] },
        { text: "Solo", box: [0.1, 0.35, 0.1, 0.05] },
        { text: "Family", box: [0.55, 0.35, 0.1, 0.05] },
        { text: "$5 per month", box: [0.1, 0.45, 0.2, 0.05] },
        { text: "€8.50 per month", box: [0.55, 0.45, 0.2, 0.05] }
      ]
    ],
    [30.5, ["Try it today", "www.trail-buddy.example"]]
  ],
  40
)

/** A flat is shown to two who ask: questions with an answer, without one, and with one that says neither yes nor no. */
export const viewing = footage(
  [
    [1, "S1", "Welcome, I'm Dana Holt, and this is the flat in 12 Hill Street."],
    [10, "S2", "Thanks. Is the garage new?"],
    [14, "S1", "Yes, it is. We have moved the bins behind it."],
    [24, "S3", "Are pets allowed?"],
    [27, "S1", "They are, the last tenants had two dogs."],
    [36, "S2", "Is the cellar finished, and is entry free for us?"],
    [41, "S1", "I don't know, we have to ask the owner."],
    [50, "S3", "Do you have a shared garden?"],
    [53, "S1", "Unfortunately we don't."],
    [60, "S2", "Is the kitchen available for a video?"],
    [64, "S2", "What does it cost?"],
    [67, "S1", "It costs nine hundred and fifty euros per month, and three people have asked already."],
    [80, "S1", "It isn't furnished. The heating was never replaced."]
  ],
  [
    [0.5, ["Flat for rent", "Rooms: 3", "Available: 1 July 2026"]],
    [70.5, ["Contact", "dana@holt.example", "Pets welcome? Yes", "Rent: €950"]]
  ],
  100
)
