import { Effect, FileSystem, Layer } from "effect"
import * as Blobs from "../../src/storage/Blobs.ts"
import { layerS3 } from "../../src/storage/S3Blobs.ts"
import { S3Server } from "../support/S3Server.ts"
import { tusSuite } from "./tusSuite.ts"

const folder = Effect.flatMap(FileSystem.FileSystem, (fs) => fs.makeTempDirectoryScoped({ prefix: "footnote-test-" }))

tusSuite("a folder", Layer.unwrap(Effect.map(folder, Blobs.layerFileSystem)))

tusSuite(
  "S3",
  Layer.unwrap(Effect.gen(function*() {
    const { connection } = yield* S3Server
    return layerS3({ bucket: "blobs", connection, copies: yield* folder })
  })).pipe(Layer.provide(S3Server.layer))
)
