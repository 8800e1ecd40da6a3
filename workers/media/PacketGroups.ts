import { SAMPLES_PER_SECOND } from "../../src/artifacts/Frames.ts"
import type { FrameParser } from "./CodedFrame.ts"
import { NotSieved } from "./PacketSieve.ts"

/** Times are counted as the decoder's graph counts them, in microseconds. */
export const GROUP_TICKS = 1_000_000
const STEP = GROUP_TICKS / SAMPLES_PER_SECOND

/** Samples of a decoder's own before its first: a stream may begin before it counts from. */
export const FIRST_OWN = 2 * SAMPLES_PER_SECOND

/** Bytes behind the latest sample that wait for the next. */
const MOST_BYTES = 16 * 1024 * 1024

/** A packet for one of the decoders, at a time of that decoder's own. */
export interface GroupedPacket {
  readonly decoder: number
  readonly ticks: bigint
  readonly packet: Uint8Array
}

/** Which decoder shows the next sample, and by how many samples its own time lags behind. */
export interface GroupedSample {
  readonly decoder: number
  readonly lag: number
}

/** What a packet decides. */
export interface Grouping {
  readonly packets: ReadonlyArray<GroupedPacket>
  readonly samples: ReadonlyArray<GroupedSample>
}

export interface GroupRules {
  /** Seconds of one tick. */
  readonly tick: number
  readonly decoders: number
  /** The number of the first sample, in half seconds. */
  readonly first: number
  /** Samples between two key pictures, beyond which the file is not what it was taken for. */
  readonly most: number
}

/**
 * Deals the groups of pictures that each begin with a key picture out to decoders in turn, each of which sees its groups one
 * right behind the other: in a decoder's own time the samples of a group follow those of the group that it had before. What
 * lies behind the last sample of a group is left out. Throws `NotSieved` where packets are not understood or not in order, or a
 * group is longer than it may be; what was dealt until then is of no use.
 */
export class PacketGroups {
  readonly #parse: FrameParser
  readonly #rules: GroupRules
  /** How many samples of its own each decoder has been given, with those before its first. */
  readonly #given: Array<number>
  #waiting: Array<{ readonly at: number; readonly packet: Uint8Array }> = []
  #bytes = 0
  #latest = -Infinity
  /** The next sample that no picture has been found for. */
  #next: number
  #decoder = -1
  /** Of the current group: its first sample, and how many samples of its own its decoder had before. */
  #from: number
  #before = 0

  constructor(parse: FrameParser, rules: GroupRules) {
    this.#parse = parse
    this.#rules = rules
    this.#next = rules.first
    this.#from = rules.first
    this.#given = Array.from({ length: rules.decoders }, () => FIRST_OWN)
  }

  /** When the last picture of a decoder ends, in its own time. */
  end(decoder: number): bigint {
    return BigInt(this.#given[decoder]! * STEP)
  }

  /** Takes the next packet, whose bytes must stay as they are. */
  push(ticks: bigint, packet: Uint8Array): Grouping {
    const [frame] = this.#parse(packet) ?? []
    const at = Math.round(Number(ticks) * this.#rules.tick * GROUP_TICKS)
    if (frame === undefined || at <= this.#latest) throw new NotSieved()
    this.#latest = at
    const decided = this.#decide(Math.ceil(at / STEP))
    if (this.#next - this.#from > this.#rules.most) throw new NotSieved()
    if (frame.uses === 0) this.#begin()
    else if (this.#decoder === -1) throw new NotSieved()
    this.#waiting.push({ at, packet })
    this.#bytes += packet.length
    if (this.#bytes > MOST_BYTES) throw new NotSieved()
    return decided
  }

  /** At the end, of so many samples in all: the last picture stays on screen. */
  finish(samples: number): Grouping {
    return this.#decide(samples)
  }

  /** What waits stands on screen at the samples before `until`. */
  #decide(until: number): Grouping {
    if (until <= this.#next || this.#decoder === -1) return { packets: [], samples: [] }
    const decoder = this.#decoder
    const count = until - this.#next
    const given = this.#given[decoder]!
    const lag = this.#next - given
    const shift = (this.#from - this.#before) * STEP
    const packets = this.#waiting.map(({ at, packet }) => ({ decoder, packet, ticks: BigInt(at - shift) }))
    if (packets.some(({ ticks }) => ticks < 0n)) throw new NotSieved()
    this.#waiting = []
    this.#bytes = 0
    this.#next = until
    this.#given[decoder] = given + count
    return { packets, samples: Array.from({ length: count }, () => ({ decoder, lag })) }
  }

  #begin(): void {
    this.#waiting = []
    this.#bytes = 0
    // A group without a sample leaves its turn to the next.
    if (this.#decoder === -1 || this.#next > this.#from) this.#decoder = (this.#decoder + 1) % this.#rules.decoders
    this.#from = this.#next
    this.#before = this.#given[this.#decoder]!
  }
}
