import { Effect, Schema } from "effect"
import type { TenantId } from "../../../src/identity/Id.ts"
import { KeptImages } from "../../../src/jobs/model/StageIo.ts"
import type { BlobRef } from "../../../src/storage/BlobRef.ts"
import { Blobs } from "../../../src/storage/Blobs.ts"
import { readBlob } from "../../../src/storage/CheckedBlobs.ts"
import { fromStore } from "../../engine/FromStore.ts"
import { makeTenantRoom } from "../../engine/TenantRoom.ts"

const decodeImages = Schema.decodeEffect(Schema.fromJsonString(KeptImages))

/**
 * Copies the kept frames of an earlier job below this task's own prefix, so that each job can be erased without the other. Fails with
 * `STORAGE_QUOTA_EXCEEDED` where they do not fit what the tenant may keep, and as the blob store does.
 */
export const makeEarlierImages = Effect.gen(function*() {
  const blobs = yield* Blobs
  const roomOf = yield* makeTenantRoom

  return Effect.fn("copyImages")(function*(tenant_id: TenantId, from: BlobRef, blobPrefix: string) {
    const listed = new TextDecoder().decode(yield* fromStore(readBlob(blobs, from)))
    const images = yield* Effect.orDie(decodeImages(listed))
    const room = yield* roomOf(tenant_id)
    if (images.reduce((sum, { image }) => sum + image.size_bytes, 0) > room.bytes) return yield* room.exceeded
    const copies = yield* Effect.forEach(images, (kept) =>
      Effect.gen(function*() {
        const name = kept.image.key.slice(kept.image.key.lastIndexOf("/") + 1)
        const bytes = yield* fromStore(readBlob(blobs, kept.image))
        return { ...kept, image: yield* fromStore(blobs.put(`${blobPrefix}/images/${name}`, bytes)) }
      }), { concurrency: 4 })
    return yield* fromStore(blobs.put(`${blobPrefix}/images.json`, Buffer.from(JSON.stringify(copies))))
  })
})
