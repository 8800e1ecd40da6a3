import { spawnSync } from "node:child_process"
import { createHash, randomUUID } from "node:crypto"
import { copyFileSync, existsSync, mkdirSync, readFileSync, realpathSync, renameSync, rmSync, statSync } from "node:fs"
import { tmpdir } from "node:os"
import { basename, dirname, join } from "node:path"
import { fileURLToPath } from "node:url"

const root = fileURLToPath(new URL("../..", import.meta.url))

/** Beside what Node keeps compiled: gone with the next `npm ci`. */
const kept = join(root, "node_modules/.cache/fixtures")

const builds = new Map<string, string>()

/** What tells this build of a decoder from another one at the same path. */
const buildOf = (program: string): string => {
  const { mtimeMs, size } = statSync(realpathSync(program))
  const file = `${program} ${size} ${mtimeMs}`
  const known = builds.get(file) ?? `${file} ${spawnSync(program, ["-version"], { encoding: "utf8" }).stdout}`
  builds.set(file, known)
  return known
}

/** Files that name further files, which nobody hashes; and outputs of several files. */
const NAMES_OTHERS = /\.(?:txt|ffconcat|m3u8|mpd)$|%|^concat|^(?:segment|hls|dash|tee)$/u

/**
 * Where a file is kept that a decoder makes by these arguments: they, the bytes of every file among them and the decoder's build are
 * its name, so that it is never an old one. Undefined where arguments name a file in a way that cannot be hashed.
 */
const placeOf = (program: string, name: string, args: ReadonlyArray<string>, folder: string): string | undefined => {
  const hash = createHash("sha256").update(JSON.stringify([buildOf(program), basename(name)]))
  for (const arg of [basename(name), ...args]) {
    if (NAMES_OTHERS.test(arg)) return undefined
    const isFile = arg.includes("/") && existsSync(arg) && statSync(arg).isFile()
    if (!isFile && (arg.includes(tmpdir()) || arg.includes(root))) return undefined
    hash.update(isFile ? createHash("sha256").update(readFileSync(arg)).digest() : JSON.stringify(arg))
  }
  return join(folder, hash.digest("hex"))
}

/**
 * Puts at `to` what `make` makes there by these arguments of a decoder, from the bytes that an earlier call has made where there are
 * any. Every caller has a copy of its own; whatever goes wrong with keeping it, the file has been made.
 */
export const madeOnce = (
  { args, program, to }: { readonly program: string; readonly args: ReadonlyArray<string>; readonly to: string },
  make: () => void,
  folder = kept
): void => {
  const place = placeOf(program, to, args, folder)
  if (place === undefined) return make()
  if (existsSync(place)) return copyFileSync(place, to)
  make()
  const whole = `${place}.${randomUUID()}`
  try {
    mkdirSync(dirname(place), { recursive: true })
    copyFileSync(to, whole)
    // Others that make the same at this moment rename the same bytes.
    renameSync(whole, place)
  } catch {
    rmSync(whole, { force: true })
  }
}
