import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { randomUUID } from "node:crypto"
import { hostname } from "node:os"
import { Blobs } from "../storage/Blobs.ts"
import { blobStoreConfig } from "../storage/BlobStore.ts"
import type { Problem } from "./Problem.ts"

/** Where the mark lies in the blob store: no job or upload has this key, so nothing that cleans up comes near it. */
export const blobStoreMarkKey = "deployment/store"

/** Where this process looks for blobs, in words. */
const blobStorePlace = Effect.map(blobStoreConfig, ({ bucket, connection, folder }) =>
  bucket === ""
    ? `the folder ${folder} on ${hostname()}`
    : `the bucket ${bucket} at ${connection.endpoint ?? `AWS ${connection.region}`}`)

interface Mark {
  readonly blob_store: string | null
  readonly blob_store_place: string | null
}

/**
 * Holds the blob store of this process against the one that the database knows: the first process of a deployment marks its
 * store, every other one must find that mark. Who only looks marks nothing; who adopts makes this one the deployment's, after it
 * was moved. Undefined where they are one; a store that is away fails with `BlobError`, and nothing is known.
 */
export const checkBlobStore = Effect.fn("Deployment.checkBlobStore")(
  function*(way: "mark" | "look" | "adopt" = "mark") {
    const sql = yield* SqlClient.SqlClient
    const blobs = yield* Blobs
    const place = yield* blobStorePlace
    return yield* sql.withTransaction(Effect.gen(function*() {
      yield* sql`INSERT INTO footnote.deployment DEFAULT VALUES ON CONFLICT DO NOTHING`
      const [known] = yield* sql<Mark>`SELECT blob_store, blob_store_place FROM footnote.deployment FOR UPDATE`
      const found = yield* blobs.get(blobStoreMarkKey).pipe(
        Effect.map((bytes) => new TextDecoder().decode(bytes)),
        Effect.catchIf((error) => error.missing, () => Effect.succeed(null))
      )
      if (known!.blob_store !== null && known!.blob_store === found) return undefined
      if (known!.blob_store !== null && way !== "adopt") {
        return {
          code: "blob_store",
          message:
            `This process sees another blob store than the deployment's: here ${place}${
              found === null ? ", which bears no mark" : ", which another deployment marked"
            }; the deployment's is ${
              known!.blob_store_place
            }. Give every process the same BLOB_S3_BUCKET, or the same BLOB_DIR `
            + "on a volume that all of them mount. If this one is right and the other is gone, run "
            + "npm run doctor -- --adopt-blob-store here.",
          stops: true
        } satisfies Problem
      }
      if (way === "look") return undefined
      // A marked store without a row is one whose database was restored from an older dump.
      const blob_store = found ?? randomUUID()
      if (found === null) yield* blobs.put(blobStoreMarkKey, new TextEncoder().encode(blob_store))
      yield* sql`UPDATE footnote.deployment SET blob_store = ${blob_store}, blob_store_place = ${place}`
      return undefined
    }))
  }
)
