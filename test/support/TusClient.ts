import { Effect } from "effect"
import { DetailedError, type HttpRequest, Upload, type UploadOptions } from "tus-js-client"

export interface TusTarget {
  readonly base_url: string
  readonly key: string
}

/** What came of an upload by the client that others use. */
export interface TusRun {
  readonly url: string
  /** Undefined where the client says that the file is there. */
  readonly refused: { readonly status: number | undefined; readonly body: string } | undefined
  /** `METHOD path` of every request. */
  readonly requests: ReadonlyArray<string>
}

export interface TusOptions extends Pick<UploadOptions, "chunkSize" | "metadata" | "uploadDataDuringCreation"> {
  /** Goes on with this upload instead of beginning one. */
  readonly url?: string
  /** Leaves once the server has accepted this many bytes. */
  readonly leave_after?: number
  readonly retryDelays?: Array<number>
  readonly onBeforeRequest?: (request: HttpRequest) => void
}

/** Sends bytes with tus-js-client; `url` is kept for whoever leaves early. Interruption leaves too. */
export const tusUpload = (
  { base_url, key }: TusTarget,
  bytes: Uint8Array,
  { leave_after, onBeforeRequest, retryDelays, url, ...options }: TusOptions = {}
): Effect.Effect<TusRun> =>
  Effect.callback((resume) => {
    const requests: Array<string> = []
    const done = (refused?: TusRun["refused"]) => resume(Effect.succeed({ url: upload.url ?? "", refused, requests }))
    const upload = new Upload(Buffer.from(bytes), {
      endpoint: `${base_url}/v1/uploads`,
      ...(url === undefined ? {} : { uploadUrl: url }),
      headers: { authorization: `Bearer ${key}` },
      retryDelays: retryDelays ?? null,
      storeFingerprintForResuming: false,
      ...options,
      onBeforeRequest: (request) => {
        requests.push(`${request.getMethod()} ${new URL(request.getURL()).pathname}`)
        onBeforeRequest?.(request)
      },
      onChunkComplete: (_, accepted) => {
        if (leave_after !== undefined && accepted >= leave_after) void leave()
      },
      onSuccess: () => done(),
      onError: (error) => {
        const response = error instanceof DetailedError ? error.originalResponse : undefined
        done({ status: response?.getStatus(), body: response?.getBody() ?? String(error) })
      }
    })
    const leave = async () => {
      await upload.abort()
      done()
    }
    upload.start()
    return Effect.promise(() => upload.abort())
  })

/** Asks the server to drop an upload; true where the client is content. */
export const tusTerminate = ({ key }: TusTarget, url: string): Effect.Effect<boolean> =>
  Effect.promise(() =>
    Upload.terminate(url, { headers: { authorization: `Bearer ${key}` }, retryDelays: [] }).then(
      () => true,
      () => false
    )
  )
