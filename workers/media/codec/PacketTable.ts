/** What the packets of one stream say of themselves, in seconds from the start of the source. */
export interface PacketTimes {
  readonly packets: number
  /** When the last packet begins, and when it ends by its own length. */
  readonly last: number
  readonly end: number
  /** The longest time from one packet to the next, in decoding order. */
  readonly longest_gap: number
  /** The longest time from one key packet to the next or to the end; null without any. */
  readonly longest_key_gap: number | null
}

interface Running {
  readonly unit: number
  packets: number
  last: number
  end: number
  decoded: number | null
  longest_gap: number
  key: number | null
  longest_key_gap: number
}

const timeBase = /^#tb (\d+): (\d+)\/(\d+)$/u
/** Stream, decoding time, presentation time, length, size, checksum; flags only where it is no plain key packet. */
const packetLine = /^(\d+), *(-?\d+), *(-?\d+), *(-?\d+), *\d+, 0x[0-9a-f]+(?:, F=0x([0-9A-Fa-f]+))?/u

/** Decoders write this for a time that a packet does not have. */
const UNKNOWN = -(2 ** 62)

/**
 * Reads the packet table that FFmpeg's `framecrc` writes, piece by piece; memory does not grow with the file. Lines that
 * are none of its own are passed over.
 */
export class PacketTable {
  readonly #streams = new Map<number, Running>()
  #rest = ""

  push(text: string): void {
    const lines = (this.#rest + text).split("\n")
    this.#rest = lines.pop()!
    for (const line of lines) this.#take(line)
  }

  /** By the stream's number in the table; streams without packets are not in it. */
  get streams(): ReadonlyMap<number, PacketTimes> {
    const times = new Map<number, PacketTimes>()
    for (const [stream, { decoded, end, key, last, longest_gap, longest_key_gap, packets }] of this.#streams) {
      if (packets === 0) continue
      const gap = key === null ? null : Math.max(longest_key_gap, (decoded ?? last) - key)
      times.set(stream, { packets, last, end, longest_gap, longest_key_gap: gap })
    }
    return times
  }

  #take(line: string): void {
    const packet = packetLine.exec(line)
    const stream = packet === null ? undefined : this.#streams.get(Number(packet[1]))
    if (packet === null || stream === undefined) {
      const base = timeBase.exec(line)
      if (base !== null) this.#streams.set(Number(base[1]), starting(Number(base[2]) / Number(base[3])))
      return
    }
    const [decoded, presented, length] = [packet[2], packet[3], packet[4]].map(Number)
    stream.packets++
    const at = presented! <= UNKNOWN ? decoded! : presented!
    if (at > UNKNOWN) {
      stream.last = Math.max(stream.last, at * stream.unit)
      stream.end = Math.max(stream.end, (at + Math.max(0, length!)) * stream.unit)
    }
    if (decoded! <= UNKNOWN) return
    const now = decoded! * stream.unit
    if (stream.decoded !== null) stream.longest_gap = Math.max(stream.longest_gap, now - stream.decoded)
    stream.decoded = now
    const flags = packet[5]
    if (flags !== undefined && (Number.parseInt(flags, 16) & 1) === 0) return
    if (stream.key !== null) stream.longest_key_gap = Math.max(stream.longest_key_gap, now - stream.key)
    stream.key = now
  }
}

const starting = (unit: number): Running => ({
  unit,
  packets: 0,
  last: 0,
  end: 0,
  decoded: null,
  longest_gap: 0,
  key: null,
  longest_key_gap: 0
})
