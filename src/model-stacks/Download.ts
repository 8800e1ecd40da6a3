import { Effect } from "effect"
import { createHash } from "node:crypto"
import { createReadStream } from "node:fs"
import { type FileHandle, open } from "node:fs/promises"
import type { HubAnswer, ModelHub } from "./ModelHub.ts"
import { unavailable } from "./ModelHub.ts"
import type { LockedFile } from "./ModelLock.ts"
import {
  type DownloadError,
  HubLengthWrong,
  HubUnavailable,
  ModelHashMismatch,
  ModelStoreFull,
  ModelStoreUnwritable
} from "./ModelStoreError.ts"
import { claimPartial, type PartialFile } from "./PartialFile.ts"

export interface DownloadRequest {
  readonly url: string
  /** Absolute path of the finished file. */
  readonly target: string
  /** Null on first contact, when the answer itself is what is to be pinned. */
  readonly expected: LockedFile | null
  /** How messages name the file. */
  readonly name: string
  readonly attempts: number
  readonly retry_ms: number
  readonly progress: (received: number, total: number | null) => void
}

/** The whole file's SHA-256, read in pieces. */
export const hashFile = async (path: string, signal?: AbortSignal): Promise<string> => {
  const hash = createHash("sha256")
  for await (const chunk of createReadStream(path, { highWaterMark: 1 << 20, signal })) hash.update(chunk as Buffer)
  return hash.digest("hex")
}

const asDownloadError = (name: string) => (error: unknown): DownloadError | ModelHashMismatch => {
  if (error instanceof Error && "_tag" in error) return error as DownloadError
  const code = error instanceof Error && "code" in error ? String(error.code) : String(error)
  return code === "ENOSPC" || code === "EDQUOT"
    ? new ModelStoreFull({ message: `No space left for ${name}; what has come is kept.` })
    : new ModelStoreUnwritable({ message: `${name} cannot be written to the model store (${code}).` })
}

const wrongLength = (name: string, locked: number, actual: string) =>
  new HubLengthWrong({ message: `${name} was locked with ${locked} bytes and the hub's has ${actual}.` })

/** The whole length that an answer tells, null where it tells none. */
const totalOf = (answer: HubAnswer): number | null => {
  const text = answer.status === 206
    ? /^bytes \d+-\d+\/(\d+)$/u.exec(answer.header("content-range"))?.[1]
    : /^\d+$/u.exec(answer.header("content-length"))?.[0]
  return text === undefined ? null : Number(text)
}

/** Only a strong ETag proves that two answers are about the same bytes (RFC 9110, 13.1.5). */
const strongTag = (answer: HubAnswer): string | undefined =>
  answer.header("etag").startsWith("\"") ? answer.header("etag") : undefined

/** Writes all bytes at a position: one write may take only some. */
const writeAll = async (file: FileHandle, bytes: Uint8Array, position: number): Promise<void> => {
  for (let done = 0; done < bytes.length;) {
    done += (await file.write(bytes, done, bytes.length - done, position + done)).bytesWritten
  }
}

/**
 * Brings one file into its place, whole and with the locked hash, or not at all. A connection that breaks is resumed with
 * `Range` and `If-Range`, and bytes of an interrupted try are kept for the next one, also of another process. Where the
 * hub's answer has changed since, it starts over. On first contact the hash that the hub itself names is checked.
 */
export const downloadFile = Effect.fn("downloadFile")(
  function*(hub: ModelHub, request: DownloadRequest) {
    const failed = asDownloadError(request.name)
    return yield* Effect.acquireUseRelease(
      Effect.tryPromise({ try: () => claimPartial(request.target), catch: failed }),
      (partial) => Effect.tryPromise({ try: (signal) => fill(hub, request, partial, signal), catch: failed }),
      (partial) => Effect.promise(() => partial.release().catch(() => undefined))
    )
  }
)

const fill = async (
  hub: ModelHub,
  request: DownloadRequest,
  partial: PartialFile,
  signal: AbortSignal
): Promise<LockedFile> => {
  // What an earlier try left may be what was damaged: then the whole file is asked for once more.
  const continued = (await partial.size()) > 0
  const sha256 = (await receive(hub, request, partial, signal, continued))
    ?? (await receive(hub, request, partial, signal, false))!
  const size_bytes = await partial.size()
  await partial.publish()
  return { sha256, size_bytes }
}

/** All bytes, checked: their hash, or undefined where they are wrong and may be better from the beginning. */
const receive = async (
  hub: ModelHub,
  request: DownloadRequest,
  partial: PartialFile,
  signal: AbortSignal,
  forgiving: boolean
): Promise<string | undefined> => {
  let linked: string | null = null
  for (let fruitless = 0;;) {
    const before = await partial.size()
    try {
      linked = (await attempt(hub, request, partial, signal)) ?? linked
      break
    } catch (error) {
      if (!(error instanceof HubUnavailable) || signal.aborted) throw error
      fruitless = (await partial.size()) > before ? 0 : fruitless + 1
      if (fruitless >= request.attempts) throw error
      await pause(request.retry_ms * 2 ** fruitless, signal)
    }
  }
  const sha256 = await hashFile(partial.bytes, signal)
  const wanted = request.expected?.sha256 ?? linked ?? sha256
  if (sha256 === wanted) return sha256
  await partial.restart(undefined)
  if (forgiving) return undefined
  throw new ModelHashMismatch({
    message: `${request.name} came with SHA-256 ${sha256} instead of ${wanted} and was thrown away. ${
      request.expected === null
        ? "The hub itself names another one: try again."
        : "Either it was damaged on its way (try again) or the hub's file is not the one that was locked."
    }`
  })
}

const pause = (milliseconds: number, signal: AbortSignal) =>
  new Promise<void>((resolve, reject) => {
    const timer = setTimeout(resolve, milliseconds)
    signal.addEventListener("abort", () => {
      clearTimeout(timer)
      reject(signal.reason)
    }, { once: true })
  })

/** One connection: appends what is missing, and tells the hash that the hub named. */
const attempt = async (
  hub: ModelHub,
  { expected, name, progress, url }: DownloadRequest,
  partial: PartialFile,
  signal: AbortSignal
): Promise<string | null> => {
  const validator = await partial.validator()
  let received = validator === undefined ? 0 : await partial.size()
  // Complete already: a process was stopped between the last byte and the rename.
  if (expected !== null && received === expected.size_bytes && received > 0) return null
  const answer = await hub.open(
    url,
    received > 0 && validator !== undefined ? { range: `bytes=${received}-`, "if-range": validator } : {},
    signal
  )
  const { body } = answer
  body.on("error", () => undefined)
  try {
    if (answer.status === 416) {
      await partial.restart(undefined)
      throw new HubUnavailable({ message: `${url} has fewer bytes than had come. Try again.` })
    }
    if (answer.status !== 206) {
      received = 0
      await partial.restart(strongTag(answer))
    } else if (!answer.header("content-range").startsWith(`bytes ${received}-`)) {
      await partial.restart(undefined)
      throw new HubUnavailable({ message: `${url} was continued at another byte. Try again.` })
    }
    const total = totalOf(answer)
    if (expected !== null && total !== null && total !== expected.size_bytes) {
      throw wrongLength(name, expected.size_bytes, String(total))
    }
    progress(received, total)
    received = await append(
      partial,
      received,
      answer,
      expected?.size_bytes ?? Infinity,
      (at) => progress(at, total),
      url
    )
    if (expected !== null && received !== expected.size_bytes) {
      throw wrongLength(name, expected.size_bytes, received < expected.size_bytes ? String(received) : "more")
    }
    return answer.linked_sha256
  } catch (error) {
    if (error instanceof HubLengthWrong) await partial.restart(undefined)
    throw error
  } finally {
    body.destroy()
  }
}

const append = async (
  partial: PartialFile,
  from: number,
  { body }: HubAnswer,
  most: number,
  progress: (received: number) => void,
  url: string
): Promise<number> => {
  const file = await open(partial.bytes, "r+")
  let received = from
  try {
    const chunks = (body as AsyncIterable<Uint8Array>)[Symbol.asyncIterator]()
    for (;;) {
      const { done, value } = await chunks.next().catch((error: unknown) => {
        throw unavailable(url, error)
      })
      if (done === true) break
      await writeAll(file, value, received)
      received += value.length
      progress(received)
      if (received > most) break
    }
    // On the disk before its name is: a power cut must not leave a whole name with half a file.
    await file.sync().catch((error: NodeJS.ErrnoException) => {
      if (error.code !== "EINVAL" && error.code !== "ENOTSUP") throw error
    })
    return received
  } finally {
    await file.close()
  }
}
