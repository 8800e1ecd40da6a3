import { Context, Effect, Exit, FileSystem, Layer, Option, type PlatformError, Sink, Stream } from "effect"
import { createHash } from "node:crypto"
import { createReadStream } from "node:fs"
import type { Readable } from "node:stream"
import { buffer } from "node:stream/consumers"
import { s3Retries } from "../retries/RetryPolicy.ts"
import type { BlobRef } from "./BlobRef.ts"
import { BlobError, Blobs, checkKey, fileFailure, type StoredBlob } from "./Blobs.ts"
import { openLocalCopies } from "./LocalCopies.ts"
import { isS3Away, openS3, type S3Connection, s3Library, s3Problem } from "./S3.ts"

export interface S3BlobsOptions {
  readonly bucket: string
  readonly connection: S3Connection
  /** Folder for what programs read by path; each machine has its own. */
  readonly copies: string
  /** What copies may take there; undefined is half of the file system, 0 no limit. */
  readonly copies_bytes?: number | undefined
  /** Whether what this process stored is likely to be read by path on its machine; every blob where it is not given. */
  readonly keeps?: (key: string) => boolean
}

/** When a store is given up. */
export interface S3Patience {
  /** Of a call that carries little, its tries included: less than a caller waits for an answer of ours. */
  readonly call_seconds: number
  /** Fewer bytes than 16 KiB/s in a window of so many seconds keep a stage, or a caller, for longer than it is worth. */
  readonly pace_seconds: number
  /** Of one try of a call: a blob is read whole, and the few that are larger are read as files. */
  readonly connect_ms: number
  readonly idle_ms: number
}

export const S3Patience = Context.Reference<S3Patience>("footnote/storage/S3Blobs/S3Patience", {
  defaultValue: () => ({ call_seconds: 20, pace_seconds: 15, connect_ms: 5000, idle_ms: 8000 })
})

/** Bytes a second. */
const leastPace = 16 * 1024

/** 10,000 parts of this size, the most that S3 takes, are 78 GiB. */
const PART_BYTES = 8 * 1024 ** 2

const storeFailure = (error: unknown): BlobError => {
  const problem = s3Problem(error)
  const { code, status } = problem
  const answer = status === undefined ? code : `${code} (${status})`
  return new BlobError({
    message: `S3: ${answer}`,
    missing: code === "NoSuchKey" || code === "NotFound",
    ...(isS3Away(problem) ? { away: "store" as const } : {})
  })
}

const tooSlow = (what: string) => new BlobError({ message: `S3: ${what}`, missing: false, away: "store" })

const callWithin = (seconds: number) => <A>(send: (signal: AbortSignal) => Promise<A>): Effect.Effect<A, BlobError> =>
  Effect.tryPromise({ try: send, catch: storeFailure }).pipe(
    Effect.timeoutOrElse({
      duration: `${seconds} seconds`,
      orElse: () => Effect.fail(tooSlow(`no answer within ${seconds} s`))
    })
  )

/** Fails work that moves fewer bytes in a window than the least pace has in it; `moved` says how many it has moved by now. */
const pacedBy =
  (seconds: number) =>
  <A, R>(moved: () => number, work: Effect.Effect<A, BlobError, R>): Effect.Effect<A, BlobError, R> =>
    Effect.suspend(() => {
      let before = moved()
      const look = Effect.suspend(() => {
        const now = moved()
        if (now - before < seconds * leastPace) {
          return Effect.fail(tooSlow(`fewer than ${seconds * leastPace} bytes in ${seconds} s`))
        }
        before = now
        return Effect.void
      })
      return Effect.raceFirst(work, Effect.forever(Effect.delay(look, `${seconds} seconds`)))
    })

const local = <A, R>(effect: Effect.Effect<A, PlatformError.PlatformError, R>): Effect.Effect<A, BlobError, R> =>
  Effect.mapError(effect, fileFailure)

/**
 * Blobs as objects of one bucket. A stream is written to this machine first and uploaded when it is whole, so that a
 * source that breaks off leaves nothing in the bucket, and the machine that brought it in need not fetch it again. Parts
 * that a killed process leaves behind are for a lifecycle rule of the bucket to remove.
 */
export const layerS3 = (
  { bucket, connection, copies: folder, copies_bytes, keeps = () => true }: S3BlobsOptions
) =>
  Layer.effect(
    Blobs,
    Effect.gen(function*() {
      const fs = yield* FileSystem.FileSystem
      const copies = yield* openLocalCopies(folder, copies_bytes)
      const { call_seconds, pace_seconds, ...deadlines } = yield* S3Patience
      const call = callWithin(call_seconds)
      const paced = pacedBy(pace_seconds)
      const client = yield* openS3(connection, { ...deadlines, attempts: s3Retries.store_attempts })
      const {
        DeleteObjectCommand,
        DeleteObjectsCommand,
        GetObjectCommand,
        HeadObjectCommand,
        ListObjectsV2Command,
        PutObjectCommand
      } = yield* s3Library
      const { Upload } = yield* Effect.promise(() => import("@aws-sdk/lib-storage"))

      /** A partial file for `use`, gone afterwards unless it was kept. */
      const withPartial = <A, E, R>(use: (file: string) => Effect.Effect<A, E, R>) =>
        Effect.acquireUseRelease(copies.partial, use, (file) => Effect.ignore(fs.remove(file, { force: true })))

      /** Uploads a file, in parts where it is large, and returns the version that it has there. */
      const upload = (key: string, file: string) =>
        Effect.callback<string, BlobError>((resume) => {
          const Body = createReadStream(file)
          const upload = new Upload({
            client,
            partSize: PART_BYTES,
            queueSize: 2,
            params: { Bucket: bucket, Key: key, Body }
          })
          upload.done().then(
            ({ ETag }) => resume(Effect.succeed(ETag ?? "")),
            (error: unknown) => resume(Effect.fail(storeFailure(error)))
          ).finally(() => Body.destroy())
          return Effect.promise(() => upload.abort())
        })

      const store = Effect.fnUntraced(function*(key: string, file: string) {
        const version = yield* upload(key, file)
        if (keeps(key)) yield* local(copies.keep(key, version, file))
      })

      /** Writes to a file and tells what has been written. */
      const spool = Effect.fnUntraced(function*<E, R>(bytes: Stream.Stream<Uint8Array, E, R>, file: string) {
        const hash = createHash("sha256")
        let size_bytes = 0
        yield* bytes.pipe(
          Stream.tap((chunk) =>
            Effect.suspend(() => {
              hash.update(chunk)
              size_bytes += chunk.length
              return copies.writes(chunk.length)
            })
          ),
          Stream.run(Sink.mapError(fs.sink(file), fileFailure))
        )
        return { size_bytes, sha256: hash.digest("hex") }
      })

      const putStream = <E, R>(
        key: string,
        bytes: Stream.Stream<Uint8Array, E, R>
      ): Effect.Effect<BlobRef, BlobError | E, R> =>
        checkKey(key).pipe(
          Effect.andThen(withPartial((file) => Effect.tap(spool(bytes, file), () => store(key, file)))),
          Effect.map((facts) => ({ key, ...facts })),
          Effect.withSpan("Blobs.putStream")
        )

      /** The bytes of an answer, while they come at the least pace. */
      const whole = Effect.fnUntraced(function*(body: Readable) {
        let moved = 0
        body.on("data", ({ length }: Buffer) => moved += length)
        const read = Effect.tryPromise({ try: () => buffer(body), catch: storeFailure })
        return yield* paced(() => moved, read).pipe(
          Effect.onExit((exit) => Exit.isSuccess(exit) ? Effect.void : Effect.sync(() => void body.destroy()))
        )
      })

      /** Everything below a key, a page at a time. */
      const removeBelow = Effect.fnUntraced(function*(key: string) {
        for (;;) {
          const { Contents = [], IsTruncated } = yield* call((abortSignal) =>
            client.send(new ListObjectsV2Command({ Bucket: bucket, Prefix: `${key}/` }), { abortSignal })
          )
          if (Contents.length === 0) return
          const Objects = Contents.map(({ Key }) => ({ Key }))
          const { Errors = [] } = yield* call((abortSignal) =>
            client.send(new DeleteObjectsCommand({ Bucket: bucket, Delete: { Objects, Quiet: true } }), { abortSignal })
          )
          if (Errors.length > 0) {
            return yield* new BlobError({
              message: `S3: ${Errors.length} objects could not be removed`,
              missing: false
            })
          }
          if (IsTruncated !== true) return
        }
      })

      return Blobs.of({
        put: Effect.fn("Blobs.put")(function*(key, bytes) {
          yield* checkKey(key)
          yield* call((abortSignal) =>
            client.send(new PutObjectCommand({ Bucket: bucket, Key: key, Body: bytes }), { abortSignal })
          )
          return { key, size_bytes: bytes.length, sha256: createHash("sha256").update(bytes).digest("hex") }
        }),
        roomForMore: Effect.void,
        putStream,
        putFile: (key, file) =>
          Effect.tap(
            putStream(key, Stream.mapError(fs.stream(file), fileFailure)),
            () => local(fs.remove(file))
          ),
        get: Effect.fn("Blobs.get")(function*(key) {
          yield* checkKey(key)
          const { Body } = yield* call((abortSignal) =>
            client.send(new GetObjectCommand({ Bucket: bucket, Key: key }), { abortSignal })
          )
          return yield* whole(Body as unknown as Readable)
        }),
        getRange: Effect.fn("Blobs.getRange")(function*(key, from, length) {
          yield* checkKey(key)
          const Range = `bytes=${from}-${from + length - 1}`
          const { Body } = yield* call((abortSignal) => {
            const asked = new GetObjectCommand({ Bucket: bucket, Key: key, Range })
            return client.send(asked, { abortSignal }).catch((error: unknown) => {
              // Nothing of the blob lies there.
              if ((error as { readonly name?: string }).name === "InvalidRange") return { Body: undefined }
              throw error
            })
          })
          return Body === undefined ? new Uint8Array() : yield* whole(Body as unknown as Readable)
        }),
        localPath: Effect.fn("Blobs.localPath")(function*(key) {
          yield* checkKey(key)
          const at = { Bucket: bucket, Key: key }
          const { ETag = "" } = yield* call((abortSignal) => client.send(new HeadObjectCommand(at), { abortSignal }))
          const copy = yield* local(copies.find(key, ETag))
          if (Option.isSome(copy)) return copy.value
          return yield* withPartial(Effect.fnUntraced(function*(file) {
            const answer = yield* call((abortSignal) => client.send(new GetObjectCommand(at), { abortSignal }))
            const body = answer.Body as unknown as Readable
            let moved = 0
            const bytes = Stream.tap(
              Stream.fromAsyncIterable<Uint8Array, BlobError>(body, storeFailure),
              ({ length }) => Effect.sync(() => moved += length)
            )
            const { size_bytes } = yield* paced(() => moved, spool(bytes, file)).pipe(
              Effect.onError(() => Effect.sync(() => body.destroy()))
            )
            if (size_bytes !== answer.ContentLength) {
              return yield* new BlobError({ message: `S3: ${key} broke off`, missing: false, away: "store" })
            }
            return yield* local(copies.give(key, answer.ETag ?? "", file))
          }))
        }),
        dropCopy: Effect.fn("Blobs.dropCopy")(function*(key) {
          yield* checkKey(key)
          yield* local(copies.drop(key))
          return true
        }),
        list: Effect.fn("Blobs.list")(function*(prefix) {
          yield* checkKey(prefix)
          const blobs: Array<StoredBlob> = []
          for (let ContinuationToken: string | undefined;;) {
            const asked = new ListObjectsV2Command({
              Bucket: bucket,
              Prefix: `${prefix}/`,
              ...(ContinuationToken === undefined ? {} : { ContinuationToken })
            })
            const { Contents = [], IsTruncated, NextContinuationToken } = yield* call((abortSignal) =>
              client.send(asked, { abortSignal })
            )
            for (const { Key: key, LastModified: modified, Size: size_bytes = 0 } of Contents) {
              if (key !== undefined && modified !== undefined) blobs.push({ key, size_bytes, modified })
            }
            ContinuationToken = NextContinuationToken
            if (IsTruncated !== true || ContinuationToken === undefined) return blobs
          }
        }),
        removeAll: Effect.fn("Blobs.removeAll")(function*(prefix) {
          yield* checkKey(prefix)
          yield* removeBelow(prefix)
          yield* call((abortSignal) =>
            client.send(new DeleteObjectCommand({ Bucket: bucket, Key: prefix }), { abortSignal })
          )
          yield* local(copies.drop(prefix))
        })
      })
    })
  )
