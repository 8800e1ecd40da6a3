import { Effect, Schema } from "effect"
import type { SealedPlace } from "../crypto/SealedEnvelope.ts"
import type { Sealing } from "../crypto/Sealing.ts"
import { type AddressPolicy, forbiddenUrl } from "../egress/AddressPolicy.ts"
import type { TenantId } from "../identity/Id.ts"

const printable = Schema.isPattern(/^[\x21-\x7e]+$/u)

/** A language model of a tenant's own, as the tenant names it. */
export const LanguageModelInput = Schema.Struct({
  url: Schema.String.check(Schema.isMaxCodePoints(2000)).annotate({
    description:
      "An OpenAI-compatible API (`https://…/v1`), a deployment of Azure OpenAI with its `api-version`, or Anthropic's Messages API (`https://…/v1/messages`). Public addresses only, unless the deployment allows others."
  }),
  model: Schema.String.check(Schema.isMinLength(1), Schema.isMaxCodePoints(200)).annotate({
    description: "The model's name there."
  }),
  api_key: Schema.optionalKey(
    Schema.String.check(printable, Schema.isMaxCodePoints(1000)).annotate({
      description: "Sent to that address alone; stored sealed and never shown."
    })
  )
}).annotate({
  identifier: "LanguageModelInput",
  description: "A language model that reads this tenant's footage instead of the deployment's."
})
export type LanguageModelInput = typeof LanguageModelInput.Type

/** What is shown of it. */
export const LanguageModel = Schema.Struct({
  host: Schema.String.annotate({ description: "Where it is, without the path." }),
  model: Schema.String.annotate({ description: "The model's name there." }),
  has_key: Schema.Boolean.annotate({ description: "Whether a key is sent." })
}).annotate({
  identifier: "LanguageModel",
  description: "The language model of the tenant's own; null where jobs use the deployment's, if it has one."
})
export type LanguageModel = typeof LanguageModel.Type

/** Where it lies sealed: under keys that extraction has, which open nothing else. */
export const languageModelPlace = (tenant_id: TenantId): SealedPlace => ({
  tenant_id,
  table: "tenant_settings",
  row_id: tenant_id,
  field: "language_model",
  key: "tenant_model"
})

export const sealLanguageModel = (
  sealing: Sealing["Service"],
  tenant_id: TenantId,
  { api_key, model, url }: LanguageModelInput
): Uint8Array => sealing.seal(JSON.stringify({ url, model, api_key }), languageModelPlace(tenant_id))

/** What was sealed for this tenant and no other; another tenant's bytes fail with `SealBroken`. */
export const openLanguageModel = (sealing: Sealing["Service"], tenant_id: TenantId, sealed: Uint8Array) =>
  Effect.map(sealing.open(sealed, languageModelPlace(tenant_id)), languageModelOf)

/** What such a text says, which was sealed by `sealLanguageModel` alone. */
export const languageModelOf = (text: string): LanguageModelInput => JSON.parse(text)

export const shownLanguageModel = ({ api_key, model, url }: LanguageModelInput): LanguageModel => ({
  host: new URL(url).host,
  model,
  has_key: api_key !== undefined
})

/** Why an address may not be asked; undefined where it may. What its name leads to is looked at when it is. */
export const forbiddenModelUrl = (text: string, policy: AddressPolicy): string | undefined => {
  const url = URL.parse(text)
  if (url === null) return "This is no URL."
  if (url.hash !== "" || !(url.search === "" || /^\?api-version=[\w.-]+$/u.test(url.search))) {
    return "The only query is api-version."
  }
  return forbiddenUrl(url, policy)
}

/** The address as it is asked: without the path of a completion, which is added. */
export const modelAddress = (text: string): string => {
  const [base, query] = text.split("?") as [string, string?]
  const root = base.replace(/\/+$/u, "").replace(/\/chat\/completions$/u, "")
  return query === undefined ? root : `${root}?${query}`
}
