import { NodeHttpClient, NodeServices } from "@effect/platform-node"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { HttpClient, HttpClientRequest } from "effect/http"
import { readdirSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { artifactsOf, deployment, finished, submit } from "../support/Deployment.ts"
import { shortClip } from "../support/ShortClip.ts"

/** Changes one byte of a stored artifact where its JSON stays good. */
const flipByte = (folder: string, job_id: string, name: string) => {
  const blobs = join(folder, "blobs")
  const path = readdirSync(blobs, { recursive: true, encoding: "utf8" }).find((path) =>
    path.startsWith(`jobs/${job_id}/extract/`) && path.endsWith(name)
  )!
  const bytes = readFileSync(join(blobs, path))
  bytes[bytes.lastIndexOf("0".charCodeAt(0))]! ^= 1
  writeFileSync(join(blobs, path), bytes)
}

describe("POST /v1/jobs/{id}/retry of a job with a damaged artifact", () => {
  it.live(
    "makes the same result from the kept bytes, byte for byte, while the other artifacts of the old job go on",
    () =>
      Effect.scoped(
        Effect.gen(function*() {
          const { api_key, base_url, client, folder } = yield* deployment({})
          const call = (request: HttpClientRequest.HttpClientRequest) =>
            HttpClient.execute(HttpClientRequest.bearerToken(request, api_key)).pipe(
              Effect.flatMap((response) =>
                Effect.map(response.json, (body) => ({ status: response.status, body: body as any }))
              ),
              Effect.orDie
            )
          const first = yield* submit(client, yield* shortClip(folder), {})
          const done = yield* finished(client, first.id)
          const before = yield* artifactsOf(client, done)
          flipByte(folder, first.id, "evidence.json")

          const damaged = yield* call(HttpClientRequest.get(`${base_url}/v1/jobs/${first.id}/evidence`))
          assert.deepStrictEqual([damaged.status, damaged.body.error.code], [500, "ARTIFACT_DAMAGED"])
          assert.include(damaged.body.error.message, "evidence")
          assert.include(damaged.body.error.message, "retry")
          const whole = yield* call(HttpClientRequest.get(`${base_url}/v1/jobs/${first.id}/transcript`))
          assert.strictEqual(whole.status, 200)

          const made = yield* call(HttpClientRequest.post(`${base_url}/v1/jobs/${first.id}/retry`))
          assert.deepStrictEqual([made.status, made.body.retry_of], [201, first.id])
          const again = yield* finished(client, made.body.id)
          assert.strictEqual(again.status, "succeeded")
          assert.deepStrictEqual(yield* artifactsOf(client, again), before)
        }).pipe(Effect.provide(Layer.merge(NodeServices.layer, NodeHttpClient.layerUndici)))
      ),
    240_000
  )
})
