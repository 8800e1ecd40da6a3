import { Context, Effect, Layer, Semaphore } from "effect"
import { cut } from "../text/PlainText.ts"
import { type ModelLock, readLock } from "./ModelLock.ts"
import type { ModelFile, ModelStack, StackModel } from "./ModelStack.ts"
import { modelStoreConfig, type ModelStoreOptions } from "./ModelStoreConfig.ts"
import {
  ModelHashMismatch,
  ModelMissing,
  ModelUnlocked,
  ModelUnreadable,
  type ResolveError,
  StackFileInvalid,
  StackUnknown
} from "./ModelStoreError.ts"
import type { ResolvedModel, ResolvedStack } from "./ResolvedStack.ts"
import { modelsOf, nameOf, neededFiles, optionalRoles, readStacks } from "./StackFiles.ts"
import { checkFile, inspectFile, ownHash, type StoredFile } from "./StoredFile.ts"

/** A stack and how each of its files stands on this machine. */
export interface StackState {
  readonly stack: ModelStack
  /** Whether every file is here that jobs cannot do without. */
  readonly ready: boolean
  /** Those files, and with them what was asked for of optional models. */
  readonly files: ReadonlyArray<StoredFile>
}

/** A file and what pins it: the hub's commit or the package's version, null for a file of this repository. */
export interface FilePin {
  readonly name: string
  readonly revision: string | null
  readonly sha256: string
}

/**
 * The model stacks of this deployment and their files. Names and lengths are read anew each time, so what
 * `npm run models` changes is seen without a restart; bytes are hashed once, before they are first used.
 */
export class ModelStore extends Context.Service<ModelStore, {
  readonly options: ModelStoreOptions
  /** Lowest rank first. */
  readonly stacks: ReadonlyArray<ModelStack>
  readonly find: (id: string) => Effect.Effect<ModelStack, StackUnknown>
  /** Looks at names and lengths, hashes nothing. */
  readonly inspect: (stack: ModelStack) => Effect.Effect<StackState, StackFileInvalid>
  /** The same, also of the files of these optional models. */
  readonly inspectWith: (
    stack: ModelStack,
    optional: ReadonlyArray<string>
  ) => Effect.Effect<StackState, StackFileInvalid>
  /**
   * The stack to run a new job on: the one asked for, or for `auto` the highest ranked whose files are all here; nothing
   * asked is the deployment's default. Fails with what to run where files are not here or not locked.
   */
  readonly choose: (
    asked: string | undefined
  ) => Effect.Effect<ModelStack, StackUnknown | ModelMissing | ModelUnlocked | StackFileInvalid>
  /** The stack with every file checked to be the locked one; without the optional models whose files are not here. */
  readonly resolve: (id: string) => Effect.Effect<ResolvedStack, ResolveError>
  /** The files of one model of a stack, as every worker has checked them before it loads them; none for a model of no stack. */
  readonly pins: (id: string, role: string, name: string) => Effect.Effect<ReadonlyArray<FilePin>, ResolveError>
  /** The path of one file, checked to be the locked one; hashed only where it has changed since the last time. */
  readonly check: (file: StoredFile, stack: string) => Effect.Effect<string, ResolveError>
  /** The same, hashed in any case. */
  readonly verify: (file: StoredFile, stack: string) => Effect.Effect<string, ResolveError>
}>()("footnote/model-stacks/ModelStore") {
  static readonly layerOptions = (options: ModelStoreOptions) => Layer.effect(ModelStore, make(options))

  /** From `FOOTNOTE_MODEL_*`; a stack file that cannot be read keeps the process from starting. */
  static readonly layer = Layer.effect(ModelStore, Effect.flatMap(modelStoreConfig, (options) => make(options)))
}

const checkFailure = (error: unknown): ResolveError =>
  error instanceof ModelHashMismatch || error instanceof ModelMissing || error instanceof ModelUnreadable
    ? error
    : new ModelUnreadable({ message: String(error) })

const counted = (files: ReadonlyArray<unknown>, all: ReadonlyArray<unknown>) => `${files.length} of ${all.length} files`

/** Why a stack cannot be used, and what to run. */
export const notReady = ({ files, stack: { id } }: StackState): ModelMissing | ModelUnlocked => {
  const unlocked = files.filter(({ state }) => state === "unlocked")
  if (unlocked.length > 0) {
    return new ModelUnlocked({
      message: `The model stack ${id} is not pinned on this deployment (${
        counted(unlocked, files)
      } have no hash). Its operator runs npm run models -- lock ${id}, then npm run models -- fetch ${id}.`
    })
  }
  const absent = files.filter(({ state }) => state !== "ready")
  const own = absent.find(({ file }) => !("hub" in file))
  return new ModelMissing({
    message: own === undefined
      ? `The model stack ${id} is not fetched on this deployment (${
        counted(absent, files)
      } missing). Its operator runs npm run models -- fetch ${id}.`
      : `The model stack ${id} lacks ${own.name}, which comes with this service: ${
        "npm" in own.file ? "run npm ci." : "restore it from the repository."
      }`
  })
}

const make = Effect.fnUntraced(function*(options: ModelStoreOptions) {
  const stacks = yield* readStacks(options.stacks)
  const one = yield* Semaphore.make(1)
  const { default_stack } = options
  const names = ["auto", ...stacks.map(({ id }) => id)]
  if (!names.includes(default_stack)) {
    return yield* new StackFileInvalid({
      message: `FOOTNOTE_MODEL_STACK is ${default_stack}, and the stacks are ${names.join(", ")}`
    })
  }

  const find = (id: string) => {
    const stack = stacks.find((stack) => stack.id === id)
    return stack === undefined
      ? Effect.fail(
        new StackUnknown({
          message: `No model stack ${cut(id, 100)} on this deployment; it has ${names.join(", ")}.`
        })
      )
      : Effect.succeed(stack)
  }

  const inspectBy = Effect.fnUntraced(
    function*(stack: ModelStack, lock: ModelLock, optional: ReadonlyArray<string> = []) {
      const files = yield* Effect.promise(() =>
        Promise.all(neededFiles(stack, optional).map((file) => inspectFile(options.store, lock, file)))
      )
      const needed = new Set(neededFiles(stack).map(nameOf))
      return { stack, files, ready: files.every(({ name, state }) => state === "ready" || !needed.has(name)) }
    }
  )
  const inspectWith = (stack: ModelStack, optional: ReadonlyArray<string>) =>
    Effect.flatMap(readLock(options.lock), (lock) => inspectBy(stack, lock, optional))
  const inspect = (stack: ModelStack) => inspectWith(stack, [])

  const check = (file: StoredFile, stack: string, again: boolean) =>
    // One at a time: tasks that start together must not read the same gigabyte side by side.
    one.withPermit(Effect.tryPromise({ try: () => checkFile(file, stack, again), catch: checkFailure }))

  const pin = Effect.fnUntraced(function*(file: ModelFile, lock: ModelLock) {
    const { locked, name, path } = yield* Effect.promise(() => inspectFile(options.store, lock, file))
    if (locked !== null) return { name, revision: locked.revision, sha256: locked.sha256 }
    const sha256 = yield* Effect.tryPromise({ try: () => ownHash(path!), catch: checkFailure })
    return { name, revision: null, sha256 }
  })

  return ModelStore.of({
    options,
    stacks,
    find,
    inspect,
    inspectWith,
    pins: Effect.fn("ModelStore.pins")(function*(id, role, name) {
      // A driver may put the hash of what it opened behind the name.
      const named = modelsOf(yield* find(id)).filter(([, model]) =>
        name === model.name || name.startsWith(`${model.name}@`)
      )
      const [, model] = named.find(([other]) => other === role) ?? named[0] ?? []
      const lock = yield* readLock(options.lock)
      const files = [...new Map(Object.values(model?.files ?? {}).map((file) => [nameOf(file), file])).values()]
      return (yield* Effect.forEach(files, (file) => pin(file, lock))).toSorted((a, b) => a.name < b.name ? -1 : 1)
    }),
    check: (file, stack) => check(file, stack, false),
    verify: (file, stack) => check(file, stack, true),
    choose: Effect.fn("ModelStore.choose")(function*(asked = default_stack) {
      if (asked !== "auto") {
        const state = yield* inspect(yield* find(asked))
        return state.ready ? state.stack : yield* notReady(state)
      }
      const lock = yield* readLock(options.lock)
      let lowest: StackState | undefined
      for (const stack of stacks.toReversed()) {
        lowest = yield* inspectBy(stack, lock)
        if (lowest.ready) return stack
      }
      return yield* lowest === undefined
        ? new StackUnknown({ message: "This deployment has no model stack." })
        : notReady(lowest)
    }),
    resolve: Effect.fn("ModelStore.resolve")(function*(id) {
      const stack = yield* find(id)
      const needed = yield* inspect(stack)
      if (needed.files.some(({ state }) => state === "unlocked")) return yield* notReady(needed)
      const here: Array<string> = []
      for (const role of optionalRoles(stack)) {
        const own = new Set(Object.values(stack.roles[role]!.files).map(nameOf))
        const { files } = yield* inspectWith(stack, [role])
        if (files.every(({ name, state }) => !own.has(name) || state === "ready")) here.push(role)
      }
      const state = yield* inspectWith(stack, here)
      const paths = new Map<string, string>()
      const hashes = new Map<string, string>()
      for (const file of state.files) {
        paths.set(file.name, yield* check(file, id, false))
        if (file.locked !== null) hashes.set(file.name, file.locked.sha256)
      }
      const resolved = ({ driver, files, name, options }: StackModel): ResolvedModel => {
        const keys = Object.entries(files).map(([key, file]) => [key, nameOf(file)] as const)
        return {
          driver,
          name,
          files: Object.fromEntries(keys.map(([key, name]) => [key, paths.get(name)!])),
          sha256: Object.fromEntries(
            keys.flatMap(([key, name]) => (hashes.has(name) ? [[key, hashes.get(name)!]] : []))
          ),
          options
        }
      }
      const roles = Object.fromEntries(
        modelsOf(stack).filter(([role, { optional }]) => optional !== true || here.includes(role))
          .map(([role, model]) => [role, resolved(model)])
      )
      return { id, roles: roles as unknown as ResolvedStack["roles"] }
    })
  })
})
