import { assert, layer } from "@effect/vitest"
import { Effect, Stream } from "effect"
import { createServer as createHttpServer, type RequestListener } from "node:http"
import { type AddressInfo, connect, createServer, type Server, type Socket } from "node:net"
import { openS3, type S3Connection, s3Library } from "../../../../src/storage/S3.ts"
import { downloadObject, s3Deadlines, type S3DownloadOptions } from "../../../../workers/media/source/S3Download.ts"
import { connectionTo, S3Server } from "../../../support/S3Server.ts"

/** A WAV file of `size` bytes in all; only its head matters here. */
const wav = (size: number): Buffer => {
  const file = Buffer.from(Uint8Array.from({ length: size }, (_, i) => (i * 2_654_435_761) >>> 13))
  file.write("RIFF\0\0\0\0WAVEfmt ", 0, "latin1")
  return file
}

const store = Effect.fnUntraced(function*(connection: S3Connection, Key: string, Body: Buffer) {
  const { PutObjectCommand } = yield* s3Library
  const client = yield* openS3(connection, s3Deadlines)
  yield* Effect.promise(() => client.send(new PutObjectCommand({ Bucket: "clips", Key, Body })))
})

const get = (connection: S3Connection, key: string, more: Partial<S3DownloadOptions> = {}, bucket = "clips") =>
  Stream.runCollect(
    downloadObject({ bucket, key }, { connection, max_bytes: 20e6, deadlines: s3Deadlines, ...more })
  ).pipe(Effect.map((chunks) => Buffer.concat(chunks)))

const refused = (...args: Parameters<typeof get>) => Effect.flip(get(...args))

const listen = (server: Server) =>
  Effect.acquireRelease(
    Effect.callback<number>((resume) => {
      server.listen(0, "127.0.0.1", () => resume(Effect.succeed((server.address() as AddressInfo).port)))
    }),
    () => Effect.sync(() => server.close())
  )

/** A line to the server on `port` that is cut once `bytes` bytes of an answer have passed, as often as `times` says. */
const cuttingLine = (port: number, bytes: number, times: number) => {
  const sockets = new Set<Socket>()
  let cuts = 0
  const line = createServer((near) => {
    const far = connect(port, "127.0.0.1")
    let passed = 0
    sockets.add(near)
    far.on("data", (chunk: Buffer) => {
      passed += chunk.length
      near.write(chunk)
      if (passed < bytes || cuts >= times) return
      cuts++
      far.destroy()
      near.end()
    })
    for (const socket of [near, far]) {
      socket.on("error", () => undefined).on("close", () => {
        near.destroy()
        far.destroy()
      })
    }
    near.pipe(far)
  })
  return Effect.acquireRelease(
    Effect.map(listen(line), (port) => ({ port, cuts: () => cuts })),
    () => Effect.sync(() => sockets.forEach((socket) => socket.destroy()))
  )
}

/** An S3 service that only ever says this. */
const saying = (answer: RequestListener) => Effect.map(listen(createHttpServer(answer)), (port) => connectionTo(port))

const error = (status: number, code: string): RequestListener => (_, response) =>
  response.writeHead(status, { "content-type": "application/xml" }).end(
    `<?xml version="1.0"?><Error><Code>${code}</Code><Message>secret words</Message></Error>`
  )

layer(S3Server.layer, { excludeTestServices: true })("downloadObject", (it) => {
  it.effect("passes on exactly the object's bytes, whatever its key is called", () =>
    Effect.gen(function*() {
      const { connection } = yield* S3Server
      for (const [key, size] of [["talks/2026 ä+b%2f?c#d.wav", 6_000_000], ["short", 50]] as const) {
        yield* store(connection, key, wav(size))
        assert.isTrue(wav(size).equals(yield* get(connection, key)), key)
      }
    }))

  it.effect("goes on where a broken connection stopped, by ranges of the same version", () =>
    Effect.gen(function*() {
      const { connection, port } = yield* S3Server
      yield* store(connection, "broken.wav", wav(5_000_000))
      const line = yield* cuttingLine(port, 1_500_000, 2)
      assert.isTrue(wav(5_000_000).equals(yield* get(connectionTo(line.port), "broken.wav")))
      assert.strictEqual(line.cuts(), 2)
    }))

  it.effect("gives up a connection that breaks again and again, and says that another attempt may help", () =>
    Effect.gen(function*() {
      const { connection, port } = yield* S3Server
      yield* store(connection, "hopeless.wav", wav(5_000_000))
      const line = yield* cuttingLine(port, 200_000, 99)
      assert.deepInclude(yield* refused(connectionTo(line.port), "hopeless.wav"), {
        code: "SOURCE_UNREACHABLE",
        retryable: true
      })
    }))

  it.effect("takes no part of an object for the object, whatever a service makes of ranges", () =>
    Effect.gen(function*() {
      const file = wav(100_000)
      /** 20 kB for each range, under this length of the object; the first answer breaks, with the length told or not. */
      const capped = (told: number | undefined, total: number | "*") =>
        saying((request, response) => {
          const etag = "\"a\""
          const range = /\d+/u.exec(request.headers.range ?? "")
          if (range === null) {
            response.writeHead(200, { etag, ...(told === undefined ? {} : { "content-length": told }) })
            return void response.write(file.subarray(0, 30_000), () => response.destroy())
          }
          const from = Number(range[0])
          const to = Math.min(from + 20_000, file.length)
          response.writeHead(206, { etag, "content-range": `bytes ${from}-${to - 1}/${total}` })
          response.end(file.subarray(from, to))
        })
      for (const [told, total] of [[100_000, 100_000], [100_000, "*"], [undefined, 100_000]] as const) {
        assert.isTrue(file.equals(yield* get(yield* capped(told, total), "capped.wav")), `${told} ${total}`)
      }
      for (const [told, total] of [[100_000, 90_000], [undefined, "*"]] as const) {
        assert.deepInclude(yield* refused(yield* capped(told, total), "capped.wav"), {
          code: "SOURCE_UNREACHABLE",
          retryable: true
        }, `${told} ${total}`)
      }
    }))

  it.effect("never joins the bytes of two versions of an object", () =>
    Effect.gen(function*() {
      let asked = 0
      const connection = yield* saying((_, response) => {
        const body = wav(100_000)
        response.writeHead(200, { etag: `"version ${asked++}"`, "content-length": body.length })
        if (asked > 1) return void response.end(body)
        response.write(body.subarray(0, 50_000), () => response.destroy())
      })
      assert.deepInclude(yield* refused(connection, "changing.wav"), { code: "SOURCE_UNREACHABLE", retryable: true })
      assert.strictEqual(asked, 2)
    }))

  it.effect("tells a missing key, a missing bucket and wrong credentials apart, none of them worth a retry", () =>
    Effect.gen(function*() {
      const { connection, port } = yield* S3Server
      yield* store(connection, "here.wav", wav(5000))
      const failures = [
        yield* refused(connection, "nowhere.wav"),
        yield* refused(connection, "here.wav", {}, "no-such-bucket"),
        yield* refused(connectionTo(port, "nobody"), "here.wav")
      ]
      assert.deepStrictEqual(failures.map(({ code, message, retryable }) => [code, message, retryable]), [
        ["SOURCE_UNREACHABLE", "There is no such object.", false],
        ["SOURCE_UNREACHABLE", "There is no such bucket.", false],
        ["SOURCE_UNREACHABLE", "S3 refuses the credentials of this deployment.", false]
      ])
    }))

  it.effect("gives each other answer of a service its own failure, and repeats none of its words", () =>
    Effect.gen(function*() {
      const cases = [
        // A wrong secret; the server of these tests checks the account only.
        [403, "SignatureDoesNotMatch", /refuses the credentials/u, false],
        [403, "AccessDenied", /does not let this deployment/u, false],
        [403, "InvalidObjectState", /archived/u, false],
        [301, "PermanentRedirect", /SOURCE_S3_REGION/u, false],
        [400, "Whatever", /status 400/u, false],
        [503, "SlowDown", /status 503/u, true]
      ] as const
      for (const [status, name, message, retryable] of cases) {
        const failure = yield* refused(yield* saying(error(status, name)), "a.wav")
        assert.deepInclude(failure, { code: "SOURCE_UNREACHABLE", retryable }, name)
        assert.match(failure.message, message)
      }
      const gone = yield* refused(connectionTo(1), "a.wav")
      assert.deepInclude(gone, { code: "SOURCE_UNREACHABLE", retryable: true })
      assert.match(gone.message, /ECONNREFUSED/u)
    }))

  it.effect("gives up on a service that falls silent within an object", () =>
    Effect.gen(function*() {
      const connection = yield* saying((_, response) => {
        response.writeHead(200, { "content-length": 9000 })
        response.write(wav(5000))
      })
      const failure = yield* refused(connection, "silent.wav", { deadlines: { connect_ms: 10_000, idle_ms: 200 } })
      assert.deepInclude(failure, { code: "SOURCE_UNREACHABLE", retryable: true })
    }))

  it.effect("gives up an object that drips, in words and for good", () =>
    Effect.gen(function*() {
      const connection = yield* saying((_, response) => {
        response.writeHead(200, { "content-length": 9_000_000, etag: "\"a\"" })
        response.write(wav(5000))
        const drip = setInterval(() => response.write("x"), 5)
        response.once("close", () => clearInterval(drip))
      })
      const pace = { window_ms: 300, bytes: 100_000 }
      const failure = yield* refused(connection, "drip.wav", { pace })
      assert.deepInclude(failure, { code: "SOURCE_UNREACHABLE", retryable: false })
      assert.include(failure.message, "too slowly")
    }))

  it.effect("refuses an object over the cap, declared or not, and one that is no media", () =>
    Effect.gen(function*() {
      const { connection } = yield* S3Server
      yield* store(connection, "large.wav", wav(5001))
      assert.strictEqual((yield* refused(connection, "large.wav", { max_bytes: 5000 })).code, "SOURCE_TOO_LARGE")
      assert.strictEqual((yield* get(connection, "large.wav", { max_bytes: 5001 })).length, 5001)
      const undeclared = yield* saying((_, response) => response.writeHead(200).end(wav(100_000)))
      assert.strictEqual((yield* refused(undeclared, "a.wav", { max_bytes: 50_000 })).code, "SOURCE_TOO_LARGE")
      yield* store(connection, "list.m3u8", Buffer.from("#EXTM3U\n#EXTINF:1,\nfile:///etc/hostname\n"))
      yield* store(connection, "empty.mp4", Buffer.alloc(0))
      for (const key of ["list.m3u8", "empty.mp4"]) {
        assert.deepInclude(yield* refused(connection, key), { code: "SOURCE_NOT_MEDIA", retryable: false }, key)
      }
    }))
})
