import { Effect, Schema, type Scope } from "effect"
import { readFile, stat } from "node:fs/promises"
import { hashFile } from "./Download.ts"
import { type Fetcher, type FetchProgress, makeFetcher } from "./FetchModels.ts"
import { type LockedFile, type LockedOrigin, originOf, readLock, writeLock } from "./ModelLock.ts"
import type { ModelFile, ModelStack } from "./ModelStack.ts"
import { ModelStore } from "./ModelStore.ts"
import { ModelHashMismatch, ModelMissing, type ModelStoreError } from "./ModelStoreError.ts"
import { filesOf, nameOf } from "./StackFiles.ts"
import { hubPath, packagePath, remembered } from "./StoredFile.ts"

/** A pin that was set or moved. */
interface NewPin {
  readonly name: string
  readonly revision: string
  readonly locked: LockedFile
}

/** What locking came to. */
interface Locking {
  readonly pins: ReadonlyArray<NewPin>
  /** Files that were pinned before and have the very bytes of their pins. */
  readonly same: number
}

interface LockRequest {
  readonly stacks: ReadonlyArray<ModelStack>
  /** True: ask the hub for its newest revision, and take what the packages now hold, also where something is locked. */
  readonly update: boolean
  readonly progress: (state: FetchProgress) => void
}

type OutsideFile = Exclude<ModelFile, { readonly repository: string }>

const outside = (stacks: ReadonlyArray<ModelStack>): ReadonlyArray<OutsideFile> =>
  stacks.flatMap(filesOf).filter((file): file is OutsideFile => !("repository" in file))

const decodePackage = Schema.decodeUnknownSync(Schema.fromJsonString(Schema.Struct({ version: Schema.String })))

const installedVersion = (npm: string) =>
  Effect.tryPromise({
    try: async () => decodePackage(await readFile(packagePath(npm, "package.json"), "utf8")).version,
    catch: () => new ModelMissing({ message: `The package ${npm} is not installed. Run npm ci.` })
  })

const hashOfInstalled = ({ npm, path }: Extract<OutsideFile, { readonly npm: string }>) =>
  Effect.tryPromise({
    try: async (): Promise<LockedFile> => {
      const file = packagePath(npm, path)
      return { sha256: await hashFile(file), size_bytes: (await stat(file)).size }
    },
    catch: () => new ModelMissing({ message: `The package ${npm} has no file ${path}. Run npm ci.` })
  })

/**
 * Compares what stacks take from outside of this repository with its pins, and pins what has none. A file that is pinned has to
 * come from the hub, or lie here, with that very hash and length, else this fails and changes nothing. For an origin without
 * pins the hub is asked for the commit of `main`; each file is fetched at it, and commit, hashes and lengths are written into
 * the lock file, origin by origin. Only `update` moves a pin. A new pin is only ever what was received; where the hub names a
 * hash of its own, the two must agree.
 */
export const lockStacks = Effect.fn("lockStacks")(
  function*(request: LockRequest): Effect.fn.Return<Locking, ModelStoreError, ModelStore> {
    const store = yield* ModelStore
    const chosen = Map.groupBy(outside(request.stacks), (file) => originOf(file)!)
    const pins: Array<NewPin> = []
    let same = 0
    yield* Effect.scoped(Effect.gen(function*() {
      let made: Fetcher | undefined
      const fetcher = Effect.suspend(() =>
        made === undefined
          ? Effect.tap(makeFetcher(request.progress), (fetcher) => Effect.sync(() => void (made = fetcher)))
          : Effect.succeed(made)
      )
      for (const [origin, asked] of chosen) {
        const before = (yield* readLock(store.options.lock))[origin]
        const pinned = yield* pinOrigin(origin, asked, before, request.update, fetcher)
        // Read again: another process may have pinned another origin meanwhile.
        const lock = yield* readLock(store.options.lock)
        if (pinned.pins.length > 0) yield* writeLock(store.options.lock, { ...lock, [origin]: pinned.origin })
        pins.push(...pinned.pins)
        same += pinned.same
      }
    }))
    return { pins, same }
  }
)

const pinOrigin = Effect.fnUntraced(function*(
  origin: string,
  asked: ReadonlyArray<OutsideFile>,
  before: LockedOrigin | undefined,
  update: boolean,
  fetcher: Effect.Effect<Fetcher, ModelStoreError, ModelStore | Scope.Scope>
) {
  const store = yield* ModelStore
  const [first] = asked
  const revision = "npm" in first!
    ? yield* installedVersion(first.npm)
    : before !== undefined && !update
    ? before.revision
    : yield* Effect.flatMap(fetcher, ({ hub }) => hub.head((first as { readonly hub: string }).hub))
  const same = before?.revision === revision
  // Where the revision moves, what was locked for other stacks moves with it.
  const moved = before === undefined || same
    ? []
    : outside(store.stacks).filter((file) => originOf(file) === origin && Object.hasOwn(before.files, file.path))
  const files = new Map([...asked, ...moved].map((file) => [file.path, file])).values()
  const kept = same && !update ? before.files : {}
  const locked: Record<string, LockedFile> = { ...(same ? before.files : {}) }
  const pins: Array<NewPin> = []
  let unchanged = 0
  for (const file of files) {
    const name = nameOf(file)
    const known = Object.hasOwn(kept, file.path) ? kept[file.path]! : undefined
    const here = "npm" in file
      ? yield* hashOfInstalled(file)
      : yield* Effect.promise(() => remembered(hubPath(store.options.store, file.hub, revision, file.path)))
    const found = here !== undefined && ("npm" in file || known === undefined || known.sha256 === here.sha256)
      ? here
      : yield* Effect.flatMap(
        fetcher,
        ({ fetch }) =>
          fetch({ ...file as Extract<OutsideFile, { readonly hub: string }>, revision, name, expected: known ?? null })
      )
    if (known !== undefined && known.sha256 !== found.sha256) {
      return yield* new ModelHashMismatch({
        message: `${name} is not what was locked for version ${revision} of its package. Run npm ci.`
      })
    }
    const earlier = before?.files[file.path]
    if (!same || earlier?.sha256 !== found.sha256) pins.push({ name, revision, locked: found })
    else unchanged++
    locked[file.path] = found
  }
  return { origin: { revision, files: locked } satisfies LockedOrigin, pins, same: unchanged }
})
