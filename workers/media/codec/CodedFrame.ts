/** One frame of a packet, as far as it tells which others it is decoded with. */
export interface CodedFrame {
  /** Where its bytes are in the packet; what no frame claims belongs to the packet as a whole. */
  readonly from: number
  readonly to: number
  /** A bit for each place of the decoder's memory that it is decoded with, and for each that it is kept in afterwards. */
  readonly uses: number
  readonly stores: number
  /** Whether it appears on screen, alone or as the last of its packet. */
  readonly shown: boolean
  /** It changes how all that follows is read, and may not be left out. */
  readonly essential: boolean
}

/** Reads the frames of one packet after the other; null for one that it does not understand, after which it is of no use. */
export type FrameParser = (packet: Uint8Array) => ReadonlyArray<CodedFrame> | null

/** A value read bit by bit was longer than what there is. */
export class OutOfBits extends Error {}

/** Reads numbers of a few bits, the highest first. Throws `OutOfBits` at the end. */
export class BitReader {
  readonly #bytes: Uint8Array
  readonly #end: number
  #at: number

  constructor(bytes: Uint8Array, from: number, to: number) {
    this.#bytes = bytes
    this.#at = from * 8
    this.#end = Math.min(to, bytes.length) * 8
  }

  /** Up to 32 bits. */
  read(count: number): number {
    if (this.#at + count > this.#end) throw new OutOfBits()
    let value = 0
    for (let left = count; left > 0; left--, this.#at++) {
      value = value * 2 + ((this.#bytes[this.#at >> 3]! >> (7 - (this.#at & 7))) & 1)
    }
    return value
  }

  flag(): boolean {
    return this.read(1) === 1
  }
}
