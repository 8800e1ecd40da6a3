import { Effect, FileSystem, Path } from "effect"
import { constants } from "node:fs"
import { copyFile } from "node:fs/promises"
import { extname } from "node:path"
import { ExtractFailed, ServiceClient } from "./ServiceClient.ts"

/** Where a file system shares no blocks, a copy of more than this would fill a disk that nobody asked to be filled. */
const mostCopied = 2 * 1024 ** 3

/** Whether footage is named by an address and not by a file of this machine. */
export const isAddress = (source: string): boolean => /^[a-z][a-z0-9+.-]*:\/\//iu.test(source)

/** The name of the footage in the folder of a report: nothing of a file's own name can be read as more than a name. */
const mediaName = (footage: string): string => {
  const extension = extname(isAddress(footage) ? new URL(footage).pathname : footage).toLowerCase()
  return `media${/^\.[a-z0-9]{1,8}$/u.test(extension) ? extension : ".mp4"}`
}

/**
 * The footage under another name: linked where that goes, which takes no room, else copied where it has at most 2 GiB. Larger
 * footage on another file system is left out, and the report shows its frames alone.
 */
const putBeside = Effect.fn("putBeside")(function*(footage: string, to: string) {
  const fs = yield* FileSystem.FileSystem
  const [from, { size }] = [yield* fs.realPath(footage), yield* fs.stat(footage)]
  if ((yield* Effect.orElseSucceed(fs.realPath(to), () => "")) === from) return
  yield* fs.remove(to, { force: true })
  yield* fs.link(from, to).pipe(
    Effect.catchTag("PlatformError", () =>
      Number(size) > mostCopied
        ? Effect.void
        : Effect.tryPromise(() => copyFile(from, to, constants.COPYFILE_FICLONE)))
  )
})

/** What the service keeps of an address that it has fetched; where it keeps nothing the report shows its frames alone. */
const fetchBeside = Effect.fn("fetchBeside")(function*(job_id: string, to: string) {
  const fs = yield* FileSystem.FileSystem
  const client = yield* ServiceClient
  const nothingThere = fs.remove(to, { force: true }).pipe(
    Effect.mapError(() => new ExtractFailed({ message: `Cannot write ${to}` }))
  )
  yield* nothingThere
  // What broke off on its way would play as if it were all.
  yield* Effect.catchTag(
    client.download(`/v1/jobs/${job_id}/media`, to, mostCopied),
    "ExtractFailed",
    () => nothingThere
  )
})

/**
 * Writes `report.html` into a folder that has the artifacts: the page that shows a result beside its footage, and the footage:
 * a file of this machine as it is, an address as the service has fetched it. Answers where the page is, and what the footage
 * beside it is called, null where there is none.
 */
export const writeReport = Effect.fn("writeReport")(function*(options: {
  readonly folder: string
  readonly job_id: string
  readonly footage: string
}) {
  const fs = yield* FileSystem.FileSystem
  const path = yield* Path.Path
  const client = yield* ServiceClient
  const writeFailed = () => new ExtractFailed({ message: `Cannot write into ${options.folder}` })
  const media = mediaName(options.footage)
  const beside = path.join(options.folder, media)
  yield* isAddress(options.footage)
    ? fetchBeside(options.job_id, beside)
    : Effect.mapError(putBeside(options.footage, beside), writeFailed)
  const report = path.join(options.folder, "report.html")
  const page = yield* client.bytes(`/v1/jobs/${options.job_id}/report.html?media=${media}`)
  yield* Effect.mapError(fs.writeFile(report, page), writeFailed)
  return { report, media: (yield* Effect.orElseSucceed(fs.exists(beside), () => false)) ? media : null }
})
