import { Effect, type Scope } from "effect"
import { rm } from "node:fs/promises"
import { createServer, type Server, type Socket } from "node:net"
import { join } from "node:path"
import { StageFailure } from "../../../src/jobs/model/JobFailure.ts"
import { temporaryFolder } from "../../../src/processes/TemporaryFolders.ts"

const broken = (error: unknown) =>
  new StageFailure({ code: "INTERNAL", message: `No pipe: ${String(error)}`, retryable: true })

/** A pipe that is read through a socket of our own making. */
export interface OutputPipe {
  /** What its one reader connects to, first of all. */
  readonly path: string
  /** The end that a decoder writes to, once the reader has come. */
  readonly writer: Effect.Effect<Socket, StageFailure>
  /** Closes our hold on that end, once a decoder has it: only then does its end end the pipe. Once; then nothing. */
  readonly handedOver: Effect.Effect<void>
}

const listening = (server: Server, path: string) =>
  new Promise<void>((resolve, reject) => {
    server.once("error", reject).listen(path, resolve)
  })

/**
 * A pipe for what a decoder writes much of. The ones that Node makes for a child give each piece 64 KiB in memory of its
 * own, and clearing that away took more time than all that is done with the pictures; a named pipe of the system's takes a
 * process to make, 10 ms. Fails, retryable, with `INTERNAL` where there is no place for a socket.
 */
export const openPipe: Effect.Effect<OutputPipe, StageFailure, Scope.Scope> = Effect.gen(function*() {
  const folder = yield* Effect.acquireRelease(
    Effect.tryPromise({ try: () => temporaryFolder("pipe"), catch: broken }),
    (folder) => Effect.promise(() => rm(folder, { recursive: true, force: true }).catch(() => undefined))
  )
  const path = join(folder, "0")
  const server = createServer({ pauseOnConnect: true })
  const came = new Promise<Socket>((resolve) => server.once("connection", resolve))
  const handedOver = Effect.sync(() => {
    server.close()
    void came.then((socket) => socket.destroy())
  })
  yield* Effect.acquireRelease(
    Effect.tryPromise({ try: () => listening(server, path), catch: broken }),
    () => handedOver
  )
  return { path, writer: Effect.promise(() => came), handedOver }
})
