import { Clock, Context, Effect, FileSystem, Layer, Option, Path, Schedule, Schema, Sink, Stream } from "effect"
import { createHash, randomBytes } from "node:crypto"
import type { BlobRef } from "./BlobRef.ts"
import { diskFault } from "./DiskFault.ts"
import { durableFolders, sync } from "./Durable.ts"

/**
 * The blob store could not do its work; `missing` tells an absent blob from a broken store. `away` is there where the same may
 * work later: the store does not answer as it should, or no disk has room.
 */
export class BlobError extends Schema.TaggedError<BlobError>()("BlobError", {
  message: Schema.String,
  missing: Schema.Boolean,
  away: Schema.optionalKey(Schema.Literals(["store", "disk"]))
}) {}

/** A blob of a listing. */
export interface StoredBlob {
  readonly key: string
  readonly size_bytes: number
  /** When it was written. */
  readonly modified: Date
}

/**
 * Immutable bytes by key, written whole or not at all, and on stable storage when a write returns: a row that refers to a blob
 * may be committed from then on, and the machine's power may go. A write is visible only once it is complete and renamed
 * into place, so a killed writer leaves nothing that a reader could mistake for a blob.
 */
export class Blobs extends Context.Service<Blobs, {
  /** Writes bytes. Writing a key again replaces it atomically. */
  readonly put: (key: string, bytes: Uint8Array) => Effect.Effect<BlobRef, BlobError>
  /** Writes a stream; the stream's own failure passes through and leaves nothing behind. */
  readonly putStream: <E, R>(
    key: string,
    bytes: Stream.Stream<Uint8Array, E, R>
  ) => Effect.Effect<BlobRef, BlobError | E, R>
  /** Moves a finished local file in. */
  readonly putFile: (key: string, file: string) => Effect.Effect<BlobRef, BlobError>
  readonly get: (key: string) => Effect.Effect<Uint8Array, BlobError>
  /** `length` bytes from `from` on, fewer where the blob ends. */
  readonly getRange: (key: string, from: number, length: number) => Effect.Effect<Uint8Array, BlobError>
  /** A local file with the blob's bytes, read-only, for programs that need a path. */
  readonly localPath: (key: string) => Effect.Effect<string, BlobError>
  /** Drops the file that `localPath` gave where it is a copy, so that the next is made anew; false where it is the blob itself. */
  readonly dropCopy: (key: string) => Effect.Effect<boolean, BlobError>
  /** Every blob below a key prefix (a folder), in no order. Absent is empty; a write that is under way is not there yet. */
  readonly list: (prefix: string) => Effect.Effect<ReadonlyArray<StoredBlob>, BlobError>
  /** Fails as a full disk does while there is too little room to begin new work (`DiskReserve.ts`). */
  readonly roomForMore: Effect.Effect<void, BlobError>
  /** Removes everything below a key prefix (a folder). Absent is fine. */
  readonly removeAll: (prefix: string) => Effect.Effect<void, BlobError>
}>()("footnote/storage/Blobs") {}

/** Keys are relative paths of plain names: nothing can point outside of the store. */
const keyForm = /^[A-Za-z0-9_-][A-Za-z0-9_.-]*(\/[A-Za-z0-9_-][A-Za-z0-9_.-]*)*$/u

export const checkKey = (key: string): Effect.Effect<string, BlobError> =>
  keyForm.test(key)
    ? Effect.succeed(key)
    : Effect.fail(new BlobError({ message: `Not a blob key: ${key}`, missing: false }))

interface FileError {
  readonly message: string
  readonly reason: { readonly _tag: string; readonly cause?: unknown }
}

/** What a failed file operation means for a blob. */
export const fileFailure = ({ message, reason }: FileError) => {
  const away = diskFault(reason.cause)
  return new BlobError({ message, missing: reason._tag === "NotFound", ...(away === undefined ? {} : { away }) })
}

/** Longer than any body or stage may take to write the next byte: whoever left it there is dead. */
const unfinishedMillis = 48 * 3600 * 1000

/**
 * Blobs as files below one folder that every process of the deployment can reach. What killed writers left unfinished lies in one
 * folder, `.partial`, and is removed two days later, on opening and every hour of the scope.
 */
export const layerFileSystem = (root: string) =>
  Layer.effect(
    Blobs,
    Effect.gen(function*() {
      const fs = yield* FileSystem.FileSystem
      const path = yield* Path.Path
      const absolute = path.resolve(root)
      // No key begins with a dot.
      const unfinished = path.join(absolute, ".partial")
      const folders = yield* durableFolders(absolute)
      const syncPath = (file: string) => Effect.provideService(sync(file), FileSystem.FileSystem, fs)

      const locate = (key: string) => Effect.map(checkKey(key), (safe) => path.join(absolute, safe))

      const statOf = (file: string) =>
        fs.stat(file).pipe(
          Effect.map(({ mtime, size, type }) => {
            const modified = Option.getOrUndefined(mtime)
            return type === "File" && modified !== undefined ? { modified, size_bytes: Number(size) } : undefined
          }),
          // Somebody else removed it meanwhile.
          Effect.orElseSucceed(() => undefined)
        )

      const sweep = Effect.gen(function*() {
        const oldest = (yield* Clock.currentTimeMillis) - unfinishedMillis
        for (const name of yield* fs.readDirectory(unfinished)) {
          const file = path.join(unfinished, name)
          const found = yield* statOf(file)
          if (found !== undefined && found.modified.getTime() < oldest) yield* fs.remove(file, { force: true })
        }
      }).pipe(Effect.ignore)
      yield* Effect.forkScoped(Effect.repeat(sweep, Schedule.spaced("1 hour")))

      /**
       * Fills a file beside all blobs through `write`, then renames it into place. The bytes are synced before the rename, since
       * the key may have good ones already, and the folder after it.
       */
      const publish = Effect.fnUntraced(
        function*<E, R>(key: string, write: (file: string) => Effect.Effect<void, E, R>) {
          const file = yield* locate(key)
          const folder = path.dirname(file)
          for (const needed of [folder, unfinished]) yield* Effect.mapError(folders.make(needed), fileFailure)
          const partial = path.join(unfinished, randomBytes(8).toString("hex"))
          yield* write(partial).pipe(
            Effect.andThen(
              Effect.mapError(Effect.andThen(syncPath(partial), fs.rename(partial, file)), fileFailure)
            ),
            Effect.onError(() => Effect.ignore(fs.remove(partial, { force: true })))
          )
          yield* Effect.mapError(syncPath(folder), fileFailure)
        }
      )

      return Blobs.of({
        put: Effect.fn("Blobs.put")(function*(key, bytes) {
          yield* publish(key, (file) => fs.writeFile(file, bytes).pipe(Effect.mapError(fileFailure)))
          return { key, size_bytes: bytes.length, sha256: createHash("sha256").update(bytes).digest("hex") }
        }),
        putStream: (key, bytes) => {
          const hash = createHash("sha256")
          let size_bytes = 0
          return publish(key, (file) =>
            bytes.pipe(
              Stream.tap((chunk) =>
                Effect.sync(() => {
                  hash.update(chunk)
                  size_bytes += chunk.length
                })
              ),
              Stream.run(Sink.mapError(fs.sink(file), fileFailure))
            )).pipe(
              Effect.map(() => ({ key, size_bytes, sha256: hash.digest("hex") })),
              Effect.withSpan("Blobs.putStream")
            )
        },
        putFile: Effect.fn("Blobs.putFile")(function*(key, file) {
          yield* checkKey(key)
          const hash = createHash("sha256")
          let size_bytes = 0
          yield* Stream.runForEach(fs.stream(file), (chunk) =>
            Effect.sync(() => {
              hash.update(chunk)
              size_bytes += chunk.length
            })).pipe(Effect.mapError(fileFailure))
          // A rename fails between two file systems; then the bytes are copied.
          yield* publish(key, (partial) =>
            fs.rename(file, partial).pipe(
              Effect.catch(() => Effect.andThen(fs.copyFile(file, partial), fs.remove(file))),
              Effect.mapError(fileFailure)
            ))
          return { key, size_bytes, sha256: hash.digest("hex") }
        }),
        get: Effect.fn("Blobs.get")(function*(key) {
          const file = yield* locate(key)
          return yield* fs.readFile(file).pipe(Effect.mapError(fileFailure))
        }),
        getRange: Effect.fn("Blobs.getRange")(function*(key, from, length) {
          const file = yield* locate(key)
          return yield* fs.stream(file, { offset: from, bytesToRead: length }).pipe(
            Stream.mapError(fileFailure),
            Stream.runCollect,
            Effect.map((pieces) => Buffer.concat(pieces))
          )
        }),
        localPath: Effect.fn("Blobs.localPath")(function*(key) {
          const file = yield* locate(key)
          if (!(yield* fs.exists(file).pipe(Effect.mapError(fileFailure)))) {
            return yield* new BlobError({ message: `No blob ${key}`, missing: true })
          }
          return file
        }),
        dropCopy: () => Effect.succeed(false),
        list: Effect.fn("Blobs.list")(function*(prefix) {
          const folder = yield* locate(prefix)
          const names = yield* fs.readDirectory(folder, { recursive: true }).pipe(
            Effect.catch((error) =>
              error.reason._tag === "NotFound" ? Effect.succeed([]) : Effect.fail(fileFailure(error))
            )
          )
          const blobs: Array<StoredBlob> = []
          for (const name of names) {
            const key = `${prefix}/${name.replaceAll(path.sep, "/")}`
            const found = keyForm.test(key) ? yield* statOf(path.join(folder, name)) : undefined
            if (found !== undefined) blobs.push({ key, ...found })
          }
          return blobs
        }),
        roomForMore: Effect.void,
        removeAll: Effect.fn("Blobs.removeAll")(function*(prefix) {
          const folder = yield* locate(prefix)
          yield* fs.remove(folder, { recursive: true, force: true }).pipe(Effect.mapError(fileFailure))
          // Who was told that it is erased is told so for good. Where even the folder above is gone, there is nothing to sync.
          yield* syncPath(path.dirname(folder)).pipe(
            Effect.catchTag(
              "PlatformError",
              (error) => error.reason._tag === "NotFound" ? Effect.void : Effect.fail(fileFailure(error))
            )
          )
        })
      })
    })
  )
