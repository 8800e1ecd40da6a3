import type { JsonSchema } from "../src/schemas/JsonSchema.ts"
import { findTemplate } from "../src/schemas/Templates.ts"
import { extract } from "../workers/extraction/Extract.ts"
import { dialogueArtifacts } from "./extraction/ExtractionData.ts"

const SPEAKERS = ["S1", "S2", "S3"]
const SENTENCES = [
  "The migration of the billing database to Hamburg finished on Friday without any loss of data.",
  "Marcus, can you resize the staging cluster by Thursday?",
  "We have decided to move the archive to the larger machines in Rotterdam.",
  "A spring tide is a tide with the largest range, when the sun and the moon line up.",
  "Revenue for the quarter came in at 12.4 million dollars, up eighteen percent year over year.",
  "How much would the larger plan cost us per month?",
  "I think that the report by Anna Lindqvist explains why the second trial took so long.",
  "For example, the river station at Ostrava measured three times the usual level in May.",
  "Our next topic is the inventory of spare parts for the northern depot.",
  "Nobody had expected that the committee would approve both proposals in one meeting."
]

/** Turns of three sentences, 150 words a minute, no two alike: every turn counts its own numbers. */
const speech = (minutes: number) => {
  const segments: Array<{ id: string; speaker: string; text: string }> = []
  for (let words = 0, at = 0; words < minutes * 150; at++) {
    const sentences = [0, 1, 2].map((k) => SENTENCES[(at * 7 + k * 3) % SENTENCES.length]!)
    const text = `${sentences.join(" ")} That was item ${at + 1} of list ${(at * 13) % 97}.`
    segments.push({ id: "", speaker: SPEAKERS[at % SPEAKERS.length]!, text })
    words += text.split(" ").length
  }
  return dialogueArtifacts({ segments })
}

/** Milliseconds from a transcript to result, evidence and graph, meeting minutes as the schema; the median of three runs. */
export const run = async () => {
  const json_schema = findTemplate("meeting-minutes")!.json_schema as JsonSchema
  const rows: Record<string, { segments: number; ms: number; spans: number; nodes: number; rss_megabytes: number }> = {}
  for (const minutes of [10, 60, 180]) {
    const artifacts = speech(minutes)
    const facts = { duration_seconds: artifacts.transcript.duration_seconds } as never
    const runs = [0, 1, 2].map(() => {
      const began = performance.now()
      const { evidence, graph } = extract({ ...artifacts, json_schema, facts, hints: {}, on_missing: "fill" })
      return { ms: Math.round(performance.now() - began), spans: evidence.spans.length, nodes: graph.nodes.length }
    }).toSorted((a, b) => a.ms - b.ms)
    const rss_megabytes = Math.round(process.memoryUsage.rss() / 1e6)
    rows[`${minutes} min`] = { segments: artifacts.transcript.segments.length, ...runs[1]!, rss_megabytes }
  }
  console.table(rows)
  return rows
}
