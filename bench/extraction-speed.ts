import type { JsonSchema } from "../src/schemas/json-schema/JsonSchema.ts"
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

const RUNS = 5

/**
 * Milliseconds from a transcript to result, evidence and graph, the first of five runs and the best: scan, fill, chapters and claims, for the minutes
 * of a meeting and for the default result. `processor_ms` is the time on processors in the same run, helper threads of the
 * runtime included; memory is the highest so far.
 */
export const run = async () => {
  const rows: Record<string, Readonly<Record<string, number>>> = {}
  for (const minutes of [10, 60, 180]) {
    const artifacts = speech(minutes)
    const facts = { duration_seconds: artifacts.transcript.duration_seconds } as never
    for (const template of ["meeting-minutes", "default"]) {
      const json_schema = findTemplate(template)!.json_schema as JsonSchema
      const runs = Array.from({ length: RUNS }, () => {
        const [began, used] = [performance.now(), process.cpuUsage()]
        const { evidence, graph } = extract({
          ...artifacts,
          json_schema,
          facts,
          hints: {},
          on_missing: "fill",
          precision: "strict"
        })
        const { system, user } = process.cpuUsage(used)
        return {
          ms: Math.round(performance.now() - began),
          processor_ms: Math.round((system + user) / 1000),
          spans: evidence.spans.length,
          nodes: graph.nodes.length
        }
      })
      const first_ms = runs[0]!.ms
      const best = runs.toSorted((a, b) => a.ms - b.ms)[0]!
      const segments = artifacts.transcript.segments.length
      const peak_rss_megabytes = Math.round(process.resourceUsage().maxRSS / 1000)
      rows[`${minutes} min, ${template}`] = { segments, first_ms, ...best, peak_rss_megabytes }
    }
  }
  console.table(rows)
  return rows
}
