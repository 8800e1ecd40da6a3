import { NodeHttpClient, NodeServices } from "@effect/platform-node"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Layer, type Schema } from "effect"
import { HttpClient, HttpClientRequest } from "effect/http"
import { spawnSync } from "node:child_process"
import { createHash } from "node:crypto"
import { renameSync } from "node:fs"
import { join } from "node:path"
import type { ServiceClient } from "../../src/cli/ServiceClient.ts"
import { deployment, finished, submit, temporaryFolder } from "../support/Deployment.ts"
import { receiver } from "../support/Receiver.ts"
import { shortClip } from "../support/ShortClip.ts"

const secret = "token-of-the-receiver"

/** Everything that a client can read of a job, as it is answered, and every kept frame's picture by its hash. */
const everythingOf = Effect.fn("everythingOf")(function*(client: ServiceClient["Service"], id: string) {
  const all: Record<string, Schema.Json> = {}
  const views = [
    "",
    "/transcript",
    "/frames?include_raw=true",
    "/vision",
    "/graph",
    "/evidence",
    "/manifest",
    "/schema"
  ]
  for (const view of views) all[view] = yield* client.json(`/v1/jobs/${id}${view}`)
  const { frames } = all["/frames?include_raw=true"] as { readonly frames: ReadonlyArray<Record<string, Schema.Json>> }
  for (const frame of frames.filter(({ kept }) => kept === true)) {
    const bytes = yield* client.bytes(`/v1/jobs/${id}/frames/${String(frame["id"])}/image`)
    all[String(frame["id"])] = createHash("sha256").update(bytes).digest("hex")
  }
  all["keys"] = yield* client.json("/.well-known/footnote-signing-keys")
  all["schemas"] = yield* client.json("/v1/schemas?limit=100")
  all["destinations"] = yield* client.json("/v1/destinations")
  return all
}, (effect) => Effect.orDie(effect))

const post = (base_url: string, api_key: string, path: string, body: Schema.Json) =>
  HttpClient.execute(
    HttpClientRequest.post(`${base_url}${path}`).pipe(
      HttpClientRequest.bearerToken(api_key),
      HttpClientRequest.bodyJsonUnsafe(body)
    )
  ).pipe(
    Effect.flatMap((response) => Effect.map(response.json, (made) => ({ status: response.status, made }))),
    Effect.orDie
  )

describe("a copy of the data folder of a stopped service", () => {
  it.live(
    "is the service elsewhere: same answers, same signatures, sealed secrets open, new jobs run",
    () =>
      Effect.scoped(
        Effect.gen(function*() {
          const hook = yield* receiver({ status: 200 })
          const first = join(yield* temporaryFolder, "data")
          const backup = join(yield* temporaryFolder, "backup")
          const sample = yield* shortClip(yield* temporaryFolder)
          const env = { SOURCE_ALLOW_PRIVATE: "127.0.0.0/8", SOURCE_ALLOW_PORTS: new URL(hook.url).port }
          spawnSync("mkdir", ["-m", "700", first])
          const before = yield* Effect.scoped(Effect.gen(function*() {
            const { api_key, base_url, client } = yield* deployment({ data_dir: first, env })
            const made = yield* post(base_url, api_key, "/v1/destinations", {
              name: "Hook",
              type: "webhook",
              config: { url: hook.url, headers: { "x-receiver": secret } }
            })
            assert.strictEqual(made.status, 201)
            const { id } = yield* submit(client, sample, {})
            assert.strictEqual((yield* finished(client, id)).status, "succeeded")
            return {
              id,
              api_key,
              destination_id: (made.made as { readonly id: string }).id,
              answers: yield* everythingOf(client, id)
            }
          }))

          assert.strictEqual(spawnSync("cp", ["-a", first, backup]).status, 0)
          // What was is out of reach: nothing of the copy may lead back to it.
          renameSync(first, `${first}-gone`)

          const { api_key, base_url, client } = yield* deployment({
            data_dir: backup,
            env: { ...env, FOOTNOTE_API_KEY: before.api_key }
          })
          assert.strictEqual(api_key, before.api_key)
          assert.deepStrictEqual(yield* everythingOf(client, before.id), before.answers)
          const { destination_id, id } = before
          assert.strictEqual(
            (yield* post(base_url, api_key, `/v1/jobs/${id}/deliveries`, { destination_id })).status,
            201
          )
          yield* hook.first
          assert.strictEqual(hook.received[0]!.headers["x-receiver"], secret)
          const again = yield* submit(client, sample, {})
          assert.strictEqual((yield* finished(client, again.id)).status, "succeeded")
        }).pipe(Effect.provide(Layer.merge(NodeServices.layer, NodeHttpClient.layerUndici)))
      ),
    240_000
  )
})
