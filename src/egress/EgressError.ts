import { Data } from "effect"
import { isAddressBlocked, isUnconnected } from "./SsrfGuard.ts"

/**
 * No answer came. `sent` tells whether any byte of the request can have left: only then can it have been carried out.
 * `message` is a short code of the system or words of ours, never anything of the request.
 */
export class EgressError extends Data.TaggedError("EgressError")<{
  readonly reason: "blocked" | "unreachable" | "tls_error" | "timeout" | "broken_off"
  readonly message: string
  readonly sent: boolean
}> {}

/** Of Node, for a certificate or a handshake that is not good. */
const encryption = /CERT|SELF_SIGNED|UNABLE_TO_|^ERR_(?:TLS|SSL)|^EPROTO$/u

/** Refused before it was handed to any connection. */
const neverTried = new Set(["UND_ERR_INVALID_ARG", "UND_ERR_NOT_SUPPORTED"])

/** What a request through a guarded agent failed with. The system's code alone is told: its messages can carry the URL. */
export const egressErrorFrom = (error: unknown): EgressError => {
  if (isAddressBlocked(error)) {
    return new EgressError({ reason: "blocked", message: "the address is not a public one", sent: false })
  }
  const code = error instanceof Error && "code" in error && typeof error.code === "string" ? error.code : undefined
  const message = code ?? "no connection"
  if (!isUnconnected(error)) {
    return new EgressError({ reason: "broken_off", message, sent: code === undefined || !neverTried.has(code) })
  }
  const reason = code !== undefined && encryption.test(code) ? "tls_error" : "unreachable"
  return new EgressError({ reason, message, sent: false })
}
