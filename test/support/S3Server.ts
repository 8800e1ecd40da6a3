import { NodeFileSystem } from "@effect/platform-node"
import { Context, Effect, FileSystem, Layer, Redacted } from "effect"
import S3rver from "s3rver"
import type { S3Connection } from "../../src/storage/S3.ts"

const account = "S3RVER"

/** How a server on this loopback port is reached by its one account. */
export const connectionTo = (port: number, access_key_id = account): S3Connection => ({
  endpoint: `http://127.0.0.1:${port}`,
  region: "us-east-1",
  path_style: true,
  credentials: { access_key_id, secret_access_key: Redacted.make(account), session_token: undefined }
})

/** A real S3 server in this process, with the empty buckets `clips` and `blobs`. */
export class S3Server extends Context.Service<S3Server, {
  readonly port: number
  readonly connection: S3Connection
}>()("footnote/test/support/S3Server") {
  static readonly layer = Layer.effect(
    S3Server,
    Effect.gen(function*() {
      const fs = yield* FileSystem.FileSystem
      const directory = yield* fs.makeTempDirectoryScoped({ prefix: "footnote-s3-" })
      const server = yield* Effect.acquireRelease(
        Effect.promise(async () => {
          const server = new S3rver({
            address: "127.0.0.1",
            port: 0,
            silent: true,
            directory,
            vhostBuckets: false,
            configureBuckets: [{ name: "clips" }, { name: "blobs" }]
          })
          return { server, port: (await server.run()).port }
        }),
        ({ server }) =>
          Effect.promise(() => {
            server.httpServer.closeAllConnections()
            return server.close()
          })
      )
      return S3Server.of({ port: server.port, connection: connectionTo(server.port) })
    })
  ).pipe(Layer.provide(NodeFileSystem.layer))
}
