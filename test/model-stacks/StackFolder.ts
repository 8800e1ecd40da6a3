import { Effect } from "effect"
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import type { ModelStack, StackModel } from "../../src/model-stacks/ModelStack.ts"
import { ModelStore } from "../../src/model-stacks/ModelStore.ts"
import type { ModelStoreOptions } from "../../src/model-stacks/ModelStoreConfig.ts"
import { sha256 } from "./FakeHub.ts"

export const repository = "footnote/tiny"

const model = (files: Readonly<Record<string, StackModel["files"][string]>> = {}): StackModel => ({
  driver: "ctc",
  name: "tiny",
  licence: "Apache-2.0",
  files,
  options: { languages: ["en"] }
})

/** A stack whose recogniser has these files of the hub and whose other roles have none. */
export const hubStack = (id: string, rank: number, paths: ReadonlyArray<string>, hub = repository): ModelStack => ({
  id,
  description: `The stack ${id}`,
  rank,
  roles: {
    vad: model(),
    asr: model(Object.fromEntries(paths.map((path) => [path.replaceAll(/\W/gu, "_"), { hub, path }]))),
    speaker: model(),
    ocr: model(),
    describe: model()
  }
})

export interface StackFolder {
  readonly root: string
  readonly store: string
  readonly lock: string
  readonly stacks: string
  readonly write: (...stacks: ReadonlyArray<ModelStack>) => void
  /** Pins files of a repository, as `lock` would. */
  readonly pin: (revision: string, files: Readonly<Record<string, Uint8Array>>, hub?: string) => void
  /** Where a file of the hub is to lie. */
  readonly path: (revision: string, path: string, hub?: string) => string
  /** Puts a file there, as if it had been fetched. */
  readonly place: (revision: string, files: Readonly<Record<string, Uint8Array>>, hub?: string) => void
  readonly options: (base_url?: string, more?: Partial<ModelStoreOptions>) => ModelStoreOptions
  /** Every file of the store, by its path there. */
  readonly stored: () => ReadonlyArray<string>
}

/** A folder with stacks, a lock file and a store, gone when the scope closes. */
export const makeStackFolder = Effect.acquireRelease(
  Effect.sync((): StackFolder => {
    const root = mkdtempSync(join(tmpdir(), "footnote-models-"))
    const [stacks, lock, store] = [join(root, "stacks"), join(root, "lock.json"), join(root, "store")]
    mkdirSync(stacks)
    mkdirSync(store)
    const pins: Record<string, object> = {}
    const path = (revision: string, file: string, hub = repository) => join(store, hub, revision, file)
    return {
      root,
      store,
      lock,
      stacks,
      path,
      write: (...all) => {
        for (const stack of all) writeFileSync(join(stacks, `${stack.id}.json`), JSON.stringify(stack))
      },
      pin: (revision, files, hub = repository) => {
        pins[`hub:${hub}`] = {
          revision,
          files: Object.fromEntries(
            Object.entries(files).map(([path, bytes]) => [path, { sha256: sha256(bytes), size_bytes: bytes.length }])
          )
        }
        writeFileSync(lock, JSON.stringify(pins))
      },
      place: (revision, files, hub) => {
        for (const [name, bytes] of Object.entries(files)) {
          const file = path(revision, name, hub)
          mkdirSync(join(file, ".."), { recursive: true })
          writeFileSync(file, bytes)
        }
      },
      options: (base_url = "http://127.0.0.1:9", more = {}) => ({
        store,
        stacks,
        lock,
        hub: { base_url, connect_ms: 30_000, headers_ms: 30_000, body_ms: 30_000, attempts: 2, retry_ms: 1 },
        offline: false,
        default_stack: "auto",
        ...more
      }),
      stored: () =>
        readdirSync(store, { recursive: true, withFileTypes: true })
          .filter((entry) => entry.isFile())
          .map((entry) => join(entry.parentPath, entry.name).slice(store.length + 1))
          .toSorted()
    }
  }),
  ({ root }) => Effect.sync(() => rmSync(root, { recursive: true, force: true }))
)

/** Runs with a store of these options. */
export const withStore = (options: ModelStoreOptions) => Effect.provide(ModelStore.layerOptions(options))
