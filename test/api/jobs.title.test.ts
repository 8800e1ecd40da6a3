import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import * as Server from "../support/TestServer.ts"

const { TestServer } = Server
const source_uri = "https://example.com/talk.mp4"

const namesOf = (job: any) => [job.title, job.source_name]

layer(Server.layer, { excludeTestServices: true })("title and source_name of a job", (it) => {
  it.effect("a job keeps its title and the name of its file apart, in every read, without characters that turn text around", () =>
    Effect.gen(function*() {
      const { send, tenant } = yield* TestServer
      const { key } = yield* tenant("a")
      const create = (json: object) =>
        Effect.map(send("POST", "/v1/jobs", { key, json: { source_uri, ...json } }), ({ json }) => json)
      const plain = yield* create({})
      assert.deepStrictEqual(namesOf(plain), [plain.source_name, source_uri.split("/").at(-1)])
      const titled = yield* create({ title: " Week 3:\u202e orbits\u0007 " })
      assert.deepStrictEqual(namesOf(titled), ["Week 3: orbits", plain.source_name])
      assert.deepStrictEqual(namesOf(yield* create({ title: "\u200b" })), namesOf(plain))
      const { json } = yield* send("GET", "/v1/jobs?limit=3", { key })
      assert.deepStrictEqual(json.data.map(namesOf), [namesOf(plain), namesOf(titled), namesOf(plain)])
      const uploaded = yield* send("POST", "/v1/uploads", {
        key,
        body: "footage",
        headers: { "content-type": "video/mp4", "content-disposition": "attachment; filename=\"talk 3.mp4\"" }
      })
      assert.deepStrictEqual(namesOf(yield* create({ source_uri: uploaded.json.uri, title: "T" })), ["T", "talk 3.mp4"])
      assert.strictEqual(
        (yield* send("POST", "/v1/jobs", { key, json: { source_uri, title: "x".repeat(201) } })).status,
        400
      )
    }))
})
