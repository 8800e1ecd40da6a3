import { Schema } from "effect"
import { existsSync } from "node:fs"
import { readFile, rename, stat, writeFile } from "node:fs/promises"
import { createRequire } from "node:module"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { hashFile } from "./Download.ts"
import { type LockedFile, type ModelLock, type PinnedFile, pinOf } from "./ModelLock.ts"
import type { ModelFile } from "./ModelStack.ts"
import { ModelHashMismatch, ModelMissing, ModelUnreadable } from "./ModelStoreError.ts"
import { nameOf } from "./StackFiles.ts"

const repository = fileURLToPath(new URL("../../", import.meta.url))
const packageFolders = createRequire(import.meta.url).resolve.paths("any-package") ?? []

/** `unlocked`: no hash is pinned. `other`: a file is there, but it cannot be the locked one. */
type FileState = "ready" | "missing" | "other" | "unlocked"

/** A file of a stack as it stands on this machine. */
export interface StoredFile {
  readonly file: ModelFile
  readonly name: string
  /** Where it lies or would lie; null for a file of the hub that is not locked. */
  readonly path: string | null
  /** Null for a file of this repository, which its commit pins. */
  readonly locked: PinnedFile | null
  readonly state: FileState
  /** As locked, else as found; null where neither is. */
  readonly size_bytes: number | null
}

/** Where a file of an installed package lies, whether it is there or not. */
export const packagePath = (npm: string, path: string): string => {
  const folders = packageFolders.map((folder) => join(folder, npm))
  return join(folders.find((folder) => existsSync(folder)) ?? folders[0]!, path)
}

/** Where a file of the hub lies once this revision of it is fetched. */
export const hubPath = (store: string, hub: string, revision: string, path: string) =>
  join(store, ...hub.split("/"), revision, ...path.split("/"))

const sizeOf = (path: string): Promise<number | null> =>
  stat(path).then((found) => (found.isFile() ? found.size : null), () => null)

/**
 * How a file stands, by its name and length alone: cheap enough for every request. What it holds is told by `checkFile`.
 */
export const inspectFile = async (store: string, lock: ModelLock, file: ModelFile): Promise<StoredFile> => {
  const name = nameOf(file)
  const locked = pinOf(lock, file)
  const path = "repository" in file
    ? join(repository, file.repository)
    : "npm" in file
    ? packagePath(file.npm, file.path)
    : locked === null
    ? null
    : hubPath(store, file.hub, locked.revision, file.path)
  const size = path === null ? null : await sizeOf(path)
  const state = locked === null && !("repository" in file)
    ? "unlocked"
    : size === null
    ? "missing"
    : locked !== null && size !== locked.size_bytes
    ? "other"
    : "ready"
  return { file, name, path, locked, state, size_bytes: locked?.size_bytes ?? size }
}

/** What a file was when its bytes were last hashed. It tells damage, not forgery: whoever may write here may write both. */
const Verified = Schema.Struct({
  sha256: Schema.String,
  size_bytes: Schema.Int,
  mtime_ns: Schema.String,
  inode: Schema.String
})
type Verified = typeof Verified.Type

const decodeVerified = Schema.decodeUnknownSync(Schema.fromJsonString(Verified))

const recordPath = (path: string) => `${path}.verified.json`

const seen = new Map<string, Verified>()

const identity = async (path: string) => {
  const { ino, mtimeNs, size } = await stat(path, { bigint: true })
  return { size_bytes: Number(size), mtime_ns: String(mtimeNs), inode: String(ino) }
}

const record = async (path: string, verified: Verified, inStore: boolean) => {
  seen.set(path, verified)
  // A store may be read-only, such as a layer of an image: then the record lives as long as the process.
  if (inStore) await writeFile(recordPath(path), `${JSON.stringify(verified)}\n`).catch(() => undefined)
}

const knownHash = async (path: string, found: Omit<Verified, "sha256">): Promise<string | undefined> => {
  const before = seen.get(path) ??
    (await readFile(recordPath(path), "utf8").then(decodeVerified).catch(() => undefined))
  return before !== undefined && before.size_bytes === found.size_bytes && before.mtime_ns === found.mtime_ns
      && before.inode === found.inode
    ? before.sha256
    : undefined
}

/** Notes the hash of a file of the store that has just been downloaded. */
export const remember = async (path: string, sha256: string): Promise<void> =>
  record(path, { sha256, ...(await identity(path)) }, true)

/** The SHA-256 of a file of this repository, which nothing is locked to; hashed once for as long as it does not change. */
export const ownHash = async (path: string): Promise<string> => {
  const found = await identity(path)
  const sha256 = (await knownHash(path, found)) ?? await hashFile(path)
  await record(path, { sha256, ...found }, false)
  return sha256
}

/** What is known of a file of the store without reading it: undefined where it is not here or was changed since. */
export const remembered = async (path: string): Promise<LockedFile | undefined> => {
  const found = await identity(path).catch(() => undefined)
  const sha256 = found === undefined ? undefined : await knownHash(path, found)
  return found === undefined || sha256 === undefined ? undefined : { sha256, size_bytes: found.size_bytes }
}

/** What to run for a file that is not what it should be. */
const remedy = (file: ModelFile, stack: string) =>
  "hub" in file ?
    `Run npm run models -- fetch ${stack}.` :
    "npm" in file ?
    "Run npm ci; where the package was upgraded on purpose, npm run models -- lock." :
    "Restore it from the repository."

/**
 * The path of a file whose bytes are the locked ones. They are hashed once: again only where length, time or inode have
 * changed, or with `again`. Throws `ModelMissing`, `ModelUnreadable`, or `ModelHashMismatch` after it has put a file of the
 * hub aside, so that it counts as missing from then on.
 */
export const checkFile = async (stored: StoredFile, stack: string, again: boolean): Promise<string> => {
  const { file, locked, name, path } = stored
  if (path === null) throw new ModelMissing({ message: `${name} is not here. ${remedy(file, stack)}` })
  try {
    const found = await identity(path)
    if (locked === null) return path
    const known = again ? undefined : await knownHash(path, found)
    const sha256 = known ?? await hashFile(path)
    if (sha256 === locked.sha256) {
      if (known === undefined) await record(path, { sha256, ...found }, "hub" in file)
      return path
    }
    const aside = `${path}.mismatched`
    const moved = "hub" in file && (await rename(path, aside).then(() => true, () => false))
    throw new ModelHashMismatch({
      message: `${name} has SHA-256 ${sha256}, and ${locked.sha256} is locked. ${
        moved ? "It was put aside with the ending .mismatched. " : ""
      }${remedy(file, stack)}`
    })
  } catch (error) {
    if (error instanceof ModelHashMismatch) throw error
    const code = error instanceof Error && "code" in error ? String(error.code) : String(error)
    throw code === "ENOENT" || code === "ENOTDIR"
      ? new ModelMissing({ message: `${name} is not here. ${remedy(file, stack)}` })
      : new ModelUnreadable({ message: `${name} cannot be read (${code}). Look at its permissions and its disk.` })
  }
}
