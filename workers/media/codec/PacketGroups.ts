import { SAMPLES_PER_SECOND } from "../../../src/artifacts/Frames.ts"
import type { FrameParser } from "./CodedFrame.ts"
import { NotPruned } from "./ReferencePruning.ts"

/** Times are rounded to microseconds, as in the decoder's graph. */
const MICROSECONDS = 1_000_000
const STEP = MICROSECONDS / SAMPLES_PER_SECOND

/** Bytes behind the latest sample that wait for the next. */
const MOST_BYTES = 16 * 1024 * 1024

/** A packet for one of the decoders. */
interface GroupedPacket {
  readonly decoder: number
  /** Its picture is a sample. */
  readonly wanted: boolean
  readonly packet: Uint8Array
}

/** One sample. */
export interface GroupedSample {
  /** Whose next wanted picture it shows, or null where it shows what the sample before it shows. */
  readonly decoder: number | null
  /** When that picture begins, in seconds. */
  readonly begins: number
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

interface Waiting {
  readonly shows: boolean
  readonly packet: Uint8Array
}

/**
 * Deals the groups of pictures that each begin with a key picture out to decoders in turn, and tells which picture each sample
 * shows: the last that has begun by then, as FFmpeg's `fps` picks it. What lies behind the last sample of a group is left out.
 * Throws `NotPruned` where packets are not understood or not in order, or a group is longer than it may be; what was dealt until
 * then is of no use.
 */
export class PacketGroups {
  readonly #parse: FrameParser
  readonly #rules: GroupRules
  #waiting: Array<Waiting> = []
  #bytes = 0
  #latest = -Infinity
  /** The next sample that no picture has been found for, and the first of the current group. */
  #next: number
  #from: number
  /** When the picture on screen begins. */
  #shown: number | undefined
  #decoder = -1

  constructor(parse: FrameParser, rules: GroupRules) {
    this.#parse = parse
    this.#rules = rules
    this.#next = rules.first
    this.#from = rules.first
  }

  /** Takes the next packet, whose bytes must stay as they are. */
  push(ticks: bigint, packet: Uint8Array): Grouping {
    const [frame] = this.#parse(packet) ?? []
    const at = Math.round(Number(ticks) * this.#rules.tick * MICROSECONDS)
    if (frame === undefined || at <= this.#latest) throw new NotPruned()
    this.#latest = at
    const until = frame.shown ? Math.ceil(at / STEP) : this.#next
    if (until - this.#from > this.#rules.most) throw new NotPruned()
    const decided = this.#decide(until)
    if (frame.uses === 0 && frame.shown) this.#begin()
    else if (this.#decoder === -1) throw new NotPruned()
    if (frame.shown) this.#shown = at / MICROSECONDS
    this.#waiting.push({ shows: frame.shown, packet })
    this.#bytes += packet.length
    if (this.#bytes > MOST_BYTES) throw new NotPruned()
    return decided
  }

  /** At the end, of so many samples in all: the last picture stays on screen. */
  finish(samples: number): Grouping {
    return this.#decide(samples)
  }

  /** What is on screen is what the samples before `until` show. */
  #decide(until: number): Grouping {
    const begins = this.#shown
    const count = until - this.#next
    if (count <= 0 || begins === undefined) return { packets: [], samples: [] }
    this.#next = until
    const decoder = this.#decoder
    const last = this.#waiting.findLastIndex(({ shows }) => shows)
    const decided = this.#waiting.splice(0, last + 1)
    for (const { packet } of decided) this.#bytes -= packet.length
    const again = { decoder: null, begins }
    return {
      packets: decided.map(({ packet }, nth) => ({ decoder, packet, wanted: nth === last })),
      samples: Array.from({ length: count }, (_, nth) => nth === 0 && last >= 0 ? { decoder, begins } : again)
    }
  }

  #begin(): void {
    this.#waiting = []
    this.#bytes = 0
    // A group without a sample leaves its turn to the next.
    if (this.#decoder === -1 || this.#next > this.#from) this.#decoder = (this.#decoder + 1) % this.#rules.decoders
    this.#from = this.#next
  }
}
