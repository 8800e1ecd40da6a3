import { assert, describe, it } from "@effect/vitest"
import { Deferred, Effect, Fiber, Stream } from "effect"
import { TestClock } from "effect/testing"
import { createServer, type IncomingMessage, type ServerResponse } from "node:http"
import type { AddressInfo } from "node:net"
import { makeAddressPolicy } from "../../../../src/egress/AddressPolicy.ts"
import type { Resolver } from "../../../../src/egress/SsrfGuard.ts"
import { defaultDeadlines, download, type DownloadOptions } from "../../../../workers/media/source/Download.ts"

/** A WAV file of `size` bytes in all; only its head matters here. */
const wav = (size: number): Buffer => {
  const file = Buffer.from(Uint8Array.from({ length: size }, (_, i) => i % 251))
  file.write("RIFF\0\0\0\0WAVEfmt ", 0, "latin1")
  return file
}

type Handler = (request: IncomingMessage, response: ServerResponse) => void

/** A server on one loopback address that counts its requests. */
const serve = (handler: Handler, host = "127.0.0.1") =>
  Effect.acquireRelease(
    Effect.promise(() =>
      new Promise<{ readonly port: number; readonly hits: () => number; readonly close: () => void }>((resolve) => {
        let hits = 0
        const server = createServer((request, response) => {
          hits++
          handler(request, response)
        })
        server.listen(0, host, () =>
          resolve({
            port: (server.address() as AddressInfo).port,
            hits: () => hits,
            close: () => {
              server.close()
              server.closeAllConnections()
            }
          }))
      })
    ),
    ({ close }) => Effect.sync(close)
  )

const options = (more: Partial<DownloadOptions> = {}): DownloadOptions => ({
  policy: makeAddressPolicy({ allow_private: "127.0.0.1/32" }),
  max_bytes: 1e6,
  deadlines: defaultDeadlines,
  ...more
})

const get = (url: string, more?: Partial<DownloadOptions>) =>
  Stream.runCollect(download(new URL(url), options(more))).pipe(Effect.map((chunks) => Buffer.concat(chunks)))

const refused = (url: string, more?: Partial<DownloadOptions>) => Effect.flip(get(url, more))

const names = (table: Readonly<Record<string, ReadonlyArray<string>>>): Resolver => (host, _, callback) =>
  callback(null, (table[host] ?? []).map((address) => ({ address, family: address.includes(":") ? 6 : 4 })))

const redirect = (location: string): Handler => (_, response) => response.writeHead(302, { location }).end()

/** Where the rest that is asked for begins. */
const after = (request: IncomingMessage) => Number(/\d+/u.exec(request.headers.range!)![0])

describe("download", () => {
  it.live("passes on exactly the file's bytes and asks for them uncoded", () =>
    Effect.gen(function*() {
      const file = wav(300_000)
      let coding: unknown
      const { port } = yield* serve((request, response) => {
        coding = request.headers["accept-encoding"]
        response.end(file)
      })
      assert.deepStrictEqual(yield* get(`http://127.0.0.1:${port}/a.wav`), file)
      assert.strictEqual(coding, "identity")
    }).pipe(Effect.scoped))

  it.live("never reaches a forbidden address: by redirect, by name, by one bad address among good ones", () =>
    Effect.gen(function*() {
      const canary = yield* serve((_, response) => response.end(wav(5000)), "127.0.0.2")
      const allowed = { policy: makeAddressPolicy({ allow_private: "127.0.0.1/32", allow_ports: String(canary.port) }) }
      const targets = [
        `http://127.0.0.2:${canary.port}/`,
        `http://0177.0.0.2:${canary.port}/`,
        `http://2130706434:${canary.port}/`,
        `http://[::ffff:127.0.0.2]:${canary.port}/`,
        `http://inner.test:${canary.port}/`,
        `http://mixed.test:${canary.port}/`,
        `http://mapped.test:${canary.port}/`,
        `http://meta.test:${canary.port}/`,
        `http://user@127.0.0.1:${canary.port}/`,
        "file:///etc/passwd",
        "ftp://example.com/a.wav"
      ]
      const resolve = names({
        "inner.test": ["127.0.0.2"],
        "mixed.test": ["127.0.0.1", "127.0.0.2"],
        "mapped.test": ["::ffff:127.0.0.2"],
        "meta.test": ["169.254.169.254"]
      })
      for (const target of targets) {
        const { port } = yield* serve(redirect(target))
        for (const url of [target, `http://127.0.0.1:${port}/`]) {
          const failure = yield* refused(url, { ...allowed, resolve })
          assert.deepStrictEqual([url, failure.code, failure.retryable], [url, "SOURCE_BLOCKED", false])
        }
      }
      assert.strictEqual(canary.hits(), 0)
    }).pipe(Effect.scoped))

  it.live("connects to the address that it judged, without asking the resolver again", () =>
    Effect.gen(function*() {
      const { port } = yield* serve((_, response) => response.end(wav(5000)))
      let questions = 0
      const rebinding: Resolver = (_, __, callback) =>
        callback(null, [{ address: questions++ === 0 ? "127.0.0.1" : "127.0.0.2", family: 4 }])
      const policy = makeAddressPolicy({ allow_private: "127.0.0.1/32", allow_ports: String(port) })
      const bytes = yield* get(`http://rebind.test:${port}/`, { policy, resolve: rebinding })
      assert.lengthOf(bytes, 5000)
      assert.strictEqual(questions, 1)
    }).pipe(Effect.scoped))

  it.live("follows five redirects and not one more", () =>
    Effect.gen(function*() {
      const { hits, port } = yield* serve((request, response) => {
        const left = Number(request.url!.slice(1))
        if (left === 0) response.end(wav(5000))
        else response.writeHead(307, { location: `/${left - 1}` }).end()
      })
      assert.lengthOf(yield* get(`http://127.0.0.1:${port}/5`), 5000)
      assert.strictEqual(hits(), 6)
      const failure = yield* refused(`http://127.0.0.1:${port}/6`)
      assert.deepInclude(failure, { code: "SOURCE_UNREACHABLE", retryable: false })
      assert.strictEqual(hits(), 12)
    }).pipe(Effect.scoped))

  it.live("takes up a broken download where it broke, for the same file only", () =>
    Effect.gen(function*() {
      const file = wav(200_000)
      const ranges: Array<unknown> = []
      const broken = (tag: string | undefined, second: Handler): Handler => (request, response) => {
        ranges.push([request.headers.range, request.headers["if-range"]])
        if (request.headers.range !== undefined) return second(request, response)
        response.writeHead(200, { "content-length": file.length, ...(tag === undefined ? {} : { etag: tag }) })
        response.write(file.subarray(0, 70_000), () => response.destroy())
      }
      const rest: Handler = (request, response) => {
        const from = Number(/\d+/u.exec(request.headers.range!)![0])
        const range = `bytes ${from}-${file.length - 1}/${file.length}`
        response.writeHead(206, { "content-range": range, etag: "\"a\"" }).end(file.subarray(from))
      }
      const good = yield* serve(broken("\"a\"", rest))
      assert.deepStrictEqual(yield* get(`http://127.0.0.1:${good.port}/`), file)
      assert.deepStrictEqual(ranges, [[undefined, undefined], ["bytes=70000-", "\"a\""]])

      const changed = yield* serve(
        broken("\"a\"", (_, response) => response.writeHead(200, { etag: "\"b\"" }).end(wav(9000)))
      )
      const wrong = yield* serve(broken("\"a\"", (_, response) =>
        response.writeHead(206, { "content-range": "bytes 0-9/200000" }).end(file.subarray(0, 10))))
      const weak = yield* serve(broken("W/\"a\"", rest))
      const bare = yield* serve(broken(undefined, rest))
      for (const { port } of [changed, wrong, weak, bare]) {
        assert.deepInclude(yield* refused(`http://127.0.0.1:${port}/`), { code: "SOURCE_UNREACHABLE", retryable: true })
      }
      assert.deepStrictEqual([weak.hits(), bare.hits()], [1, 1])
    }).pipe(Effect.scoped))

  it.live("takes no part of a file for the file, whatever a server makes of ranges", () =>
    Effect.gen(function*() {
      const file = wav(200_000)
      const tag = { etag: "\"a\"" }
      /** 20 kB for each range; the first answer breaks, with its length told or not. */
      const capped = (first: Record<string, number>, total: number | "*"): Handler => (request, response) => {
        if (request.headers.range === undefined) {
          response.writeHead(200, { ...first, ...tag })
          response.write(file.subarray(0, 70_000), () => response.destroy())
          return
        }
        const from = after(request)
        const to = Math.min(from + 20_000, file.length)
        response.writeHead(206, { "content-range": `bytes ${from}-${to - 1}/${total}`, ...tag })
        response.end(file.subarray(from, to))
      }
      const known = { "content-length": file.length }
      for (const handler of [capped(known, file.length), capped(known, "*"), capped({}, file.length)]) {
        const { hits, port } = yield* serve(handler)
        assert.deepStrictEqual(yield* get(`http://127.0.0.1:${port}/`), file)
        assert.strictEqual(hits(), 8)
      }
      // Of no known length, of another length than was told first, and longer than a source may be.
      for (
        const [handler, code] of [
          [capped({}, "*"), "SOURCE_UNREACHABLE"],
          [capped(known, 190_000), "SOURCE_UNREACHABLE"],
          [capped({}, 5_000_000), "SOURCE_TOO_LARGE"]
        ] as const
      ) {
        const { hits, port } = yield* serve(handler)
        const failure = yield* refused(`http://127.0.0.1:${port}/`)
        assert.deepInclude(failure, { code, retryable: code === "SOURCE_UNREACHABLE" })
        assert.strictEqual(hits(), 2)
      }
    }).pipe(Effect.scoped))

  it.live("stops at the size cap, announced or not", () =>
    Effect.gen(function*() {
      const announced = yield* serve((_, response) =>
        response.writeHead(200, { "content-length": 5e12 }).flushHeaders()
      )
      const chunked = yield* serve((_, response) => {
        const more = () => response.destroyed ? undefined : response.write(wav(65_536), more)
        more()
      })
      for (const { port } of [announced, chunked]) {
        assert.deepInclude(yield* refused(`http://127.0.0.1:${port}/`), { code: "SOURCE_TOO_LARGE", retryable: false })
      }
    }).pipe(Effect.scoped))

  it.live("asks for the direct link when the answer is a page", () =>
    Effect.gen(function*() {
      const page = "<!DOCTYPE html><html><title>Watch this</title></html>"
      const { port } = yield* serve((_, response) => response.writeHead(200, { "content-type": "video/mp4" }).end(page))
      const typed = yield* serve((_, response) => response.writeHead(200, { "content-type": "text/html" }).end("hello"))
      for (const url of [`http://127.0.0.1:${port}/watch?v=1`, `http://127.0.0.1:${typed.port}/`]) {
        const failure = yield* refused(url)
        assert.deepInclude(failure, { code: "SOURCE_NOT_MEDIA", retryable: false })
        assert.include(failure.message, "direct link")
      }
      const list = yield* serve((_, response) => response.end("#EXTM3U\nhttp://example.com/1.ts\n"))
      const empty = yield* serve((_, response) => response.end())
      for (const other of [list, empty]) {
        assert.strictEqual((yield* refused(`http://127.0.0.1:${other.port}/`)).code, "SOURCE_NOT_MEDIA")
      }
    }).pipe(Effect.scoped))

  it.live("says what to do instead when a redirect leads to a page of a known site, and asks nothing of it", () =>
    Effect.gen(function*() {
      const { hits, port } = yield* serve(redirect("https://www.youtube.com/watch?v=1"))
      const failure = yield* refused(`http://127.0.0.1:${port}/short-link`, { resolve: names({}) })
      assert.deepInclude(failure, { code: "SOURCE_BLOCKED", retryable: false })
      assert.match(failure.message, /page of YouTube.+POST \/v1\/uploads/u)
      assert.strictEqual(hits(), 1)
    }).pipe(Effect.scoped))

  it.live("says whether another attempt may help, and never repeats the URL", () =>
    Effect.gen(function*() {
      const { port } = yield* serve((request, response) => response.writeHead(Number(request.url!.slice(1, 4))).end())
      const cases = [[404, false], [403, false], [410, false], [429, true], [500, true], [503, true]] as const
      for (const [status, retryable] of cases) {
        const failure = yield* refused(`http://127.0.0.1:${port}/${status}?token=secret`)
        assert.deepInclude(failure, { code: "SOURCE_UNREACHABLE", retryable })
        assert.include(failure.message, String(status))
        assert.notInclude(failure.message, "secret")
      }
      const gone = yield* Effect.scoped(serve(() => undefined))
      assert.deepInclude(yield* refused(`http://127.0.0.1:${gone.port}/?token=secret`), {
        code: "SOURCE_UNREACHABLE",
        retryable: true,
        message: "The source could not be read: ECONNREFUSED."
      })
    }).pipe(Effect.scoped))

  it.live("gives up on a server that sends nothing", () =>
    Effect.gen(function*() {
      const { port } = yield* serve(() => undefined)
      const failure = yield* refused(`http://127.0.0.1:${port}/`, {
        deadlines: { ...defaultDeadlines, headers_ms: 50 }
      })
      assert.deepInclude(failure, { code: "SOURCE_UNREACHABLE", retryable: true })
    }).pipe(Effect.scoped))

  it.live("closes the connection when it is interrupted", () =>
    Effect.gen(function*() {
      const started = yield* Deferred.make<void>()
      const closed = yield* Deferred.make<void>()
      const { port } = yield* serve((_, response) => {
        response.on("close", () => Deferred.doneUnsafe(closed, Effect.void))
        response.write(wav(10_000), () => Deferred.doneUnsafe(started, Effect.void))
      })
      const fiber = yield* Effect.forkChild(get(`http://127.0.0.1:${port}/`))
      yield* Deferred.await(started)
      yield* Fiber.interrupt(fiber)
      yield* Deferred.await(closed)
    }).pipe(Effect.scoped))

  it.live("gives up a source that drips, in words and for good, and closes its connection", () =>
    Effect.gen(function*() {
      const closed = yield* Deferred.make<void>()
      const { hits, port } = yield* serve((_, response) => {
        response.writeHead(200, { "content-length": "1000000", etag: "\"a\"" })
        response.write(wav(4500))
        const drip = setInterval(() => response.write("x"), 5)
        response.once("close", () => {
          clearInterval(drip)
          Deferred.doneUnsafe(closed, Effect.void)
        })
      })
      const pace = { window_ms: 300, bytes: 100_000 }
      const failure = yield* refused(`http://127.0.0.1:${port}/a.wav`, { pace })
      assert.deepInclude(failure, { code: "SOURCE_UNREACHABLE", retryable: false })
      assert.include(failure.message, "too slowly: fewer than 100000 bytes in 0.3 s")
      yield* Deferred.await(closed)
      assert.strictEqual(hits(), 1)
    }).pipe(Effect.scoped))

  it.effect("does not hold a slow reader against the source", () =>
    Effect.gen(function*() {
      const file = wav(900_000)
      const { port } = yield* serve((_, response) => response.end(file))
      const pace = { window_ms: 60_000, bytes: 10_000_000 }
      const slowly = download(new URL(`http://127.0.0.1:${port}/a.wav`), options({ pace })).pipe(
        Stream.rechunk(1),
        Stream.mapEffect((chunk) => Effect.as(TestClock.adjust("1 hour"), chunk))
      )
      assert.lengthOf(Buffer.concat(yield* Stream.runCollect(slowly)), file.length)
    }).pipe(Effect.scoped))
})
