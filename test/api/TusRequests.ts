import { PgClient } from "@effect/sql-pg"
import { assert } from "@effect/vitest"
import { Effect } from "effect"
import { createHash } from "node:crypto"
import { connect } from "node:net"
import { TestServer } from "../support/TestServer.ts"

/** Bytes that differ from place to place, so that pieces in a wrong order are seen. */
export const bytesOf = (size: number, seed = 1): Uint8Array => {
  const bytes = new Uint8Array(size)
  for (let at = 0; at < size; at++) bytes[at] = (at * 31 + seed * 7 + (at >> 8)) & 255
  return bytes
}

export const digest = (algorithm: string, bytes: Uint8Array, encoding: "hex" | "base64") =>
  createHash(algorithm).update(bytes).digest(encoding)

export const idOf = (url: string) => url.slice(url.lastIndexOf("/") + 1)

export const tus = { "tus-resumable": "1.0.0" }
/** The headers of a PATCH that goes on at an offset. */
export const patch = (offset: number, more: Record<string, string> = {}) => ({
  ...tus,
  "content-type": "application/offset+octet-stream",
  "upload-offset": String(offset),
  ...more
})

/** Requests with the key of a tenant of that name. */
export const caller = Effect.fnUntraced(function*(name = "a") {
  const { base_url, send, tenant } = yield* TestServer
  const { key, tenant_id } = yield* tenant(name)
  return {
    base_url,
    key,
    tenant_id,
    send: (...[method, path, call]: Parameters<typeof send>) => send(method, path, { key, ...call })
  }
})
type Caller = Effect.Success<ReturnType<typeof caller>>

/** The id of an upload of that size that has been begun. */
export const begin = Effect.fnUntraced(function*(call: Caller, size: number) {
  const begun = yield* call.send("POST", "/v1/uploads", { headers: { ...tus, "upload-length": String(size) } })
  assert.strictEqual(begun.status, 201)
  return begun.json.id as string
})

/** Where the pieces of an upload lie, in their order. */
export const segmentKeys = Effect.fnUntraced(function*(id: string) {
  const sql = yield* PgClient.PgClient
  const rows = yield* Effect.orDie(sql<{ blob_key: string }>`
    SELECT blob_key FROM footnote.upload_segments WHERE upload_id = ${id} ORDER BY offset_bytes`)
  return rows.map(({ blob_key }) => blob_key)
})

/** A request that is written by hand, so that it can stop anywhere. */
export const openPatch = Effect.fnUntraced(
  function*(call: Caller, id: string, size: number) {
    const socket = connect(Number(new URL(call.base_url).port), "127.0.0.1")
    let answer = ""
    socket.setEncoding("latin1").on("data", (text) => answer += text)
    const closed = new Promise<string>((resolve) => void socket.once("close", () => resolve(answer)))
    socket.write(
      `PATCH /v1/uploads/${id} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${call.key}\r\nTus-Resumable: 1.0.0\r\n`
        + `Content-Type: application/offset+octet-stream\r\nUpload-Offset: 0\r\nContent-Length: ${size}\r\n\r\n`
    )
    const sql = yield* PgClient.PgClient
    yield* Effect.repeat(
      sql<{ writer: string | null }>`SELECT writer FROM footnote.incoming_uploads WHERE id = ${id}`,
      { until: ([row]) => row?.writer != null }
    )
    return { socket, closed: Effect.promise(() => closed) }
  }
)
