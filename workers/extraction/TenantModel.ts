import { PgClient } from "@effect/sql-pg"
import { Context, Effect, type FileSystem, Layer, Option, type Path } from "effect"
import { openEnvelope } from "../../src/crypto/SealedEnvelope.ts"
import { configuredTenantModelKeys } from "../../src/crypto/TenantModelKey.ts"
import { type AddressPolicy, addressPolicyConfig, forbiddenUrl } from "../../src/egress/AddressPolicy.ts"
import type { TenantId } from "../../src/identity/Id.ts"
import { type JobFailureCode, StageFailure } from "../../src/jobs/model/JobFailure.ts"
import { languageModelOf, languageModelPlace, modelAddress } from "../../src/tenants/LanguageModel.ts"
import type { LlmDefaults } from "./proposers/llm/LlmConfig.ts"
import type { LlmEndpoint } from "./proposers/llm/LlmEndpoint.ts"

/** A tenant's own model, or why this worker cannot use the one that it has. */
export type TenantModel = { readonly endpoint: LlmEndpoint } | { readonly unusable: string }

/** Which language model a tenant has set for itself; none without a database. */
export class TenantModels extends Context.Reference<{
  readonly find: (
    tenant_id: TenantId,
    defaults: LlmDefaults
  ) => Effect.Effect<TenantModel | undefined, StageFailure>
}>("footnote/extraction/TenantModels", { defaultValue: () => ({ find: () => Effect.succeed(undefined) }) }) {}

const failed = (message: string, code: JobFailureCode = "INTERNAL") =>
  new StageFailure({ code, message, retryable: true })

const listsOf = ({ allow_ports, allow_private }: AddressPolicy) => ({
  allow_private: allow_private.map(([network, bits]) => `${network.toString()}/${bits}`).join(","),
  allow_ports: Array.from(allow_ports).join(",")
})

/**
 * Opens the tenants' endpoints with keys that open nothing else, which a process has that serves extraction alone (`alone`). What
 * was sealed for another tenant does not open. Its price is the tenant's own and no part of the deployment's book.
 */
export const layerTenantModels = (alone: boolean) =>
  Layer.effect(
    TenantModels,
    Effect.gen(function*() {
      const sql = yield* PgClient.PgClient
      const policy = yield* addressPolicyConfig
      // Looked for at the first need: a deployment without such tenants gives this worker no key.
      const keys = yield* Effect.cached(configuredTenantModelKeys.pipe(Effect.orElseSucceed(() => Option.none())))
      const services = yield* Effect.context<FileSystem.FileSystem | Path.Path>()

      const find = Effect.fnUntraced(
        function*(tenant_id: TenantId, defaults: LlmDefaults) {
          const [row] = yield* sql<{ readonly language_model: Uint8Array | null }>`
            SELECT language_model FROM footnote.tenant_settings WHERE tenant_id = ${tenant_id}`
          if (row?.language_model == null) return undefined
          const ring = alone ? yield* keys : Option.none()
          if (Option.isNone(ring)) {
            return { unusable: "this worker has no key that opens the tenant's own" }
          }
          const sealed = row.language_model
          const { api_key = null, model, url } = yield* Effect.try({
            try: () => languageModelOf(openEnvelope(ring.value, sealed, languageModelPlace(tenant_id))),
            catch: () =>
              failed("No key of this worker opens the tenant's language model: see FOOTNOTE_TENANT_MODEL_KEY.")
          })
          const why = forbiddenUrl(new URL(url), policy)
          if (why !== undefined) return { unusable: "the address of the tenant's own is not allowed" }
          return {
            endpoint: {
              ...defaults,
              url: modelAddress(url),
              model,
              key: api_key,
              input_price: 0,
              output_price: 0,
              guard: listsOf(policy)
            }
          }
        },
        Effect.catchTags({
          SqlError: () => failed("The tenant's settings could not be read.")
        }),
        Effect.provide(services)
      )
      return { find }
    })
  )
