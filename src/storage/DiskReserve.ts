import { Clock, Context, Effect, Layer, Metric, Stream } from "effect"
import { statfs } from "node:fs/promises"
import { intFrom } from "../observability/Configuration.ts"
import { bytes } from "../observability/Setting.ts"
import { BlobError, Blobs } from "./Blobs.ts"

/** `DISK_RESERVE_BYTES`: free bytes that new work leaves alone, so that work under way and the database can end; 0 is none. */
export const diskReserveBytes = intFrom(
  "DISK_RESERVE_BYTES",
  0,
  2 * 1024 ** 3,
  "free bytes at `BLOB_DIR` below which new work (uploads, submissions, sources, sound) waits or gets 503, so that work under "
    + "way and the database can end; 0 is none",
  bytes
)

/** Bytes that this process may still write to the file system of a folder. */
export const FreeBytes = Context.Reference<(folder: string) => Promise<number>>(
  "footnote/storage/DiskReserve/FreeBytes",
  {
    defaultValue: () => async (folder) => {
      const { bavail, bsize } = await statfs(folder)
      return bavail * bsize
    }
  }
)

const freeBytes = Metric.gauge("footnote_disk_free_bytes", {
  description: "Free bytes of the blobs' file system, as of the last write of new work"
})

/** So long a look that found room holds: a stream asks with every chunk. */
const lookMillis = 1000

const openReserve = Effect.fnUntraced(function*(folder: string, reserve_bytes: number) {
  const look = yield* FreeBytes
  let enough_until = -Infinity
  const roomForMore = Effect.gen(function*() {
    const now = yield* Clock.currentTimeMillis
    if (now < enough_until && enough_until - now <= lookMillis) return
    const free = yield* Effect.tryPromise(() => look(folder)).pipe(Effect.orElseSucceed(() => undefined))
    if (free !== undefined) yield* Metric.update(freeBytes, free)
    if (free === undefined || free >= reserve_bytes) {
      enough_until = now + lookMillis
      return
    }
    return yield* new BlobError({
      message: `Disk low: ${free} bytes are free at ${folder}, and ${reserve_bytes} are kept (DISK_RESERVE_BYTES)`,
      missing: false,
      away: "disk"
    })
  })
  return { roomForMore }
})

/**
 * Blobs that leave a reserve of the file system of `folder` alone. Below it what new work brings (uploads, sources, sound) fails as on a
 * full disk: callers are told 503, and stages pause without using up an attempt; what ends work under way is still written.
 * The disk is looked at again each time, or a second after there was room, so nothing has to be started again. A file system
 * that tells nothing of itself stops nobody.
 */
export const withReserve = <E, R>(blobs: Layer.Layer<Blobs, E, R>, folder: string, reserve_bytes: number) =>
  reserve_bytes === 0 ? blobs : Layer.effect(
    Blobs,
    Effect.gen(function*() {
      const store = yield* Blobs
      const { roomForMore } = yield* openReserve(folder, reserve_bytes)
      return Blobs.of({
        ...store,
        roomForMore,
        putStream: (key, bytes) =>
          Effect.andThen(roomForMore, store.putStream(key, Stream.tap(bytes, () => roomForMore))),
        putFile: (key, file) => Effect.andThen(roomForMore, store.putFile(key, file))
      })
    })
  ).pipe(Layer.provide(blobs))
