import { Data, Effect, Semaphore } from "effect"
import { type JWTPayload, SignJWT } from "jose"
import { createPrivateKey, createPublicKey, type KeyObject, randomBytes, sign, verify } from "node:crypto"
import { derIntegers } from "./DerIntegers.ts"

/** Nothing was signed: the key is none that this service signs with, or no thread came to it in time. */
export class RsaKeyRefused extends Data.TaggedError("RsaKeyRefused")<{ readonly reason: "unusable" | "timeout" }> {}

/** The least that RFC 7518 allows for RS256, and what one signature of costs 6 ms; 16,384 bits cost 2,000. */
const bits = { least: 2048, most: 4096 }
const publicExponent = 65537n

const bitLength = (value: bigint): number => value.toString(2).length
const part = (value: bigint): string => {
  const hex = value.toString(16)
  return Buffer.from(hex.length % 2 === 0 ? hex : `0${hex}`, "hex").toString("base64url")
}

/**
 * An RSA private key from PEM, PKCS#8 or PKCS#1, whose numbers are known to be of RSA, small enough, and to belong together;
 * undefined for anything else. Nothing that a caller sent reaches OpenSSL before: it takes 19 s over the public half of a
 * made-up DSA key of 16 KB, and signs the slow way where the primes are not the modulus's.
 */
export const rsaPrivateKey = (pem: string): KeyObject | undefined => {
  const numbers = derIntegers(pem)
  if (numbers === undefined) return undefined
  const [version, n, e, d, p, q, dp, dq, qi] = numbers
  const size = bitLength(n)
  const apart = version === 0n && e === publicExponent && size >= bits.least && size <= bits.most
    && d > 1n && d < n && p > 1n && q > 1n && p * q === n
    && dp === d % (p - 1n) && dq === d % (q - 1n) && qi < p && (qi * q) % p === 1n
  if (!apart) return undefined
  try {
    return createPrivateKey({
      format: "jwk",
      key: {
        kty: "RSA",
        n: part(n),
        e: part(e),
        d: part(d),
        p: part(p),
        q: part(q),
        dp: part(dp),
        dq: part(dq),
        qi: part(qi)
      }
    })
  } catch {
    return undefined
  }
}

/** The same for a key that was kept, perhaps before this rule: it is refused now rather than run. */
export const openRsaKey = (pem: string): Effect.Effect<KeyObject, RsaKeyRefused> =>
  Effect.suspend(() => {
    const key = rsaPrivateKey(pem)
    return key === undefined ? Effect.fail(new RsaKeyRefused({ reason: "unusable" })) : Effect.succeed(key)
  })

/** Signatures at once: the thread pool's other threads stay for files, names and compression. */
const turns = Semaphore.makeUnsafe(2)

const bounded = <A>(work: Effect.Effect<A, RsaKeyRefused>): Effect.Effect<A, RsaKeyRefused> =>
  turns.withPermits(1)(work).pipe(
    Effect.timeoutOrElse({
      duration: "10 seconds",
      orElse: () => Effect.fail(new RsaKeyRefused({ reason: "timeout" }))
    })
  )

const signed = (key: KeyObject, bytes: Uint8Array): Effect.Effect<Buffer, RsaKeyRefused> =>
  Effect.callback((resume) =>
    sign(
      "RSA-SHA256",
      bytes,
      key,
      (error, signature) =>
        resume(error === null ? Effect.succeed(signature) : Effect.fail(new RsaKeyRefused({ reason: "unusable" })))
    )
  )

const verified = (key: KeyObject, bytes: Uint8Array, signature: Uint8Array): Effect.Effect<boolean> =>
  Effect.callback((resume) =>
    verify(
      "RSA-SHA256",
      bytes,
      createPublicKey(key),
      signature,
      (error, good) => resume(Effect.succeed(error === null && good))
    )
  )

/**
 * A JSON Web Token signed with RSASSA-PKCS1-v1_5 and SHA-256 (RFC 7519, RS256 of RFC 7518), by a thread of the pool and not
 * the event loop. Fails after 10 s, turns included.
 */
export const signJwt = (claims: JWTPayload, key: KeyObject): Effect.Effect<string, RsaKeyRefused> =>
  bounded(Effect.tryPromise({
    try: () => new SignJWT(claims).setProtectedHeader({ alg: "RS256", typ: "JWT" }).sign(key),
    catch: () => new RsaKeyRefused({ reason: "unusable" })
  }))

/**
 * Signs once and verifies it: a key whose primes are none or whose exponents are no pair is found out here, once, and not
 * at every delivery.
 */
export const provesItself = Effect.fnUntraced(function*(pem: string): Effect.fn.Return<boolean, RsaKeyRefused> {
  const key = yield* openRsaKey(pem)
  const bytes = randomBytes(32)
  return yield* bounded(Effect.flatMap(signed(key, bytes), (signature) => verified(key, bytes, signature)))
}, Effect.catchTag("RsaKeyRefused", (error) => error.reason === "timeout" ? Effect.fail(error) : Effect.succeed(false)))
