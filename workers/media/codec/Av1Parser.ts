import { type Av1Sequence, readSequence } from "./Av1Sequence.ts"
import { BitReader, type CodedFrame, type FrameParser, OutOfBits } from "./CodedFrame.ts"

const SEQUENCE = 1
const HEADER = 3
const TILES = 4
const FRAME = 6
const REDUNDANT = 7
const TILE_LIST = 8

const KEY = 0
const INTRA_ONLY = 2
const SWITCH = 3

const EVERY_PLACE = 0xff

/** What one frame header says; `type` is null for a frame that was decoded before and is shown now. */
interface FrameHeader {
  readonly type: number | null
  readonly place: number
  readonly shown: boolean
  readonly uses: number
  readonly stores: number
}

/** The places of the pictures that an inter frame is predicted from. */
const readReferences = (bits: BitReader, sequence: Av1Sequence): number => {
  // Where only two are told, the others follow from the order of all that are kept.
  if (sequence.order_hint_bits > 0 && bits.flag()) return EVERY_PLACE
  let uses = 0
  for (let nth = 0; nth < 7; nth++) {
    uses |= 1 << bits.read(3)
    bits.read(sequence.delta_id_bits)
  }
  return uses
}

/** A frame header up to its references (AV1 bitstream specification, 5.9.2). */
const readHeader = (bits: BitReader, sequence: Av1Sequence): FrameHeader => {
  if (bits.flag()) {
    const place = bits.read(3)
    return { type: null, place, shown: true, uses: 1 << place, stores: 0 }
  }
  const type = bits.read(2)
  const shown = bits.flag()
  if (shown) bits.read(sequence.presentation_bits)
  else bits.read(1)
  const reset = type === KEY && shown
  const resilient = type === SWITCH || reset || bits.flag()
  bits.read(1)
  const screen = sequence.screen_content === 2 ? bits.flag() : sequence.screen_content === 1
  if (screen && sequence.integer_motion === 2) bits.read(1)
  bits.read(sequence.id_bits)
  if (type !== SWITCH) bits.read(1)
  bits.read(sequence.order_hint_bits)
  const intra = type === KEY || type === INTRA_ONLY
  if (!intra && !resilient) bits.read(3)
  if (sequence.removal_bits !== null && bits.flag() && sequence.tells_removal) bits.read(sequence.removal_bits)
  const stores = type === SWITCH || reset ? EVERY_PLACE : bits.read(8)
  const frame = { type, place: 0, shown, stores }
  if (resilient && sequence.order_hint_bits > 0 && (!intra || stores !== EVERY_PLACE)) {
    // The order of all that are kept is told; what is not as told is replaced by grey.
    return { ...frame, uses: EVERY_PLACE }
  }
  return { ...frame, uses: intra ? 0 : readReferences(bits, sequence) }
}

/** One unit of a packet: its kind, where it is and where its content is. */
interface Unit {
  readonly kind: number
  readonly from: number
  readonly content: number
  readonly to: number
}

/** Splits a packet into its units (5.3); null where they do not fill it, and where they belong to layers. */
const unitsOf = (packet: Uint8Array): ReadonlyArray<Unit> | null => {
  const units: Array<Unit> = []
  for (let at = 0; at < packet.length;) {
    const head = packet[at]!
    // Forbidden, or with an extension.
    if ((head & 0x84) !== 0) return null
    let content = at + 1
    let size = 0
    if ((head & 2) === 0) size = packet.length - content
    else {
      let shift = 1
      let byte = 0x80
      for (; byte >= 0x80 && content - at <= 8; shift *= 128, content++) {
        byte = packet[content] ?? 0
        size += (byte & 0x7f) * shift
      }
    }
    const to = content + size
    if (to > packet.length) return null
    units.push({ kind: (head >> 3) & 15, from: at, content, to })
    at = to
  }
  return units
}

const sameBytes = (a: Uint8Array, b: Uint8Array): boolean => Buffer.compare(a, b) === 0

class Av1Packets {
  #sequence: Av1Sequence | null = null
  #written: Uint8Array = new Uint8Array(0)
  /** Which of the kept frames are key frames: shown a second time, such a one begins everything anew. */
  readonly #keys = Array.from({ length: 8 }, () => false)

  read(packet: Uint8Array): ReadonlyArray<CodedFrame> | null {
    const units = unitsOf(packet)
    if (units === null) return null
    const frames: Array<CodedFrame> = []
    let essential = false
    for (const unit of units) {
      if (unit.kind === SEQUENCE) {
        const written = packet.slice(unit.content, unit.to)
        if (sameBytes(written, this.#written)) continue
        this.#sequence = readSequence(new BitReader(packet, unit.content, unit.to))
        this.#written = written
        essential = true
      }
      if (unit.kind === TILE_LIST) return null
      if (unit.kind === HEADER || unit.kind === FRAME) {
        if (this.#sequence === null) return null
        frames.push({ ...this.#frame(packet, unit, this.#sequence), essential })
      }
      if (unit.kind === TILES || unit.kind === REDUNDANT) {
        const last = frames.pop()
        if (last === undefined) return null
        frames.push({ ...last, to: unit.to })
      }
    }
    // Shown twice, a packet would stand for two pictures.
    return frames.filter(({ shown }) => shown).length > 1 ? null : frames
  }

  #frame(packet: Uint8Array, { content, from, to }: Unit, sequence: Av1Sequence): Omit<CodedFrame, "essential"> {
    const { place, shown, stores, type, uses } = readHeader(new BitReader(packet, content, to), sequence)
    const again = type === null && this.#keys[place]!
    const kept = again ? EVERY_PLACE : stores
    for (let slot = 0; slot < 8; slot++) if ((kept >> slot) & 1) this.#keys[slot] = again || type === KEY
    return { from, to, shown, uses, stores: kept }
  }
}

/**
 * AV1's frames. All that one is decoded with, pictures, motion, segments and probabilities, is kept in one of eight places and
 * named in its header, so that what no later frame names may be missing. Null for layers, still pictures, tile lists, and what
 * comes before a sequence header.
 */
export const av1Parser = (): FrameParser => {
  const packets = new Av1Packets()
  return (packet) => {
    try {
      return packets.read(packet)
    } catch (error) {
      if (error instanceof OutOfBits) return null
      throw error
    }
  }
}
