import { ApiError, ConnectionError, type FootnoteError, TimeoutError } from "./errors.ts"

/** Waits so many milliseconds; rejects with the signal's reason when it is aborted before. */
export type Sleep = (milliseconds: number, signal?: AbortSignal) => Promise<void>

export const sleep: Sleep = (milliseconds, signal) =>
  new Promise((resolve, reject) => {
    if (signal?.aborted === true) return reject(signal.reason)
    const aborted = () => {
      clearTimeout(timer)
      reject(signal?.reason)
    }
    const timer = setTimeout(() => {
      signal?.removeEventListener("abort", aborted)
      resolve()
    }, milliseconds)
    signal?.addEventListener("abort", aborted, { once: true })
  })

/** Longer than this nobody is kept waiting: the caller is told, with `retry_after`. */
const longestWait = 60_000
const firstDelay = 500
const longestDelay = 8_000

/** Whether the same request may well be answered later: nothing came, or the service or what stands before it is busy or away. */
export const isPassing = (error: unknown): error is FootnoteError =>
  error instanceof ConnectionError || error instanceof TimeoutError
  || (error instanceof ApiError && [429, 502, 503, 504].includes(error.status))

/**
 * Milliseconds until the next try: what the service asked for, else twice as long each time, from half a second to eight; spread by
 * chance so that many clients do not come back at once. Undefined where it is asked to wait for longer than `most`.
 */
export const retryDelay = (
  error: unknown,
  attempt: number,
  random: number,
  most = longestWait
): number | undefined => {
  const asked = error instanceof ApiError ? error.retry_after : undefined
  if (asked === undefined) return Math.min(longestDelay, firstDelay * 2 ** attempt) * (0.5 + random / 2)
  return asked * 1000 > most ? undefined : asked * 1000 + random * firstDelay
}
