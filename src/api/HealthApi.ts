import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"

const Check = Schema.Literals(["ok", "failing"])

export const Readiness = Schema.Struct({
  status: Schema.Literals(["ready", "not_ready"]),
  checks: Schema.Struct({ database: Check, migrations: Check, workers: Check }),
  warnings: Schema.Array(Schema.String).annotate({
    description: "What the machines of the workers lack, such as the means to keep a decoder from the network."
  })
}).annotate({ identifier: "Readiness" })
export type Readiness = typeof Readiness.Type

export class HealthApi extends HttpApiGroup.make("health", { topLevel: true }).add(
  HttpApiEndpoint.get("healthz", "/healthz", {
    success: Schema.Struct({ status: Schema.Literal("alive") }).annotate({ identifier: "Health" })
  }).annotateMerge(OpenApi.annotations({ identifier: "getHealth", summary: "Whether the process is alive" })),
  HttpApiEndpoint.get("readyz", "/readyz", {
    success: [Readiness, Readiness.pipe(HttpApiSchema.status(503))]
  }).annotateMerge(OpenApi.annotations({
    identifier: "getReadiness",
    summary: "Whether jobs can be taken and worked on",
    description: "200 when the database answers, its schema is current and a worker was seen lately; otherwise 503."
  }))
).annotateMerge(OpenApi.annotations({ title: "Health" })) {}
