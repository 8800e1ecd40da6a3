import { NodeHttpClient, NodeServices } from "@effect/platform-node"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { HttpClient, HttpClientRequest } from "effect/http"
import { existsSync } from "node:fs"
import { join } from "node:path"
import { deployment } from "../support/Deployment.ts"

const json_schema = {
  type: "object",
  properties: {
    home_plan_price: { type: "number" },
    colour: { type: "string", description: "Colour of the box; only if it is said." }
  }
}

const segments = [
  { speaker: "Ada", text: "The home plan costs four dollars per month." },
  { speaker: "Ben", text: "Thank you, we will think about it." }
]

describe("POST /v1/schemas/{id}/test", () => {
  it.live(
    "answers what the extraction makes of a transcript, where each value is said and what is not, and keeps nothing of it",
    () =>
      Effect.scoped(
        Effect.gen(function*() {
          const { api_key, base_url, folder } = yield* deployment({ worker_groups: [["extraction"]] })
          const call = (request: HttpClientRequest.HttpClientRequest) =>
            HttpClient.execute(HttpClientRequest.bearerToken(request, api_key)).pipe(
              Effect.flatMap((response) => Effect.map(response.json, (body) => body as any)),
              Effect.orDie
            )
          const post = (path: string, body: unknown) =>
            call(HttpClientRequest.post(`${base_url}${path}`).pipe(HttpClientRequest.bodyJsonUnsafe(body)))
          const { id } = yield* post("/v1/schemas", { name: "plans", json_schema })
          const answer = yield* post(`/v1/schemas/${id}/test`, { segments })
          assert.strictEqual(answer.status, "succeeded", JSON.stringify(answer))
          assert.deepStrictEqual(answer.result, { home_plan_price: 4 })
          const [span] = answer.evidence.spans
          assert.deepInclude(span, {
            pointer: "/home_plan_price",
            value: 4,
            source_ref: "seg#000001",
            verified: true
          })
          assert.include(segments[0]!.text, span.quote)
          assert.deepStrictEqual(answer.evidence.unfilled.map(({ pointer }: { pointer: string }) => pointer), [
            "/colour"
          ])
          const gone = yield* call(HttpClientRequest.get(`${base_url}/v1/jobs/${answer.job_id}`))
          assert.strictEqual(gone.error.code, "JOB_NOT_FOUND")
          assert.isFalse(existsSync(join(folder, "blobs", "jobs", answer.job_id)))
        }).pipe(Effect.provide(Layer.merge(NodeServices.layer, NodeHttpClient.layerUndici)))
      ),
    120_000
  )
})
