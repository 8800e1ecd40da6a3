import { makeMeter } from "./Mono.ts"

/** Longest header before the samples: anything beyond is not what the decoder writes. */
const HEADER_BYTES = 4096
const MOST_CHANNELS = 64

/** Where the samples begin and how many channels they have, in the first bytes of a WAV stream of s16le. */
const readHeader = (bytes: Buffer): { readonly channels: number; readonly from: number } | undefined => {
  let channels = 0
  for (let at = 12; at + 8 <= bytes.length;) {
    const name = bytes.toString("latin1", at, at + 4)
    if (name === "data") return channels === 0 ? undefined : { channels, from: at + 8 }
    if (name === "fmt " && at + 12 <= bytes.length) channels = bytes.readUInt16LE(at + 10)
    at += 8 + bytes.readUInt32LE(at + 4)
  }
  return undefined
}

export interface ChannelLevel {
  readonly channel: number
  readonly power: number
  readonly peak: number
}

/**
 * The loudest channel of a WAV stream of 16-bit samples, the first of equals; undefined where there is no sound. Memory
 * does not grow with the length.
 */
export const loudestChannel = async (wav: AsyncIterable<Uint8Array>): Promise<ChannelLevel | undefined> => {
  let head: Buffer = Buffer.alloc(0)
  let header: ReturnType<typeof readHeader>
  let meters: ReadonlyArray<ReturnType<typeof makeMeter>> = []
  let rest: Buffer = Buffer.alloc(0)
  const push = (bytes: Buffer) => {
    const all = rest.length === 0 ? bytes : Buffer.concat([rest, bytes])
    const frame = 2 * meters.length
    const frames = Math.floor(all.length / frame)
    for (let i = 0; i < frames; i++) {
      for (let c = 0; c < meters.length; c++) meters[c]!.push(all.readInt16LE(frame * i + 2 * c))
    }
    rest = Buffer.from(all.subarray(frame * frames))
  }
  for await (const bytes of wav) {
    if (header !== undefined) {
      push(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength))
      continue
    }
    head = Buffer.concat([head, bytes])
    header = readHeader(head)
    if (header !== undefined) {
      meters = Array.from({ length: Math.min(MOST_CHANNELS, header.channels) }, makeMeter)
      push(head.subarray(header.from))
    } else if (head.length > HEADER_BYTES) return undefined
  }
  return meters
    .map(({ level }, channel) => ({ channel, power: level.power, peak: level.peak }))
    .reduce<ChannelLevel | undefined>(
      (best, one) => best === undefined || one.power > best.power ? one : best,
      undefined
    )
}
