import { Data } from "effect"
import { isAddressBlocked, isUnconnected } from "./SsrfGuard.ts"

/**
 * No answer that can be read came. `sent` tells whether any byte of the request can have left: only then can it have been carried out.
 * `message` is a short code of the system or words of ours, never anything of the request.
 */
export class EgressError extends Data.TaggedError("EgressError")<{
  readonly reason: "blocked" | "unreachable" | "tls_error" | "timeout" | "broken_off"
  readonly message: string
  readonly sent: boolean
}> {}

/** Of Node, for a certificate or a handshake that is not good. */
const encryption = /CERT|SELF_SIGNED|UNABLE_TO_|^ERR_(?:TLS|SSL)|^EPROTO$/u

/** Of OpenSSL, where the other side does not answer by TLS: an `https` address of a port that speaks something else. */
const noTls = "ERR_SSL_WRONG_VERSION_NUMBER"

/** How a record of TLS begins, and so the alert with which a port of TLS refuses plain text. */
// oxlint-disable-next-line no-control-regex
const tlsRecord = /^[\x14-\x17]\x03/u

/** What came in place of an answer of HTTP, by its kind alone: its bytes may be anything of a stranger's. */
const metInstead = (error: Error): string =>
  "data" in error && typeof error.data === "string" && tlsRecord.test(error.data)
    ? "the answer is TLS and not HTTP: the address may have to begin with https"
    : "the answer is not HTTP"

/** Undici's own of an answer that it cannot read has no code where the very first bytes are wrong. */
const isNoHttp = (error: unknown): error is Error => error instanceof Error && error.name === "HTTPParserError"

/** Refused before it was handed to any connection. */
const neverTried = new Set(["UND_ERR_INVALID_ARG", "UND_ERR_NOT_SUPPORTED"])

/** What a request through a guarded agent failed with. The system's code alone is told: its messages can carry the URL. */
export const egressErrorFrom = (error: unknown): EgressError => {
  if (isAddressBlocked(error)) {
    return new EgressError({ reason: "blocked", message: "the address is not a public one", sent: false })
  }
  const code = error instanceof Error && "code" in error && typeof error.code === "string" ? error.code : undefined
  if (!isUnconnected(error)) {
    const message = isNoHttp(error) ? metInstead(error) : code ?? "the connection broke"
    return new EgressError({ reason: "broken_off", message, sent: code === undefined || !neverTried.has(code) })
  }
  const message = code === noTls ? `the port does not speak TLS (${noTls})` : code ?? "no connection"
  const reason = code !== undefined && encryption.test(code) ? "tls_error" : "unreachable"
  return new EgressError({ reason, message, sent: false })
}
