import { NodeHttpClient, NodeServices } from "@effect/platform-node"
import { assert, it } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { existsSync, readdirSync, readFileSync } from "node:fs"
import { writeReport } from "../../src/cli/ReportFile.ts"
import { ServiceClient } from "../../src/cli/ServiceClient.ts"
import { temporaryFolder } from "../support/Deployment.ts"
import { type Answer, type Asked, scriptedService } from "../support/ScriptedService.ts"

const bytes = Buffer.from("the footage")

const reportOf = Effect.fn("reportOf")(function*(footage: string, media: Answer) {
  const folder = yield* temporaryFolder
  const { base_url, requests } = yield* scriptedService(({ url }: Asked) =>
    url.endsWith("/media") ? media : (response) => void response.writeHead(200).end("<p>page</p>")
  )
  const client = ServiceClient.layer({ base_url, api_key: "k" }).pipe(
    Layer.provideMerge(Layer.merge(NodeServices.layer, NodeHttpClient.layerUndici))
  )
  const written = yield* Effect.provide(writeReport({ folder, job_id: "job_a", footage }), client)
  assert.strictEqual(readFileSync(written.report, "utf8"), "<p>page</p>")
  assert.strictEqual(written.media !== null, readdirSync(folder).some((name) => name === written.media))
  return { folder, asked: requests.map(({ url }) => url) }
})

it.live("of an address the report has the footage that the service fetched beside it, under its own extension", () =>
  Effect.gen(function*() {
    const { asked, folder } = yield* reportOf(
      "https://example.com/a/talk.WEBM?x=.exe",
      (response) => void response.writeHead(200, { "content-length": bytes.length }).end(bytes)
    )
    assert.deepStrictEqual(readFileSync(`${folder}/media.webm`), bytes)
    assert.include(asked, "/v1/jobs/job_a/report.html?media=media.webm")
  }))

it.live("where the service keeps nothing of it, or more than 2 GiB, the report stands alone", () =>
  Effect.gen(function*() {
    const gone = yield* reportOf("sample://lecture", {
      status: 410,
      json: { error: { code: "SOURCE_ERASED", message: "Gone.", request_id: "r" } }
    })
    assert.deepStrictEqual(readdirSync(gone.folder), ["report.html"])
    const large = yield* reportOf("https://example.com/long.mp4", (response) => {
      response.writeHead(200, { "content-length": 3 * 1024 ** 3 }).write("x")
    })
    assert.isFalse(existsSync(`${large.folder}/media.mp4`))
  }))

it.live("footage that breaks off on its way is not beside the report: half of it would pass for all of it", () =>
  Effect.gen(function*() {
    const { folder } = yield* reportOf("https://example.com/talk.mp4", (response) => {
      response.writeHead(200, { "content-length": 1 << 20 }).write(Buffer.alloc(1 << 16), () => response.destroy())
    })
    assert.deepStrictEqual(readdirSync(folder), ["report.html"])
  }))
