import { Clock, Effect, FileSystem, Option, Path, Schedule, Semaphore } from "effect"
import { createHash, randomBytes } from "node:crypto"
import { statfs } from "node:fs/promises"
import { copyUsers } from "./CopyUsers.ts"

/** Longer than any stage may take: whoever was given a path has opened it by then. */
const UNUSED_MS = 48 * 3600 * 1000

/** The folder is looked through once so much of its limit has been written since: at most so much, for each process, lies beyond it. */
const LOOK_SHARE = 1 / 16

/** No key has an @ in it: one flat folder, in which nothing is left to be emptied. */
const flat = (key: string) => `${key.replaceAll("/", "@")}@`

const halfOfDisk = async (folder: string): Promise<number> => {
  const { blocks, bsize } = await statfs(folder)
  return blocks * bsize / 2
}

/**
 * Files with the bytes of blobs that lie elsewhere, by key and version, in one folder of this machine. A copy that nobody
 * asked for in two days is dropped, as is one that a killed process left unfinished; beyond `most_bytes` (half of the file system
 * where undefined, no limit where 0) those go first that were asked for the longest ago and that nobody works on. The folder is swept
 * on opening and every hour of the scope.
 */
export const openLocalCopies = Effect.fnUntraced(function*(folder: string, most_bytes?: number) {
  const fs = yield* FileSystem.FileSystem
  const path = yield* Path.Path
  const root = path.resolve(folder)
  yield* fs.makeDirectory(root, { recursive: true })
  // A file system that tells nothing of itself limits nothing.
  const half = Effect.tryPromise(() => halfOfDisk(root)).pipe(Effect.orElseSucceed(() => Infinity))
  const most = most_bytes === undefined ? yield* half : most_bytes === 0 ? Infinity : most_bytes
  const users = copyUsers()
  // A copy is not dropped between the look that finds it and the mark of its user.
  const turns = yield* Semaphore.make(1)

  const fileOf = (key: string, version: string) =>
    path.join(root, `${flat(key)}@${createHash("sha256").update(version).digest("hex").slice(0, 32)}`)

  /** What lies here. Another process of this machine may remove something meanwhile. */
  const files = Effect.gen(function*() {
    const found: Array<{ readonly file: string; readonly bytes: number; readonly at: number }> = []
    for (const name of yield* fs.readDirectory(root)) {
      const file = path.join(root, name)
      const info = yield* Effect.option(fs.stat(file))
      if (Option.isNone(info) || info.value.type !== "File") continue
      const { mtime, size } = info.value
      if (Option.isSome(mtime)) found.push({ file, bytes: Number(size), at: mtime.value.getTime() })
    }
    return found
  })

  const touch = Effect.fnUntraced(function*(file: string) {
    const now = yield* Clock.currentTimeMillis
    yield* fs.utimes(file, now / 1000, now / 1000)
    return now
  })

  let written = 0
  /** Drops what is beyond the limit; what nobody may drop stays, and is looked at again when more has come. */
  const trim = Effect.gen(function*() {
    written = 0
    const now = yield* Clock.currentTimeMillis
    const here = yield* files
    let total = here.reduce((sum, { bytes }) => sum + bytes, 0)
    for (const { at, bytes, file } of here.toSorted((one, other) => one.at - other.at)) {
      if (total <= most) return
      // An unfinished one is somebody's who writes to it, and what has another name is no copy.
      if (!path.basename(file).includes("@")) continue
      const drop = Effect.suspend(() =>
        users.mayGo(file, at, now) ? Effect.as(fs.remove(file, { force: true }), bytes) : Effect.succeed(0)
      )
      total -= yield* turns.withPermit(drop)
    }
  }).pipe(Effect.ignore)

  const trimWhenDue = Effect.suspend(() => written < most * LOOK_SHARE ? Effect.void : trim)

  const sweep = Effect.gen(function*() {
    const oldest = (yield* Clock.currentTimeMillis) - UNUSED_MS
    const here = yield* files
    users.forgetBut(new Set(here.map(({ file }) => file)))
    for (const { at, file } of here) {
      if (at < oldest) yield* fs.remove(file, { force: true })
    }
  }).pipe(Effect.ignore)
  yield* Effect.forkScoped(Effect.repeat(Effect.andThen(sweep, trim), Schedule.spaced("1 hour")))

  /** Other processes of this machine see by its time that a copy is worked on. */
  const tell = Effect.suspend(() =>
    Effect.forEach(users.files(), (file) =>
      Effect.ignore(Effect.gen(function*() {
        const { mtime } = yield* fs.stat(file)
        users.touched(file, Option.getOrUndefined(mtime)?.getTime(), yield* touch(file))
      })), { discard: true })
  )
  yield* Effect.forkScoped(Effect.schedule(tell, Schedule.spaced("4 minutes")))

  return {
    /** A new name to write to; whoever writes removes it, or makes it a copy by `keep` or `give`. */
    partial: Effect.sync(() => path.join(root, `.part-${randomBytes(8).toString("hex")}`)),
    /** To be told of bytes that are about to be written here, so that there is room for more. */
    writes: (bytes: number) => Effect.andThen(trimWhenDue, Effect.sync(() => void (written += bytes))),
    /** The copy of this version, if there is one: the asking fiber's until it ends. */
    find: (key: string, version: string) =>
      turns.withPermit(Effect.gen(function*() {
        const file = fileOf(key, version)
        const before = yield* Effect.option(fs.stat(file))
        if (Option.isNone(before)) return Option.none<string>()
        const now = yield* Effect.option(touch(file))
        // Another process has dropped it in between.
        if (Option.isNone(now)) return Option.none<string>()
        users.touched(file, Option.getOrUndefined(before.value.mtime)?.getTime(), now.value)
        yield* users.hold(file)
        return Option.some(file)
      })),
    /** Moves a complete file in. */
    keep: Effect.fnUntraced(function*(key: string, version: string, file: string) {
      const copy = fileOf(key, version)
      users.touched(copy, undefined, yield* touch(file))
      yield* fs.rename(file, copy)
      yield* trimWhenDue
    }),
    /** The same for who asks for it: it is the asking fiber's until that ends. */
    give: (key: string, version: string, file: string) =>
      turns.withPermit(Effect.gen(function*() {
        const copy = fileOf(key, version)
        users.touched(copy, undefined, yield* touch(file))
        yield* fs.rename(file, copy)
        yield* users.hold(copy)
        return copy
      })).pipe(Effect.tap(trimWhenDue)),
    /** Drops every copy of a key and of what lies below it. */
    drop: Effect.fnUntraced(function*(key: string) {
      for (const name of yield* fs.readDirectory(root)) {
        if (name.startsWith(flat(key))) yield* fs.remove(path.join(root, name), { force: true })
      }
    })
  }
})
