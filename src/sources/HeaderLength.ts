/** A piece of a file that is asked for: fewer bytes come where the file ends. */
interface Piece {
  readonly from: number
  readonly length: number
}

type Reading = Generator<Piece, number | undefined, Uint8Array>

/** No header has more parts before the one that tells the length. */
const mostParts = 64
const matroskaBytes = 65_536

const viewOf = (bytes: Uint8Array) => new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
const nameAt = (bytes: Uint8Array, at: number) => String.fromCodePoint(...bytes.subarray(at, at + 4))
const seconds = (value: number): number | undefined =>
  Number.isFinite(value) && value > 0 ? Math.round(value * 1000) / 1000 : undefined

/** ISO 14496-12: `moov` / `mvhd` tells the length in its own scale; a fragmented file says 0 there. */
function* isoLength(size: number): Reading {
  for (let [at, parts] = [0, 0]; parts < mostParts && at < size; parts++) {
    const head = yield { from: at, length: 48 }
    if (head.length < 16) return undefined
    const view = viewOf(head)
    const large = view.getUint32(0) === 1
    const length = large ? Number(view.getBigUint64(8)) : view.getUint32(0)
    switch (nameAt(head, 4)) {
      case "moov":
        at += large ? 16 : 8
        continue
      case "mvhd": {
        if (head.length < 48) return undefined
        const [scale, ticks] = view.getUint8(8) === 1
          ? [view.getUint32(28), Number(view.getBigUint64(32))]
          : [view.getUint32(20), view.getUint32(24)]
        return seconds(ticks / scale)
      }
      default:
        // 0: the rest of the file.
        if (length < 8) return undefined
        at += length
    }
  }
  return undefined
}

/** RFC 8794: an element's id with its marker, and a size without it; undefined where they are cut off or unbounded. */
const element = (view: DataView, at: number) => {
  const width = (from: number) => from < view.byteLength ? Math.clz32(view.getUint8(from)) - 23 : 9
  const idWidth = width(at)
  const sizeAt = at + idWidth
  const sizeWidth = width(sizeAt)
  const from = sizeAt + sizeWidth
  if (idWidth > 4 || sizeWidth > 8 || from > view.byteLength) return undefined
  let id = 0
  for (let index = 0; index < idWidth; index++) id = id * 256 + view.getUint8(at + index)
  let size = view.getUint8(sizeAt) - 2 ** (8 - sizeWidth)
  for (let index = 1; index < sizeWidth; index++) size = size * 256 + view.getUint8(sizeAt + index)
  return { id, from, to: from + size }
}

const ids = { header: 0x1A45DFA3, segment: 0x18538067, info: 0x1549A966, scale: 0x2AD7B1, duration: 0x4489 } as const

const unsigned = (view: DataView, from: number, to: number): number => {
  let value = 0
  for (let at = from; at < to; at++) value = value * 256 + view.getUint8(at)
  return value
}

/** RFC 9559: the segment's `Info` tells the length in units of its scale, a million nanoseconds by default. */
function* matroskaLength(): Reading {
  const bytes = yield { from: 0, length: matroskaBytes }
  const view = viewOf(bytes)
  let scale = 1e6
  let length: number | undefined
  for (let [at, parts] = [0, 0]; parts < mostParts * 4; parts++) {
    const found = element(view, at)
    if (found === undefined) break
    const { from, id, to } = found
    const whole = to <= view.byteLength
    if (id === ids.segment || id === ids.info) {
      at = from
      continue
    }
    if (id === ids.scale && whole && to - from <= 8) scale = unsigned(view, from, to)
    if (id === ids.duration && whole) {
      length = to - from === 4 ? view.getFloat32(from) : to - from === 8 ? view.getFloat64(from) : undefined
    }
    at = to
  }
  return length === undefined ? undefined : seconds(length * scale / 1e9)
}

/** RIFF/WAVE: the length of `data` by the bytes of a second that `fmt ` tells. */
function* waveLength(size: number): Reading {
  let rate: number | undefined
  for (let [at, parts] = [12, 0]; parts < mostParts && at < size; parts++) {
    const head = yield { from: at, length: 20 }
    if (head.length < 8) return undefined
    const view = viewOf(head)
    const bytes = view.getUint32(4, true)
    if (nameAt(head, 0) === "fmt " && head.length === 20) rate = view.getUint32(16, true)
    // A recorder that was cut off wrote no length, or that of what it wanted to write.
    if (nameAt(head, 0) === "data" && rate !== undefined) return seconds(Math.min(bytes, size - at - 8) / rate)
    at += 8 + bytes + bytes % 2
  }
  return undefined
}

/**
 * How long a file of `size` bytes says that it is, in seconds to the millisecond, from a few small pieces of it: MP4 and
 * QuickTime, Matroska and WebM, WAV. Undefined where its header does not say, is damaged, or is of another kind. Nothing is
 * decoded, and what is answered is a claim: whoever works on the file measures.
 */
export function* headerLength(size: number): Reading {
  const head = yield { from: 0, length: 16 }
  if (head.length < 16) return undefined
  if (viewOf(head).getUint32(0) === ids.header) return yield* matroskaLength()
  if (nameAt(head, 0) === "RIFF" && nameAt(head, 8) === "WAVE") return yield* waveLength(size)
  return /^(?:ftyp|moov|mdat|wide|free|skip)$/u.test(nameAt(head, 4)) ? yield* isoLength(size) : undefined
}
