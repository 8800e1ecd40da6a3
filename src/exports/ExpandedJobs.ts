import { Context, Effect, Layer, Schema, SchemaTransformation } from "effect"
import { JobEvidence, JobFrames, JobGraph, JobTranscript, JobVision } from "../artifacts/ArtifactViews.ts"
import { TenantSql } from "../database/TenantSql.ts"
import { CurrentTenant } from "../identity/CurrentTenant.ts"
import { type ArtifactDamaged, type JobNotFound, type JobNotSucceeded, JobRecord } from "../jobs/model/Job.ts"
import { Artifacts } from "../results/Artifacts.ts"
import { GoldRecords } from "../reviews/GoldRecords.ts"
import { GoldRecord } from "../reviews/model/GoldRecord.ts"
import type { ReviewIncomplete, ReviewNotFound } from "../reviews/model/Review.ts"

/** What can be told together with a job. */
export const Expansion = Schema.Literals(["result", "evidence", "transcript", "frames", "vision", "graph", "gold"])
  .annotate({ identifier: "Expansion" })
export type Expansion = typeof Expansion.Type

const optional = Schema.optionalKey

/** What a job has beside its record: absent where it was not asked for, or where the job has none or not any more. */
const expandedFields = {
  result: optional(Schema.Json.annotate({ description: "The typed result." })),
  evidence: optional(JobEvidence),
  transcript: optional(JobTranscript),
  frames: optional(JobFrames.annotate({ description: "The kept frames." })),
  vision: optional(JobVision),
  graph: optional(JobGraph.annotate({ description: "In its compact view." })),
  gold: optional(GoldRecord.annotate({
    description: "As `GET /v1/jobs/{id}/gold` has it; absent where people have not decided on every leaf."
  })),
  damaged: optional(
    Schema.Array(Expansion).annotate({
      description: "What was asked for and is lost or not what was written: `ARTIFACT_DAMAGED` where it is read alone."
    })
  )
}

/** A job's record and what was asked for beside it. */
export const ExpandedJob = Schema.Struct({ ...JobRecord.fields, ...expandedFields }).annotate({
  identifier: "ExpandedJob"
})
export type ExpandedJob = typeof ExpandedJob.Type

const { damaged, evidence, result } = expandedFields

/** What a page of jobs shows of each: its record, and what `expand` asks for. */
export const ListedJob = Schema.Struct({ ...JobRecord.fields, result, evidence, damaged }).annotate({
  identifier: "ListedJob"
})

const listed = ["result", "evidence"] as const
type Listed = (typeof listed)[number]

/** `expand=result,evidence`. */
export const ExpandParameter = Schema.String.check(
  Schema.makeFilter((text) =>
    text.split(",").every((name) => listed.some((known) => known === name))
      ? undefined
      : `Expected ${listed.join(" or ")}, or both with a comma between them`
  )
).pipe(
  Schema.decodeTo(
    Schema.Array(Schema.Literals(listed)).annotate({
      description: "What to put beside each job, with commas between: `result`, `evidence`."
    }),
    SchemaTransformation.transform<ReadonlyArray<Listed>, string>({
      decode: (text) => listed.filter((name) => text.split(",").includes(name)),
      encode: (names) => names.join(",")
    })
  )
)

/**
 * What a list of jobs may hold of artifacts together; a single job may have more. The answer is built in memory, and a client
 * with a small one reads it whole too.
 */
const expandedPageBytes = 8 * 1024 ** 2

/** Stored artifacts by what shows them. */
const kinds: Readonly<Record<Listed, string>> = { result: "result", evidence: "evidence" }

type Unread = ArtifactDamaged | JobNotFound | JobNotSucceeded | ReviewNotFound | ReviewIncomplete

/** Jobs of the current tenant with their artifacts. A damaged one is told with its job and spoils no other. */
export class ExpandedJobs extends Context.Service<ExpandedJobs, {
  readonly expand: (
    record: JobRecord,
    include: ReadonlyArray<Expansion>
  ) => Effect.Effect<ExpandedJob, never, CurrentTenant>
  /** As many of the first ones as fit `expandedPageBytes`, one at least. */
  readonly expandPage: (
    records: ReadonlyArray<JobRecord>,
    include: ReadonlyArray<Listed>
  ) => Effect.Effect<ReadonlyArray<ExpandedJob>, never, CurrentTenant>
}>()("footnote/exports/ExpandedJobs") {
  static readonly layer = Layer.effect(
    ExpandedJobs,
    Effect.gen(function*() {
      const artifacts = yield* Artifacts
      const gold = yield* GoldRecords
      const { inTenant, sql } = yield* TenantSql

      const valueOf = (
        id: string,
        name: Expansion
      ): Effect.Effect<{ readonly value: unknown }, Unread, CurrentTenant> => {
        switch (name) {
          case "result":
            return artifacts.result(id)
          case "evidence":
            return artifacts.evidence(id)
          case "transcript":
            return artifacts.transcript(id)
          case "frames":
            return artifacts.frames(id, false)
          case "vision":
            return artifacts.vision(id)
          case "graph":
            return artifacts.graph(id, "compact")
          case "gold":
            return Effect.map(gold.read(id), (value) => ({ value }))
        }
      }

      const expand = Effect.fnUntraced(function*(record: JobRecord, include: ReadonlyArray<Expansion>) {
        const values: Partial<Record<Expansion, unknown>> = {}
        const damaged: Array<Expansion> = []
        for (const name of record.status === "succeeded" ? include : []) {
          values[name] = yield* Effect.map(valueOf(record.id, name), ({ value }) => value).pipe(
            Effect.catchTags({
              ARTIFACT_DAMAGED: () => Effect.sync(() => void damaged.push(name)),
              // Erased since its record was read.
              JOB_NOT_FOUND: () => Effect.undefined,
              JOB_NOT_SUCCEEDED: () => Effect.undefined,
              // Not gold yet: nobody has looked at it, or not at all of it.
              REVIEW_NOT_FOUND: () => Effect.undefined,
              REVIEW_INCOMPLETE: () => Effect.undefined
            })
          )
          if (values[name] === undefined) delete values[name]
        }
        return { ...record, ...values, ...(damaged.length === 0 ? {} : { damaged }) } as ExpandedJob
      })

      const sizesOf = Effect.fnUntraced(function*(ids: ReadonlyArray<string>, include: ReadonlyArray<Listed>) {
        const { tenant_id } = yield* CurrentTenant
        const rows = yield* inTenant(tenant_id)(sql<{ readonly job_id: string; readonly bytes: number }>`
          SELECT a.job_id, sum(a.size_bytes)::float8 AS bytes
          FROM footnote.artifacts a JOIN footnote.jobs j ON j.id = a.job_id AND j.tenant_id = ${tenant_id}
          WHERE a.job_id IN ${sql.in(ids)} AND a.kind IN ${sql.in(include.map((name) => kinds[name]))}
          GROUP BY a.job_id`)
        return new Map(rows.map(({ bytes, job_id }) => [job_id, bytes]))
      })

      return ExpandedJobs.of({
        expand,
        expandPage: Effect.fn("ExpandedJobs.expandPage")(function*(records, include) {
          if (records.length === 0 || include.length === 0) return records
          const sizes = yield* sizesOf(records.map(({ id }) => id), include)
          let bytes = 0
          const fitting = records.filter(({ id }, at) => {
            bytes += sizes.get(id) ?? 0
            return at === 0 || bytes <= expandedPageBytes
          })
          return yield* Effect.forEach(fitting, (record) => expand(record, include))
        })
      })
    })
  )
}
