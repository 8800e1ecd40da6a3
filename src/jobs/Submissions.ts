import { Context, Effect, Layer, Result, type Schema } from "effect"
import { SqlClient } from "effect/sql"
import { canonicalSha256 } from "../crypto/CanonicalJson.ts"
import { Sealing } from "../crypto/Sealing.ts"
import { TenantSql } from "../database/TenantSql.ts"
import type { DestinationNotFound } from "../deliveries/model/Destination.ts"
import { makeWebhookSecret, openWebhookSecret, sealWebhookSecret } from "../deliveries/signing/WebhookSecret.ts"
import { InvalidRequest, type RateLimited } from "../errors/RequestErrors.ts"
import { RequestId } from "../errors/RequestId.ts"
import {
  IdempotencyKeyInvalid,
  IdempotencyKeyOrphaned,
  isIdempotencyKey,
  type KeyRefusal,
  storedKey
} from "../idempotency/IdempotencyKey.ts"
import { KeyedRequests } from "../idempotency/KeyedRequests.ts"
import { CurrentTenant } from "../identity/CurrentTenant.ts"
import { newId, type TenantId } from "../identity/Id.ts"
import { RateLimits } from "../rate-limits/RateLimits.ts"
import type { SchemaInvalid, SchemaNotFound } from "../schemas/ExtractionSchema.ts"
import { plainTitle, sourceTitle } from "../sources/SourceTitle.ts"
import type { SourceBlocked } from "../sources/SourceUri.ts"
import { Blobs } from "../storage/Blobs.ts"
import { TenantSettings } from "../tenants/TenantSettings.ts"
import { Batches } from "./Batches.ts"
import { makeBatchItems } from "./BatchItems.ts"
import { makeEarlierJob } from "./EarlierJob.ts"
import { type IdempotencyKey, IdempotencyKeys } from "./engine/IdempotencyKeys.ts"
import type { IntakeRefusal } from "./engine/Intake.ts"
import { makeExtractions } from "./Extractions.ts"
import { givenSource, removeGiven } from "./GivenSource.ts"
import { type Created, Jobs } from "./Jobs.ts"
import type { BatchSubmission, RefusedItem } from "./model/Batch.ts"
import {
  type CreateExtraction,
  type JobNotFound,
  type JobNotSucceeded,
  type JobNotTerminal,
  type JobRecord,
  type ModelStackUnknown,
  type SourceNotKept
} from "./model/Job.ts"
import { namedSource } from "./NamedSource.ts"
import { makeRetries } from "./Retries.ts"
import type { TestSchema } from "./SchemaTest.ts"
import { sealedWebhookSecret } from "./SealedWebhookSecret.ts"
import type { Submission, Submitted } from "./Submission.ts"
import { makeSubmissionChecks } from "./SubmissionChecks.ts"

export type { Submitted } from "./Submission.ts"

export interface SubmittedBatch {
  readonly id: string
  readonly replayed: boolean
  /** In the order of the items. */
  readonly outcomes: ReadonlyArray<Result.Result<Submitted, RefusedItem>>
}

/** What a succeeded job is to be extracted for once more. */
export type Extraction = Pick<Submission, "raw" | "idempotency_key" | "schema_text"> & {
  readonly body: CreateExtraction
}

export type Refusal = SourceBlocked | RefusalOfAll

export type TestRefusal = Exclude<ExtractionRefusal, DestinationNotFound | KeyRefusal>

export type ExtractionRefusal = JobNotFound | JobNotSucceeded | RefusalOfAll

type RefusalOfAll =
  | InvalidRequest
  | RateLimited
  | SchemaNotFound
  | SchemaInvalid
  | DestinationNotFound
  | ModelStackUnknown
  | IdempotencyKeyInvalid
  | IntakeRefusal

export type RetryRefusal =
  | JobNotFound
  | JobNotTerminal
  | SourceNotKept
  | SourceBlocked
  | ModelStackUnknown
  | IdempotencyKeyInvalid
  | IntakeRefusal

/** The one way into the service, whatever transport a job comes by: everything about it is checked before it exists. */
export class Submissions extends Context.Service<Submissions, {
  readonly submit: (submission: Submission) => Effect.Effect<Submitted, Refusal, CurrentTenant>
  /** A new job that does what a terminal one did; of one that succeeded from the same bytes. */
  readonly retry: (
    id: string,
    idempotency_key: string | undefined
  ) => Effect.Effect<Submitted, RetryRefusal, CurrentTenant>
  /** A new job whose result is extracted from the artifacts of a succeeded one; nothing is decoded or recognised again. */
  readonly extract: (
    id: string,
    extraction: Extraction
  ) => Effect.Effect<Submitted, ExtractionRefusal, CurrentTenant>
  /** A job that fills a schema from what another job has read, or from a transcript that is given. */
  readonly test: (schema_id: string, test: TestSchema) => Effect.Effect<JobRecord, TestRefusal, CurrentTenant>
  /**
   * Each item as if it had been submitted alone, one after the other. Under a key the whole can be sent again: an item that was
   * judged is told as it was, and a batch that broke off, or is under way, goes on with the rest.
   */
  readonly submitBatch: (
    items: ReadonlyArray<BatchSubmission>,
    idempotency_key: string | undefined
  ) => Effect.Effect<SubmittedBatch, RateLimited | InvalidRequest | KeyRefusal, CurrentTenant>
}>()("footnote/jobs/Submissions") {
  static readonly layer = Layer.effect(Submissions, Effect.suspend(() => make)).pipe(
    Layer.provide([IdempotencyKeys.layer, Batches.layer])
  )
}

const make = Effect.gen(function*() {
  const jobs = yield* Jobs
  const checks = yield* makeSubmissionChecks
  const readOf = yield* makeExtractions
  const retryOf = yield* makeRetries(checks, readOf)
  const rateLimits = yield* RateLimits
  const sealing = yield* Sealing
  const idempotencyKeys = yield* IdempotencyKeys
  const keyedRequests = yield* KeyedRequests
  const batches = yield* Batches
  const settings = yield* TenantSettings
  const blobs = yield* Blobs
  const sql = yield* SqlClient.SqlClient
  const tenantSql = yield* TenantSql
  const secretOf = sealedWebhookSecret(tenantSql)

  const earlierJob = makeEarlierJob(jobs, idempotencyKeys, secretOf)

  const create = Effect.fnUntraced(function*(
    tenant_id: TenantId,
    { batch, body, model_stack, schema_text: written }: Submission,
    idempotency: IdempotencyKey | undefined
  ) {
    const stack = yield* checks.chooseStack(body.model_stack ?? model_stack)
    const { source_uri } = body
    yield* checks.checkSource(source_uri)
    const asked = yield* askedFor(tenant_id, body, written)
    const source_name = yield* sourceTitle(tenantSql, tenant_id, source_uri)
    const named = source_name === undefined ? {} : { title: source_name, source_name }
    const spec = { source_uri, ...named, ...asked.spec, hints: yield* checks.hintsOf(body.hints), model_stack: stack }
    return yield* Effect.catchTag(jobs.create({ ...asked, spec, batch }, idempotency), "JOB_NOT_FOUND", Effect.die)
  })

  /** What a new job is by the part of its submission that is not about the source. */
  const askedFor = Effect.fnUntraced(function*(tenant_id: TenantId, body: CreateExtraction, text: string | undefined) {
    const { schema_text, ...schema } = yield* checks.check(body, text)
    const { instructions, metadata, on_missing, precision = "strict", webhook_url = null } = body
    const title = body.title === undefined ? undefined : plainTitle(body.title)
    const told = { ...(instructions === undefined ? {} : { instructions }), ...(title === undefined ? {} : { title }) }
    const destination_ids = body.destination_ids ?? (yield* settings.get).default_destination_ids
    const id = yield* newId("job")
    return {
      id,
      tenant_id,
      spec: { ...schema, on_missing, precision, ...told },
      schema_text,
      destination_ids,
      webhook_url,
      webhook_secret: webhook_url === null ? null : sealWebhookSecret(sealing, tenant_id, id, makeWebhookSecret()),
      metadata,
      request_id: yield* RequestId
    }
  })

  /** What the key has made already, else what `make` makes under it, with the secret that signs the job's webhook. */
  const once = Effect.fnUntraced(function*<E, R>(
    idempotency_key: string | undefined,
    asked: Schema.Json,
    make: (tenant_id: TenantId, idempotency: IdempotencyKey | undefined) => Effect.Effect<Created, E, R>,
    /** The operation that leads the key, none for a creation's, and what stands for a key of the item's own where its batch has one. */
    { item_key, operation }: { readonly item_key?: string | undefined; readonly operation?: string }
  ) {
    const { tenant_id } = yield* CurrentTenant
    if (idempotency_key !== undefined && !isIdempotencyKey(idempotency_key)) return yield* new IdempotencyKeyInvalid()
    const key = idempotency_key ?? item_key
    const idempotency: IdempotencyKey | undefined = key === undefined ? undefined : {
      body_sha256: canonicalSha256(asked),
      ...(operation === undefined ? { key } : { key: storedKey(operation, key), bare_key: key })
    }
    const earlier = yield* earlierJob(tenant_id, idempotency)
    // What is there already is told however full the disk is.
    const { job, replayed, webhook_secret } = earlier
      ?? (yield* Effect.andThen(Effect.orDie(blobs.roomForMore), make(tenant_id, idempotency)))
    return {
      job,
      replayed,
      webhook_signing_secret: webhook_secret === null
        ? null
        : yield* openWebhookSecret(sealing, tenant_id, job.id, webhook_secret)
    }
  })

  const submit = Effect.fn("Submissions.submit")(
    (submission: Submission & { readonly item_key?: string | undefined }) => {
      const { body, idempotency_key, item_key, model_stack, raw } = submission
      // A stack beside the body changes what is asked for as much as one in it.
      const asked = model_stack === undefined || body.model_stack !== undefined ? raw : [raw, model_stack]
      return once(
        idempotency_key,
        asked,
        (tenant_id, idempotency) => create(tenant_id, submission, idempotency),
        { item_key }
      )
    }
  )

  const retry = Effect.fn("Submissions.retry")((of: string, idempotency_key: string | undefined) =>
    once(
      idempotency_key,
      { retry: of },
      Effect.fnUntraced(function*(tenant_id, idempotency) {
        const { webhook, ...again } = yield* retryOf(of)
        const id = yield* newId("job")
        return yield* jobs.create({
          ...again,
          id,
          tenant_id,
          webhook_url: webhook?.url ?? null,
          // Sealed for the job: the same secret, under the new one's name.
          webhook_secret: webhook === null ? null : sealWebhookSecret(
            sealing,
            tenant_id,
            id,
            yield* openWebhookSecret(sealing, tenant_id, of, webhook.sealed)
          ),
          request_id: yield* RequestId
        }, idempotency)
      }),
      { operation: "retryJob" }
    )
  )

  const extract = Effect.fn("Submissions.extract")((of: string, extraction: Extraction) =>
    once(
      extraction.idempotency_key,
      { extraction_of: of, body: extraction.raw },
      Effect.fnUntraced(function*(tenant_id, idempotency) {
        const read = yield* readOf(of)
        const model_stack = yield* checks.chooseStack(read.model_stack)
        const asked = yield* askedFor(tenant_id, extraction.body, extraction.schema_text)
        const named = yield* Effect.orDie(namedSource(blobs, tenantSql, asked.id, read))
        const create = jobs.create({ ...asked, spec: { ...named, ...asked.spec, model_stack } }, idempotency)
        return yield* create.pipe(
          Effect.onError(() => removeGiven(sql, blobs, asked)),
          // The same request was quicker: its job has what it was given in a folder of its own.
          Effect.tap(({ job }) => job.id === asked.id ? Effect.void : removeGiven(sql, blobs, asked))
        )
      }),
      { operation: "extractAgain" }
    )
  )

  const test = Effect.fn("Submissions.test")(
    function*(schema_id: string, asked: TestSchema) {
      const { tenant_id } = yield* CurrentTenant
      yield* Effect.orDie(blobs.roomForMore)
      const { job_id, language, schema_version, segments = [], wait_seconds: _, ...how } = asked
      const version = schema_version === undefined ? {} : { schema_version }
      const { spec, ...job } = yield* askedFor(
        tenant_id,
        { schema_id, ...version, ...how, destination_ids: [], metadata: {} },
        undefined
      )
      const earlier = job_id === undefined ? undefined : yield* readOf(job_id)
      const model_stack = yield* checks.chooseStack(earlier?.model_stack)
      const given = { segments, ...(language === undefined ? {} : { language }) }
      const read = earlier === undefined
        ? yield* Effect.orDie(givenSource(blobs, job.id, model_stack, given))
        : yield* Effect.orDie(namedSource(blobs, tenantSql, job.id, earlier))
      const create = jobs.create({ ...job, spec: { ...read, ...spec, model_stack } })
      // Where nothing was made, there is nothing that what was given could go with. It has no destinations and no key.
      return (yield* Effect.onError(create, () => removeGiven(sql, blobs, job))).job
    },
    Effect.catchTags({
      DESTINATION_NOT_FOUND: Effect.die,
      IDEMPOTENCY_KEY_CONFLICT: Effect.die,
      IDEMPOTENCY_KEY_ORPHANED: Effect.die
    })
  )

  /** The job that an item has become, as it is now. */
  const jobOf = Effect.fnUntraced(function*(job_id: string) {
    const { tenant_id } = yield* CurrentTenant
    const job = yield* jobs.get(tenant_id, job_id)
    const [row] = yield* secretOf(tenant_id, job_id)
    const sealed = row?.webhook_secret ?? null
    const webhook_signing_secret = sealed === null ? null : yield* openWebhookSecret(sealing, tenant_id, job_id, sealed)
    return { job, webhook_signing_secret, replayed: true }
  })

  const batchItems = makeBatchItems(submit, jobOf, batches)

  return Submissions.of({
    submit,
    retry,
    extract,
    test,
    submitBatch: Effect.fn("Submissions.submitBatch")(function*(items, idempotency_key) {
      const { tenant_id } = yield* CurrentTenant
      const begin = Effect.gen(function*() {
        const { writes } = yield* rateLimits.limitsOf(tenant_id)
        if (writes > 0 && items.length > writes) {
          const message =
            `Holds ${items.length} jobs, each of which counts as one write, and the tenant may do ${writes} in a minute`
          return yield* new InvalidRequest({ details: [{ path: "/jobs", message }] })
        }
        // The request itself has been counted as one.
        if (items.length > 1) yield* rateLimits.take(tenant_id, "writes", items.length - 1)
        // Beforehand, so that none of them is made where the whole is answered with 503.
        yield* Effect.orDie(blobs.roomForMore)
        return yield* batches.open(items.length)
      })
      const { answer: { id }, replayed } = yield* keyedRequests.once({
        operation: "createJobs",
        key: idempotency_key,
        asked: Effect.succeed(items.map(({ item, model_stack = null }) => [item, model_stack])),
        idOf: (batch) => batch.id,
        alive: () => Effect.succeed(true)
      }, begin)
      const known = replayed ? yield* batches.judged(id) : undefined
      // One after the other: of two items with one key the second is the replay.
      const outcomes = yield* Effect.forEach(
        items,
        (submission, item): Effect.Effect<Result.Result<Submitted, RefusedItem>, never, CurrentTenant> => {
          const judged = known?.items.get(item)
          if (judged !== undefined) return batchItems.told(judged)
          return known?.closed === true
            ? Effect.succeed(Result.fail(
              new IdempotencyKeyOrphaned({ message: "The batch broke off before this item; send it in another one." })
            ))
            : batchItems.judge(submission, { batch_id: id, item }, idempotency_key !== undefined)
        }
      )
      yield* batches.close(id)
      return { id, replayed, outcomes }
    })
  })
})
