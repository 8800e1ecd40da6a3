import { hashDistance, type PerceptualHash } from "../pixels/PerceptualHash.ts"

/** 64 bits in four bands: where two hashes differ in at most 7 bits, one band differs in at most one. */
const BANDS = 4
const BAND_BITS = 16
const MOST_BITS = 7

const bandOf = ({ high, low }: PerceptualHash, band: number): number =>
  ((band < 2 ? high : low) >>> (band % 2 === 0 ? 16 : 0)) & 0xffff

/** Twice as long, the rest 0. */
const grown = (list: Int32Array): Int32Array<ArrayBuffer> => {
  const longer = new Int32Array(2 * list.length)
  longer.set(list)
  return longer
}

/**
 * Finds, among any number of hashes, those within a distance: exactly the ones that comparing with each would find, by
 * multi-index hashing (Norouzi, Punjani, Fleet: Fast search in Hamming space with multi-index hashing, 2012). A look-up
 * among 100,000 takes microseconds. Throws a `RangeError` for a distance above 7 bits, which the bands do not cover.
 */
export class HashIndex {
  readonly #hashes: Array<PerceptualHash> = []
  /** Per band and value the last entry that has it, per entry and band the one before it; counted from 1, 0 ends a chain. */
  readonly #last = new Int32Array(BANDS << BAND_BITS)
  #before = new Int32Array(BANDS << 6)
  /** The look-up that an entry was last met in. */
  #met = new Int32Array(1 << 6)
  #lookup = 0

  /** The entry's number: the first is 0. */
  add(hash: PerceptualHash): number {
    const entry = this.#hashes.push(hash) - 1
    if (entry >= this.#met.length) {
      this.#met = grown(this.#met)
      this.#before = grown(this.#before)
    }
    for (let band = 0; band < BANDS; band++) {
      const slot = (band << BAND_BITS) | bandOf(hash, band)
      this.#before[entry * BANDS + band] = this.#last[slot]!
      this.#last[slot] = entry + 1
    }
    return entry
  }

  /** The entries within `bits` of the hash, latest first. */
  within(hash: PerceptualHash, bits: number): ReadonlyArray<number> {
    if (bits > MOST_BITS) throw new RangeError(`No more than ${MOST_BITS} bits`)
    this.#lookup++
    const found: Array<number> = []
    for (let band = 0; band < BANDS; band++) {
      const own = (band << BAND_BITS) | bandOf(hash, band)
      this.#follow(own, band, hash, bits, found)
      for (let bit = 0; bit < BAND_BITS; bit++) this.#follow(own ^ (1 << bit), band, hash, bits, found)
    }
    return found.length > 1 ? found.toSorted((a, b) => b - a) : found
  }

  #follow(slot: number, band: number, hash: PerceptualHash, bits: number, found: Array<number>): void {
    for (let next = this.#last[slot]!; next > 0; next = this.#before[(next - 1) * BANDS + band]!) {
      const entry = next - 1
      if (this.#met[entry] === this.#lookup) continue
      this.#met[entry] = this.#lookup
      if (hashDistance(hash, this.#hashes[entry]!) <= bits) found.push(entry)
    }
  }
}
