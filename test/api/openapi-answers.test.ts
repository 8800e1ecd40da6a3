import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { untold } from "../support/ApiContract.ts"
import * as Server from "../support/TestServer.ts"

const { TestServer } = Server

layer(Server.layer, { excludeTestServices: true })("the API document", (it) => {
  it.effect("tells the status, the media type and every header of an answer", () =>
    Effect.gen(function*() {
      const { send, sql, succeed, tenant } = yield* TestServer
      const { key } = yield* tenant("a")
      const source_uri = "https://example.com/talk.mp4"
      const made: ReadonlyArray<readonly [path: string, json: unknown]> = [
        ["/v1/jobs", { source_uri }],
        ["/v1/jobs/batch", { jobs: [{ source_uri }] }],
        ["/v1/schemas", { name: "a", json_schema: { type: "object" } }],
        ["/v1/exports", {}],
        ["/v1/api-keys", { name: "a" }],
        ["/v1/destinations", { name: "a", type: "webhook", config: { url: "https://example.com/hook" } }]
      ]
      const answers: Array<readonly [string, string, Server.Answer]> = []
      const ask = Effect.fnUntraced(function*(method: "GET" | "POST", path: string, call: Server.Call = {}) {
        const answer = yield* send(method, path, { key, ...call })
        answers.push([method, path, answer])
        return answer
      })
      for (const [path, json] of made) {
        const first = yield* ask("POST", path, { json, headers: { "idempotency-key": "k" } })
        assert.isBelow(first.status, 300, first.text)
        const again = yield* ask("POST", path, { json, headers: { "idempotency-key": "k" } })
        assert.strictEqual(again.headers["idempotent-replayed"], "true", path)
      }
      const { id } = (yield* ask("POST", "/v1/jobs", { json: { source_uri } })).json
      yield* succeed(id, {
        source: Buffer.from("footage"),
        transcript: { schema_version: "1", audio_branch: "absent", language: null, segments: [] },
        result: { a: 1 }
      })
      const job = yield* ask("GET", `/v1/jobs/${id}`)
      const known = yield* ask("GET", `/v1/jobs/${id}`, { headers: { "if-none-match": job.headers["etag"]! } })
      assert.strictEqual(known.status, 304)
      yield* ask("GET", `/v1/jobs/${id}/schema`)
      yield* ask("GET", `/v1/jobs/${id}/transcript?format=srt`)
      yield* sql(`UPDATE footnote.jobs SET source = '{"container":"mp4","video":"h264"}' WHERE id = '${id}'`)
      const media = `/v1/jobs/${id}/media`
      const { headers } = yield* ask("GET", media)
      assert.strictEqual(headers["content-type"], "video/mp4")
      const statuses = [
        yield* ask("GET", media, { headers: { range: "bytes=0-1" } }),
        yield* ask("GET", media, { headers: { "if-none-match": headers["etag"]! } }),
        yield* ask("GET", media, { headers: { range: "bytes=99-" } })
      ].map(({ status }) => status)
      assert.deepStrictEqual(statuses, [206, 304, 416])
      const tus = { "tus-resumable": "1.0.0", "upload-length": "4" }
      const { json } = yield* ask("POST", "/v1/uploads", { headers: tus })
      yield* ask("GET", `/v1/uploads/${json.id}`, { headers: tus })
      for (const [method, path, { headers, status }] of answers) {
        assert.deepStrictEqual(untold(method, path, status, headers), [], `${method} ${path} ${status}`)
      }
    }))
})
