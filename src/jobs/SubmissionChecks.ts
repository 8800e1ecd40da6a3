import { Effect, Option, type Schema } from "effect"
import { TenantSql } from "../database/TenantSql.ts"
import { checkDestinationIds } from "../deliveries/model/LiveDestinations.ts"
import { addressPolicyConfig, forbiddenUrl } from "../egress/AddressPolicy.ts"
import { InvalidRequest } from "../errors/RequestErrors.ts"
import { CurrentTenant } from "../identity/CurrentTenant.ts"
import { ModelStore } from "../model-stacks/ModelStore.ts"
import { readyStacks } from "../model-stacks/ReadyStacks.ts"
import { sinceBoot } from "../processes/SinceBoot.ts"
import { SchemaNotFound } from "../schemas/ExtractionSchema.ts"
import { SchemaChecks } from "../schemas/SchemaChecks.ts"
import { Schemas } from "../schemas/Schemas.ts"
import { defaultSchemaId } from "../schemas/Templates.ts"
import { forbiddenObject, s3PolicyConfig } from "../sources/S3Policy.ts"
import { checkSourceUri, SourceBlocked } from "../sources/SourceUri.ts"
import { UploadLookup } from "../sources/UploadLookup.ts"
import { cut } from "../text/PlainText.ts"
import { withCorrections } from "./CorrectedTerms.ts"
import { type CreateJob, ModelStackUnknown } from "./model/Job.ts"
import type { JobHints } from "./model/JobSpec.ts"

/** For so long a stack that was here is taken to be here: to look at its files was half of what a submission takes of the processor. */
const chosenMillis = 1000

/** What a submission says beside its source. */
type AskedFor = Pick<CreateJob, "schema_id" | "schema_version" | "schema_inline" | "destination_ids" | "webhook_url">

/** What can be wrong with a submission beyond its form, each with the code that says so and the field that is to blame. */
export const makeSubmissionChecks = Effect.gen(function*() {
  const schemas = yield* Schemas
  const schemaChecks = yield* SchemaChecks
  const uploads = yield* UploadLookup
  const tenantSql = yield* TenantSql
  const models = yield* ModelStore
  const policy = yield* addressPolicyConfig
  const s3Policy = yield* s3PolicyConfig

  const checkSource = Effect.fnUntraced(function*(source_uri: string) {
    const source = yield* checkSourceUri(source_uri, policy)
    if (source.kind === "http" || source.kind === "sample") return
    const { tenant_id } = yield* CurrentTenant
    if (source.kind === "s3") {
      const message = forbiddenObject(s3Policy, tenant_id, source)
      return message === undefined
        ? undefined
        : yield* new SourceBlocked({ details: [{ path: "/source_uri", message }] })
    }
    if (Option.isNone(yield* uploads.find(tenant_id, source.upload_id))) {
      return yield* new SourceBlocked({
        details: [{ path: "/source_uri", message: "There is no such upload, it is not complete, or it has expired." }]
      })
    }
  })

  const checkWebhook = (webhook_url: string | undefined) => {
    const forbidden = webhook_url === undefined ? undefined : forbiddenUrl(new URL(webhook_url), policy)
    return forbidden === undefined
      ? Effect.void
      : Effect.fail(new InvalidRequest({ details: [{ path: "/webhook_url", message: forbidden }] }))
  }

  /** The schema in its three forms; `written` is the text of `schema_inline`, where the transport has it. */
  const chooseSchema = Effect.fnUntraced(function*(
    { schema_id, schema_inline, schema_version }: AskedFor,
    written?: string
  ) {
    if (schema_inline !== undefined) {
      const { normalised } = yield* schemaChecks.check(schema_inline)
      return {
        schema_id: null,
        json_schema: schema_inline as Schema.Json,
        normalised_schema: JSON.parse(normalised) as Schema.Json,
        schema_text: written ?? JSON.stringify(schema_inline)
      }
    }
    const stored = yield* schemas.read(schema_id ?? defaultSchemaId, schema_version).pipe(
      Effect.mapError(() =>
        new SchemaNotFound({
          details: [{ path: "/schema_id", message: "Neither a schema of the tenant's own nor a template" }]
        })
      )
    )
    return {
      schema_id: schema_id ?? null,
      ...(schema_id === undefined ? {} : { schema_version: stored.schema.version }),
      json_schema: stored.schema.json_schema,
      normalised_schema: stored.normalised,
      schema_text: stored.written
    }
  })

  /** Why a stack cannot be had, and those that can. */
  const refuse = Effect.fnUntraced(function*(reason: string) {
    return yield* new ModelStackUnknown({ message: `${reason} ${yield* readyStacks(models)}` })
  })

  /** What a caller can do about a stack whose files are not here; what its operator runs for it is in the log. */
  const notReady = Effect.fnUntraced(function*(asked: string | undefined, reason: string) {
    yield* Effect.logWarning(reason)
    return yield* refuse(`The model stack ${asked ?? models.options.default_stack} is not ready on this deployment.`)
  })

  /** By what was asked for; none for what could not be had, so that what is fetched in the meantime is found at once. */
  const chosen = new Map<string | undefined, { readonly id: string; readonly until: number }>()

  const lookUpStack = (asked: string | undefined, now: number): Effect.Effect<string, ModelStackUnknown> =>
    models.choose(asked).pipe(
      Effect.map(({ id }) => {
        chosen.set(asked, { id, until: now + chosenMillis })
        return id
      }),
      Effect.catchTags({
        StackUnknown: () =>
          refuse(`No model stack ${cut(asked ?? models.options.default_stack, 100)} on this deployment.`),
        ModelMissing: ({ message }) => notReady(asked, message),
        ModelUnlocked: ({ message }) => notReady(asked, message)
      }),
      // The operator's own file is broken: nothing that a caller could send differently.
      Effect.catchTag("StackFileInvalid", Effect.die)
    )

  /** A stack that cannot run here is told now, with those that can, instead of by a job that fails later. */
  const chooseStack = (asked: string | undefined): Effect.Effect<string, ModelStackUnknown> =>
    Effect.flatMap(sinceBoot, (now) => {
      const known = chosen.get(asked)
      return known !== undefined && now < known.until ? Effect.succeed(known.id) : lookUpStack(asked, now)
    })

  return {
    chooseStack,
    checkSource,
    hintsOf: (given: JobHints) => withCorrections(tenantSql, given),
    /** Everything about a body but its stack and its source. */
    check: Effect.fnUntraced(function*(body: AskedFor, written?: string) {
      yield* checkWebhook(body.webhook_url)
      const schema = yield* chooseSchema(body, written)
      yield* checkDestinationIds(tenantSql, (yield* CurrentTenant).tenant_id, body.destination_ids ?? [])
      return schema
    })
  }
})
