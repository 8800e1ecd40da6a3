const block = /-----BEGIN (RSA )?PRIVATE KEY-----([A-Za-z0-9+/=\s]+)-----END \1PRIVATE KEY-----/u

/** 1.2.840.113549.1.1.1 rsaEncryption with its empty parameters, as DER. */
const rsaEncryption = Buffer.from("300d06092a864886f70d0101010500", "hex")

/** 0, and 1 where the public key follows (RFC 5958). */
const versions = new Set(["020100", "020101"])

const tags = { integer: 0x02, octets: 0x04, sequence: 0x30 }

interface Value {
  readonly tag: number
  readonly bytes: Buffer
  /** The value with its tag and length. */
  readonly whole: Buffer
}

/** The values that follow one another in DER, or undefined where the bytes are none. Lengths of up to three bytes. */
const valuesOf = (bytes: Buffer): ReadonlyArray<Value> | undefined => {
  const values: Array<Value> = []
  let at = 0
  while (at < bytes.length) {
    const first = bytes[at + 1]
    if (first === undefined) return undefined
    const more = first < 0x80 ? 0 : first - 0x80
    if (more > 3 || first === 0x80 || at + 2 + more > bytes.length) return undefined
    const length = more === 0 ? first : bytes.readUIntBE(at + 2, more)
    const from = at + 2 + more
    if (from + length > bytes.length) return undefined
    values.push({
      tag: bytes[at]!,
      bytes: bytes.subarray(from, from + length),
      whole: bytes.subarray(at, from + length)
    })
    at = from + length
  }
  return values
}

const inside = (value: Value | undefined, tag: number): ReadonlyArray<Value> | undefined =>
  value?.tag === tag ? valuesOf(value.bytes) : undefined

/** RFC 5208: a version, the algorithm, and the key of RFC 8017 in octets; attributes may follow. */
const unwrapped = (der: Buffer): Value | undefined => {
  const [version, algorithm, key] = inside(valuesOf(der)?.[0], tags.sequence) ?? []
  const isRsa = version !== undefined && versions.has(version.whole.toString("hex")) && algorithm !== undefined &&
    rsaEncryption.equals(algorithm.whole)
  return isRsa && key?.tag === tags.octets ? valuesOf(key.bytes)?.[0] : undefined
}

const mostBytes = 1025

const integerOf = ({ bytes, tag }: Value): bigint | undefined =>
  tag !== tags.integer || bytes.length === 0 || bytes.length > mostBytes || (bytes[0]! & 0x80) !== 0
    ? undefined
    : BigInt(`0x${bytes.toString("hex")}`)

type RsaNumbers = readonly [
  version: bigint,
  n: bigint,
  e: bigint,
  d: bigint,
  p: bigint,
  q: bigint,
  dp: bigint,
  dq: bigint,
  qi: bigint
]

/**
 * The nine numbers of the first RSA private key in a PEM text (RFC 8017, A.1.2), PKCS#8 or PKCS#1, none of more than 8,192
 * bits; undefined where there is no such key. Costs microseconds and calls no cryptographic library, whatever is in it.
 */
export const derIntegers = (pem: string): RsaNumbers | undefined => {
  const [, pkcs1, base64] = block.exec(pem) ?? []
  if (base64 === undefined) return undefined
  const der = Buffer.from(base64.replaceAll(/\s/gu, ""), "base64")
  const key = pkcs1 === undefined ? unwrapped(der) : valuesOf(der)?.[0]
  const numbers = (inside(key, tags.sequence) ?? []).map(integerOf)
  return numbers.length === 9 && numbers.every((number) => number !== undefined)
    ? numbers as unknown as RsaNumbers
    : undefined
}
