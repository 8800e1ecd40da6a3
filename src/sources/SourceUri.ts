import { Effect, Result } from "effect"
import { isIP } from "node:net"
import { type AddressPolicy, forbiddenUrl } from "../egress/AddressPolicy.ts"
import { ApiError } from "../errors/ApiError.ts"
import { hostingPage } from "./HostingPage.ts"
import { samples, sampleUris } from "./Samples.ts"

export class SourceBlocked extends ApiError<SourceBlocked>()("SOURCE_BLOCKED") {}

/** Where a job's footage comes from, parsed once. */
export type SourceUri =
  | { readonly kind: "http"; readonly url: URL }
  | { readonly kind: "upload"; readonly upload_id: string }
  | { readonly kind: "sample"; readonly file: string }
  | { readonly kind: "s3"; readonly bucket: string; readonly key: string }

const blocked = (message: string) => Result.fail(new SourceBlocked({ details: [{ path: "/source_uri", message }] }))

/** `forbiddenUrl`, and a page of a known site, which is no file: for what is to be fetched as footage. */
export const forbiddenSource = (url: URL, policy: AddressPolicy): string | undefined =>
  forbiddenUrl(url, policy) ?? hostingPage(url)

/** `upload://upl_…`: the id alone, so that nothing like a path can be smuggled in. */
const uploadForm = /^upload:\/\/(upl_[0-9A-Za-z]{1,64})$/u
const sampleForm = /^sample:\/\/(.*)$/isu
/** A bucket by the rules of S3; the key is taken as it stands, with nothing decoded. */
const s3Form = /^s3:\/\/([a-z0-9][a-z0-9.-]{1,61}[a-z0-9])\/(.+)$/su

/**
 * Names that S3 itself refuses, and keys with a `.` or `..` segment or a control character: a store that lies on a file
 * system could read them as another place than the one that was allowed.
 */
const isObjectName = (bucket: string, key: string): boolean =>
  !bucket.includes("..") && isIP(bucket) === 0 && Buffer.byteLength(key) <= 1024 && !/\p{Cc}/u.test(key)
  && key.split("/").every((part) => part !== "." && part !== "..")

/**
 * Parses a source reference. Fails with `SOURCE_BLOCKED`, details at `/source_uri`, for a scheme other than http, https,
 * upload, s3 and sample, for user information, odd ports, private, loopback or otherwise non-public literal addresses, and pages
 * of known sites. Names are judged again when they are resolved.
 */
export const parseSourceUri = (text: string, policy: AddressPolicy): Result.Result<SourceUri, SourceBlocked> => {
  const upload = uploadForm.exec(text)
  if (upload !== null) return Result.succeed({ kind: "upload", upload_id: upload[1]! })
  const s3 = s3Form.exec(text)
  if (s3 !== null && isObjectName(s3[1]!, s3[2]!)) return Result.succeed({ kind: "s3", bucket: s3[1]!, key: s3[2]! })
  const sample = sampleForm.exec(text)?.[1]
  if (sample !== undefined) {
    const file = samples.get(sample)
    return file === undefined
      ? blocked(`There is no such sample; there is ${sampleUris.join(" and ")}.`)
      : Result.succeed({ kind: "sample", file })
  }
  if (/^(upload|s3):/iu.test(text)) return blocked("Expected upload://upl_… or s3://bucket/key.")
  if (!URL.canParse(text)) return blocked("Expected an http(s) URL, upload://upl_… or s3://bucket/key.")
  const url = new URL(text)
  const why = forbiddenSource(url, policy)
  return why === undefined ? Result.succeed({ kind: "http", url }) : blocked(why)
}

/** `parseSourceUri` as an effect, for a submission. */
export const checkSourceUri = (text: string, policy: AddressPolicy): Effect.Effect<SourceUri, SourceBlocked> =>
  Effect.fromResult(parseSourceUri(text, policy))
