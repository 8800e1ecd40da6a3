import { Effect, Schema } from "effect"
import { randomBytes } from "node:crypto"
import { readFile, rename, rm, writeFile } from "node:fs/promises"
import { type ModelFile } from "./ModelStack.ts"
import { ModelStoreUnwritable, StackFileInvalid } from "./ModelStoreError.ts"

const LockedFile = Schema.Struct({
  sha256: Schema.String.check(Schema.isPattern(/^[0-9a-f]{64}$/u)),
  size_bytes: Schema.Int.check(Schema.isGreaterThanOrEqualTo(0))
})
export type LockedFile = typeof LockedFile.Type

const LockedOrigin = Schema.Struct({
  /** The hub's commit, or the version of the package. */
  revision: Schema.String.check(Schema.isPattern(/^[A-Za-z0-9][A-Za-z0-9._+-]*$/u)),
  files: Schema.Record(Schema.String, LockedFile)
})
export type LockedOrigin = typeof LockedOrigin.Type

/** What was pinned: by origin (`hub:owner/name`, `npm:package`), the revision and each file's SHA-256 and length. */
export const ModelLock = Schema.Record(Schema.String, LockedOrigin)
export type ModelLock = typeof ModelLock.Type

const decode = Schema.decodeUnknownEffect(Schema.fromJsonString(ModelLock))

/** The lock file, empty where there is none yet. Fails where it is not one. */
export const readLock = Effect.fn("readLock")(function*(path: string) {
  const text = yield* Effect.tryPromise({
    try: () =>
      readFile(path, "utf8").catch((error) => {
        if ((error as NodeJS.ErrnoException).code === "ENOENT") return "{}"
        throw error
      }),
    catch: (error) => new StackFileInvalid({ message: `${path} cannot be read: ${String(error)}` })
  })
  return yield* decode(text).pipe(
    Effect.mapError((error) => new StackFileInvalid({ message: `${path} is not a lock file: ${error.message}` }))
  )
})

const sorted = <A>(record: Readonly<Record<string, A>>): Record<string, A> =>
  Object.fromEntries(Object.entries(record).toSorted(([a], [b]) => (a < b ? -1 : 1)))

/** Replaces the lock file as a whole, in an order of its own, so that the same pins are the same bytes. */
export const writeLock = (path: string, lock: ModelLock): Effect.Effect<void, ModelStoreUnwritable> =>
  Effect.tryPromise({
    try: async () => {
      const ordered = Object.entries(sorted(lock)).map(([origin, { files, revision }]) =>
        [origin, { revision, files: sorted(files) }] as const
      )
      const partial = `${path}.${randomBytes(6).toString("hex")}`
      try {
        await writeFile(partial, `${JSON.stringify(Object.fromEntries(ordered), null, 2)}\n`)
        await rename(partial, path)
      } finally {
        await rm(partial, { force: true })
      }
    },
    catch: (error) => new ModelStoreUnwritable({ message: `${path} cannot be written: ${String(error)}` })
  })

/** The key of a file's origin in the lock; null for a file of this repository, which the commit itself pins. */
export const originOf = (file: ModelFile): string | null =>
  "hub" in file ? `hub:${file.hub}` : "npm" in file ? `npm:${file.npm}` : null

export interface PinnedFile extends LockedFile {
  readonly revision: string
}

/** What a file is pinned to; null where it is not, and for a file of this repository. */
export const pinOf = (lock: ModelLock, file: ModelFile): PinnedFile | null => {
  const origin = originOf(file)
  if (origin === null || "repository" in file || !Object.hasOwn(lock, origin)) return null
  const { files, revision } = lock[origin]!
  return Object.hasOwn(files, file.path) ? { ...files[file.path]!, revision } : null
}
