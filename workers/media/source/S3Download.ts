import type { S3Client } from "@aws-sdk/client-s3"
import { Effect, Stream } from "effect"
import { StageFailure } from "../../../src/jobs/model/JobFailure.ts"
import { isS3Away, openS3, type S3Connection, type S3Deadlines, s3Library, s3Problem } from "../../../src/storage/S3.ts"
import { detectedStream } from "./DetectedStream.ts"
import {
  contentRange,
  type Resumable,
  resumableBytes,
  type SourcePace,
  sourcePace,
  tooLarge
} from "./ResumableStream.ts"

export interface S3DownloadOptions {
  readonly connection: S3Connection
  readonly max_bytes: number
  readonly deadlines: S3Deadlines
  /** Below it the object is given up. Default `sourcePace`. */
  readonly pace?: SourcePace
}

export interface S3Object {
  readonly bucket: string
  readonly key: string
}

export const s3Deadlines: S3Deadlines = { connect_ms: 10_000, idle_ms: 30_000 }

/** Its new version can be read from the beginning, by another attempt. */
const CHANGED = "The object changed while it was being fetched."

const CUT = "The connection broke and the object cannot be resumed."

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
  // The deployment's own S3, whoever's object it is: no attempt of the job is used up by its being away.
  const fault = isS3Away({ code, status }) ? { fault: "source_store" as const } : {}
  const message = status === undefined ? `The object could not be read: ${code}.` : `S3 answered with status ${status}.`
  const retryable = status === undefined || status < 400 || status >= 500 || [408, 425, 429].includes(status)
  return new StageFailure({ code: "SOURCE_UNREACHABLE", message, retryable, ...fault })
}

interface Transfer extends Resumable {
  readonly etag: string | undefined
  readonly content_type: string | undefined
}

/** Asks for an object from byte `received` on, of the version that `before` is of. */
const open = Effect.fnUntraced(
  function*(client: S3Client, { bucket, key }: S3Object, max_bytes: number, received = 0, before?: Transfer) {
    if (received > 0 && before?.etag === undefined) {
      return yield* unreachable(CUT, true)
    }
    const { GetObjectCommand } = yield* s3Library
    const rest = received === 0 ? {} : { Range: `bytes=${received}-`, IfMatch: before?.etag }
    const answer = yield* Effect.tryPromise({
      try: (signal) =>
        client.send(new GetObjectCommand({ Bucket: bucket, Key: key, ...rest }), { abortSignal: signal }),
      catch: failure
    })
    // A service that knows no conditions or ranges sends the whole object, or another one.
    const range = contentRange(answer.ContentRange ?? "")
    const total = received === 0 ? answer.ContentLength : before?.total ?? range?.total
    const same = answer.ETag === before?.etag && range !== undefined && range.from === received
      && (range.total ?? total) === total
    if (received > 0 && !same) return yield* unreachable(CHANGED, true)
    // Whether this rest is all of the rest could not be told.
    if (received > 0 && total === undefined) return yield* unreachable(CUT, true)
    if ((total ?? 0) > max_bytes) return yield* tooLarge(max_bytes)
    const transfer: Transfer = {
      body: (answer.Body as unknown as AsyncIterable<Uint8Array>)[Symbol.asyncIterator](),
      etag: answer.ETag,
      content_type: answer.ContentType,
      total
    }
    return transfer
  }
)

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
    const { max_bytes } = options
    const transfer = yield* open(client, object, max_bytes)
    const next = resumableBytes(transfer, {
      max_bytes,
      pace: options.pace ?? sourcePace,
      failure,
      resume: (received, before) => open(client, object, max_bytes, received, before)
    })
    return yield* detectedStream(next, transfer.content_type)
  }))
