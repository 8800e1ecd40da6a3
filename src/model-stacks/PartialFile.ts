import { randomBytes } from "node:crypto"
import { mkdir, open, readdir, readFile, rename, rm, stat, utimes, writeFile } from "node:fs/promises"
import { hostname } from "node:os"
import { basename, dirname, join } from "node:path"

/**
 * A file on its way, held by one process: its bytes so far and what proves that later ones belong to them. It lies in a
 * folder of its own beside the target, so that both parts change hands in one rename.
 */
export interface PartialFile {
  /** Path of the bytes; absent before the first of them. */
  readonly bytes: string
  readonly size: () => Promise<number>
  /** The strong ETag of the answer that the bytes are from; undefined where they cannot be continued. */
  readonly validator: () => Promise<string | undefined>
  /** Forgets the bytes; those to come are from an answer with this ETag. */
  readonly restart: (validator: string | undefined) => Promise<void>
  /** Leaves it to whoever asks next. */
  readonly release: () => Promise<void>
  /** Puts the bytes in the target's place, at once and as a whole, and there they are after a power cut too. */
  readonly publish: () => Promise<void>
}

/** A holder writes or fails within a minute; one that was silent for this long on another machine is gone. */
const ABANDONED_MS = 5 * 60_000

const ignoring = (...codes: ReadonlyArray<string>) => (error: NodeJS.ErrnoException) => {
  if (!codes.includes(error.code ?? "")) throw error
  return undefined
}

const host = hostname().replaceAll(/[^A-Za-z0-9]/gu, "_")

const isAlive = (pid: number): boolean => {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EPERM"
  }
}

/** True where the process that holds this folder has been killed, as far as can be told from here. */
const isAbandoned = async (folder: string): Promise<boolean> => {
  const holder = /\.partial-([A-Za-z0-9_]+)-(\d+)-[0-9a-f]+$/u.exec(folder)
  if (holder === null) return false
  if (holder[1] === host) return !isAlive(Number(holder[2]))
  const { mtimeMs } = await stat(join(folder, "bytes")).catch(() => stat(folder))
  return Date.now() - mtimeMs > ABANDONED_MS
}

/** The bytes of a file, or the names in a folder, to stable storage. */
const sync = async (path: string): Promise<void> => {
  const handle = await open(path)
  await handle.sync().finally(() => handle.close())
}

const candidates = async (target: string): Promise<ReadonlyArray<string>> => {
  const folder = dirname(target)
  const names = (await readdir(folder)).filter((name) => name.startsWith(`${basename(target)}.partial-`))
  return [`${target}.partial`, ...names.toSorted().map((name) => join(folder, name))]
}

/**
 * Takes over what an earlier try left of the target, or begins anew. Of several processes that ask at the same time, each
 * gets a file of its own, since a rename succeeds for one of them only.
 */
export const claimPartial = async (target: string): Promise<PartialFile> => {
  await mkdir(dirname(target), { recursive: true })
  const own = `${target}.partial-${host}-${process.pid}-${randomBytes(6).toString("hex")}`
  const bytes = join(own, "bytes")
  const claim = async () => {
    for (const left of await candidates(target)) {
      if (left !== `${target}.partial` && !(await isAbandoned(left).catch(() => false))) continue
      if (await rename(left, own).then(() => true, ignoring("ENOENT"))) {
        const now = new Date()
        return utimes(bytes, now, now).catch(ignoring("ENOENT"))
      }
    }
    return mkdir(own)
  }
  await claim()
  return {
    bytes,
    size: () => stat(bytes).then(({ size }) => size, (error) => ignoring("ENOENT")(error) ?? 0),
    validator: () => readFile(join(own, "etag"), "utf8").catch(ignoring("ENOENT")),
    restart: async (validator) => {
      await rm(join(own, "etag"), { force: true })
      await writeFile(bytes, "")
      if (validator !== undefined) await writeFile(join(own, "etag"), validator)
    },
    release: () =>
      // Another process has left its own part meanwhile: one is enough.
      rename(own, `${target}.partial`).catch(ignoring("ENOTEMPTY", "EEXIST")).then(() =>
        rm(own, { recursive: true, force: true })
      ),
    publish: async () => {
      await sync(bytes)
      await rename(bytes, target)
      await sync(dirname(target))
      await rm(own, { recursive: true, force: true })
    }
  }
}
