import { NodeHttpClient, NodeServices } from "@effect/platform-node"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { HttpClient, HttpClientRequest } from "effect/http"
import { existsSync } from "node:fs"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { artifactsOf, deployment, finished, submit } from "../support/Deployment.ts"

const sample = (name: string) => fileURLToPath(new URL(`../../samples/${name}.mp4`, import.meta.url))

/** What both samples have something for, in words that neither says. */
const schema_inline = {
  type: "object",
  required: ["title"],
  properties: {
    title: { type: "string", description: "Title of the slide." },
    people: { type: "array", items: { type: "string" }, description: "People who are named." },
    amounts: { type: "array", items: { type: "number" }, description: "Prices and quantities." }
  }
}

/**
 * Another question in the same words: those that a schema names are listened for, and by the default schema's words the demo is
 * heard a little differently.
 */
const other_schema = {
  type: "object",
  properties: { title: { type: ["number", "null"] }, people: { type: "string" }, amounts: { type: "boolean" } }
}

const samples = [
  { file: sample("lecture"), first_schema: {} },
  { file: sample("product-demo"), first_schema: { schema_inline: other_schema } }
]

describe("POST /v1/jobs/{id}/extractions of a succeeded job", () => {
  it.live(
    "gives what a job made of the source by that schema gives, byte for byte, and keeps it when the first job is erased",
    () =>
      Effect.scoped(
        Effect.gen(function*() {
          const { api_key, base_url, client, folder } = yield* deployment({})
          const call = (request: HttpClientRequest.HttpClientRequest) =>
            HttpClient.execute(HttpClientRequest.bearerToken(request, api_key)).pipe(
              Effect.flatMap((response) => Effect.map(response.json, (body) => body as any)),
              Effect.orDie
            )
          /** What the manifest states, without the job's own times. */
          const statementOf = (id: string) =>
            Effect.map(call(HttpClientRequest.get(`${base_url}/v1/jobs/${id}/manifest`)), ({ payload }) => {
              const { predicate: { job: _, ...predicate }, subject } = JSON.parse(
                Buffer.from(payload, "base64").toString("utf8")
              )
              return { predicate, subject }
            })
          for (const { file, first_schema } of samples) {
            const first = yield* finished(client, (yield* submit(client, file, first_schema)).id)
            const whole = yield* finished(client, (yield* submit(client, file, { schema_inline })).id)
            const made = yield* call(
              HttpClientRequest.post(`${base_url}/v1/jobs/${first.id}/extractions`).pipe(
                HttpClientRequest.bodyJsonUnsafe({ schema_inline, precision: "balanced" })
              )
            )
            const extracted = yield* finished(client, made.id)
            assert.strictEqual(extracted.status, "succeeded", JSON.stringify(extracted.record))

            yield* call(HttpClientRequest.delete(`${base_url}/v1/jobs/${first.id}`))
            assert.isFalse(existsSync(join(folder, "blobs", "jobs", first.id)))
            assert.deepStrictEqual(yield* artifactsOf(client, extracted), yield* artifactsOf(client, whole))
            assert.deepStrictEqual(yield* statementOf(extracted.id), yield* statementOf(whole.id))
            const [a, b] = [extracted.record as any, whole.record as any]
            for (const field of ["warnings", "result_confidence", "source", "provenance"]) {
              assert.deepStrictEqual(a[field], b[field], field)
            }
            assert.deepInclude(a.usage, { audio_seconds: 0, frames_sampled: 0, frames_kept: 0 })
          }
        }).pipe(Effect.provide(Layer.merge(NodeServices.layer, NodeHttpClient.layerUndici)))
      ),
    600_000
  )
})
