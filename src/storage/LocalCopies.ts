import { Clock, Effect, FileSystem, Option, Path, Schedule } from "effect"
import { createHash, randomBytes } from "node:crypto"

/** Longer than any stage may take: whoever was given a path has opened it by then. */
const UNUSED_MS = 48 * 3600 * 1000

/** No key has an @ in it: one flat folder, in which nothing is left to be emptied. */
const flat = (key: string) => `${key.replaceAll("/", "@")}@`

/**
 * Files with the bytes of blobs that lie elsewhere, by key and version, in one folder of this machine. A copy that nobody
 * asked for in two days is dropped, as is one that a killed process left unfinished. The folder is swept on opening and
 * every hour of the scope.
 */
export const openLocalCopies = Effect.fnUntraced(function*(folder: string) {
  const fs = yield* FileSystem.FileSystem
  const path = yield* Path.Path
  const root = path.resolve(folder)
  yield* fs.makeDirectory(root, { recursive: true })

  const fileOf = (key: string, version: string) =>
    path.join(root, `${flat(key)}@${createHash("sha256").update(version).digest("hex").slice(0, 32)}`)

  const sweep = Effect.gen(function*() {
    const oldest = (yield* Clock.currentTimeMillis) - UNUSED_MS
    for (const name of yield* fs.readDirectory(root)) {
      const file = path.join(root, name)
      // Another process of this machine may be faster.
      const { mtime } = yield* Effect.orElseSucceed(fs.stat(file), () => ({ mtime: Option.none<Date>() }))
      if (Option.isSome(mtime) && mtime.value.getTime() < oldest) yield* fs.remove(file, { force: true })
    }
  }).pipe(Effect.ignore)
  yield* Effect.forkScoped(Effect.repeat(sweep, Schedule.spaced("1 hour")))

  return {
    /** A new name to write to; whoever writes removes it, or makes it a copy by `keep`. */
    partial: Effect.sync(() => path.join(root, `.part-${randomBytes(8).toString("hex")}`)),
    /** The copy of this version, if there is one. */
    find: Effect.fnUntraced(function*(key: string, version: string) {
      const file = fileOf(key, version)
      if (!(yield* fs.exists(file))) return Option.none<string>()
      const seconds = (yield* Clock.currentTimeMillis) / 1000
      yield* fs.utimes(file, seconds, seconds)
      return Option.some(file)
    }),
    /** Moves a complete file in, and returns its path from then on. */
    keep: Effect.fnUntraced(function*(key: string, version: string, file: string) {
      const copy = fileOf(key, version)
      yield* fs.rename(file, copy)
      return copy
    }),
    /** Drops every copy of a key and of what lies below it. */
    drop: Effect.fnUntraced(function*(key: string) {
      for (const name of yield* fs.readDirectory(root)) {
        if (name.startsWith(flat(key))) yield* fs.remove(path.join(root, name), { force: true })
      }
    })
  }
})
