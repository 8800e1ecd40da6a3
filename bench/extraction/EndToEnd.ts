import { NodeHttpClient, NodeServices } from "@effect/platform-node"
import { Effect, Layer, Schema } from "effect"
import { existsSync, readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { Evidence } from "../../src/artifacts/Evidence.ts"
import { followJob, withOwnService } from "../../src/cli/OwnService.ts"
import { ExtractFailed, ServiceClient } from "../../src/cli/ServiceClient.ts"
import { leavesOf } from "../../workers/extraction/text/InstanceLeaves.ts"
import type { SchemaNode } from "../../workers/extraction/text/Plan.ts"
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
    const media = files.find((one) => one.startsWith(`${name}.`) && !one.endsWith(".json"))
    if (media === undefined || !existsSync(schema)) {
      unread.push(
        `${join(folder, file)}: no ${media === undefined ? `media named ${name}` : `${name}.schema.json`} beside it`
      )
    } else footage.push({ name, media: join(folder, media), schema: json(schema), truth: json(join(folder, file)) })
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

const scored = Effect.fn("scored")(function*(footage: ReadonlyArray<FilmedFootage>, precision: "strict" | "balanced") {
  const records: Array<FootageRecord> = []
  const scores: Array<ReturnType<typeof scoreRecord>> = []
  const by_video: Record<string, Readonly<Record<"right" | "wrong" | "wrong_verified" | "missed", number>>> = {}
  for (const one of footage) {
    const { evidence: { spans }, result } = yield* extracted(one, precision)
    const record = asRecord(one, result)
    const score = scoreRecord(record, { result, spans })
    const wrong = score.given.filter(({ right }) => !right)
    const verified = new Set(spans.filter((span) => span.verified).map(({ pointer }) => pointer))
    records.push(record)
    scores.push(score)
    by_video[one.name] = {
      right: score.given.length - wrong.length,
      wrong: wrong.length,
      wrong_verified: wrong.filter(({ pointer }) => verified.has(pointer)).length,
      missed: score.missed.length
    }
  }
  const { ece, f1, given, precision: share, recall, unanswered_filled } = footageScore(records, scores)
  return { precision: share, recall, f1, ece, unanswered_filled, given, by_video }
})

/**
 * Real footage through a whole service, heard and seen by its own models, scored against a person's notes at both operating
 * points. Beside the figures of all: by name of a video how many values were right, wrong, and wrong but called verified.
 * Fails with what the job failed with.
 */
export const scoreEndToEnd = (footage: ReadonlyArray<FilmedFootage>) =>
  Effect.all({ strict: scored(footage, "strict"), balanced: scored(footage, "balanced") }).pipe(
    withOwnService,
    Effect.scoped,
    Effect.provide(Layer.merge(NodeServices.layer, NodeHttpClient.layerUndici))
  )
