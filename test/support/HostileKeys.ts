import { type KeyObject, randomBytes } from "node:crypto"

/** The numbers of an RSA private key, by the names of RFC 7518. */
export interface RsaNumbers {
  readonly n: bigint
  readonly e: bigint
  readonly d: bigint
  readonly p: bigint
  readonly q: bigint
  readonly dp: bigint
  readonly dq: bigint
  readonly qi: bigint
}

const encoded = (tag: number, content: Buffer): Buffer => {
  const size = content.length
  const length = size < 0x80 ? [size] : size < 0x100 ? [0x81, size] : [0x82, size >> 8, size & 0xFF]
  return Buffer.concat([Buffer.from([tag, ...length]), content])
}
const sequence = (...parts: ReadonlyArray<Buffer>) => encoded(0x30, Buffer.concat(parts))
const integer = (value: bigint) => {
  const hex = value.toString(16)
  const bytes = Buffer.from(hex.length % 2 === 0 ? hex : `0${hex}`, "hex")
  return encoded(0x02, bytes[0]! >= 0x80 ? Buffer.concat([Buffer.alloc(1), bytes]) : bytes)
}
const pem = (der: Buffer) => `-----BEGIN PRIVATE KEY-----\n${der.toString("base64")}\n-----END PRIVATE KEY-----\n`

export const rsaKeyOf = (key: KeyObject): RsaNumbers => {
  const jwk = key.export({ format: "jwk" })
  const number = (name: keyof RsaNumbers) =>
    BigInt(`0x${Buffer.from(jwk[name] as string, "base64url").toString("hex")}`)
  return {
    n: number("n"),
    e: number("e"),
    d: number("d"),
    p: number("p"),
    q: number("q"),
    dp: number("dp"),
    dq: number("dq"),
    qi: number("qi")
  }
}

/** PKCS#8 of whatever numbers: nothing has to be true of them. */
export const rsaKey = ({ d, dp, dq, e, n, p, q, qi }: RsaNumbers): string =>
  pem(sequence(
    integer(0n),
    sequence(encoded(0x06, Buffer.from("2a864886f70d010101", "hex")), encoded(0x05, Buffer.alloc(0))),
    encoded(0x04, sequence(...[0n, n, e, d, p, q, dp, dq, qi].map(integer)))
  ))

const randomNumber = (bytes: number) => BigInt(`0x40${randomBytes(bytes - 1).toString("hex")}`) | 1n

/** A made-up RSA key of so many bits: OpenSSL signs with it, after a fault, by one exponentiation of all of them. */
export const madeUpRsaKey = (bits: number): string => {
  const half = randomNumber(bits / 16)
  const n = randomNumber(bits / 8) | (1n << BigInt(bits - 1))
  const e = 65537n
  return rsaKey({ n, e, d: randomNumber(bits / 8), p: half, q: half + 2n, dp: half - 2n, dq: half - 4n, qi: half - 6n })
}

/** A made-up DSA key whose numbers have so many bytes each, of which OpenSSL works out the public one when it opens it. */
export const dsaKey = (bytes: number): string =>
  pem(sequence(
    integer(0n),
    sequence(
      encoded(0x06, Buffer.from("2a8648ce380401", "hex")),
      sequence(integer(randomNumber(bytes)), integer(randomNumber(32)), integer(randomNumber(bytes)))
    ),
    encoded(0x04, integer(randomNumber(bytes)))
  ))
