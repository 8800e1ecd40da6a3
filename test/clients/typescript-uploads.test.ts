import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { ConnectionError, Footnote, type Uploadable } from "../../clients/typescript/src/index.ts"
import { fromPath } from "../../clients/typescript/src/node.ts"
import { type Answer, dropped, scriptedService } from "../support/ScriptedService.ts"

const text = "0123456789"
const bytes = new TextEncoder().encode(text)

/** A tus service that takes half of a piece and breaks off, at those of the pieces that `breaks` names. */
const tusService = Effect.fnUntraced(function*(breaks: ReadonlyArray<number>, begun = "") {
  const stored = { text: begun }
  let pieces = 0
  const state = (): Answer => ({
    headers: { "upload-offset": String(stored.text.length) },
    json: { id: "upl_1", uri: "upload://upl_1", size_bytes: text.length }
  })
  const service = yield* scriptedService(({ body, headers, method }) => {
    if (method === "HEAD") {
      const standing = { "upload-offset": String(stored.text.length), "upload-length": String(text.length) }
      return (response) => void response.writeHead(200, standing).end()
    }
    if (method !== "PATCH") return state()
    assert.strictEqual(headers["upload-offset"], String(stored.text.length))
    const half = breaks.includes(pieces++)
    stored.text += body.subarray(0, half ? Math.floor(body.length / 2) : undefined).toString()
    return half
      ? dropped
      : (response) => void response.writeHead(204, { "upload-offset": String(stored.text.length) }).end()
  })
  const client = new Footnote({ base_url: service.base_url, api_key: "fnk_test", sleep: async () => undefined })
  return { ...service, client, stored }
})

const inPieces = () =>
  new ReadableStream<Uint8Array>({
    start(controller) {
      for (const [from, to] of [[0, 3], [3, 4], [4, 10]] as const) controller.enqueue(bytes.slice(from, to))
      controller.close()
    }
  })

describe("uploads of the TypeScript client", () => {
  it.live("go on where the service stands after every break, from bytes, a Blob, a stream or a path", () =>
    Effect.gen(function*() {
      const folder = mkdtempSync(join(tmpdir(), "footnote-upload-"))
      const path = join(folder, "talk.mp4")
      writeFileSync(path, text)
      const files: ReadonlyArray<Uploadable> = [
        bytes,
        new File([bytes], "talk.mp4"),
        { stream: inPieces(), size: bytes.length, name: "talk.mp4" },
        yield* Effect.promise(() => fromPath(path))
      ]
      for (const file of files) {
        const { client, requests, stored } = yield* tusService([0, 2])
        const told: Array<number> = []
        const upload = yield* Effect.promise(() =>
          client.uploads.create(file, { chunk_bytes: 4, onProgress: ({ sent_bytes }) => told.push(sent_bytes) })
        )
        assert.strictEqual(upload.uri, "upload://upl_1")
        assert.strictEqual(stored.text, text)
        assert.deepStrictEqual(told, told.toSorted((one, other) => one - other))
        const metadata = file instanceof Uint8Array ? undefined : `filename ${btoa("talk.mp4")}`
        assert.strictEqual(requests[0]!.headers["upload-metadata"], metadata)
      }
      rmSync(folder, { recursive: true })
    }).pipe(Effect.scoped))

  it.live("go on with one that was begun elsewhere, by its id", () =>
    Effect.gen(function*() {
      const { client, requests, stored } = yield* tusService([], "0123")
      yield* Effect.promise(() => client.uploads.create(new Blob([bytes]), { resume: "upl_1" }))
      assert.strictEqual(stored.text, text)
      assert.deepStrictEqual(requests.map(({ method }) => method), ["HEAD", "PATCH", "GET"])
    }).pipe(Effect.scoped))

  it.live("refuse to go on with a file of another length, and send nothing of it", () =>
    Effect.gen(function*() {
      for (const size of [3, 4, 9, 11]) {
        const { client, requests, stored } = yield* tusService([], "0123")
        const error = yield* Effect.promise(() =>
          client.uploads.create(new Uint8Array(size), { resume: "upl_1" }).then(
            () => "taken",
            (error: unknown) => error
          )
        )
        assert.strictEqual(
          String(error),
          `RangeError: upl_1 was begun for a file of 10 bytes, and this one has ${size}`
        )
        assert.strictEqual(stored.text, "0123")
        assert.deepStrictEqual(requests.map(({ method }) => method), ["HEAD"])
      }
    }).pipe(Effect.scoped))

  it.live("end with the failure where nothing gets through, after as many tries as are allowed", () =>
    Effect.gen(function*() {
      const service = yield* scriptedService(({ method }) =>
        method === "PATCH"
          ? dropped
          : method === "HEAD"
          ? (response) => void response.writeHead(200, { "upload-offset": "0" }).end()
          : { json: { id: "upl_1" } }
      )
      const client = new Footnote({ base_url: service.base_url, api_key: "fnk_test", sleep: async () => undefined })
      const error = yield* Effect.promise(() =>
        client.uploads.create(bytes).then(() => "taken", (error: unknown) => error)
      )
      assert.instanceOf(error, ConnectionError)
      assert.lengthOf(service.requests.filter(({ method }) => method === "PATCH"), 4)
    }).pipe(Effect.scoped))
})
