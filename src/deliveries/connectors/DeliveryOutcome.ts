import type { RsaKeyRefused } from "../../crypto/RsaKey.ts"
import type { Answer } from "../../egress/Egress.ts"
import type { EgressError } from "../../egress/EgressError.ts"
import { cut, plain } from "../../text/PlainText.ts"
import type { Health, Outcome } from "./content/Connector.ts"

/** Longer than this nobody is waited for at their word. */
const longestRetryAfter = 24 * 3600

const outcome = (
  kind: Outcome["kind"],
  error: string | null,
  { retry_after, status_code = null }: {
    readonly status_code?: number | null
    readonly retry_after?: number | undefined
  }
): Outcome => ({
  kind,
  error,
  status_code,
  retry_after: retry_after === undefined ? undefined : Math.min(retry_after, longestRetryAfter)
})

type Told = Partial<Pick<Answer, "status_code" | "retry_after">>

export const delivered = (told: Pick<Answer, "status_code">): Outcome =>
  outcome("delivered", null, { status_code: told.status_code })
export const retryable = (error: string, told: Told = {}): Outcome => outcome("retryable", error, told)
export const ambiguous = (error: string, told: Told = {}): Outcome => outcome("ambiguous", error, told)
export const authBroken = (error: string, told: Told = {}): Outcome => outcome("auth_broken", error, told)
export const rejected = (error: string, told: Told = {}): Outcome => outcome("rejected", error, told)
export const gone = (told: Told): Outcome => outcome("gone", "the receiver is gone", told)
/** Nothing was tried; it may be after so many seconds. */
export const held = (error: string, seconds: number): Outcome => outcome("held", error, { retry_after: seconds })

/** No answer came: an address that may not be reached never will be, and bytes that left may have done their work. */
export const ofEgressError = ({ message, reason, sent }: EgressError): Outcome =>
  reason === "blocked" ? rejected(message) : sent ? ambiguous(message) : retryable(message)

const unusableKey =
  "the private key cannot be used: RSA of 2048 to 4096 bits with public exponent 65537, whose primes are its own"

/** The same where a request has to be signed first: a key that is kept and would not be taken today waits for its owner. */
export const ofUnsent = (error: EgressError | RsaKeyRefused): Outcome => {
  if (error._tag === "EgressError") return ofEgressError(error)
  return error.reason === "timeout" ? retryable("signing took too long") : authBroken(unusableKey)
}

/**
 * What an HTTP status means where the vendor's own words do not say more: 408, 425, 429 and 529 were not carried out, any
 * other 5xx may have been, and so may a redirect's target never be asked.
 */
export const ofStatus = (answer: Answer): Outcome => {
  const { status_code } = answer
  const error = `answered ${status_code}`
  if (status_code === 401 || status_code === 403) return authBroken(error, answer)
  if (status_code === 410) return gone(answer)
  if (status_code === 408 || status_code === 425 || status_code === 429 || status_code === 529) {
    return retryable(error, answer)
  }
  if (status_code >= 500) return ambiguous(error, answer)
  return status_code >= 400 ? rejected(error, answer) : retryable(error, answer)
}

const statusOf = (status_code: number): Health["status"] => {
  switch (status_code) {
    case 401:
    case 403:
      return "auth_failed"
    case 404:
    case 410:
      return "not_found"
    case 429:
      return "rate_limited"
    default:
      return `http_${status_code}`
  }
}

export const healthy = (told: Pick<Answer, "status_code">, message: string | null = null): Health => ({
  ok: true,
  final: false,
  status: "ok",
  status_code: told.status_code,
  message
})

export const unhealthy = (
  status: Health["status"],
  final: boolean,
  told: { readonly status_code: number | null } = { status_code: null },
  message: string | null = null
): Health => ({ ok: false, final, status, status_code: told.status_code, message })

/** Of a vendor's answer that is no success. Refused credentials and a missing table do not come right by waiting. */
export const unhealthyStatus = (
  answer: Pick<Answer, "status_code">,
  message = `answered ${answer.status_code}`
): Health => {
  const status = statusOf(answer.status_code)
  return unhealthy(status, status === "auth_failed" || status === "not_found", answer, message)
}

/** Of a look that would have made an attempt fail: what its owner has to mend is final. */
export const unhealthyOutcome = ({ error, kind, status_code }: Outcome): Health => {
  if (status_code === null || status_code === 200) {
    return unhealthy(
      kind === "auth_broken" ? "invalid_config" : "unreachable",
      kind === "auth_broken",
      undefined,
      error
    )
  }
  const status = statusOf(status_code)
  const final = kind === "auth_broken" || kind === "rejected"
  return unhealthy(kind === "rejected" ? "invalid_config" : status, final, { status_code }, error)
}

export const unhealthyEgressError = ({ message, reason }: EgressError): Health =>
  unhealthy(reason === "broken_off" ? "unreachable" : reason, reason === "blocked", undefined, message)

/** The same where a request has to be signed first. */
export const unhealthyUnsent = (error: EgressError | RsaKeyRefused): Health =>
  error._tag === "EgressError"
    ? unhealthyEgressError(error)
    : error.reason === "timeout"
    ? unhealthy("timeout", false, undefined, "signing took too long")
    : unhealthy("invalid_config", true, undefined, unusableKey)

/** A vendor's words as they may be shown and kept: one line of printable characters, cut. */
export const quotable = (words: string): string =>
  cut(plain(words.slice(0, 2000)).replaceAll(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]+/gu, " ").replaceAll(/\s+/gu, " ").trim(), 300)

/** An answer's JSON object, or undefined where it is none. */
export const jsonOf = (answer: Answer): Readonly<Record<string, unknown>> | undefined => {
  try {
    const value: unknown = JSON.parse(answer.text ?? "")
    return typeof value === "object" && value !== null && !Array.isArray(value)
      ? value as Readonly<Record<string, unknown>>
      : undefined
  } catch {
    return undefined
  }
}
