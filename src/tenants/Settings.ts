import { Schema } from "effect"
import { jobLimits } from "../jobs/model/Job.ts"
import { LanguageModel, LanguageModelInput } from "./LanguageModel.ts"

const fields = {
  default_destination_ids: Schema.Array(Schema.String).annotate({
    description: "Where results of jobs go that name no `destination_ids`; a job that names none of them gives `[]`."
  }),
  has_webhook_secret: Schema.Boolean.annotate({
    description: "Whether there is a secret that signs events to every job's `webhook_url`, beside the job's own."
  }),
  language_model: Schema.NullOr(LanguageModel).annotate({
    description: "The language model of the tenant's own; null where jobs use the deployment's, if it has one."
  })
}

/** What a tenant sets for all of its jobs. */
export const Settings = Schema.Struct(fields).annotate({
  identifier: "Settings",
  description: "What a tenant sets for all of its jobs."
})
export type Settings = typeof Settings.Type

export const UpdateSettings = Schema.Struct({
  default_destination_ids: Schema.optionalKey(
    fields.default_destination_ids.check(Schema.isMaxLength(jobLimits.destinations), Schema.isUnique())
  ),
  language_model: Schema.optionalKey(Schema.NullOr(LanguageModelInput)).annotate({
    description: "The language model that reads this tenant's footage from now on; null is the deployment's."
  })
}).annotate({ identifier: "UpdateSettings", description: "What is to be changed of the settings." })
export type UpdateSettings = typeof UpdateSettings.Type

/** The one answer that carries the secret. */
export const RotatedWebhookSecret = Schema.Struct({
  ...fields,
  webhook_signing_secret: Schema.String.annotate({
    description: "Standard Webhooks secret (`whsec_…`) of the tenant. Shown here and never again."
  })
}).annotate({
  identifier: "RotatedWebhookSecret",
  description: "The settings with the tenant's new webhook secret, which is shown here and never again."
})
export type RotatedWebhookSecret = typeof RotatedWebhookSecret.Type
