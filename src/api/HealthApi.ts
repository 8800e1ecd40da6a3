import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"

const Check = Schema.Literals(["ok", "failing"])

export const Readiness = Schema.Struct({
  status: Schema.Literals(["ready", "not_ready"]),
  checks: Schema.Struct({
    database: Check,
    migrations: Check,
    workers: Check,
    deployment: Check.annotate({
      description:
        "`failing` where a worker does not see what the API sees; `warnings` says what. Others go on working."
    })
  }),
  draining: Schema.Boolean.annotate({ description: "The process is about to stop: send what is new elsewhere." }),
  warnings: Schema.Array(Schema.String).annotate({
    description:
      "What differs between the processes of the deployment, and the cure. What the machines of the workers lack is told in their logs, to the operator alone."
  })
}).annotate({ identifier: "Readiness" })
export type Readiness = typeof Readiness.Type

export class HealthApi extends HttpApiGroup.make("health", { topLevel: true }).add(
  HttpApiEndpoint.get("healthz", "/healthz", {
    success: Schema.Struct({ status: Schema.Literal("alive") }).annotate({ identifier: "Health" })
  }).annotateMerge(OpenApi.annotations({
    identifier: "getHealth",
    summary: "Whether the process is alive",
    description: "Asks nothing else of the deployment. No credentials are needed."
  })),
  HttpApiEndpoint.get("readyz", "/readyz", {
    success: [Readiness, Readiness.pipe(HttpApiSchema.status(503))]
  }).annotateMerge(OpenApi.annotations({
    identifier: "getReadiness",
    summary: "Whether jobs can be taken and worked on",
    description:
      "200 when the database answers, its schema is current, a worker was seen lately and the process is not about to stop; otherwise 503."
  }))
).annotateMerge(OpenApi.annotations({ title: "Health", description: "Whether the deployment can work." })) {}
