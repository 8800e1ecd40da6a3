import { PgClient } from "@effect/sql-pg"
import { Context, Effect, Layer, Option, type Schema } from "effect"
import { canonicalSha256 } from "../crypto/CanonicalJson.ts"
import { Sealing } from "../crypto/Sealing.ts"
import { makeWebhookSecret, openWebhookSecret, sealWebhookSecret } from "../deliveries/WebhookSecret.ts"
import { DestinationNotFound } from "../destinations/Destination.ts"
import { InvalidRequest } from "../errors/RequestErrors.ts"
import { RequestId } from "../errors/RequestId.ts"
import { ModelStore } from "../model-stacks/ModelStore.ts"
import type { SchemaInvalid, SchemaNotFound } from "../schemas/ExtractionSchema.ts"
import { checkSchemaSafely } from "../schemas/SchemaCheck.ts"
import { Schemas } from "../schemas/Schemas.ts"
import { defaultTemplate } from "../schemas/Templates.ts"
import { forbiddenObject, s3PolicyConfig } from "../sources/S3Policy.ts"
import { sourcePolicyConfig } from "../sources/SourcePolicy.ts"
import { checkSourceUri, forbiddenUrl, SourceBlocked } from "../sources/SourceUri.ts"
import { UploadLookup } from "../sources/UploadLookup.ts"
import { CurrentTenant } from "../tenants/CurrentTenant.ts"
import { type IdempotencyKey, IdempotencyKeys } from "./IdempotencyKeys.ts"
import {
  type ConcurrentJobsLimit,
  type CreateJob,
  IdempotencyKeyConflict,
  IdempotencyKeyInvalid,
  IdempotencyKeyOrphaned,
  type JobRecord,
  ModelStackUnknown
} from "./Job.ts"
import { Jobs } from "./Jobs.ts"

export interface Submission {
  readonly body: CreateJob
  /** The body as it was sent: what an idempotency key is compared by. */
  readonly raw: Schema.Json
  /** The stack that came beside the body, which wins over it. */
  readonly model_stack: string | undefined
  readonly idempotency_key: string | undefined
}

export interface Submitted {
  readonly job: JobRecord
  /** Null where the job has no `webhook_url`. */
  readonly webhook_signing_secret: string | null
  readonly replayed: boolean
}

type Refusal =
  | InvalidRequest
  | SourceBlocked
  | SchemaNotFound
  | SchemaInvalid
  | DestinationNotFound
  | ModelStackUnknown
  | ConcurrentJobsLimit
  | IdempotencyKeyInvalid
  | IdempotencyKeyConflict
  | IdempotencyKeyOrphaned

/** The one way into the service, whatever transport a job comes by: everything about it is checked before it exists. */
export class Submissions extends Context.Service<Submissions, {
  readonly submit: (submission: Submission) => Effect.Effect<Submitted, Refusal, CurrentTenant>
}>()("footnote/jobs/Submissions") {
  static readonly layer = Layer.effect(Submissions, Effect.suspend(() => make)).pipe(
    Layer.provide(IdempotencyKeys.layer)
  )
}

const make = Effect.gen(function*() {
  const jobs = yield* Jobs
  const schemas = yield* Schemas
  const uploads = yield* UploadLookup
  const sealing = yield* Sealing
  const idempotencyKeys = yield* IdempotencyKeys
  const sql = yield* PgClient.PgClient
  const models = yield* ModelStore
  const policy = yield* sourcePolicyConfig
  const s3Policy = yield* s3PolicyConfig

  const checkSource = Effect.fnUntraced(function*(source_uri: string) {
    const source = yield* checkSourceUri(source_uri, policy)
    if (source.kind === "http") return
    const { tenant_id } = yield* CurrentTenant
    if (source.kind === "s3") {
      const message = forbiddenObject(s3Policy, tenant_id, source)
      return message === undefined
        ? undefined
        : yield* new SourceBlocked({ details: [{ path: "source_uri", message }] })
    }
    if (Option.isNone(yield* uploads.find(tenant_id, source.upload_id))) {
      return yield* new SourceBlocked({
        details: [{ path: "source_uri", message: "There is no such upload, or it has expired." }]
      })
    }
  })

  const checkWebhook = (webhook_url: string | undefined) => {
    const forbidden = webhook_url === undefined ? undefined : forbiddenUrl(new URL(webhook_url), policy)
    return forbidden === undefined
      ? Effect.void
      : Effect.fail(new InvalidRequest({ details: [{ path: "webhook_url", message: forbidden }] }))
  }

  const chooseSchema = Effect.fnUntraced(function*({ schema_id, schema_inline }: CreateJob) {
    if (schema_inline !== undefined) {
      yield* checkSchemaSafely(schema_inline)
      return { schema_id: null, json_schema: schema_inline as Schema.Json }
    }
    if (schema_id === undefined) return { schema_id: null, json_schema: defaultTemplate.json_schema as Schema.Json }
    const { json_schema } = yield* schemas.get(schema_id)
    return { schema_id, json_schema }
  })

  /** A stack that cannot run here is told now, and what to run for it, instead of by a job that fails later. */
  const chooseStack = (asked: string | undefined) =>
    models.choose(asked).pipe(
      Effect.map(({ id }) => id),
      // The operator's own file is broken: nothing that a caller could send differently.
      Effect.catchTag("StackFileInvalid", Effect.die),
      Effect.mapError(({ message }) => new ModelStackUnknown({ message }))
    )

  /** What the key has come to already: before anything of the body is judged, since the job was judged when it was made. */
  const replay = Effect.fnUntraced(function*(tenant_id: string, idempotency: IdempotencyKey) {
    const reservation = yield* Effect.orDie(idempotencyKeys.look(tenant_id, idempotency))
    if (reservation.kind === "conflict") return yield* new IdempotencyKeyConflict()
    if (reservation.kind === "orphaned") return yield* new IdempotencyKeyOrphaned()
    if (reservation.kind === "fresh") return undefined
    const [row] = yield* Effect.orDie(sql<{ webhook_secret: Uint8Array | null }>`
      SELECT webhook_secret FROM footnote.jobs WHERE id = ${reservation.job_id} AND tenant_id = ${tenant_id}`)
    const job = yield* Effect.option(jobs.get(tenant_id, reservation.job_id))
    // Erased between the two reads: the transaction of a creation will see it.
    return row === undefined || Option.isNone(job)
      ? undefined
      : { job: job.value, webhook_secret: row.webhook_secret, replayed: true }
  })

  const create = Effect.fnUntraced(function*(
    tenant_id: string,
    body: CreateJob,
    model_stack: string | undefined,
    idempotency: IdempotencyKey | undefined
  ) {
    const stack = yield* chooseStack(body.model_stack ?? model_stack)
    yield* checkSource(body.source_uri)
    yield* checkWebhook(body.webhook_url)
    const schema = yield* chooseSchema(body)
    const unknown = body.destination_ids?.[0]
    if (unknown !== undefined) {
      return yield* new DestinationNotFound({ details: [{ path: "destination_ids.0", message: unknown }] })
    }
    const { hints, metadata, on_missing, source_uri, webhook_url = null } = body
    return yield* jobs.create({
      tenant_id,
      spec: { source_uri, ...schema, hints, on_missing, model_stack: stack },
      destination_ids: [],
      webhook_url,
      webhook_secret: webhook_url === null ? null : sealWebhookSecret(sealing, tenant_id, makeWebhookSecret()),
      metadata,
      request_id: yield* RequestId
    }, idempotency)
  })

  return Submissions.of({
    submit: Effect.fn("Submissions.submit")(function*({ body, idempotency_key, model_stack, raw }) {
      const { tenant_id } = yield* CurrentTenant
      if (idempotency_key !== undefined && !/^[ -~]{1,255}$/u.test(idempotency_key)) {
        return yield* new IdempotencyKeyInvalid()
      }
      const idempotency = idempotency_key === undefined ? undefined : {
        key: idempotency_key,
        // A stack beside the body changes what is asked for as much as one in it.
        body_sha256: canonicalSha256(
          model_stack === undefined || body.model_stack !== undefined ? raw : [raw, model_stack]
        )
      }
      const earlier = idempotency === undefined ? undefined : yield* replay(tenant_id, idempotency)
      const { job, replayed, webhook_secret } = earlier
        ?? (yield* create(tenant_id, body, model_stack, idempotency))
      return {
        job,
        replayed,
        webhook_signing_secret: webhook_secret === null
          ? null
          : yield* openWebhookSecret(sealing, tenant_id, webhook_secret)
      }
    })
  })
})
