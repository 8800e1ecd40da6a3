import { Config, Effect, Layer } from "effect"
import * as fs from "node:fs"
import { resolve } from "node:path"
import { configInvalid } from "../observability/Configuration.ts"
import { setting, text } from "../observability/Setting.ts"
import { blobFolder, dataFolder } from "./DataFolder.ts"

/** Whom the private PostgreSQL runs as where this process is root and there are no user namespaces. */
export const nobody = 65534

/** `FOOTNOTE_UMASK`: rights that nothing which the service writes gives. Others never get any, a group may. Default 077. */
export const umask: Config.Config<number> = setting("FOOTNOTE_UMASK", text, {
  otherwise: "077",
  meaning:
    "rights that nothing which the service writes gives: by default its files are its user's alone. `007` or `027` where "
    + "processes of several users share blobs by a group ([operations](operations.md#files))"
}).pipe(
  Config.mapEffect((text) =>
    /^0?0[0-7]7$/u.test(text)
      ? Effect.succeed(Number.parseInt(text, 8))
      : Effect.fail(configInvalid("FOOTNOTE_UMASK must be 077, or 007 or 027 where the processes share a group"))
  )
)

/** Names by which a folder is known to be the service's, so that a `FOOTNOTE_DATA` of `/tmp` closes nothing to anybody. */
const known = new Set(["postgres", "blobs", "models", "encryption.key", "signing.key", ".partial", "uploads", "jobs"])

const shown = (mode: number) => mode.toString(8).padStart(4, "0")

/**
 * Takes from a folder of the service the rights that the mask names, and says so: what lies below it is out of reach then,
 * whatever its own mode is. A folder that is not this process's to close is warned of.
 */
const tighten = (folder: string, mask: number): Effect.Effect<void> =>
  Effect.suspend(() => {
    const status = fs.statSync(folder, { throwIfNoEntry: false })
    const mode = (status?.mode ?? 0) & 0o7777
    if (status === undefined || (mode & mask) === 0) return Effect.void
    // The private PostgreSQL passes through by its group, where it is another user.
    if ((mode & mask) === 0o010 && status.gid === nobody) return Effect.void
    const names = fs.readdirSync(folder)
    const whole = names.length === 0 || names.some((name) => known.has(name))
    if (status.uid !== process.getuid?.() || (mode & 0o1000) !== 0 || !whole) {
      return Effect.logWarning(
        `${folder} has mode ${
          shown(mode)
        } and is not this process's to close: give it to its user and take the rest away`
      )
    }
    fs.chmodSync(folder, mode & ~mask)
    return Effect.logInfo(`${folder} had mode ${shown(mode)} and has ${shown(mode & ~mask)} now (FOOTNOTE_UMASK)`)
  }).pipe(Effect.ignoreCause({ log: "Warn" }))

/**
 * From here on everything that this process and its children write is its user's alone, and the folders of the data and of
 * the blobs are closed to others if they were not. Fails where `FOOTNOTE_UMASK` cannot be used.
 */
export const keepFilesPrivate = Effect.gen(function*() {
  const mask = yield* umask
  const data = yield* dataFolder
  const blobs = yield* blobFolder
  process.umask(mask)
  for (const folder of blobs === "" ? [data] : [data, blobs]) yield* tighten(resolve(folder), mask)
}).pipe(Effect.withSpan("keepFilesPrivate"))

export const layerPrivateFiles = Layer.effectDiscard(keepFilesPrivate)
