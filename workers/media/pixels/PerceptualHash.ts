/** Side of the luma square that is hashed. */
export const HASH_SIDE = 32

const BLOCK = 8
const cosines = new Float64Array(BLOCK * HASH_SIDE)
for (let frequency = 0; frequency < BLOCK; frequency++) {
  for (let x = 0; x < HASH_SIDE; x++) {
    cosines[frequency * HASH_SIDE + x] = 2 * Math.cos((Math.PI * frequency * (2 * x + 1)) / (2 * HASH_SIDE))
  }
}

const rows = new Float64Array(BLOCK * HASH_SIDE)
const coefficients = new Float64Array(BLOCK * BLOCK)
const ordered = new Float64Array(BLOCK * BLOCK)

/** 64 bits as two unsigned 32-bit halves. */
export interface PerceptualHash {
  readonly high: number
  readonly low: number
}

/**
 * The DCT hash of a 32x32 luma square: the 8x8 lowest frequencies of a DCT-II, including the mean, each above their
 * median or not, row by row, the first bit highest. Bit for bit the `phash` of the imagehash library on the same square
 * (checked against its vectors). A square without structure has no meaningful hash; see `spread`.
 */
export const perceptualHash = (square: Uint8Array): PerceptualHash => {
  for (let y = 0; y < HASH_SIDE; y++) {
    for (let u = 0; u < BLOCK; u++) {
      let sum = 0
      for (let x = 0; x < HASH_SIDE; x++) sum += cosines[u * HASH_SIDE + x]! * square[y * HASH_SIDE + x]!
      rows[u * HASH_SIDE + y] = sum
    }
  }
  for (let v = 0; v < BLOCK; v++) {
    for (let u = 0; u < BLOCK; u++) {
      let sum = 0
      for (let y = 0; y < HASH_SIDE; y++) sum += cosines[v * HASH_SIDE + y]! * rows[u * HASH_SIDE + y]!
      coefficients[v * BLOCK + u] = sum
    }
  }
  ordered.set(coefficients)
  ordered.sort()
  // Coefficients that are zero in theory come out as ±1e-13; without the margin they would be noise bits.
  const threshold = (ordered[31]! + ordered[32]!) / 2 + 1e-6
  let high = 0
  let low = 0
  for (let i = 0; i < 32; i++) high = (high << 1) | (coefficients[i]! > threshold ? 1 : 0)
  for (let i = 32; i < 64; i++) low = (low << 1) | (coefficients[i]! > threshold ? 1 : 0)
  return { high: high >>> 0, low: low >>> 0 }
}

/** 16 lower-case hex digits. */
export const hashHex = ({ high, low }: PerceptualHash): string =>
  high.toString(16).padStart(8, "0") + low.toString(16).padStart(8, "0")

const bits = (word: number): number => {
  let x = word - ((word >>> 1) & 0x55555555)
  x = (x & 0x33333333) + ((x >>> 2) & 0x33333333)
  return Math.imul((x + (x >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24
}

/** How many of the 64 bits differ. */
export const hashDistance = (a: PerceptualHash, b: PerceptualHash): number =>
  bits(a.high ^ b.high) + bits(a.low ^ b.low)

/** Standard deviation of the square's luma, 0 to 127.5. Below 3 the hash says nothing: its bits are noise. */
export const spread = (square: Uint8Array): number => {
  let sum = 0
  let squares = 0
  for (const value of square) {
    sum += value
    squares += value * value
  }
  const mean = sum / square.length
  return Math.sqrt(Math.max(0, squares / square.length - mean * mean))
}
