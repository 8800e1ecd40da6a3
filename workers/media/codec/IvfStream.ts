const FILE_HEADER = 32
/** Where the header says how many times a second a tick comes: one over the other. */
const RATE = 16
const SCALE = 20
const PACKET_HEADER = 12

/** Larger packets are no video that is to be looked at. */
const MOST_BYTES = 64 * 1024 * 1024

/** What is read into at a time: pieces of 64 KiB with memory of their own took more time than choosing among the packets. */
const SLAB = 1024 * 1024
const LEAST_ROOM = 64 * 1024

/** What comes is no IVF. */
export class NotIvf extends Error {}

/** A packet as it lies in what was read; the bytes stay as they are. */
export interface IvfPacket {
  readonly ticks: bigint
  readonly packet: Uint8Array
}

const slab = (bytes: number): Buffer => Buffer.from(new ArrayBuffer(Math.max(SLAB, bytes + LEAST_ROOM)))

/**
 * Reads the IVF container piece by piece: a header, and packets each with its size and time. Memory does not grow with the file.
 * `took` throws `NotIvf`.
 */
export class IvfReader {
  #slab = slab(0)
  /** From where on the slab is not understood yet, and to where it is filled. */
  #at = 0
  #end = 0
  #tick: number | undefined

  /** Seconds of one tick, once the header has come. */
  get tick(): number | undefined {
    return this.#tick
  }

  /** Where the next bytes go. */
  room(): Uint8Array {
    return this.#slab.subarray(this.#end)
  }

  /** The packets that are whole with the next `count` bytes. */
  took(count: number): ReadonlyArray<IvfPacket> {
    this.#end += count
    const packets: Array<IvfPacket> = []
    let wanted = this.#tick === undefined ? FILE_HEADER : PACKET_HEADER
    while (this.#end - this.#at >= wanted) {
      if (this.#tick === undefined) {
        this.#tick = tickOf(this.#slab.subarray(0, FILE_HEADER))
        this.#at = FILE_HEADER
        wanted = PACKET_HEADER
        continue
      }
      const size = this.#slab.readUInt32LE(this.#at)
      if (size > MOST_BYTES) throw new NotIvf()
      wanted = PACKET_HEADER + size
      if (this.#end - this.#at < wanted) break
      const packet = this.#slab.subarray(this.#at + PACKET_HEADER, this.#at + wanted)
      packets.push({ ticks: this.#slab.readBigInt64LE(this.#at + 4), packet })
      this.#at += wanted
      wanted = PACKET_HEADER
    }
    if (this.#slab.length - this.#end < LEAST_ROOM || this.#slab.length - this.#at < wanted) this.#turn(wanted)
    return packets
  }

  #turn(wanted: number): void {
    const next = slab(wanted)
    this.#slab.copy(next, 0, this.#at, this.#end)
    this.#slab = next
    this.#end -= this.#at
    this.#at = 0
  }
}

const tickOf = (bytes: Buffer): number => {
  const [rate, scale] = [bytes.readUInt32LE(RATE), bytes.readUInt32LE(SCALE)]
  if (bytes.toString("latin1", 0, 4) !== "DKIF" || bytes.readUInt16LE(6) !== FILE_HEADER || rate === 0 || scale === 0) {
    throw new NotIvf()
  }
  return scale / rate
}

/** The header that `packet`, the first of its file, came behind. */
export const headerBefore = ({ packet }: IvfPacket): Uint8Array =>
  new Uint8Array(packet.buffer, packet.byteOffset - PACKET_HEADER - FILE_HEADER, FILE_HEADER)

/** A packet that `IvfReader` gave, as it stood in the file. */
export const asItStood = ({ packet }: IvfPacket): Uint8Array =>
  new Uint8Array(packet.buffer, packet.byteOffset - PACKET_HEADER, PACKET_HEADER + packet.length)

/** Another packet, as it would stand in the file. */
export const ivfPacket = ({ packet, ticks }: IvfPacket): Uint8Array => {
  const bytes = Buffer.alloc(PACKET_HEADER + packet.length)
  bytes.writeUInt32LE(packet.length, 0)
  bytes.writeBigInt64LE(ticks, 4)
  bytes.set(packet, PACKET_HEADER)
  return bytes
}
