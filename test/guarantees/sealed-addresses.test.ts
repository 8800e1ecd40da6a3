import { NodeServices } from "@effect/platform-node"
import { PgClient } from "@effect/sql-pg"
import { assert, describe, it } from "@effect/vitest"
import { Context, Deferred, Effect, Layer, Redacted } from "effect"
import { randomBytes } from "node:crypto"
import { readFileSync } from "node:fs"
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { assertNowhere, dump, filesBelow, formsOf } from "../support/AtRest.ts"
import { deployment, finished } from "../support/Deployment.ts"

const canary = () => `canary${randomBytes(12).toString("hex")}`

/** Serves a source that is no media, and takes webhooks; keeps the addresses that were asked for. */
const elsewhere = Effect.gen(function*() {
  const asked: Array<string> = []
  const told = yield* Deferred.make<void>()
  const server = createServer((request, response) => {
    asked.push(`${request.method} ${request.url}`)
    request.resume().on("end", () => {
      response.writeHead(200, { "content-type": "video/mp4" }).end("no footage")
      if (request.method === "POST") Deferred.doneUnsafe(told, Effect.void)
    })
  })
  yield* Effect.acquireRelease(
    Effect.callback<void>((resume) => void server.listen(0, "127.0.0.1", () => resume(Effect.void))),
    () =>
      Effect.callback<void>((resume) => {
        server.close(() => resume(Effect.void))
        server.closeAllConnections()
      })
  )
  return {
    base_url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    asked,
    told: Deferred.await(told)
  }
})

describe("the addresses of a job", () => {
  it.live("a webhook's address and what opens a source lie nowhere in plain text, and are used and shown whole", () =>
    Effect.gen(function*() {
      const { asked, base_url, told } = yield* elsewhere
      const key = randomBytes(32).toString("base64")
      const { client, database_url, folder } = yield* deployment({
        worker_groups: [["media"], ["delivery"]],
        env: { LOG_LEVEL: "Debug", SOURCE_ALLOW_PRIVATE: "127.0.0.0/8", FOOTNOTE_ENCRYPTION_KEY: key }
      })
      const [signature, path] = [canary(), canary()]
      const source_uri = `${base_url}/talk.mp4?X-Amz-Signature=${signature}`
      const webhook_url = `${base_url}/hooks/${path}`
      const created = yield* Effect.orDie(client.createJob({ source_uri, webhook_url }))
      const job = yield* finished(client, created.id)
      yield* told
      assert.deepInclude(job.record, { source_uri, webhook_url, status: "failed" })
      assert.deepInclude(job.record, { error: { ...(job.record as any).error, code: "SOURCE_NOT_MEDIA" } })
      const list = (yield* client.json("/v1/jobs")) as { data: ReadonlyArray<object> }
      assert.deepInclude(list.data[0], { source_uri, webhook_url })
      assert.includeMembers(asked, [`GET /talk.mp4?X-Amz-Signature=${signature}`, `POST /hooks/${path}`])

      const database = Context.get(
        yield* Layer.build(PgClient.layer({ url: Redacted.make(database_url), maxConnections: 1 })),
        PgClient.PgClient
      )
      const secrets = [signature, path]
      const everyForm = secrets.flatMap(formsOf)
      const text = yield* Effect.provideService(dump, PgClient.PgClient, database)
      assert.include(text, created.id)
      assert.include(text, `${base_url}/talk.mp4`)
      assertNowhere(everyForm, "the database", Buffer.from(text))
      assertNowhere(everyForm, "the log", readFileSync(`${folder}/service.log`))
      yield* database`CHECKPOINT`
      // Write-ahead log, heap, blobs and PostgreSQL's own log.
      for (const file of filesBelow(folder)) assertNowhere(secrets, file, readFileSync(file))
    }).pipe(Effect.scoped, Effect.orDie, Effect.provide(NodeServices.layer)))
})
