import { Config, Effect, Layer } from "effect"
import { resolve } from "node:path"
import { configInvalid } from "../observability/Configuration.ts"
import { layerFileSystem } from "./Blobs.ts"
import { diskReserveBytes, withReserve } from "./DiskReserve.ts"
import { s3Connection } from "./S3.ts"
import { layerS3 } from "./S3Blobs.ts"

const bucketForm = /^([a-z0-9][a-z0-9.-]{1,61}[a-z0-9])?$/u

/** `BLOB_DIR`, `BLOB_S3_BUCKET` and `BLOB_S3_*`. Fails with the variable's name where one cannot be used. */
export const blobStoreConfig = Config.all({
  data: Config.String("FOOTNOTE_DATA").pipe(Config.withDefault(".footnote")),
  folder: Config.String("BLOB_DIR").pipe(Config.withDefault("")),
  bucket: Config.String("BLOB_S3_BUCKET").pipe(
    Config.withDefault(""),
    Config.mapEffect((name) =>
      bucketForm.test(name)
        ? Effect.succeed(name)
        : Effect.fail(configInvalid("BLOB_S3_BUCKET must be the name of a bucket"))
    )
  ),
  connection: s3Connection("BLOB_S3")
}).pipe(
  Config.map(({ bucket, connection, data, folder }) => ({
    folder: resolve(folder === "" ? `${data}/blobs` : folder),
    bucket,
    connection
  }))
)

/**
 * The blobs of this deployment: objects of `BLOB_S3_BUCKET` where it is set, with local copies in `BLOB_DIR`, else files
 * below `BLOB_DIR` itself, which every process must then reach.
 */
export const layerBlobStore = Layer.unwrap(
  Effect.map(
    Effect.all([blobStoreConfig, diskReserveBytes]),
    ([{ bucket, connection, folder }, reserve_bytes]) =>
      withReserve(
        bucket === "" ? layerFileSystem(folder) : layerS3({ bucket, connection, copies: folder }),
        folder,
        reserve_bytes
      )
  )
)
