import { ApiError } from "./errors.ts"
import { UploadsOperations } from "./generated/operations.ts"
import type { Upload } from "./generated/types.ts"
import { isPassing, retryDelay } from "./retries.ts"
import type { CallOptions } from "./transport.ts"
import { sourceOf, type Uploadable, type UploadSource } from "./upload-source.ts"

export interface UploadOptions extends CallOptions {
  /** The name that the file is kept under; a `File` and a path have their own. */
  readonly filename?: string
  /** Goes on with an upload that was begun before, with the same file. */
  readonly resume?: string
  /** Told when the upload is begun, and after every piece. Its `id` is what `resume` takes. */
  readonly onProgress?: (
    progress: { readonly id: string; readonly sent_bytes: number; readonly size_bytes: number }
  ) => void
  /** How much goes in one request; 8 MiB where it is not given. */
  readonly chunk_bytes?: number
}

const tus = { "tus-resumable": "1.0.0" }
const chunkBytes = 8 * 1024 * 1024

const base64 = (text: string): string => btoa(String.fromCodePoint(...new TextEncoder().encode(text)))

/** The length of the file that an upload was begun for, where that is told. */
const lengthOf = ({ headers }: Response): number | undefined =>
  headers.has("upload-length") ? Number(headers.get("upload-length")) : undefined

const offsetOf = async (response: Response): Promise<number> => Number(response.headers.get("upload-offset"))

/** Another request of ours got further than its answer told. */
const isElsewhere = (error: unknown): boolean => error instanceof ApiError && error.code === "UPLOAD_OFFSET_CONFLICT"

export class Uploads extends UploadsOperations {
  /**
   * Sends a file in pieces by the tus protocol, taking up where the service stands after every break, and answers with the upload,
   * whose `uri` a job takes. Throws once as many tries in a row as `retries` allows bring nothing; what was sent until then is kept
   * for a day and `resume` goes on with it, or throws `RangeError` where it is given a file of another length.
   */
  async create(file: Uploadable, options: UploadOptions = {}): Promise<Upload> {
    const source = sourceOf(file)
    try {
      return await this.#send(source, options)
    } finally {
      await source.close?.()
    }
  }

  async #send(source: UploadSource, options: UploadOptions): Promise<Upload> {
    const { chunk_bytes = chunkBytes, onProgress, retries = this.transport.retries } = options
    const id = options.resume ?? await this.#begin(source, options)
    const path = `/v1/uploads/${encodeURIComponent(id)}`
    const head = { method: "HEAD", path, headers: tus, options } as const
    const stands = () => this.transport.send(head, offsetOf)
    const tell = (sent_bytes: number) => onProgress?.({ id, sent_bytes, size_bytes: source.size })
    let offset = 0
    if (options.resume !== undefined) {
      const begun = await this.transport.send(head, async (response) => ({
        length: lengthOf(response),
        offset: await offsetOf(response)
      }))
      // Another file's bytes would be taken for the rest of the one that was begun, and of a shorter one none would be sent at all.
      if (begun.length !== undefined && begun.length !== source.size) {
        throw new RangeError(`${id} was begun for a file of ${begun.length} bytes, and this one has ${source.size}`)
      }
      offset = begun.offset
    }
    tell(offset)
    for (let failures = 0; offset < source.size;) {
      const bytes = await source.read(offset, Math.min(offset + chunk_bytes, source.size))
      try {
        offset = await this.transport.send({
          method: "PATCH",
          path,
          headers: { ...tus, "upload-offset": String(offset), "content-type": "application/offset+octet-stream" },
          bytes,
          options
        }, offsetOf)
        failures = 0
      } catch (error) {
        const delay = (isPassing(error) || isElsewhere(error)) && failures < retries
          ? retryDelay(error, failures, Math.random())
          : undefined
        if (delay === undefined) throw error
        failures += 1
        await this.transport.sleep(delay, options.signal)
        const now = await stands()
        if (now > offset) failures = 0
        offset = now
      }
      tell(offset)
    }
    return this.get(id, options)
  }

  /** Sent twice it would begin two, of which the first is dropped after a day. */
  async #begin({ name, size }: UploadSource, options: UploadOptions): Promise<string> {
    const filename = options.filename ?? name
    const upload = await this.transport.json<Upload>({
      method: "POST",
      path: "/v1/uploads",
      headers: {
        ...tus,
        "upload-length": String(size),
        "upload-metadata": filename === undefined ? undefined : `filename ${base64(filename)}`
      },
      repeatable: true,
      options
    })
    return upload.id
  }
}
