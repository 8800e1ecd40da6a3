import { PgClient } from "@effect/sql-pg"
import { Context, Effect, Layer, Schema } from "effect"
import { makeCallingKey } from "../api-keys/CallingKey.ts"
import { Reviewer } from "../artifacts/Evidence.ts"
import { Seconds } from "../artifacts/Moment.ts"
import { StoredEvidence, StoredTranscript } from "../artifacts/StoredArtifacts.ts"
import type { Transcript } from "../artifacts/Transcript.ts"
import { Instant, toInstant } from "../database/Instant.ts"
import { rowsOf, tenantRowsOf } from "../database/Rows.ts"
import { TenantSql } from "../database/TenantSql.ts"
import { retryTransient } from "../database/Transient.ts"
import { InvalidRequest, type RateLimited } from "../errors/RequestErrors.ts"
import { CurrentTenant } from "../identity/CurrentTenant.ts"
import { Jobs } from "../jobs/Jobs.ts"
import { type ArtifactDamaged, JobNotFound, type JobNotSucceeded } from "../jobs/model/Job.ts"
import { Artifacts } from "../results/Artifacts.ts"
import { namedValues } from "../results/NamedResult.ts"
import { SchemaChecks } from "../schemas/SchemaChecks.ts"
import {
  NamedSpeaker,
  namesOf,
  namingFaults,
  namingLimits,
  type SpeakerNaming,
  SpeakerNamingRow
} from "./model/SpeakerNaming.ts"
import { Reviews } from "./Reviews.ts"

/** The body of `PUT /v1/jobs/{id}/speakers`. */
export const NameSpeakers = Schema.Struct({
  speakers: Schema.Array(NamedSpeaker).annotate({
    description: "Everyone who is not to be told as the job heard them; an empty list takes all names back."
  }).check(Schema.isMaxLength(namingLimits.speakers))
}).annotate({ identifier: "NameSpeakers", description: "How the speakers of a job are to be named and merged." })
type NameSpeakers = typeof NameSpeakers.Type

const JobSpeaker = Schema.Struct({
  id: Schema.String.annotate({ description: "The voice, as the transcript has it." }),
  label: Schema.String.annotate({ description: "How it is called now." }),
  heard_as: Schema.String.annotate({ description: "How the job called it." }),
  same_as: Schema.NullOr(Schema.String).annotate({ description: "The voice that it is told as; null: it is its own." }),
  speaking_seconds: Seconds.annotate({ description: "How long this voice alone is heard." })
}).annotate({ identifier: "JobSpeaker", description: "One voice of a job, as it was heard and as it is named." })

/** Every voice of a job, in the order in which they begin to speak. */
export const JobSpeakers = Schema.Struct({
  job_id: Schema.String.annotate({ description: "Form `job_<id>`." }),
  speakers: Schema.Array(JobSpeaker).annotate({ description: "In the order in which they begin to speak." }),
  named_by: Schema.NullOr(Reviewer).annotate({ description: "Who named them last; null: nobody has." }),
  updated_at: Schema.NullOr(Instant).annotate({ description: "When they were named last; null: never." })
}).annotate({ identifier: "JobSpeakers", description: "Who speaks in a job, as heard and as people named them." })
type JobSpeakers = typeof JobSpeakers.Type

const Row = Schema.Struct({
  ...SpeakerNamingRow.fields,
  key_id: Schema.NullOr(Schema.String),
  author_name: Schema.NullOr(Schema.String),
  updated_at: Schema.Date
})
type Row = typeof Row.Type

type Unreadable = JobNotFound | JobNotSucceeded | ArtifactDamaged

/**
 * How people name the speakers of a succeeded job; every later reading of it has these names, while its artifacts and its
 * manifest stay. A job that has not succeeded fails with `JOB_NOT_SUCCEEDED`.
 */
export class Speakers extends Context.Service<Speakers, {
  readonly get: (job_id: string) => Effect.Effect<JobSpeakers, Unreadable, CurrentTenant>
  /**
   * Takes the place of what was said before. Voices that the transcript does not have, and names with which the result would
   * not fit its schema, are `INVALID_REQUEST` with each of them named, and nothing changes.
   */
  readonly name: (
    job_id: string,
    input: NameSpeakers
  ) => Effect.Effect<JobSpeakers, Unreadable | InvalidRequest | RateLimited, CurrentTenant>
}>()("footnote/reviews/Speakers") {
  static readonly layer = Layer.effect(Speakers, Effect.suspend(() => make))
}

const told = (job_id: string, { speakers }: Transcript, row: Row | undefined): JobSpeakers => {
  const { labelOf, toldAs } = namesOf(row?.speakers ?? [])
  const heard = new Map(speakers.map(({ id, label }) => [id, label]))
  return {
    job_id,
    speakers: speakers.map(({ id, label, speaking_seconds }) => ({
      id,
      label: labelOf(id) ?? heard.get(toldAs(id)) ?? label,
      heard_as: label,
      same_as: toldAs(id) === id ? null : toldAs(id),
      speaking_seconds
    })),
    named_by: row === undefined ? null : { key_id: row.key_id, name: row.author_name },
    updated_at: row === undefined ? null : toInstant(row.updated_at)
  }
}

const make = Effect.gen(function*() {
  const engine = yield* PgClient.PgClient
  const tenants = yield* TenantSql
  const { inTenant, sql } = tenants
  const callingKey = makeCallingKey(tenants)
  const jobs = yield* Jobs
  const artifacts = yield* Artifacts
  const checks = yield* SchemaChecks
  const reviews = yield* Reviews

  const heardOf = (job_id: string) =>
    Effect.map(artifacts.read(job_id, "transcript", StoredTranscript.codec), ({ value }) => value)

  /** Some names are values of the result, which has to go on fitting its schema: the job's own, and what reviews made of it. */
  const checkResult = Effect.fnUntraced(function*(job_id: string, naming: SpeakerNaming, heard: Transcript) {
    const { tenant_id } = yield* CurrentTenant
    const { value: { spans } } = yield* artifacts.read(job_id, "evidence", StoredEvidence.codec)
    if (namedValues(spans, naming, heard).length === 0) return
    const { value: result } = yield* artifacts.read(job_id, "result", Schema.Json)
    const standing = yield* reviews.reviewed(job_id, "as_heard")
    const { normalised } = yield* jobs.schema(tenant_id, job_id)
    const own = { spans, value: result, told: "The result" }
    const reviewed = { spans: standing.evidence.spans, value: standing.result, told: "The reviewed result" }
    for (const reading of standing.revision === 0 ? [own] : [own, reviewed]) {
      const named = namedValues(reading.spans, naming, heard)
      if (named.length === 0) continue
      const edits = named.map(({ label, pointer }) => ({ at: pointer, set: label }))
      const outcome = yield* checks.edit({ schema: normalised, value: reading.value, edits })
      if (outcome.ok) continue
      const blamed = outcome.edit === null ? undefined : named[outcome.edit]
      const at = blamed === undefined ? -1 : naming.findIndex(({ id }) => id === blamed.speaker)
      const place = at === -1 ? "" : `/${at}/${naming[at]!.label === undefined ? "same_as" : "label"}`
      const where = blamed === undefined ? reading.told : `${reading.told} at ${blamed.pointer}`
      return yield* new InvalidRequest({
        details: [{ path: `/speakers${place}`, message: `${where} would not fit its schema: ${outcome.message}` }]
      })
    }
  })

  /** In one transaction with the job's row: an erasure comes before it, or erases it too. */
  const keep = Effect.fnUntraced(function*(
    job_id: string,
    speakers: SpeakerNaming,
    { key_id, name }: NonNullable<JobSpeakers["named_by"]>
  ) {
    const { tenant_id } = yield* CurrentTenant
    const held = yield* engine`SELECT FROM footnote.jobs
      WHERE id = ${job_id} AND tenant_id = ${tenant_id} AND deleted_at IS NULL FOR SHARE`
    if (held.length === 0) return yield* new JobNotFound()
    const [row] = yield* rowsOf(Row)(engine`
      INSERT INTO footnote.job_speakers (job_id, tenant_id, speakers, key_id, author_name)
      VALUES (${job_id}, ${tenant_id}, ${JSON.stringify(speakers)}::json, ${key_id}, ${name})
      ON CONFLICT (job_id) DO UPDATE SET speakers = excluded.speakers, key_id = excluded.key_id,
        author_name = excluded.author_name, updated_at = now()
      RETURNING speakers, key_id, author_name, updated_at`)
    return row!
  })

  return Speakers.of({
    get: Effect.fn("Speakers.get")(function*(job_id) {
      const { tenant_id } = yield* CurrentTenant
      const heard = yield* heardOf(job_id)
      const [row] = yield* tenantRowsOf(Row)(
        inTenant(tenant_id)(sql`SELECT speakers, key_id, author_name, updated_at FROM footnote.job_speakers
          WHERE job_id = ${job_id} AND tenant_id = ${tenant_id}`)
      )
      return told(job_id, heard, row)
    }),

    name: Effect.fn("Speakers.name")(function*(job_id, { speakers }) {
      const heard = yield* heardOf(job_id)
      const details = namingFaults(speakers, heard)
      if (details.length > 0) return yield* new InvalidRequest({ details })
      yield* checkResult(job_id, speakers, heard)
      const row = yield* retryTransient(engine.withTransaction(keep(job_id, speakers, yield* callingKey))).pipe(
        Effect.catchTag("SqlError", Effect.die)
      )
      return told(job_id, heard, row)
    })
  })
})
