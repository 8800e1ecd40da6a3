import { NodeHttpClient, NodeServices } from "@effect/platform-node"
import { Effect, Layer, Schema } from "effect"
import { existsSync, readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { Evidence } from "../../src/artifacts/Evidence.ts"
import { followJob, withOwnService } from "../../src/cli/OwnService.ts"
import { ExtractFailed, ServiceClient } from "../../src/cli/ServiceClient.ts"
import { leavesOf } from "../../workers/extraction/text/InstanceLeaves.ts"
import type { SchemaNode } from "../../workers/extraction/text/Plan.ts"
import { mediaNamed } from "../MediaBeside.ts"
import type { FootageRecord, LeafKind } from "./FootageRecord.ts"
import { footageScore, scoreRecord } from "./FootageScore.ts"
import { settle, type TruthNotes } from "./TruthNotes.ts"

const TRUTH = ".truth.json"

/** Footage of a folder that has a schema (`NAME.schema.json`) and a person's notes of what is true of it (`NAME.truth.json`). */
export interface FilmedFootage {
  readonly name: string
  readonly media: string
  readonly schema: SchemaNode
  readonly truth: TruthNotes
}

const json = (file: string) => JSON.parse(readFileSync(file, "utf8"))

/** All such footage of a folder, and `file: why` of what lacks its media or its schema. */
export const readFilmedFootage = (folder: string): {
  readonly footage: ReadonlyArray<FilmedFootage>
  readonly unread: ReadonlyArray<string>
} => {
  const files = readdirSync(folder).toSorted()
  const footage: Array<FilmedFootage> = []
  const unread: Array<string> = []
  for (const file of files.filter((one) => one.endsWith(TRUTH))) {
    const name = file.slice(0, -TRUTH.length)
    const schema = join(folder, `${name}.schema.json`)
    const media = mediaNamed(files, name)
    if (media === undefined || !existsSync(schema)) {
      unread.push(
        `${join(folder, file)}: no ${media === undefined ? `media named ${name}` : `${name}.schema.json`} beside it`
      )
    } else {
      try {
        footage.push({ name, media: join(folder, media), schema: json(schema), truth: json(join(folder, file)) })
      } catch (error) {
        unread.push(`${join(folder, file)}: ${String(error)}`)
      }
    }
  }
  return { footage, unread }
}

const extracted = Effect.fn("extracted")(function*({ media, schema }: FilmedFootage, precision: string) {
  const client = yield* ServiceClient
  const source_uri = yield* client.upload(media)
  const job = yield* followJob(yield* client.createJob({ source_uri, schema_inline: schema, precision }))
  if (job.status !== "succeeded") {
    return yield* new ExtractFailed({
      message: `${media}: ${job.error?.code ?? job.status} ${job.error?.message ?? ""}`
    })
  }
  const evidence = yield* Effect.flatMap(
    client.json(`/v1/jobs/${job.id}/evidence`),
    Schema.decodeUnknownEffect(Evidence)
  )
  return { result: (job.record as { readonly result: unknown }).result, evidence }
})

const asRecord = ({ name, schema, truth }: FilmedFootage, result: unknown): FootageRecord => {
  const { gold, not_stated } = settle(truth, result)
  const kinds = Object.fromEntries(Array.from(leavesOf(gold), ({ pointer }): [string, LeafKind] => [pointer, "stated"]))
  return { id: name, schema, segments: [], ocr: [], gold, evidence: {}, kinds, facts: {}, traps: [], not_stated }
}

/** One video at one operating point, and what became of its values. */
interface ScoredFootage {
  readonly record: FootageRecord
  readonly score: ReturnType<typeof scoreRecord>
  readonly wrong_verified: number
}

const scored = Effect.fn("scored")(function*(one: FilmedFootage, precision: "strict" | "balanced") {
  const { evidence: { spans }, result } = yield* extracted(one, precision)
  const record = asRecord(one, result)
  const score = scoreRecord(record, { result, spans })
  const verified = new Set(spans.filter((span) => span.verified).map(({ pointer }) => pointer))
  const wrong_verified = score.given.filter(({ pointer, right }) => !right && verified.has(pointer)).length
  const whole: ScoredFootage = { record, score, wrong_verified }
  return whole
})

const summary = (all: ReadonlyArray<ScoredFootage>) => {
  const { ece, f1, given, precision, recall, unanswered_filled } = footageScore(
    all.map(({ record }) => record),
    all.map(({ score }) => score)
  )
  const by_video: Record<string, Readonly<Record<"right" | "wrong" | "wrong_verified" | "missed", number>>> = {}
  for (const { record, score, wrong_verified } of all) {
    const right = score.given.filter((leaf) => leaf.right).length
    by_video[record.id] = { right, wrong: score.given.length - right, wrong_verified, missed: score.missed.length }
  }
  return { precision, recall, f1, ece, unanswered_filled, given, by_video }
}

/**
 * Real footage through a whole service, heard and seen by its own models, scored against a person's notes at both operating
 * points: each set by its name, and all of them as one. Beside the figures of all: by name of a video how many values were right,
 * wrong, and wrong but called verified. Fails with what the job failed with.
 */
export const scoreEndToEnd = (sets: Readonly<Record<string, ReadonlyArray<FilmedFootage>>>) =>
  Effect.gen(function*() {
    const scores = new Map<string, Readonly<Record<"strict" | "balanced", ReadonlyArray<ScoredFootage>>>>()
    for (const [name, footage] of Object.entries(sets)) {
      scores.set(name, {
        strict: yield* Effect.forEach(footage, (one) => scored(one, "strict")),
        balanced: yield* Effect.forEach(footage, (one) => scored(one, "balanced"))
      })
    }
    const both = (of: (point: "strict" | "balanced") => ReadonlyArray<ScoredFootage>) => ({
      strict: summary(of("strict")),
      balanced: summary(of("balanced"))
    })
    return {
      sets: Object.fromEntries(Array.from(scores, ([name, one]) => [name, both((point) => one[point])])),
      all: both((point) =>
        Array.from(scores, ([set, one]) => one[point].map((video) => named(set, video, scores.size))).flat()
      )
    }
  }).pipe(
    withOwnService,
    Effect.scoped,
    Effect.provide(Layer.merge(NodeServices.layer, NodeHttpClient.layerUndici))
  )

/** Among several sets a video is named with its own. */
const named = (set: string, video: ScoredFootage, sets: number): ScoredFootage =>
  sets === 1 ? video : { ...video, record: { ...video.record, id: `${set}/${video.record.id}` } }
