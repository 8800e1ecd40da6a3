import { Effect, Result } from "effect"
import { isIP } from "node:net"
import { ApiError } from "../errors/ApiError.ts"
import { hostingPage } from "./HostingPage.ts"
import { samples, sampleUris } from "./Samples.ts"
import { isAddressAllowed, isAllowListed, type SourcePolicy } from "./SourcePolicy.ts"

export class SourceBlocked extends ApiError<SourceBlocked>()("SOURCE_BLOCKED") {}

/** Where a job's footage comes from, parsed once. */
export type SourceUri =
  | { readonly kind: "http"; readonly url: URL }
  | { readonly kind: "upload"; readonly upload_id: string }
  | { readonly kind: "sample"; readonly file: string }
  | { readonly kind: "s3"; readonly bucket: string; readonly key: string }

const blocked = (message: string) => Result.fail(new SourceBlocked({ details: [{ path: "/source_uri", message }] }))

/** The host without the brackets of an IPv6 literal. */
const bareHost = (url: URL) => url.hostname.replace(/^\[|\]$/gu, "")

/** Names that never leave the machine or the local network, whatever a resolver says (RFC 6761, 6762, 7686, 8375, 9476). */
const localName = /(^|\.)(localhost|localdomain|local|internal|intranet|lan|home\.arpa|alt|onion)\.?$/u

/** A name of one label is completed by the machine's search domains: it means a neighbour, if anything. */
const singleLabel = /^[^.]+\.?$/u

/**
 * What can be said of an http(s) URL without resolving its name: undefined when it may be tried, else why not. Every
 * redirect target goes through it too, because a connection to a literal address never asks the resolver.
 */
export const forbiddenUrl = (url: URL, policy: SourcePolicy): string | undefined => {
  if (url.protocol !== "http:" && url.protocol !== "https:") return `The scheme ${url.protocol} cannot be fetched.`
  if (url.username !== "" || url.password !== "") return "A URL with a user name or password is refused."
  const host = bareHost(url)
  if (host === "") return "The URL names no host."
  const literal = isIP(host) !== 0
  if (literal && !isAddressAllowed(policy, host)) return "The address is not a public one."
  const listed = literal && isAllowListed(policy, host)
  if (!literal && localName.test(host)) return "The host is not a public one."
  // Where the operator lets private addresses in, a neighbour's name may lead to one of them: the resolver's answer decides.
  if (!literal && singleLabel.test(host) && policy.allow_private.length === 0) return "The host is not a public one."
  const port = url.port === "" ? (url.protocol === "https:" ? 443 : 80) : Number(url.port)
  return listed || policy.allow_ports.has(port) ? undefined : `Port ${port} is not allowed.`
}

/** `forbiddenUrl`, and a page of a known site, which is no file: for what is to be fetched as footage. */
export const forbiddenSource = (url: URL, policy: SourcePolicy): string | undefined =>
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
export const parseSourceUri = (text: string, policy: SourcePolicy): Result.Result<SourceUri, SourceBlocked> => {
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
export const checkSourceUri = (text: string, policy: SourcePolicy): Effect.Effect<SourceUri, SourceBlocked> =>
  Effect.fromResult(parseSourceUri(text, policy))
