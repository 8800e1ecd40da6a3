import { Clock, Effect, Metric, Schema } from "effect"
import { createHash } from "node:crypto"
import { createReadStream } from "node:fs"
import { stat } from "node:fs/promises"
import type { BlobRef } from "./BlobRef.ts"
import { BlobError, type Blobs } from "./Blobs.ts"

/** A blob is not what was written under its reference: other bytes (`found_sha256`), or none at all (null). */
export class BlobDamaged extends Schema.TaggedError<BlobDamaged>()("BlobDamaged", {
  message: Schema.String,
  key: Schema.String,
  expected_sha256: Schema.String,
  found_sha256: Schema.NullOr(Schema.String)
}) {}

/** What is known of a blob that is to be read. */
type Expected = Pick<BlobRef, "key" | "sha256">

const found = Metric.counter("footnote_blobs_damaged_total", {
  description: "Blobs that a reader found missing or changed, by what was found. Alert on any.",
  incremental: true
})

const damaged = Effect.fnUntraced(function*({ key, sha256 }: Expected, found_sha256: string | null) {
  const kind = found_sha256 === null ? "missing" : "changed"
  yield* Metric.update(Metric.withAttributes(found, { found: kind }), 1)
  yield* Effect.logError(`A blob is ${kind}; nothing of it is used`).pipe(
    Effect.annotateLogs({ blob: key, expected_sha256: sha256, found_sha256 })
  )
  const message = kind === "missing"
    ? `Blob ${key} is not there`
    : `Blob ${key} does not have the bytes that were written`
  return yield* new BlobDamaged({ message, key, expected_sha256: sha256, found_sha256 })
})

const orMissing = (ref: Expected) => (error: BlobError): Effect.Effect<never, BlobDamaged | BlobError> =>
  error.missing ? damaged(ref, null) : Effect.fail(error)

/** As `readBlob`, for bytes that somebody else may have removed by right: that they are not there is the store's own error. */
export const readWhereThere = Effect.fn("CheckedBlobs.readWhereThere")(
  function*({ get }: Blobs["Service"], ref: Expected) {
    const bytes = yield* get(ref.key)
    const sha256 = createHash("sha256").update(bytes).digest("hex")
    return sha256 === ref.sha256 ? bytes : yield* damaged(ref, sha256)
  }
)

/** The bytes of a blob, and only those that its reference names: others, or none, fail with `BlobDamaged`, logged and counted. */
export const readBlob = (blobs: Blobs["Service"], ref: Expected) =>
  Effect.catchTag(readWhereThere(blobs, ref), "BlobError", orMissing(ref))

/**
 * A file is hashed again after this long although neither its inode nor its times have changed, since a disk that rots changes
 * neither; a stage that asks for one sound a hundred times has it hashed once.
 */
const trustMillis = 10 * 60_000

const checked = new Map<string, { readonly identity: string; readonly at: number }>()
const mostChecked = 1000

const identityOf = async (file: string): Promise<string> => {
  const { ctimeNs, dev, ino, mtimeNs, size } = await stat(file, { bigint: true })
  return [dev, ino, size, mtimeNs, ctimeNs].join(" ")
}

const hashOf = async (file: string, signal: AbortSignal): Promise<string> => {
  const hash = createHash("sha256")
  for await (const chunk of createReadStream(file, { highWaterMark: 1024 ** 2, signal })) hash.update(chunk as Buffer)
  return hash.digest("hex")
}

const reading = <A>(read: (signal: AbortSignal) => Promise<A>) =>
  Effect.tryPromise({
    try: read,
    catch: (error) =>
      new BlobError({
        message: String(error),
        missing: error instanceof Error && "code" in error && error.code === "ENOENT"
      })
  })

/**
 * A local file with a blob's bytes, checked as a whole before it is given: as `readBlob` for programs that need a path. A damaged copy
 * of what lies in a bucket is made anew; only what the bucket itself has changed is `BlobDamaged`.
 */
export const blobFile = Effect.fn("CheckedBlobs.file")(function*(
  { dropCopy, localPath }: Blobs["Service"],
  ref: Expected
) {
  const check = Effect.gen(function*() {
    const file = yield* localPath(ref.key)
    const now = yield* Clock.currentTimeMillis
    const identity = `${yield* reading(() => identityOf(file))} ${ref.sha256}`
    const before = checked.get(file)
    if (before?.identity === identity && now - before.at < trustMillis) return { file, sha256: ref.sha256 }
    const sha256 = yield* reading((signal) => hashOf(file, signal))
    if (checked.size >= mostChecked) checked.clear()
    if (sha256 === ref.sha256) checked.set(file, { identity, at: now })
    return { file, sha256 }
  })
  const again = Effect.gen(function*() {
    const first = yield* check
    if (first.sha256 === ref.sha256 || !(yield* dropCopy(ref.key))) return first
    yield* Effect.logWarning("A local copy of a blob does not have its bytes; it is fetched again").pipe(
      Effect.annotateLogs({ blob: ref.key, expected_sha256: ref.sha256, found_sha256: first.sha256 })
    )
    return yield* check
  })
  const { file, sha256 } = yield* Effect.catchTag(again, "BlobError", orMissing(ref))
  return sha256 === ref.sha256 ? file : yield* damaged(ref, sha256)
})
