import { Effect, Stream } from "effect"
import { BlobError, type Blobs } from "../storage/Blobs.ts"
import type { ByteRange } from "./ByteRange.ts"

/** What is in memory of a stream at a time. A bucket that takes 30 ms for a part gives 17 MB/s by it, a film at 100 Mbit/s needs 12. */
const partBytes = 512 * 1024

/**
 * The bytes of a blob within a range, part by part, as fast as they are read on the other side. The first part is there before
 * this succeeds, so that a blob that is gone is told as `BlobError`; one that ends too soon later breaks the stream off.
 */
export const blobStream = Effect.fnUntraced(function*(
  { getRange }: Blobs["Service"],
  key: string,
  { from, to }: ByteRange
) {
  const part = Effect.fnUntraced(function*(at: number) {
    const bytes = yield* getRange(key, at, Math.min(partBytes, to - at))
    if (bytes.length === 0) {
      return yield* new BlobError({ message: `Blob ${key} ends at ${at} and not at ${to}`, missing: true })
    }
    return bytes
  })
  const first = yield* part(from)
  const rest = Stream.unfold(
    from + first.length,
    (at) => at >= to ? Effect.undefined : Effect.map(part(at), (bytes) => [bytes, at + bytes.length] as const)
  )
  return Stream.concat(Stream.succeed(first), Stream.orDie(rest))
})
