import { Context, Effect, Layer, Option, type Schema } from "effect"
import { canonicalSha256 } from "../crypto/CanonicalJson.ts"
import { Sealing } from "../crypto/Sealing.ts"
import { makeWebhookSecret, openWebhookSecret, sealWebhookSecret } from "../deliveries/WebhookSecret.ts"
import { DestinationNotFound } from "../destinations/Destination.ts"
import { RequestId } from "../errors/RequestId.ts"
import { InvalidRequest } from "../errors/RequestErrors.ts"
import type { SchemaInvalid, SchemaNotFound } from "../schemas/ExtractionSchema.ts"
import { checkSchemaSafely } from "../schemas/SchemaCheck.ts"
import { Schemas } from "../schemas/Schemas.ts"
import { defaultTemplate } from "../schemas/Templates.ts"
import { sourcePolicyConfig } from "../sources/SourcePolicy.ts"
import { checkSourceUri, forbiddenUrl, SourceBlocked } from "../sources/SourceUri.ts"
import { UploadLookup } from "../sources/UploadLookup.ts"
import { CurrentTenant } from "../tenants/CurrentTenant.ts"
import {
  type ConcurrentJobsLimit,
  type CreateJob,
  type IdempotencyKeyConflict,
  IdempotencyKeyInvalid,
  type IdempotencyKeyOrphaned,
  type JobRecord,
  ModelStackUnknown
} from "./Job.ts"
import { Jobs } from "./Jobs.ts"

/** The model stacks of this deployment; `auto` takes the best of them. */
const modelStacks = new Map([["auto", "builtin"], ["builtin", "builtin"]])

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
  static readonly layer = Layer.effect(Submissions, Effect.suspend(() => make))
}

const make = Effect.gen(function*() {
  const jobs = yield* Jobs
  const schemas = yield* Schemas
  const uploads = yield* UploadLookup
  const sealing = yield* Sealing
  const policy = yield* sourcePolicyConfig

  const checkSource = Effect.fnUntraced(function*(source_uri: string) {
    const source = yield* checkSourceUri(source_uri, policy)
    if (source.kind !== "upload") return
    const { tenant_id } = yield* CurrentTenant
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

  return Submissions.of({
    submit: Effect.fn("Submissions.submit")(function*({ body, idempotency_key, model_stack, raw }) {
      const { tenant_id } = yield* CurrentTenant
      if (idempotency_key !== undefined && !/^[ -~]{1,255}$/u.test(idempotency_key)) {
        return yield* new IdempotencyKeyInvalid()
      }
      const asked = body.model_stack ?? model_stack ?? "auto"
      const stack = modelStacks.get(asked)
      if (stack === undefined) {
        return yield* new ModelStackUnknown({
          message: `No model stack ${asked} on this deployment; it has ${[...modelStacks.keys()].join(", ")}.`
        })
      }
      yield* checkSource(body.source_uri)
      yield* checkWebhook(body.webhook_url)
      const schema = yield* chooseSchema(body)
      if (body.destination_ids !== undefined && body.destination_ids.length > 0) {
        return yield* new DestinationNotFound({ details: [{ path: "destination_ids", message: body.destination_ids[0]! }] })
      }
      const secret = body.webhook_url === undefined ? null : makeWebhookSecret()
      const created = yield* jobs.create({
        tenant_id,
        spec: {
          source_uri: body.source_uri,
          ...schema,
          hints: body.hints,
          on_missing: body.on_missing,
          model_stack: stack
        },
        destination_ids: [],
        webhook_url: body.webhook_url ?? null,
        webhook_secret: secret === null ? null : sealWebhookSecret(sealing, tenant_id, secret),
        metadata: body.metadata,
        request_id: yield* RequestId
      }, idempotency_key === undefined ? undefined : {
        key: idempotency_key,
        // A stack beside the body changes what is asked for as much as one in it.
        body_sha256: canonicalSha256(
          model_stack === undefined || body.model_stack !== undefined ? raw : [raw, model_stack]
        )
      })
      return {
        job: created.job,
        replayed: created.replayed,
        webhook_signing_secret: created.webhook_secret === null
          ? null
          : yield* openWebhookSecret(sealing, tenant_id, created.webhook_secret)
      }
    })
  })
})
