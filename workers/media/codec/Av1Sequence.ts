import type { BitReader } from "./CodedFrame.ts"

/** What a sequence header says of how frame headers are written. */
export interface Av1Sequence {
  /** Bits of the time at which a frame is presented, where frames tell it, and of the time at which one is removed. */
  readonly presentation_bits: number
  readonly removal_bits: number | null
  /** Whether frames tell a removal time for the one operating point there is. */
  readonly tells_removal: boolean
  /** Bits of a frame's number and of the distance to another's; 0 where frames have none. */
  readonly id_bits: number
  readonly delta_id_bits: number
  readonly screen_content: 0 | 1 | 2
  readonly integer_motion: 0 | 1 | 2
  readonly order_hint_bits: number
}

const unary = (bits: BitReader): void => {
  let zeros = 0
  while (!bits.flag()) zeros++
  bits.read(Math.min(zeros, 32))
}

const readTiming = (bits: BitReader) => {
  const none = { equal: true, delay_bits: null, removal_bits: null, presentation_bits: 0 }
  if (!bits.flag()) return none
  bits.read(32)
  bits.read(32)
  const equal = bits.flag()
  if (equal) unary(bits)
  if (!bits.flag()) return { ...none, equal }
  const delay_bits = bits.read(5) + 1
  bits.read(32)
  const removal_bits = bits.read(5) + 1
  return { equal, delay_bits, removal_bits, presentation_bits: bits.read(5) + 1 }
}

/** A choice that each frame makes by itself (2), or the one made for all. */
const choice = (bits: BitReader): 0 | 1 | 2 => bits.flag() ? 2 : bits.flag() ? 1 : 0

/**
 * Reads a sequence header (AV1 bitstream specification, 5.5) as far as frame headers depend on it; null for a still picture
 * and for one of several layers, whose frames are not told apart here.
 */
export const readSequence = (bits: BitReader): Av1Sequence | null => {
  bits.read(3)
  // A still picture, in the long or the short form.
  if (bits.flag() || bits.flag()) return null
  const timing = readTiming(bits)
  const delayed = bits.flag()
  const points = bits.read(5) + 1
  const layers = bits.read(12)
  if (points !== 1 || layers !== 0) return null
  if (bits.read(5) > 7) bits.read(1)
  const tells_removal = timing.delay_bits !== null && bits.flag()
  if (tells_removal) {
    bits.read(timing.delay_bits!)
    bits.read(timing.delay_bits!)
    bits.read(1)
  }
  if (delayed && bits.flag()) bits.read(4)
  const width_bits = bits.read(4) + 1
  const height_bits = bits.read(4) + 1
  bits.read(width_bits)
  bits.read(height_bits)
  const numbered = bits.flag()
  const delta_id_bits = numbered ? bits.read(4) + 2 : 0
  const id_bits = numbered ? bits.read(3) + delta_id_bits + 1 : 0
  // Superblocks, two kinds of prediction within a picture, and four between pictures.
  bits.read(7)
  const ordered = bits.flag()
  if (ordered) bits.read(2)
  const screen_content = choice(bits)
  const integer_motion = screen_content === 0 ? 2 : choice(bits)
  return {
    presentation_bits: timing.equal ? 0 : timing.presentation_bits,
    removal_bits: timing.removal_bits,
    tells_removal,
    id_bits,
    delta_id_bits,
    screen_content,
    integer_motion,
    order_hint_bits: ordered ? bits.read(3) + 1 : 0
  }
}
