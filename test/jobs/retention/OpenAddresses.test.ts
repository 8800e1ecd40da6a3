import { assert, describe, layer } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { OpenAddresses } from "../../../src/jobs/retention/OpenAddresses.ts"
import { dump } from "../../support/AtRest.ts"
import * as Server from "../../support/TestServer.ts"

const { TestServer } = Server

const source_uri = "https://footage.example.com/talk.mp4?sig=s3cr3tsource"
const webhook_url = "https://hooks.example.com/s3cr3thook"

/** A succeeded job as an earlier version has left it: both addresses in plain text, in its row and in its task. */
const earlier = Effect.fn("earlier")(function*(key: string) {
  const { send, sql, succeed } = yield* TestServer
  const { json, status, text } = yield* send("POST", "/v1/jobs", { key, json: { source_uri, webhook_url } })
  assert.strictEqual(status, 201, text)
  yield* succeed(json.id, { source: Buffer.from("footage"), result: { title: "Talk" } })
  yield* sql(`UPDATE footnote.jobs SET addresses_sealed = false, source_sealed = NULL, webhook_sealed = NULL,
      webhook_endpoint = NULL, webhook_url = '${webhook_url}',
      spec = (spec::jsonb || '${JSON.stringify({ source_uri })}')::json WHERE id = '${json.id}'`)
  yield* sql(`UPDATE footnote.tasks SET input = '${JSON.stringify({ source_uri })}' WHERE job_id = '${json.id}'`)
  return json.id as string
})

const services = OpenAddresses.layer.pipe(Layer.provideMerge(Server.layer))

layer(services, { excludeTestServices: true })("addresses that an earlier version wrote", (it) => {
  describe("are sealed by the first round", () => {
    it.effect("and read as before, before and after, by every read that shows them", () =>
      Effect.gen(function*() {
        const { send, tenant } = yield* TestServer
        const { seal } = yield* OpenAddresses
        const { key } = yield* tenant("a")
        const id = yield* earlier(key)
        const reads = Effect.forEach(
          [`/v1/jobs/${id}`, "/v1/jobs"],
          (path) => Effect.map(send("GET", path, { key }), ({ text }) => text)
        )
        const before = yield* reads
        assert.include(before[0], source_uri)
        assert.include(before[0], webhook_url)
        assert.include(yield* dump, "s3cr3thook")
        assert.isAtLeast(yield* seal, 1)
        assert.deepStrictEqual(yield* reads, before)
        assert.strictEqual(yield* seal, 0, "nothing is left for another round")
        const rows = yield* dump
        assert.include(rows, "https://footage.example.com/talk.mp4")
        assert.notInclude(rows, "s3cr3t")
      }))

    it.effect("and go on to a job that runs it again, and to an estimate", () =>
      Effect.gen(function*() {
        const { send, sql, tenant } = yield* TestServer
        const { seal } = yield* OpenAddresses
        const { key } = yield* tenant("b")
        const id = yield* earlier(key)
        yield* sql(`UPDATE footnote.jobs SET source = '{"duration_seconds": 60, "sha256": "00"}',
          started_at = finished_at - interval '90 seconds' WHERE id = '${id}'`)
        const estimate = (query: string) =>
          Effect.map(
            send("POST", "/v1/jobs/estimate", {
              key,
              json: { source_uri: source_uri.replace("sig=s3cr3tsource", query) }
            }),
            ({ json }) => json.duration_seconds
          )
        assert.strictEqual(yield* estimate("sig=s3cr3tsource"), 60)
        yield* seal
        assert.strictEqual(yield* estimate("sig=s3cr3tsource"), 60)
        assert.isNull(yield* estimate("sig=another"), "another query may be another source")
        const again = yield* send("POST", `/v1/jobs/${id}/retry`, { key })
        assert.strictEqual(again.status, 201, again.text)
        assert.deepInclude(again.json, { source_uri, webhook_url })
        assert.notInclude(yield* dump, "s3cr3t")
      }))
  })
})
