import { Effect, type Scope } from "effect"
import { downloadFile } from "./Download.ts"
import { makeModelHub, type ModelHub } from "./ModelHub.ts"
import { type LockedFile } from "./ModelLock.ts"
import { ModelStore, notReady } from "./ModelStore.ts"
import { type DownloadError, type ModelHashMismatch, ModelsOffline, type ModelStoreError } from "./ModelStoreError.ts"
import { hubPath, remember, type StoredFile } from "./StoredFile.ts"

/** How far a file is; `total` is null where the hub does not tell. */
export interface FetchProgress {
  readonly name: string
  readonly received: number
  readonly total: number | null
}

/** A file of the hub, at one revision, and where it is to lie. */
interface HubFile {
  readonly hub: string
  readonly revision: string
  readonly path: string
  readonly name: string
  readonly expected: LockedFile | null
}

/** Brings files of a hub into the store. */
export interface Fetcher {
  readonly hub: ModelHub
  readonly fetch: (file: HubFile) => Effect.Effect<LockedFile, DownloadError | ModelHashMismatch>
}

/** Fails with `ModelsOffline` before a connection is opened, where none may be. */
export const makeFetcher = Effect.fn("makeFetcher")(
  function*(progress: (state: FetchProgress) => void): Effect.fn.Return<
    Fetcher,
    ModelsOffline,
    ModelStore | Scope.Scope
  > {
    const { options } = yield* ModelStore
    if (options.offline) {
      return yield* new ModelsOffline({
        message: "Nothing is fetched while FOOTNOTE_MODELS_OFFLINE is set. Unset it, or bring the files in by hand."
      })
    }
    const hub = yield* makeModelHub(options.hub)
    return {
      hub,
      fetch: Effect.fn("fetchFile")(function*(file: HubFile) {
        const target = hubPath(options.store, file.hub, file.revision, file.path)
        const done = yield* downloadFile(hub, {
          url: hub.fileUrl(file.hub, file.revision, file.path),
          target,
          expected: file.expected,
          name: file.name,
          attempts: options.hub.attempts,
          retry_ms: options.hub.retry_ms,
          progress: (received, total) => progress({ name: file.name, received, total })
        })
        // Only a note that spares a second hashing.
        yield* Effect.ignore(Effect.tryPromise(() => remember(target, done.sha256)))
        return done
      })
    }
  }
)

/**
 * Brings every file of a stack, and those of the optional models that are named, onto this machine, whole and with its locked hash. What is here and right is left alone,
 * what is here and wrong is put aside and fetched anew. Fails before the first connection where a file is not locked.
 */
export const fetchStack = Effect.fn("fetchStack")(
  function*(
    id: string,
    progress: (state: FetchProgress) => void,
    optional: ReadonlyArray<string> = []
  ): Effect.fn.Return<
    ReadonlyArray<StoredFile>,
    ModelStoreError,
    ModelStore
  > {
    const store = yield* ModelStore
    const stack = yield* store.find(id)
    const state = yield* store.inspectWith(stack, optional)
    if (state.files.some((file) => file.state === "unlocked")) return yield* notReady(state)
    const fetched: Array<StoredFile> = []
    yield* Effect.scoped(Effect.gen(function*() {
      let fetcher: Fetcher | undefined
      for (const stored of state.files) {
        const here = yield* store.check(stored, id).pipe(
          Effect.as(true),
          Effect.catchTags({
            ModelMissing: (error) => "hub" in stored.file ? Effect.succeed(false) : Effect.fail(error),
            ModelHashMismatch: (error) => "hub" in stored.file ? Effect.succeed(false) : Effect.fail(error)
          })
        )
        const { file, locked, name } = stored
        if (here || !("hub" in file) || locked === null) continue
        fetcher ??= yield* makeFetcher(progress)
        yield* fetcher.fetch({ ...file, revision: locked.revision, name, expected: locked })
        fetched.push(stored)
      }
    }))
    return fetched
  }
)
