import { Config, Effect, Layer, Option } from "effect"
import { resolve } from "node:path"
import { configInvalid } from "../observability/Configuration.ts"
import { bytes, setting } from "../observability/Setting.ts"
import { blobFolder, dataFolder } from "../processes/DataFolder.ts"
import { layerFileSystem } from "./Blobs.ts"
import { diskReserveBytes, withReserve } from "./DiskReserve.ts"
import { blobBucket, s3Connection } from "./S3.ts"
import { layerS3 } from "./S3Blobs.ts"

/** `BLOB_S3_COPIES_BYTES`: what local copies of blobs may take. */
const copiesBytes = Config.option(setting("BLOB_S3_COPIES_BYTES", bytes, {
  without: "half of the file system",
  meaning:
    "with `BLOB_S3_BUCKET`: what the local copies at `BLOB_DIR` may take; beyond it those go that were used the longest ago and that "
    + "nobody works on; 0 is no limit"
})).pipe(
  Config.mapEffect((value) =>
    Option.getOrElse(value, () => 0) >= 0
      ? Effect.succeed(Option.getOrUndefined(value))
      : Effect.fail(configInvalid("BLOB_S3_COPIES_BYTES must be 0 or more"))
  )
)

/** The API brings uploads in and opens none of them by path: a copy of one there would lie for two days for nobody. */
const keeps = (key: string): boolean => !key.startsWith("uploads/")

/** `BLOB_DIR`, `BLOB_S3_BUCKET` and `BLOB_S3_*`. Fails with the variable's name where one cannot be used. */
export const blobStoreConfig = Config.all({
  data: dataFolder,
  folder: blobFolder,
  bucket: blobBucket,
  connection: s3Connection("BLOB_S3", "blobs"),
  copies_bytes: copiesBytes
}).pipe(
  Config.map(({ bucket, connection, copies_bytes, data, folder }) => ({
    folder: resolve(folder === "" ? `${data}/blobs` : folder),
    bucket,
    connection,
    copies_bytes
  }))
)

/**
 * The blobs of this deployment: objects of `BLOB_S3_BUCKET` where it is set, with local copies in `BLOB_DIR`, else files
 * below `BLOB_DIR` itself, which every process must then reach.
 */
export const layerBlobStore = Layer.unwrap(
  Effect.map(
    Effect.all([blobStoreConfig, diskReserveBytes]),
    ([{ bucket, connection, copies_bytes, folder }, reserve_bytes]) =>
      withReserve(
        bucket === "" ? layerFileSystem(folder) : layerS3({ bucket, connection, copies: folder, copies_bytes, keeps }),
        folder,
        reserve_bytes
      )
  )
)
