import type { EvidenceSpan } from "../artifacts/Evidence.ts"

const two = (number: number) => String(number).padStart(2, "0")

/** Seconds as people say them: `02:14`, and `1:02:14` from an hour on. */
export const clock = (seconds: number): string => {
  const whole = Math.floor(seconds)
  const hours = Math.floor(whole / 3600)
  const rest = `${two(Math.floor(whole / 60) % 60)}:${two(whole % 60)}`
  return hours === 0 ? rest : `${hours}:${rest}`
}

/** A member's name as it stands in a JSON pointer (RFC 6901). */
export const escapeToken = (key: string) => key.replaceAll("~", "~0").replaceAll("/", "~1")

/** The spans of a value and of everything within it, the earliest first. */
export const spansAt = (evidence: ReadonlyArray<EvidenceSpan>, pointer: string): ReadonlyArray<EvidenceSpan> =>
  evidence.filter((span) => span.pointer === pointer || span.pointer.startsWith(`${pointer}/`))
    .toSorted((a, b) => a.t_start - b.t_start)
