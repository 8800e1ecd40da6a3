import { Effect, FileSystem, Layer } from "effect"
import { existsSync, statSync } from "node:fs"
import { dirname, resolve } from "node:path"

/**
 * What a power cut at this moment would take of the files that are written through this file system, by the rules of POSIX: bytes
 * that nobody has synced, and names in folders that nobody has synced since.
 */
interface PowerLoss {
  /** Whether the file would be there as a whole. */
  readonly survives: (file: string) => boolean
  /** What of it would not: for messages. */
  readonly lost: () => ReadonlyArray<string>
}

/** The real file system, with a look at what has been synced. */
export const layerPowerLoss = Effect.fnUntraced(function*() {
  const fs = yield* FileSystem.FileSystem
  const bytes = new Set<string>()
  const names = new Set<string>()

  const missing = (folder: string): ReadonlyArray<string> =>
    existsSync(folder) ? [] : [folder, ...missing(dirname(folder))]
  const wrote = (file: string) => {
    if (!existsSync(file)) names.add(resolve(file))
    bytes.add(resolve(file))
  }
  const moved = (from: string, to: string, leaves: boolean) => {
    const [was, is] = [resolve(from), resolve(to)]
    if (bytes.has(was)) bytes.add(is)
    else bytes.delete(is)
    if (leaves) {
      bytes.delete(was)
      names.delete(was)
    }
    names.add(is)
  }
  const synced = (path: string) => {
    if (!statSync(path).isDirectory()) return void bytes.delete(path)
    for (const name of names) if (dirname(name) === path) names.delete(name)
  }

  const watched: FileSystem.FileSystem = {
    ...fs,
    writeFile: (file, data, options) =>
      Effect.suspend(() => {
        wrote(file)
        return fs.writeFile(file, data, options)
      }),
    writeFileString: (file, data, options) =>
      Effect.suspend(() => {
        wrote(file)
        return fs.writeFileString(file, data, options)
      }),
    sink: (file, options) => {
      wrote(file)
      return fs.sink(file, options)
    },
    copyFile: (from, to) =>
      Effect.suspend(() => {
        wrote(to)
        return fs.copyFile(from, to)
      }),
    rename: (from, to) => Effect.tap(fs.rename(from, to), () => Effect.sync(() => moved(from, to, true))),
    link: (from, to) => Effect.tap(fs.link(from, to), () => Effect.sync(() => moved(from, to, false))),
    makeDirectory: (folder, options) =>
      Effect.suspend(() => {
        const made = options?.recursive === true ? missing(resolve(folder)) : [resolve(folder)]
        return Effect.tap(fs.makeDirectory(folder, options), () =>
          Effect.sync(() => made.forEach((one) => names.add(one))))
      }),
    open: (file, options) =>
      Effect.map(fs.open(file, options), (open) =>
        new Proxy(open, {
          get: (target, property) =>
            property === "sync"
              ? Effect.tap(target.sync, () => Effect.sync(() => synced(resolve(file))))
              : Reflect.get(target, property, target) as unknown
        }))
  }
  const nameSurvives = (path: string): boolean =>
    !names.has(path) && (dirname(path) === path || nameSurvives(dirname(path)))
  const power: PowerLoss = {
    survives: (file) => existsSync(file) && !bytes.has(resolve(file)) && nameSurvives(resolve(file)),
    lost: () => [...[...bytes].map((file) => `bytes of ${file}`), ...[...names].map((file) => `name of ${file}`)]
  }
  return { power, layer: Layer.succeed(FileSystem.FileSystem, watched) }
})
