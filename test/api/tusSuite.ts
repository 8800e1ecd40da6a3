import { assert, layer } from "@effect/vitest"
import { ConfigProvider, Effect, type FileSystem, Layer, type Path } from "effect"
import { Uploads } from "../../src/sources/Uploads.ts"
import { Blobs } from "../../src/storage/Blobs.ts"
import * as Server from "../support/TestServer.ts"
import { tusTerminate, tusUpload } from "../support/TusClient.ts"
import { begin, bytesOf, caller, digest, idOf, openPatch, patch, segmentKeys, tus } from "./TusRequests.ts"

const MAX_BYTES = 20 * 1024 ** 2

/** What tus 1.0 promises, over one kind of blob store. */
export const tusSuite = <E>(
  store: string,
  blobs: Layer.Layer<Blobs, E, FileSystem.FileSystem | Path.Path>
) => {
  const Over = Server.layerOver(blobs)
  const Limited = Layer.mergeAll(Over, Uploads.layer.pipe(Layer.provide(Over))).pipe(
    Layer.provide(ConfigProvider.layer(ConfigProvider.fromUnknown({ UPLOAD_MAX_BYTES: MAX_BYTES })))
  )

  layer(Limited, { excludeTestServices: true })(`tus 1.0 over ${store}`, (it) => {
    it.effect("a file sent by tus-js-client in pieces is there byte for byte, with its hash, and a job can be made of it", () =>
      Effect.gen(function*() {
        const { get } = yield* Blobs
        const call = yield* caller()
        const bytes = bytesOf(1_000_000)
        const { refused, requests, url } = yield* tusUpload(call, bytes, {
          chunkSize: 300_000,
          metadata: { filename: "talk ü.mp4" }
        })
        assert.strictEqual(refused, undefined)
        assert.deepStrictEqual(requests.map((one) => one.split(" ")[0]), ["POST", "PATCH", "PATCH", "PATCH", "PATCH"])
        const { json } = yield* call.send("GET", `/v1/uploads/${idOf(url)}`)
        assert.deepInclude(json, {
          uri: `upload://${json.id}`,
          size_bytes: 1_000_000,
          received_bytes: 1_000_000,
          sha256: digest("sha256", bytes, "hex")
        })
        assert.isTrue(Buffer.from(yield* get(`uploads/${call.tenant_id}/${json.id}`)).equals(bytes))
        const job = yield* call.send("POST", "/v1/jobs", { json: { source_uri: json.uri } })
        assert.strictEqual(job.status, 201)
        const head = yield* call.send("HEAD", `/v1/uploads/${json.id}`, { headers: tus })
        assert.strictEqual(head.headers["upload-metadata"], `filename ${btoa("talk Ã¼.mp4")}`)
      }))

    for (const [what, wound] of [["changed", true], ["lost", false]] as const) {
      it.effect(`a piece that is ${what} at rest is never part of a file: its sender is told to go on from there`, () =>
        Effect.gen(function*() {
          const blobs = yield* Blobs
          const call = yield* caller()
          const bytes = bytesOf(90_000, what === "lost" ? 8 : 9)
          const id = yield* begin(call, bytes.length)
          const path = `/v1/uploads/${id}`
          const piece = (from: number, to: number) =>
            call.send("PATCH", path, { headers: patch(from), body: bytes.subarray(from, to) })
          yield* piece(0, 30_000)
          yield* piece(30_000, 60_000)
          const key = (yield* segmentKeys(id))[1]!
          if (wound) {
            const flipped = Uint8Array.from(yield* blobs.get(key))
            flipped[17]! ^= 1
            yield* blobs.put(key, flipped)
          } else yield* blobs.removeAll(key)
          const last = yield* piece(60_000, 90_000)
          assert.deepStrictEqual([last.status, last.headers["upload-offset"]], [204, "30000"])
          assert.deepInclude((yield* call.send("GET", path)).json, { received_bytes: 30_000, sha256: null })
          const job = yield* call.send("POST", "/v1/jobs", { json: { source_uri: `upload://${id}` } })
          assert.deepStrictEqual([job.status, job.json.error.code], [422, "SOURCE_BLOCKED"])
          // What a client does that goes on: it asks, and sends the rest.
          const again = yield* tusUpload(call, bytes, { url: `${call.base_url}${path}` })
          assert.strictEqual(again.refused, undefined)
          assert.strictEqual((yield* call.send("GET", path)).json.sha256, digest("sha256", bytes, "hex"))
          assert.isTrue(Buffer.from(yield* blobs.get(`uploads/${call.tenant_id}/${id}`)).equals(bytes))
        }))
    }

    it.effect("a client that leaves half way goes on where it was, and sends nothing twice", () =>
      Effect.gen(function*() {
        const call = yield* caller()
        const bytes = bytesOf(900_000, 2)
        const first = yield* tusUpload(call, bytes, { chunkSize: 100_000, leave_after: 400_000 })
        const path = `/v1/uploads/${idOf(first.url)}`
        const half = yield* call.send("HEAD", path, { headers: tus })
        assert.strictEqual(half.headers["cache-control"], "no-store")
        assert.strictEqual(half.headers["upload-length"], "900000")
        const there = Number(half.headers["upload-offset"])
        assert.isAtLeast(there, 400_000)
        assert.isBelow(there, 900_000)
        const unfinished = yield* call.send("GET", path)
        assert.deepInclude(unfinished.json, { size_bytes: 900_000, received_bytes: there, sha256: null })
        const second = yield* tusUpload(call, bytes, { chunkSize: 500_000, url: first.url })
        assert.strictEqual(second.refused, undefined)
        assert.strictEqual(second.requests[0], `HEAD ${path}`)
        assert.strictEqual((yield* call.send("GET", path)).json.sha256, digest("sha256", bytes, "hex"))
      }))

    it.effect("what had come when a connection broke counts, and the rest makes the file", () =>
      Effect.gen(function*() {
        const call = yield* caller()
        const bytes = bytesOf(9 * 1024 ** 2, 3)
        const path = `/v1/uploads/${yield* begin(call, bytes.length)}`
        const { socket } = yield* openPatch(call, idOf(path), bytes.length)
        socket.write(bytes.subarray(0, -1000))
        // Not HEAD, which would end the request before its bytes are read.
        const received = Effect.map(call.send("GET", path), ({ json }) => json.received_bytes as number)
        yield* Effect.repeat(received, { until: (count) => count > 0 })
        socket.destroy()
        const head = yield* call.send("HEAD", path, { headers: tus })
        const at = Number(head.headers["upload-offset"])
        assert.isAtLeast(at, 8 * 1024 ** 2)
        assert.isAtMost(at, bytes.length - 1000)
        assert.strictEqual(
          (yield* call.send("PATCH", path, { headers: patch(at), body: bytes.subarray(at) })).status,
          204
        )
        assert.strictEqual((yield* call.send("GET", path)).json.sha256, digest("sha256", bytes, "hex"))
      }))

    it.effect("a later request takes the place of one that hangs, and both together give the right bytes", () =>
      Effect.gen(function*() {
        const call = yield* caller()
        const bytes = bytesOf(90_000, 4)
        const id = yield* begin(call, bytes.length)
        const { closed, socket } = yield* openPatch(call, id, bytes.length)
        socket.write(bytes.subarray(0, 40_000))
        // Its bytes are counted when somebody asks where to go on, as many as have come.
        const head = yield* call.send("HEAD", `/v1/uploads/${id}`, { headers: tus })
        const at = Number(head.headers["upload-offset"])
        const answer = yield* closed
        assert.match(answer, /^HTTP\/1\.1 409 /u)
        assert.include(answer, "UPLOAD_OFFSET_CONFLICT")
        const rest = yield* call.send("PATCH", `/v1/uploads/${id}`, { headers: patch(at), body: bytes.subarray(at) })
        assert.strictEqual(rest.status, 204)
        assert.strictEqual(rest.headers["upload-offset"], "90000")
        assert.strictEqual((yield* call.send("GET", `/v1/uploads/${id}`)).json.sha256, digest("sha256", bytes, "hex"))
      }))

    it.effect("eight uploads at once do not mix", () =>
      Effect.gen(function*() {
        const call = yield* caller()
        const all = yield* Effect.forEach([1, 2, 3, 4, 5, 6, 7, 8], (seed) => {
          const bytes = bytesOf(200_000 + seed, seed)
          return Effect.map(tusUpload(call, bytes, { chunkSize: 64_000 }), ({ url }) => ({ bytes, url }))
        }, { concurrency: "unbounded" })
        for (const { bytes, url } of all) {
          const { json } = yield* call.send("GET", `/v1/uploads/${idOf(url)}`)
          assert.strictEqual(json.sha256, digest("sha256", bytes, "hex"))
        }
      }))

    it.effect("a beginning may come with the creation, and the whole file too", () =>
      Effect.gen(function*() {
        const call = yield* caller()
        const bytes = bytesOf(50_000, 5)
        const { refused, requests, url } = yield* tusUpload(call, bytes, { uploadDataDuringCreation: true })
        assert.deepStrictEqual([refused, requests], [undefined, ["POST /v1/uploads"]])
        assert.strictEqual(
          (yield* call.send("GET", `/v1/uploads/${idOf(url)}`)).json.sha256,
          digest("sha256", bytes, "hex")
        )
      }))

    it.effect("460 UPLOAD_CHECKSUM_MISMATCH counts nothing; bytes that fit their checksum count", () =>
      Effect.gen(function*() {
        const call = yield* caller()
        const bytes = bytesOf(30_000, 6)
        const path = `/v1/uploads/${yield* begin(call, bytes.length)}`
        for (const algorithm of ["sha1", "sha256", "sha512", "md5"]) {
          const checksum = `${algorithm} ${digest(algorithm, bytes, "base64")}`
          const wrong = yield* call.send("PATCH", path, {
            headers: patch(0, { "upload-checksum": checksum }),
            body: bytesOf(30_000, 7)
          })
          assert.strictEqual(wrong.status, 460)
          assert.strictEqual(wrong.json.error.code, "UPLOAD_CHECKSUM_MISMATCH")
          assert.strictEqual(wrong.headers["tus-resumable"], "1.0.0")
          assert.strictEqual((yield* call.send("HEAD", path, { headers: tus })).headers["upload-offset"], "0")
        }
        const refused = yield* tusUpload(call, bytes, {
          onBeforeRequest: (request) =>
            request.setHeader("Upload-Checksum", `sha1 ${digest("sha1", bytesOf(9), "base64")}`)
        })
        assert.strictEqual(refused.refused?.status, 460)
        for (const checksum of ["crc32 AAAA", "sha1", "sha1 AAAA", "sha1 !!!"]) {
          const odd = yield* call.send("PATCH", path, {
            headers: patch(0, { "upload-checksum": checksum }),
            body: bytes
          })
          assert.strictEqual(odd.status, 400, checksum)
          assert.strictEqual(odd.json.error.details[0].path, "upload-checksum")
        }
        const right = yield* call.send("PATCH", path, {
          headers: patch(0, { "upload-checksum": `sha1 ${digest("sha1", bytes, "base64")}` }),
          body: bytes
        })
        assert.deepStrictEqual([right.status, right.headers["upload-offset"]], [204, "30000"])
      }))

    it.effect("409 UPLOAD_OFFSET_CONFLICT for any offset but the one where the upload stands, finished or not", () =>
      Effect.gen(function*() {
        const call = yield* caller()
        const path = `/v1/uploads/${yield* begin(call, 20)}`
        const send = (offset: number, body: Uint8Array) => call.send("PATCH", path, { headers: patch(offset), body })
        assert.strictEqual((yield* send(0, bytesOf(10))).status, 204)
        for (const offset of [0, 9, 11, 20, 1_000_000]) {
          const answer = yield* send(offset, bytesOf(1))
          assert.strictEqual(answer.status, 409)
          assert.strictEqual(answer.json.error.code, "UPLOAD_OFFSET_CONFLICT")
        }
        assert.strictEqual((yield* send(10, bytesOf(10))).status, 204)
        assert.strictEqual((yield* send(10, bytesOf(10))).status, 409)
        assert.strictEqual((yield* send(20, new Uint8Array())).status, 204)
      }))

    it.effect("413 PAYLOAD_TOO_LARGE over the limit of the deployment and over the announced length", () =>
      Effect.gen(function*() {
        const call = yield* caller()
        const { refused } = yield* tusUpload(call, bytesOf(MAX_BYTES + 1))
        assert.strictEqual(refused?.status, 413)
        assert.strictEqual(JSON.parse(refused!.body).error.code, "PAYLOAD_TOO_LARGE")
        const path = `/v1/uploads/${yield* begin(call, 10)}`
        const over = yield* call.send("PATCH", path, { headers: patch(0), body: bytesOf(11) })
        assert.deepStrictEqual([over.status, over.json.error.code], [413, "PAYLOAD_TOO_LARGE"])
        assert.strictEqual((yield* call.send("HEAD", path, { headers: tus })).headers["upload-offset"], "0")
        // Also at the end of what is complete, where no byte at all is the last request again.
        assert.strictEqual((yield* call.send("PATCH", path, { headers: patch(0), body: bytesOf(10) })).status, 204)
        const more = yield* call.send("PATCH", path, { headers: patch(10), body: bytesOf(1) })
        assert.deepStrictEqual([more.status, more.json.error.code], [413, "PAYLOAD_TOO_LARGE"])
        assert.strictEqual(
          (yield* call.send("PATCH", path, { headers: patch(10), body: new Uint8Array() })).status,
          204
        )
      }))

    it.effect("a POST with X-HTTP-Method-Override is the PATCH or the DELETE that it says", () =>
      Effect.gen(function*() {
        const call = yield* caller()
        const bytes = bytesOf(90_000, 11)
        const overriding = { chunkSize: 40_000, overridePatchMethod: true }
        const { refused, requests, url } = yield* tusUpload(call, bytes, overriding)
        assert.strictEqual(refused, undefined)
        assert.deepStrictEqual(requests.map((one) => one.split(" ")[0]), ["POST", "POST", "POST", "POST"])
        const path = `/v1/uploads/${idOf(url)}`
        assert.strictEqual((yield* call.send("GET", path)).json.sha256, digest("sha256", bytes, "hex"))
        const as = (method: string, headers: Record<string, string> = tus) =>
          call.send("POST", path, { headers: { ...headers, "x-http-method-override": method } })
        // Another method, and a request that speaks no tus, stay what they are; another version is refused as a PATCH of it is.
        assert.deepStrictEqual([(yield* as("GET")).status, (yield* as("DELETE", {})).status], [405, 405])
        assert.strictEqual((yield* as("DELETE", { "tus-resumable": "0.2.2" })).status, 412)
        const deleted = yield* as("delete")
        assert.deepStrictEqual([deleted.status, deleted.text], [204, ""])
        assert.strictEqual((yield* call.send("GET", path)).status, 404)
        // Where an upload begins it says nothing.
        const begun = yield* call.send("POST", "/v1/uploads", {
          headers: { ...tus, "upload-length": "9", "x-http-method-override": "PATCH" }
        })
        assert.strictEqual(begun.status, 201)
      }))

    it.effect("an unfinished upload is no source", () =>
      Effect.gen(function*() {
        const call = yield* caller()
        const id = yield* begin(call, 10)
        yield* call.send("PATCH", `/v1/uploads/${id}`, { headers: patch(0), body: bytesOf(9) })
        const job = yield* call.send("POST", "/v1/jobs", { json: { source_uri: `upload://${id}` } })
        assert.deepStrictEqual([job.status, job.json.error.code], [422, "SOURCE_BLOCKED"])
      }))

    it.effect("another tenant's upload, finished or not, is as unknown as one that never was", () =>
      Effect.gen(function*() {
        const owner = yield* caller("owner")
        const other = yield* caller("other")
        const unfinished = yield* begin(owner, 10)
        const finished = yield* begin(owner, 1)
        yield* owner.send("PATCH", `/v1/uploads/${finished}`, { headers: patch(0), body: bytesOf(1) })
        for (const method of ["HEAD", "GET", "PATCH", "DELETE"] as const) {
          const ask = (id: string) =>
            other.send(method, `/v1/uploads/${id}`, {
              headers: { ...(method === "PATCH" ? patch(0) : tus), "x-request-id": "same" },
              ...(method === "PATCH" ? { body: bytesOf(1) } : {})
            })
          const unknown = yield* ask("upl_01kaj3e5h8z9q0w1x2y3z4a5b6")
          assert.strictEqual(unknown.status, 404)
          for (const id of [unfinished, finished]) {
            const answer = yield* ask(id)
            assert.deepStrictEqual([answer.status, answer.text], [unknown.status, unknown.text], method)
          }
        }
        const head = yield* owner.send("HEAD", `/v1/uploads/${unfinished}`, { headers: tus })
        assert.strictEqual(head.headers["upload-offset"], "0")
      }))

    it.effect("termination drops the bytes, and the id is unknown from then on", () =>
      Effect.gen(function*() {
        const { localPath } = yield* Blobs
        const call = yield* caller()
        for (const sent of [5, 10]) {
          const id = yield* begin(call, 10)
          yield* call.send("PATCH", `/v1/uploads/${id}`, { headers: patch(0), body: bytesOf(sent) })
          assert.isTrue(yield* tusTerminate(call, `${call.base_url}/v1/uploads/${id}`))
          assert.strictEqual((yield* call.send("HEAD", `/v1/uploads/${id}`, { headers: tus })).status, 404)
          assert.isTrue((yield* Effect.flip(localPath(`uploads/${call.tenant_id}/${id}`))).missing)
        }
      }))

    it.effect("an unfinished upload says when it expires, is unknown then, and is swept with its bytes", () =>
      Effect.gen(function*() {
        const { sql } = yield* Server.TestServer
        const { get } = yield* Blobs
        const { sweep } = yield* Uploads
        const call = yield* caller()
        const id = yield* begin(call, 10)
        const path = `/v1/uploads/${id}`
        const sent = yield* call.send("PATCH", path, { headers: patch(0), body: bytesOf(5) })
        const { expires_at } = (yield* call.send("GET", path)).json
        assert.strictEqual(
          Date.parse(sent.headers["upload-expires"]!),
          Math.floor(Date.parse(expires_at) / 1000) * 1000
        )
        const [segment] = yield* segmentKeys(id)
        yield* get(segment!)
        yield* sql(`UPDATE footnote.incoming_uploads SET expires_at = now() WHERE id = '${id}'`)
        for (const method of ["HEAD", "PATCH"] as const) {
          const answer = yield* call.send(method, path, {
            headers: patch(5),
            ...(method === "PATCH" ? { body: "x" } : {})
          })
          assert.strictEqual(answer.status, 404)
        }
        assert.strictEqual(yield* sweep, 1)
        assert.isTrue((yield* Effect.flip(get(segment!))).missing)
      }))

    it.effect("412 TUS_VERSION_UNSUPPORTED for another version, and for PATCH without any", () =>
      Effect.gen(function*() {
        const call = yield* caller()
        const path = `/v1/uploads/${yield* begin(call, 10)}`
        const { "tus-resumable": _, ...bare } = patch(0)
        const answers = [
          yield* call.send("PATCH", path, { headers: bare, body: "x" }),
          yield* call.send("PATCH", path, { headers: { ...patch(0), "tus-resumable": "0.2.2" }, body: "x" }),
          yield* call.send("POST", "/v1/uploads", { headers: { "tus-resumable": "2.0.0", "upload-length": "3" } })
        ]
        for (const { headers, json, status } of answers) {
          assert.deepStrictEqual([status, json.error.code], [412, "TUS_VERSION_UNSUPPORTED"])
          assert.strictEqual(headers["tus-version"], "1.0.0")
        }
      }))

    it.effect("400 and 415 name the header that is wrong", () =>
      Effect.gen(function*() {
        const call = yield* caller()
        const cases = [
          [{ "upload-length": "-1" }, "upload-length"],
          [{ "upload-length": "1e3" }, "upload-length"],
          [{ "upload-length": "0" }, "upload-length"],
          [{ "upload-defer-length": "1" }, "upload-length"],
          [{ "upload-length": "3", "upload-metadata": "a !!!" }, "upload-metadata"],
          [{ "upload-length": "3", "upload-metadata": "a YQ==,a YQ==" }, "upload-metadata"]
        ] as const
        for (const [headers, path] of cases) {
          const answer = yield* call.send("POST", "/v1/uploads", { headers: { ...tus, ...headers } })
          assert.deepStrictEqual([answer.status, answer.json.error.details[0].path], [400, path])
        }
        const path = `/v1/uploads/${yield* begin(call, 10)}`
        const typed = yield* call.send("PATCH", path, {
          headers: { ...patch(0), "content-type": "video/mp4" },
          body: "x"
        })
        assert.deepStrictEqual([typed.status, typed.json.error.code], [415, "UNSUPPORTED_MEDIA_TYPE"])
        const { "upload-offset": _, ...without } = patch(0)
        const missing = yield* call.send("PATCH", path, { headers: without, body: "x" })
        assert.deepStrictEqual([missing.status, missing.json.error.details[0].path], [400, "upload-offset"])
      }))

    it.effect("OPTIONS tells version, extensions, limit and algorithms", () =>
      Effect.gen(function*() {
        const call = yield* caller()
        const { headers, status } = yield* call.send("OPTIONS", "/v1/uploads")
        assert.strictEqual(status, 204)
        assert.strictEqual(headers["tus-version"], "1.0.0")
        assert.strictEqual(headers["tus-max-size"], String(MAX_BYTES))
        assert.strictEqual(headers["tus-extension"], "creation,creation-with-upload,termination,checksum,expiration")
        assert.strictEqual(headers["tus-checksum-algorithm"], "sha1,sha256,sha512,md5")
      }))
  })
}
