import { type Signal, signal } from "@preact/signals"
import { DetailedError, Upload } from "tus-js-client"
import type { ErrorEnvelope } from "../../clients/typescript/src/generated/types.ts"
import { at, isStale, renewToken, session } from "./Service.ts"

export interface Uploading {
  readonly name: string
  readonly fraction: Signal<number>
  readonly problem: Signal<string | null>
  /** `upload://…`, once all of it is there. */
  readonly source_uri: Signal<string | null>
  readonly cancel: () => void
}

/** 16 MiB at a time: what breaks off begins again at the last whole piece, and a proxy never sees a body of gigabytes. */
const pieceBytes = 16 * 1024 * 1024

/** What the service says against it; null where nothing of the service has answered. */
const refusalOf = (body: string | undefined): ErrorEnvelope["error"] | null => {
  try {
    return (JSON.parse(body ?? "") as Partial<ErrorEnvelope>).error ?? null
  } catch {
    return null
  }
}

/**
 * Sends a file piece by piece (tus 1.0). A connection that breaks is taken up again by itself, and the same file, dropped again
 * after a reload, goes on where it was.
 */
export const upload = (file: File): Uploading => {
  const [fraction, problem, source_uri] = [signal(0), signal<string | null>(null), signal<string | null>(null)]
  let stale = false
  const running = new Upload(file, {
    endpoint: at("/v1/uploads"),
    chunkSize: pieceBytes,
    retryDelays: [0, 1000, 3000, 5000, 10_000],
    metadata: { filename: file.name, filetype: file.type },
    removeFingerprintOnSuccess: true,
    onBeforeRequest: async (request) => {
      if (stale && !(await renewToken())) throw new Error("Another tab has signed in elsewhere.")
      stale = false
      request.setHeader("X-CSRF-Token", session.peek()?.csrf_token ?? "")
    },
    // Another tab has signed in since: once with the token of its session.
    onShouldRetry: ({ originalResponse }) => {
      const status = originalResponse?.getStatus() ?? 0
      const refusal = refusalOf(originalResponse?.getBody())
      const first = refusal !== null && isStale(refusal) && !stale
      if (first) stale = true
      return first || status === 0 || status === 409 || status === 423 || status === 429 || status >= 500
    },
    onProgress: (sent, total) => (fraction.value = total === 0 ? 0 : sent / total),
    onSuccess: () => {
      fraction.value = 1
      source_uri.value = `upload://${running.url!.slice(running.url!.lastIndexOf("/") + 1)}`
    },
    onError: (error) => {
      const answer = error instanceof DetailedError ? error.originalResponse?.getBody() : undefined
      problem.value = refusalOf(answer)?.message ??
        "The upload broke off. Drop the file again and it goes on where it was."
    }
  })
  const begin = async () => {
    const [earlier] = await running.findPreviousUploads()
    if (earlier !== undefined) running.resumeFromPreviousUpload(earlier)
    running.start()
  }
  void begin()
  return { name: file.name, fraction, problem, source_uri, cancel: () => void running.abort(true).catch(() => {}) }
}
