import type { GetObjectCommandOutput, S3Client } from "@aws-sdk/client-s3"
import { Effect, Stream } from "effect"
import { StageFailure } from "../../src/jobs/JobFailure.ts"
import {
  openS3,
  type S3Connection,
  type S3Deadlines,
  type S3Library,
  s3Library,
  s3Problem
} from "../../src/storage/S3.ts"
import { refuse } from "./MediaContext.ts"
import { recognised } from "./RecognisedStream.ts"

export interface S3DownloadOptions {
  readonly connection: S3Connection
  readonly max_bytes: number
  readonly deadlines: S3Deadlines
}

export interface S3Object {
  readonly bucket: string
  readonly key: string
}

export const s3Deadlines: S3Deadlines = { connect_ms: 10_000, idle_ms: 60_000 }

const MAX_RESUMPTIONS = 4

/** Its new version can be read from the beginning, by another attempt. */
const CHANGED = "The object changed while it was being fetched."

/** Errors of S3 that no further attempt mends, and what to do about each. */
const said: Readonly<Record<string, string>> = {
  NoSuchKey: "There is no such object.",
  NoSuchBucket: "There is no such bucket.",
  AccessDenied: "S3 does not let this deployment read the object.",
  AllAccessDisabled: "S3 does not let this deployment read the object.",
  InvalidObjectState: "The object is archived. Restore it first.",
  PermanentRedirect: "The bucket is in another region than SOURCE_S3_REGION.",
  AuthorizationHeaderMalformed: "The bucket is in another region than SOURCE_S3_REGION.",
  InvalidAccessKeyId: "S3 refuses the credentials of this deployment.",
  SignatureDoesNotMatch: "S3 refuses the credentials of this deployment.",
  ExpiredToken: "S3 refuses the credentials of this deployment.",
  CredentialsProviderError: "This deployment has no credentials for S3: SOURCE_S3_ACCESS_KEY_ID is not set."
}

const unreachable = (message: string, retryable: boolean) =>
  new StageFailure({ code: "SOURCE_UNREACHABLE", message, retryable })

const failure = (error: unknown): StageFailure => {
  const { code, status } = s3Problem(error)
  if (code === "PreconditionFailed") return unreachable(CHANGED, true)
  const words = Object.hasOwn(said, code) ? said[code] : undefined
  if (words !== undefined) return unreachable(words, false)
  return status === undefined
    ? unreachable(`The object could not be read: ${code}.`, true)
    : unreachable(
      `S3 answered with status ${status}.`,
      status < 400 || status >= 500 || [408, 425, 429].includes(status)
    )
}

type Body = AsyncIterator<Uint8Array>

/** The bytes of one object in order, with broken connections mended. */
class ObjectBytes {
  readonly #client: S3Client
  readonly #library: S3Library
  readonly #object: S3Object
  readonly #max_bytes: number
  #body: Body | undefined
  #etag: string | undefined
  #received = 0
  #resumptions = 0

  constructor(client: S3Client, library: S3Library, object: S3Object, max_bytes: number) {
    this.#client = client
    this.#library = library
    this.#object = object
    this.#max_bytes = max_bytes
  }

  /** Asks for what is still to come, of the same version of the object. Returns the length and declared type. */
  open(): Effect.Effect<GetObjectCommandOutput, StageFailure> {
    const { bucket, key } = this.#object
    const rest = this.#received === 0 ? {} : { Range: `bytes=${this.#received}-`, IfMatch: this.#etag }
    return Effect.tryPromise({
      try: (signal) =>
        this.#client.send(new this.#library.GetObjectCommand({ Bucket: bucket, Key: key, ...rest }), {
          abortSignal: signal
        }),
      catch: failure
    }).pipe(Effect.tap((answer) => {
      // A service that knows no conditions or ranges sends the whole object, or another one.
      const same = answer.ETag === this.#etag && answer.ContentRange?.startsWith(`bytes ${this.#received}-`) === true
      if (this.#received > 0 && !same) return Effect.fail(unreachable(CHANGED, true))
      this.#etag = answer.ETag
      this.#body = (answer.Body as unknown as AsyncIterable<Uint8Array>)[Symbol.asyncIterator]()
      return (answer.ContentLength ?? 0) + this.#received > this.#max_bytes
        ? Effect.fail(this.#tooLarge())
        : Effect.void
    }))
  }

  /** The next bytes, undefined at the end. */
  readonly next: Effect.Effect<Uint8Array | undefined, StageFailure> = Effect.suspend(() => this.#read()).pipe(
    Effect.flatMap((chunk) => {
      this.#received += chunk?.length ?? 0
      return this.#received > this.#max_bytes ? Effect.fail(this.#tooLarge()) : Effect.succeed(chunk)
    })
  )

  #read(): Effect.Effect<Uint8Array | undefined, StageFailure> {
    return Effect.tryPromise({
      try: async () => {
        const { done, value } = await this.#body!.next()
        return done === true ? undefined : value
      },
      catch: failure
    }).pipe(Effect.catch((broken) => {
      if (this.#resumptions++ >= MAX_RESUMPTIONS || (this.#received > 0 && this.#etag === undefined)) {
        return Effect.fail(broken)
      }
      return Effect.sleep(100 * 2 ** this.#resumptions).pipe(
        Effect.andThen(this.open()),
        Effect.andThen(Effect.suspend(() => this.#read()))
      )
    }))
  }

  #tooLarge(): StageFailure {
    return refuse("SOURCE_TOO_LARGE", `The source has more than ${this.#max_bytes} bytes.`)
  }
}

/**
 * The bytes of an object as a stream, checked to be a media container before the first of them is passed on. Fails with
 * `SOURCE_UNREACHABLE` for a bucket, key or credentials that S3 refuses, retryable for network trouble and 5xx answers,
 * with `SOURCE_TOO_LARGE` beyond the cap and with `SOURCE_NOT_MEDIA` for what is no media. Interruption closes the
 * connection.
 */
export const downloadObject = (
  object: S3Object,
  options: S3DownloadOptions
): Stream.Stream<Uint8Array, StageFailure> =>
  Stream.unwrap(Effect.gen(function*() {
    const client = yield* openS3(options.connection, options.deadlines)
    const bytes = new ObjectBytes(client, yield* s3Library, object, options.max_bytes)
    const { ContentType } = yield* bytes.open()
    return yield* recognised(bytes.next, ContentType)
  }))
