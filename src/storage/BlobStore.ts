import { Config, Effect, Layer } from "effect"
import { resolve } from "node:path"
import { blobFolder, dataFolder } from "../processes/DataFolder.ts"
import { layerFileSystem } from "./Blobs.ts"
import { diskReserveBytes, withReserve } from "./DiskReserve.ts"
import { blobBucket, s3Connection } from "./S3.ts"
import { layerS3 } from "./S3Blobs.ts"

/** `BLOB_DIR`, `BLOB_S3_BUCKET` and `BLOB_S3_*`. Fails with the variable's name where one cannot be used. */
export const blobStoreConfig = Config.all({
  data: dataFolder,
  folder: blobFolder,
  bucket: blobBucket,
  connection: s3Connection("BLOB_S3", "blobs")
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
