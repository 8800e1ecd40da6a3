import { Effect, FileSystem, Path, type PlatformError } from "effect"

type Files<A> = Effect.Effect<A, PlatformError.PlatformError, FileSystem.FileSystem>

/**
 * Returns once a file's bytes, or the names in a folder, are on stable storage, so that they outlive the machine's power. Fails
 * where the disk does; what was written is then in doubt and has to be written again, because a second sync may succeed over
 * pages that the kernel has given up.
 */
export const sync = (file: string): Files<void> =>
  Effect.scoped(
    Effect.flatMap(FileSystem.FileSystem, (fs) => Effect.flatMap(fs.open(file, { flag: "r" }), (open) => open.sync))
  )

/** As many folders are remembered to be on stable storage; whatever is forgotten is synced once more. */
const most = 10_000

/**
 * Makes folders below `root` that outlive the machine's power, `root` and what it lacks above itself included: the names of
 * each are on stable storage before the effect returns. A folder that another process has just made is synced here as
 * well, because that process may not have come to it.
 */
export const durableFolders = Effect.fnUntraced(function*(root: string) {
  const fs = yield* FileSystem.FileSystem
  const path = yield* Path.Path
  /** Folders whose own name is on stable storage. */
  const stable = new Set<string>()
  const syncNames = (folder: string) => Effect.provideService(sync(folder), FileSystem.FileSystem, fs)

  /** Makes what is missing, and answers the folders whose names have to be synced, with those above them. */
  const unstable: (folder: string) => Effect.Effect<ReadonlyArray<string>, PlatformError.PlatformError> = Effect
    .fnUntraced(
      function*(folder) {
        const parent = path.dirname(folder)
        const made = yield* fs.makeDirectory(folder).pipe(
          Effect.as("made" as const),
          Effect.catchTag("PlatformError", (error) =>
            error.reason._tag === "AlreadyExists"
              ? Effect.succeed("there" as const)
              : error.reason._tag === "NotFound" && parent !== folder
              ? Effect.succeed("homeless" as const)
              : Effect.fail(error))
        )
        if (made === "homeless") return [...(yield* unstable(parent)), ...(yield* unstable(folder))]
        if (made === "made") return [...(yield* unstable(parent)), folder]
        // What stands above the root was there before us.
        if (stable.has(folder) || !`${folder}/`.startsWith(`${root}/`)) return []
        return folder === root ? [folder] : [...(yield* unstable(parent)), folder]
      }
    )

  const syncName = (folder: string) =>
    syncNames(path.dirname(folder)).pipe(
      // A folder above the root may be one that we may enter and not read.
      Effect.catchTag(
        "PlatformError",
        (error) => folder === root && error.reason._tag === "PermissionDenied" ? Effect.void : Effect.fail(error)
      )
    )

  const make = Effect.fnUntraced(function*(folder: string) {
    const folders = new Set(yield* unstable(folder))
    // At once: a file system with a journal writes it once for all of them.
    yield* Effect.forEach(folders, syncName, { concurrency: "unbounded", discard: true })
    if (stable.size >= most) stable.clear()
    for (const one of folders) stable.add(one)
  })
  return { make }
})
