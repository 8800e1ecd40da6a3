import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api"
import { page, pageQueryOf } from "../database/Page.ts"
import { wire } from "../errors/ApiError.ts"
import { BatchDetails, BatchNotFound, BatchRecord } from "../jobs/model/Batch.ts"

export class BatchesApi extends HttpApiGroup.make("batches").add(
  HttpApiEndpoint.get("list", "/batches", {
    query: pageQueryOf("bat"),
    success: page(BatchRecord).annotate({ identifier: "BatchPage", description: "One page of a list." })
  }).annotateMerge(OpenApi.annotations({
    identifier: "listBatches",
    summary: "List batches",
    description: "Newest first, each with how its items stand."
  })),
  HttpApiEndpoint.get("get", "/batches/:id", {
    params: { id: Schema.String },
    success: BatchDetails,
    error: wire(BatchNotFound)
  }).annotateMerge(OpenApi.annotations({
    identifier: "getBatch",
    summary: "Read a batch",
    description:
      "How its items stand, and which job each became. `GET /v1/jobs?batch_id=` lists the jobs. A webhook destination of one of its jobs that asks for `batch.completed` is told when the last one has ended."
  }))
).annotateMerge(OpenApi.annotations({ title: "Batches", description: "Jobs that came in one request." })) {}
