import { doorsOf } from "./Doors.ts"
import { authorizations, bodies, methods, oddHeaders, paths, types, versions } from "./Vocabulary.ts"

/** What a request is wrong in; some are wrong in several ways, and a few are right. */
export interface MalformedRequest {
  readonly kind: string
  readonly bytes: Buffer
  /** The sender closes its side after these bytes, as one that breaks off. */
  readonly breaksOff?: boolean
  /** The server may be right to wait for more. */
  readonly mayWait?: boolean
}

/** A generator of numbers in [0, 1), the same for the same seed (mulberry32). */
const seeded = (seed: number) => {
  let state = seed
  return (): number => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

const chunk = (bytes: Buffer) =>
  Buffer.concat([Buffer.from(`${bytes.length.toString(16)}\r\n`), bytes, Buffer.from("\r\n")])

/**
 * Every kind of request that is no request of the API, one after the other for ever, the same for the same seed. With
 * `signed_in`, an access token of the tool server and the client that has it, three in ten go to it and to the authorization server, each from an address of its own as a
 * proxy would tell it, since these count by address.
 */
export function* malformedRequests(
  seed: number,
  key: string,
  signed_in?: { readonly access_token: string; readonly client_id: string }
): Generator<MalformedRequest, never> {
  const random = seeded(seed)
  const pick = <A>(of: ReadonlyArray<A>): A => of[Math.floor(random() * of.length)]!
  const below = (limit: number) => Math.floor(random() * limit)
  const authorization = authorizations(key)
  const token = signed_in?.access_token
  const doors = signed_in === undefined ? [] : doorsOf(signed_in.client_id)

  const flipped = (bytes: Buffer): Buffer => {
    if (bytes.length === 0) return bytes
    const changed = Buffer.from(bytes)
    for (let flips = 1 + below(5); flips > 0; flips--) changed[below(changed.length)] = below(256)
    return changed
  }

  /** How long the body is said to be, which need not be how long it is. */
  const framed = (
    body: Buffer
  ): { readonly kind: string; readonly headers: ReadonlyArray<string>; readonly payload: Buffer } => {
    const last = Buffer.from("0\r\n\r\n")
    const length = `Content-Length: ${body.length}`
    switch (below(24)) {
      case 0:
        return {
          kind: "shorter than it says",
          headers: [`Content-Length: ${body.length + 1 + below(50)}`],
          payload: body
        }
      case 1:
        return {
          kind: "longer than it says",
          headers: [`Content-Length: ${Math.max(0, body.length - 1 - below(50))}`],
          payload: body
        }
      case 2:
        return { kind: "two lengths", headers: [length, "Content-Length: 7"], payload: body }
      case 3:
        return {
          kind: "no length",
          headers: [`Content-Length: ${pick(["-1", "1e3", "0x10", "99999999999999999999", "+5", " "])}`],
          payload: body
        }
      case 4:
        return { kind: "chunked", headers: ["Transfer-Encoding: chunked"], payload: Buffer.concat([chunk(body), last]) }
      case 5:
        return {
          kind: "chunked and a length",
          headers: ["Transfer-Encoding: chunked", length],
          payload: Buffer.concat([chunk(body), last])
        }
      case 6:
        return {
          kind: "chunks that lie",
          headers: ["Transfer-Encoding: chunked"],
          payload: Buffer.concat([Buffer.from("zz\r\n"), body, last])
        }
      case 7:
        return {
          kind: "unknown coding",
          headers: [`Transfer-Encoding: ${pick(["xchunked", "gzip, chunked", "chunked, chunked", "identity"])}`],
          payload: body
        }
      default:
        return { kind: "framed", headers: [length], payload: body }
    }
  }

  while (true) {
    // Rare, because a megabyte each is slow to send: a body over the limit, with its length or without.
    if (random() < 0.002) {
      const chunked = random() < 0.5
      const piece = Buffer.alloc(1_100_000, 0x20)
      const head = [
        "POST /v1/jobs HTTP/1.1",
        "Host: localhost",
        `Authorization: Bearer ${key}`,
        "Content-Type: application/json",
        chunked ? "Transfer-Encoding: chunked" : `Content-Length: ${piece.length}`
      ]
      const payload = chunked
        ? [Buffer.from(`${piece.length.toString(16)}\r\n`), piece, Buffer.from("\r\n0\r\n\r\n")]
        : [piece]
      yield {
        kind: "over the limit",
        bytes: Buffer.concat([Buffer.from(`${head.join("\r\n")}\r\n\r\n`), ...payload])
      }
      continue
    }
    const door = signed_in !== undefined && random() < 0.3 ? pick(pick(doors)) : undefined
    const text = Buffer.from(pick(door?.bodies ?? bodies), "latin1")
    const { headers, kind, payload } = framed(random() < 0.3 ? flipped(text) : text)
    const known = door !== undefined && random() < 0.9 ? door : undefined
    const lines = [`${known?.method ?? pick(methods)} ${door?.path ?? pick(paths)} ${pick(versions)}`]
    if (random() < 0.95) lines.push("Host: localhost")
    if (known !== undefined) {
      lines.push(`Authorization: Bearer ${token}`, `Content-Type: ${known.type}`, ...known.headers)
    } else {
      if (random() < 0.9) lines.push(`Authorization: ${pick(authorization)}`)
      if (random() < 0.9) lines.push(`Content-Type: ${pick(types)}`)
    }
    if (door !== undefined) lines.push(`X-Forwarded-For: 10.${below(256)}.${below(256)}.${below(256)}`)
    lines.push(...headers)
    while (random() < 0.2) lines.push(pick(oddHeaders))
    const separator = random() < 0.02 ? "\n" : "\r\n"
    const whole = Buffer.concat([Buffer.from(`${lines.join(separator)}${separator}${separator}`, "latin1"), payload])
    const broken = random()
    if (broken < 0.05) yield { kind: "breaks off", bytes: whole.subarray(0, below(whole.length)), breaksOff: true }
    else if (broken < 0.1) yield { kind: "flipped bytes", bytes: flipped(whole), mayWait: true }
    else if (broken < 0.11) {
      yield {
        kind: "noise",
        bytes: Buffer.from(Array.from({ length: 1 + below(300) }, () => below(256)))
      }
    } else yield { kind, bytes: whole, mayWait: kind !== "framed" }
  }
}
