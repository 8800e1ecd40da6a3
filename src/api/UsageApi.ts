import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api"
import { wire } from "../errors/ApiError.ts"
import { idempotencyHeader, keyRefusals } from "../idempotency/IdempotencyKey.ts"
import { ModelStackUnknown } from "../jobs/model/Job.ts"
import { SourceBlocked } from "../sources/SourceUri.ts"
import { Estimate, EstimateRequest } from "../usage/reports/Estimate.ts"
import { TenantLimits } from "../usage/reports/Limits.ts"
import { PeriodName, UsageReport } from "../usage/reports/UsageReport.ts"

const ModelStacks = Schema.Struct({
  data: Schema.Array(Schema.Struct({
    id: Schema.String.annotate({ description: "What `model_stack` of a job names." }),
    ready: Schema.Boolean.annotate({ description: "Whether a job can run on it: all of its files are here." }),
    is_default: Schema.Boolean.annotate({ description: "Whether a job that names none runs on it." })
  }))
}).annotate({
  identifier: "ModelStacks",
  description: "The stacks of this deployment, the best first. `auto` takes the first that is ready."
})

export class UsageApi extends HttpApiGroup.make("usage").add(
  HttpApiEndpoint.get("usage", "/usage", {
    query: { period: Schema.optionalKey(PeriodName) },
    success: UsageReport
  }).annotateMerge(OpenApi.annotations({
    identifier: "getUsage",
    summary: "Read the usage of a month",
    description: "What the tenant's jobs took, and how it stands with its cost quota. Erased jobs keep counting."
  })),
  HttpApiEndpoint.get("limits", "/limits", { success: TenantLimits }).annotateMerge(OpenApi.annotations({
    identifier: "getLimits",
    summary: "Read the limits",
    description: "Every limit that applies to the tenant, with its numbers as they are now."
  })),
  HttpApiEndpoint.get("modelStacks", "/model-stacks", { success: ModelStacks }).annotateMerge(OpenApi.annotations({
    identifier: "listModelStacks",
    summary: "List the model stacks",
    description: "What `model_stack` of a job may name. One that is not ready its operator has to fetch first."
  })),
  HttpApiEndpoint.post("estimate", "/jobs/estimate", {
    headers: idempotencyHeader,
    payload: EstimateRequest,
    success: Estimate,
    error: wire(SourceBlocked, ModelStackUnknown, ...keyRefusals)
  }).annotateMerge(OpenApi.annotations({
    identifier: "estimateJob",
    summary: "Estimate a job",
    description:
      "Time, tokens and cost that a job would take, from earlier jobs. Creates, fetches and reserves nothing; what is not known is null and told in `unknown`."
  }))
).annotateMerge(OpenApi.annotations({ title: "Usage", description: "What jobs take, and what a tenant may." })) {}
