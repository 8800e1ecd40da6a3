import { existsSync } from "node:fs"
import { basename, join } from "node:path"
import { fileURLToPath } from "node:url"
import type { EvidenceSpan } from "../src/artifacts/Evidence.ts"
import type { JsonSchema } from "../src/schemas/json-schema/JsonSchema.ts"
import { extract, type ExtractInput } from "../workers/extraction/Extract.ts"
import { leavesOf } from "../workers/extraction/text/InstanceLeaves.ts"
import {
  dialogueArtifacts,
  type DialogueRecord,
  readLines,
  type Said,
  sameValue,
  scoreSaid,
  videoArtifacts,
  type VideoRecord,
  withoutCapitals
} from "./extraction/ExtractionData.ts"

type Artifacts = Pick<ExtractInput, "transcript" | "frames" | "vision">

const run1 = (schema: unknown, artifacts: Artifacts) =>
  extract({
    ...artifacts,
    json_schema: schema as JsonSchema,
    facts: {
      container: "mp4",
      duration_seconds: artifacts.transcript.duration_seconds,
      width: null,
      height: null,
      frame_rate: null,
      audio: null,
      video: null,
      size_bytes: 0,
      sha256: "0".repeat(64)
    },
    hints: {},
    on_missing: "fill",
    precision: "strict"
  })

export const dialogueScore = (records: ReadonlyArray<DialogueRecord>) =>
  scoreSaid(records, (record) => {
    const { evidence } = run1(record.schema, dialogueArtifacts(record))
    return new Map(evidence.spans.map((span): readonly [string, Said] => [span.pointer, span]))
  })

const three = (value: number): number => Math.round(value * 1000) / 1000

const equal = (left: unknown, right: unknown): boolean =>
  typeof left === "string" ? typeof right === "string" && sameValue(left, [right]) : left === right

/** The leaves of one entry, pointers relative to it. */
const leaves = (value: unknown) => Array.from(leavesOf(value))

const likeness = (left: unknown, right: unknown): number => {
  const [mine, gold] = [leaves(left), leaves(right)]
  const common =
    mine.filter(({ pointer, value }) => gold.some((other) => other.pointer === pointer && equal(value, other.value)))
      .length
  return (2 * common) / (mine.length + gold.length)
}

/** Pairs of entries by falling likeness: `[index of mine, index of gold]`. */
const pairUp = (mine: ReadonlyArray<unknown>, gold: ReadonlyArray<unknown>): ReadonlyMap<number, number> => {
  const scored = mine.flatMap((one, at) => gold.map((other, to) => ({ at, to, like: likeness(one, other) })))
  const pairs = new Map<number, number>()
  for (const { at, like, to } of scored.toSorted((a, b) => b.like - a.like || a.to - b.to || a.at - b.at)) {
    if (like > 0 && !pairs.has(at) && !Array.from(pairs.values()).includes(to)) pairs.set(at, to)
  }
  return pairs
}

/** Videos with lists: entries are paired first, then every leaf counts once; a cited source must be one that gold names. */
export const videoScore = (records: ReadonlyArray<VideoRecord>) => {
  let [right, extra, missed, grounded] = [0, 0, 0, 0]
  for (const record of records) {
    const { evidence, result } = run1(record.schema, videoArtifacts(record))
    const found = result as Readonly<Record<string, unknown>>
    const spans = new Map(evidence.spans.map((span): readonly [string, EvidenceSpan] => [span.pointer, span]))
    const refs = (key: string): ReadonlySet<string> =>
      new Set(
        (record.evidence_segments[`/${key}`] ?? []).map((ref) =>
          typeof ref === "number"
            ? `seg#${String(ref).padStart(6, "0")}`
            : record.ocr.find((line) => line.id === ref)!.frame
        )
      )
    const count = (key: string, at: string, mine: unknown, gold: unknown): void => {
      const [said, wanted] = [mine, gold].map((value) => value === undefined ? [] : leaves(value)) as [
        ReturnType<typeof leaves>,
        ReturnType<typeof leaves>
      ]
      for (const { pointer, value } of wanted) {
        const got = said.find((leaf) => leaf.pointer === pointer)
        if (got === undefined || !equal(got.value, value)) missed++
        else {
          right++
          if (refs(key).has(spans.get(`/${key}${at}${pointer}`)?.source_ref ?? "")) grounded++
        }
      }
      extra += said.filter(({ pointer, value }) => {
        const other = wanted.find((leaf) => leaf.pointer === pointer)
        return value !== null && (other === undefined || !equal(value, other.value))
      }).length
    }
    for (const key of new Set([...Object.keys(found), ...Object.keys(record.gold)])) {
      const [mine, gold] = [found[key], record.gold[key]]
      if (!Array.isArray(mine) && !Array.isArray(gold)) count(key, "", mine, gold)
      else {
        const [entries, wanted] = [mine ?? [], gold ?? []] as [ReadonlyArray<unknown>, ReadonlyArray<unknown>]
        const pairs = pairUp(entries, wanted)
        entries.forEach((entry, at) => count(key, `/${at}`, entry, pairs.has(at) ? wanted[pairs.get(at)!] : undefined))
        const met = new Set(pairs.values())
        wanted.forEach((entry, at) => met.has(at) || count(key, "", undefined, entry))
      }
    }
  }
  const f1 = (hits: number) => three((2 * hits) / (2 * right + extra + missed || 1))
  return {
    value_f1: f1(right),
    grounded_f1: f1(grounded),
    evidence_accuracy: three(grounded / (right || 1)),
    precision: three(right / (right + extra || 1)),
    recall: three(right / (right + missed || 1))
  }
}

/** Each score with the file that it is computed from. */
const sets = {
  sgd: { file: "sgd", score: dialogueScore },
  /** As a recogniser writes that knows neither capitals nor punctuation. */
  sgd_uncased: {
    file: "sgd",
    score: (records: ReadonlyArray<DialogueRecord>) => dialogueScore(records.map(withoutCapitals))
  },
  videos: { file: "videos", score: videoScore }
} as const

/** Invented footage of our own: the ranker's constants are fitted on `dev`; nobody looks into `test`. */
const footage = (name: "dev" | "test") =>
  readLines<VideoRecord>(fileURLToPath(new URL(`extraction/footage/${name}.jsonl`, import.meta.url)))

/**
 * Runs whole extractions over `sgd.jsonl` and `videos.jsonl` of each folder, whichever is there, and over our own footage where no
 * folder was asked for. The ranker's constants are fitted on the dev splits: on them the figures are how well they fit, on any
 * other data how well they carry over.
 */
export const run = async (folders: ReadonlyArray<string>, { usual }: { readonly usual: boolean }) => {
  const scores: Record<string, ReturnType<typeof dialogueScore> | ReturnType<typeof videoScore>> = usual
    ? { footage_dev: videoScore(footage("dev")), footage_test: videoScore(footage("test")) }
    : {}
  for (const folder of folders) {
    for (const [name, { file, score }] of Object.entries(sets)) {
      const path = join(folder, `${file}.jsonl`)
      if (!existsSync(path)) continue
      scores[folders.length > 1 ? `${basename(folder)}/${name}` : name] = score(readLines<never>(path))
    }
  }
  if (Object.keys(scores).length === 0) throw new Error(`Neither sgd.jsonl nor videos.jsonl in ${folders.join(", ")}`)
  console.table(
    Object.fromEntries(
      Object.entries(scores).map(([name, score]) => {
        const { by_type, ...rest } = "by_type" in score ? score : { ...score, by_type: {} }
        return [name, { ...rest, ...by_type }]
      })
    )
  )
  return { ...scores, sets: scores }
}
