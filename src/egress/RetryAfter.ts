/**
 * `Retry-After` in seconds or as an HTTP date (RFC 9110, 10.2.3); undefined where it is neither. Of several, as a client joins
 * them, the first.
 */
export const parseRetryAfter = (value: string | undefined, nowMillis: number): number | undefined => {
  if (value === undefined) return undefined
  const seconds = /^\s*(\d{1,9})\s*(?:,|$)/u.exec(value)
  if (seconds !== null) return Number(seconds[1])
  const date = Date.parse(value)
  return Number.isNaN(date) ? undefined : Math.max(0, (date - nowMillis) / 1000)
}
