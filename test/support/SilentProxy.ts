import { Effect } from "effect"
import { mkdtemp, rm } from "node:fs/promises"
import * as net from "node:net"
import { tmpdir } from "node:os"
import { join } from "node:path"

/**
 * A PostgreSQL on a Unix socket as seen by a client far away: while `silentUntil` holds a text, nothing that the server
 * says gets through before the client has sent that text. Whoever waits for an answer first waits for ever.
 */
export const silentProxy = Effect.fn("silentProxy")(function*(socketDir: string) {
  const folder = yield* Effect.acquireRelease(
    Effect.promise(() => mkdtemp(join(tmpdir(), "footnote-proxy-"))),
    (path) => Effect.promise(() => rm(path, { recursive: true, force: true }))
  )
  const state = { silentUntil: undefined as string | undefined }
  const sockets = new Set<net.Socket>()
  const server = net.createServer((client) => {
    const upstream = net.connect(join(socketDir, ".s.PGSQL.5432"))
    let unsaid: Array<Buffer> = []
    for (const socket of [client, upstream]) {
      sockets.add(socket)
      socket.on("error", () => socket.destroy()).on("close", () => [client, upstream].map((one) => one.destroy()))
    }
    client.on("data", (bytes) => {
      if (state.silentUntil !== undefined && bytes.includes(state.silentUntil)) state.silentUntil = undefined
      upstream.write(bytes)
      if (state.silentUntil !== undefined) return
      for (const said of unsaid) client.write(said)
      unsaid = []
    })
    upstream.on("data", (bytes) => {
      if (state.silentUntil === undefined) client.write(bytes)
      else unsaid.push(bytes)
    })
  })
  yield* Effect.acquireRelease(
    Effect.callback<void>((resume) => {
      server.listen(join(folder, ".s.PGSQL.5432"), () => resume(Effect.void))
    }),
    () =>
      Effect.callback<void>((resume) => {
        for (const socket of sockets) socket.destroy()
        server.close(() => resume(Effect.void))
      })
  )
  return { socketDir: folder, state }
})
