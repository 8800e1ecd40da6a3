import { assert, it } from "@effect/vitest"
import { Effect, Redacted } from "effect"
import { createHash } from "node:crypto"
import { readdirSync } from "node:fs"
import { connect } from "node:net"
import { join } from "node:path"
import { mintSecret } from "../../src/api-keys/ApiKeySecret.ts"
import { api, ended, folder } from "../support/ApiProcess.ts"
import * as TestDatabase from "../support/TestDatabase.ts"
import { tusUpload } from "../support/TusClient.ts"

const MiB = 1024 ** 2
const tus = { "tus-resumable": "1.0.0" }

/** An API process that answers. */
const running = Effect.fnUntraced(function*(env: Readonly<Record<string, string>>) {
  const { base_url, child, output, ready } = yield* api(env)
  yield* ready
  assert.isNull(child.exitCode, output())
  return { base_url, kill: Effect.andThen(Effect.sync(() => void child.kill("SIGKILL")), ended(child)) }
})

/** Two API processes over one database and one folder of blobs. */
const deployment = Effect.gen(function*() {
  const data = yield* folder
  const key = mintSecret()
  const env = {
    DATABASE_URL: Redacted.value(yield* Effect.promise(TestDatabase.create)),
    FOOTNOTE_DATA: data,
    FOOTNOTE_API_KEY: key,
    LOG_LEVEL: "Error"
  }
  const one = yield* running(env)
  const other = yield* running(env)
  return { key, blobs: join(data, "blobs"), one, other }
})

const ask = async (base_url: string, key: string, path: string, init: RequestInit = {}) => {
  const answer = await fetch(`${base_url}${path}`, {
    ...init,
    headers: { authorization: `Bearer ${key}`, ...(init.headers as Record<string, string>) }
  })
  const text = await answer.text()
  return { status: answer.status, headers: answer.headers, json: text === "" ? undefined : JSON.parse(text) }
}

const asked = (...call: Parameters<typeof ask>) => Effect.promise(() => ask(...call))

const random = (size: number) => Buffer.from(Uint8Array.from({ length: size }, (_, at) => (at * 2654435761) >>> 13))

it.live("an upload goes on in another API process after the first was killed, where that had told it stood", () =>
  Effect.gen(function*() {
    const { blobs, key, one, other } = yield* deployment
    const bytes = random(21 * MiB)
    const begun = yield* asked(one.base_url, key, "/v1/uploads", {
      method: "POST",
      headers: { ...tus, "upload-length": String(bytes.length) }
    })
    assert.strictEqual(begun.status, 201)
    const path = begun.headers.get("location")!
    const socket = connect(Number(new URL(one.base_url).port), "127.0.0.1").on("error", () => undefined)
    socket.write(
      `PATCH ${path} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${key}\r\nTus-Resumable: 1.0.0\r\n`
        + `Content-Type: application/offset+octet-stream\r\nUpload-Offset: 0\r\nContent-Length: ${bytes.length}\r\n\r\n`
    )
    socket.write(bytes.subarray(0, 19 * MiB))
    const received = Effect.map(asked(one.base_url, key, path), ({ json }) => json.received_bytes as number)
    yield* Effect.repeat(received, { until: (count) => count >= 16 * MiB })
    yield* one.kill
    const head = yield* asked(other.base_url, key, path, { method: "HEAD", headers: tus })
    const there = Number(head.headers.get("upload-offset"))
    assert.isAtLeast(there, 16 * MiB)
    assert.isAtMost(there, 19 * MiB)

    const { refused, requests } = yield* tusUpload({ base_url: other.base_url, key }, bytes, {
      url: `${other.base_url}${path}`
    })
    assert.strictEqual(refused, undefined)
    assert.deepStrictEqual(requests, [`HEAD ${path}`, `PATCH ${path}`])
    const { json } = yield* asked(other.base_url, key, path)
    assert.strictEqual(json.sha256, createHash("sha256").update(bytes).digest("hex"))
    // Nothing of the pieces is left, but for what the killed process was writing.
    const files = readdirSync(blobs, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile())
    const whole = files.filter(({ parentPath }) => !parentPath.endsWith(".partial"))
    assert.sameMembers(whole.map(({ name }) => name), [
      json.id,
      // The mark by which processes see that they share one blob store.
      "store"
    ])
  }).pipe(Effect.scoped))

it.live("two API processes take turns at one upload, and whoever writes late is not counted", () =>
  Effect.gen(function*() {
    const { key, one, other } = yield* deployment
    const bytes = random(900_000)
    const half = yield* tusUpload({ base_url: one.base_url, key }, bytes, { chunkSize: 100_000, leave_after: 300_000 })
    const path = new URL(half.url).pathname
    // Hangs in the first process with the right offset when the second one goes on.
    const at = Number(
      (yield* asked(one.base_url, key, path, { method: "HEAD", headers: tus })).headers.get("upload-offset")
    )
    const socket = connect(Number(new URL(one.base_url).port), "127.0.0.1")
    let answer = ""
    socket.setEncoding("latin1").on("data", (text) => answer += text)
    const closed = new Promise((resolve) => socket.once("close", resolve))
    socket.write(
      `PATCH ${path} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${key}\r\nTus-Resumable: 1.0.0\r\nConnection: close\r\n`
        + `Content-Type: application/offset+octet-stream\r\nUpload-Offset: ${at}\r\nContent-Length: 100000\r\n\r\n`
    )
    const rest = yield* tusUpload({ base_url: other.base_url, key }, bytes, {
      chunkSize: 100_000,
      // Whoever asks last is the writer, and these two ask at the same time.
      retryDelays: [0, 0, 0, 0],
      url: `${other.base_url}${path}`
    })
    assert.strictEqual(rest.refused, undefined)
    socket.write(Buffer.alloc(100_000, "x"))
    yield* Effect.promise(() => closed)
    assert.match(answer, /^HTTP\/1\.1 (409|404) /u)
    for (const { base_url } of [one, other]) {
      const { json } = yield* asked(base_url, key, path)
      assert.strictEqual(json.sha256, createHash("sha256").update(bytes).digest("hex"))
    }
  }).pipe(Effect.scoped))
