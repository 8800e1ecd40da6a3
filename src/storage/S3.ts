import type * as S3 from "@aws-sdk/client-s3"
import { Config, Effect, Option, Redacted, type Scope } from "effect"
import { configInvalid } from "../observability/Configuration.ts"
import { address, flag, type Form, secret, setting, text } from "../observability/Setting.ts"
import { s3Retries } from "../retries/RetryPolicy.ts"

/** How one S3 service is reached. Only an operator gives these; no tenant names an endpoint. */
export interface S3Connection {
  /** Undefined: AWS itself, by region. */
  readonly endpoint: string | undefined
  readonly region: string
  /** The bucket in the path, not in the host name. */
  readonly path_style: boolean
  /** Undefined: what the SDK finds by itself (environment, profile, role of the machine). */
  readonly credentials: {
    readonly access_key_id: string
    readonly secret_access_key: Redacted.Redacted
    readonly session_token: Redacted.Redacted | undefined
  } | undefined
}

/** An empty variable is how a compose file says that there is none. */
const given = (name: string, form: Form<string>, meaning: string, without?: string) =>
  Config.option(setting(name, form, { meaning, ...(without === undefined ? {} : { without }) })).pipe(
    Config.map(Option.filter((value) => value !== ""))
  )

const credential = (name: string, meaning: string) =>
  Config.option(setting(name, secret, { without: "the SDK's own chain", meaning })).pipe(
    Config.map(Option.filter((value) => Redacted.value(value) !== ""))
  )

const bucketForm = /^([a-z0-9][a-z0-9.-]{1,61}[a-z0-9])?$/u

/** `BLOB_S3_BUCKET`; empty where blobs are files. */
export const blobBucket = setting("BLOB_S3_BUCKET", text, {
  otherwise: "",
  meaning: "keeps blobs in this bucket instead of in a folder"
}).pipe(
  Config.mapEffect((name) =>
    bucketForm.test(name)
      ? Effect.succeed(name)
      : Effect.fail(configInvalid("BLOB_S3_BUCKET must be the name of a bucket"))
  )
)

const defaultRegion = "us-east-1"

const isEndpoint = (value: string): boolean => {
  const url = URL.canParse(value) ? new URL(value) : undefined
  return url !== undefined && /^https?:$/u.test(url.protocol) && url.username === "" && url.search === ""
}

/**
 * `<prefix>_ENDPOINT`, `_REGION` (us-east-1), `_PATH_STYLE` (true where an endpoint is given), `_ACCESS_KEY_ID`,
 * `_SECRET_ACCESS_KEY` and `_SESSION_TOKEN`. Fails with the variable's name for an endpoint that is no http(s) address
 * and for half a pair of keys.
 */
export const s3Connection = (prefix: "BLOB_S3" | "SOURCE_S3", whose: string): Config.Config<S3Connection> =>
  Config.all({
    endpoint: given(`${prefix}_ENDPOINT`, address, `address of another S3 service, for ${whose}`, "AWS"),
    region: given(`${prefix}_REGION`, text, `region of ${whose}`, `\`${defaultRegion}\``),
    path_style: Config.option(setting(`${prefix}_PATH_STYLE`, flag, {
      without: "`true` with an endpoint",
      meaning: `for ${whose}: the bucket in the path, not in the host name`
    })),
    access_key_id: given(
      `${prefix}_ACCESS_KEY_ID`,
      text,
      `credentials for ${whose}, together with the secret`,
      "the SDK's own chain"
    ),
    secret_access_key: credential(`${prefix}_SECRET_ACCESS_KEY`, `credentials for ${whose}`),
    session_token: credential(`${prefix}_SESSION_TOKEN`, `credentials for ${whose}, where they are temporary`)
  }).pipe(Config.mapEffect(({ access_key_id, endpoint, path_style, region, secret_access_key, session_token }) => {
    if (Option.isSome(endpoint) && !isEndpoint(endpoint.value)) {
      return Effect.fail(configInvalid(`${prefix}_ENDPOINT must be the http(s) address of an S3 service`))
    }
    if (Option.isSome(access_key_id) !== Option.isSome(secret_access_key)) {
      return Effect.fail(
        configInvalid(`${prefix}_ACCESS_KEY_ID and ${prefix}_SECRET_ACCESS_KEY must be given together`)
      )
    }
    return Effect.succeed({
      endpoint: Option.getOrUndefined(endpoint),
      region: Option.getOrElse(region, () => defaultRegion),
      path_style: Option.getOrElse(path_style, () => Option.isSome(endpoint)),
      credentials: Option.isSome(access_key_id) && Option.isSome(secret_access_key)
        ? {
          access_key_id: access_key_id.value,
          secret_access_key: secret_access_key.value,
          session_token: Option.getOrUndefined(session_token)
        }
        : undefined
    })
  }))

export interface S3Deadlines {
  readonly connect_ms: number
  /** Longest silence, before an answer or within it. */
  readonly idle_ms: number
  /** Tries of one call, the first one included; the SDK waits in between. Default 3. */
  readonly attempts?: number
}

export type S3Library = typeof S3

/** The SDK is loaded at first need: it takes 0.1 s and 30 MB, and most deployments have no S3. */
export const s3Library: Effect.Effect<S3Library> = Effect.promise(() => import("@aws-sdk/client-s3"))

/**
 * A client whose connections end with the scope. It follows no redirect to another region and adds no checksum that S3
 * does not require, since other makes of S3 refuse them; what is stored carries our own SHA-256.
 */
export const openS3 = (
  connection: S3Connection,
  deadlines: S3Deadlines
): Effect.Effect<S3.S3Client, never, Scope.Scope> =>
  Effect.acquireRelease(
    Effect.map(s3Library, ({ S3Client }) => {
      const { credentials, endpoint, path_style, region } = connection
      return new S3Client({
        region,
        forcePathStyle: path_style,
        followRegionRedirects: false,
        requestChecksumCalculation: "WHEN_REQUIRED",
        responseChecksumValidation: "WHEN_REQUIRED",
        maxAttempts: deadlines.attempts ?? s3Retries.attempts,
        requestHandler: { connectionTimeout: deadlines.connect_ms, socketTimeout: deadlines.idle_ms },
        ...(endpoint === undefined ? {} : { endpoint }),
        ...(credentials === undefined ? {} : {
          credentials: {
            accessKeyId: credentials.access_key_id,
            secretAccessKey: Redacted.value(credentials.secret_access_key),
            ...(credentials.session_token === undefined
              ? {}
              : { sessionToken: Redacted.value(credentials.session_token) })
          }
        })
      })
    }),
    (client) => Effect.sync(() => client.destroy())
  )

/** What a failed call says of itself: the service's or the system's short code, and the status where it answered. */
export interface S3Problem {
  readonly code: string
  readonly status: number | undefined
}

/** Codes of a service that is away, or of credentials that its operator has to renew; the names of the SDK's own time-outs. */
const passing = new Set([
  "SlowDown",
  "ServiceUnavailable",
  "InternalError",
  "RequestTimeout",
  "RequestTimeTooSkewed",
  "ExpiredToken",
  "CredentialsProviderError",
  "TimeoutError"
])

/** The same may work later, though nobody changes what is asked for: S3 is away, slow, or says that it is asked too often. */
export const isS3Away = ({ code, status }: S3Problem): boolean =>
  passing.has(code) ||
  (status === undefined ? code !== "unknown" && code !== "ENOTFOUND" : status >= 500 || status === 429)

/** Reads an error of the SDK. Its message is left alone: it may repeat what was signed. */
export const s3Problem = (error: unknown): S3Problem => {
  if (!(error instanceof Error)) return { code: "unknown", status: undefined }
  const { $metadata, code } = error as {
    readonly $metadata?: { readonly httpStatusCode?: number }
    readonly code?: unknown
  }
  const status = $metadata?.httpStatusCode
  return { code: status === undefined && typeof code === "string" ? code : error.name, status }
}
