import { BitReader, type CodedFrame, type FrameParser, OutOfBits } from "./CodedFrame.ts"

/** The sizes of the frames in one packet, by the index at its end (VP9 bitstream specification, annex B). */
const frameSizes = (packet: Uint8Array): ReadonlyArray<number> | null => {
  const marker = packet.at(-1)!
  if (marker >> 5 !== 0b110) return [packet.length]
  const count = (marker & 7) + 1
  const width = ((marker >> 3) & 3) + 1
  const index = packet.length - 2 - count * width
  if (index < 0 || packet[index] !== marker) return [packet.length]
  const sizes = Array.from({ length: count }, (_, nth) => {
    let size = 0
    for (let byte = 0; byte < width; byte++) size += packet[index + 1 + nth * width + byte]! * 256 ** byte
    return size
  })
  return sizes.reduce((sum, size) => sum + size, 0) <= index ? sizes : null
}

/** Key frames and shown ones (section 6.2). */
const readHeader = (bits: BitReader): { readonly key: boolean; readonly shown: boolean } | null => {
  if (bits.read(2) !== 2) return null
  const profile = bits.read(1) + 2 * bits.read(1)
  if (profile === 3 && bits.flag()) return null
  if (bits.flag()) return { key: false, shown: true }
  return { key: !bits.flag(), shown: bits.flag() }
}

const readPacket = (packet: Uint8Array): ReadonlyArray<CodedFrame> | null => {
  const sizes = packet.length === 0 ? null : frameSizes(packet)
  if (sizes === null) return null
  let at = 0
  let key = false
  let shown = false
  for (const [nth, size] of sizes.entries()) {
    const header = readHeader(new BitReader(packet, at, at + size))
    if (header === null) return null
    if (nth === 0) key = header.key
    if (shown && header.shown) return null
    shown ||= header.shown
    at += size
  }
  return [{ from: 0, to: packet.length, uses: key ? 0 : 1, stores: 1, shown, essential: false }]
}

/**
 * VP9's packets, each as one frame: it is decoded with the packet before it, of which it takes over probabilities, motion and
 * segments besides the pictures that it names, unless it begins with a key frame, which takes over nothing. One that shows two
 * pictures is not understood.
 */
export const vp9Parser = (): FrameParser => (packet) => {
  try {
    return readPacket(packet)
  } catch (error) {
    if (error instanceof OutOfBits) return null
    throw error
  }
}
