import type { Writable } from "node:stream"
import type { FrameParser } from "../codec/CodedFrame.ts"
import { headerBefore, inTicksOf, IvfReader, retimed } from "../codec/IvfStream.ts"
import { type GroupedSample, type Grouping, type GroupRules, PacketGroups } from "../codec/PacketGroups.ts"
import type { Feeder } from "./FeedPackets.ts"

/** What waits for decoders that are behind, beyond which no more is read. */
const MOST_QUEUED = 16 * 1024 * 1024

/** A decoder's packets come at even times, those of wanted pictures one later, as if there were 30 in a second. */
const TICKS = 60

interface Dealt extends Omit<GroupRules, "tick" | "decoders"> {
  readonly parse: FrameParser
  readonly into: ReadonlyArray<Writable>
  /** More samples than these are not given, whatever the packets' times claim. */
  readonly total: number
  /** Is told of the samples in order, as soon as it is known who shows them. */
  readonly shown: (samples: ReadonlyArray<GroupedSample>) => void
}

/** Deals a file's groups of pictures out to several decoders, as IVF, in which every wanted picture comes at an odd time. */
export class GroupFeeder implements Feeder {
  readonly into: ReadonlyArray<Writable>
  readonly #ivf = new IvfReader()
  readonly #dealt: Dealt
  readonly #given: Array<bigint>
  #groups: PacketGroups | undefined

  constructor(dealt: Dealt) {
    this.into = dealt.into
    this.#dealt = dealt
    this.#given = dealt.into.map(() => 0n)
  }

  room(): Uint8Array {
    return this.#ivf.room()
  }

  take(count: number): boolean {
    const packets = this.#ivf.took(count)
    for (const one of this.into) one.cork()
    for (const packet of packets) {
      this.#groups ??= this.#start(packet.packet)
      this.#write(this.#groups.push(packet.ticks, packet.packet))
    }
    for (const one of this.into) one.uncork()
    return this.into.reduce((sum, { writableLength }) => sum + writableLength, 0) <= MOST_QUEUED
  }

  finish(samples: number): boolean {
    const groups = this.#groups
    if (groups === undefined) return false
    this.#write(groups.finish(Math.min(samples, this.#dealt.total)))
    for (const one of this.into) one.end()
    return true
  }

  #start(packet: Uint8Array): PacketGroups {
    const { first, most, parse } = this.#dealt
    const header = inTicksOf(headerBefore({ packet, ticks: 0n }), TICKS)
    for (const one of this.into) one.write(header)
    return new PacketGroups(parse, { tick: this.#ivf.tick!, decoders: this.into.length, first, most })
  }

  #write({ packets, samples }: Grouping): void {
    for (const { decoder, packet, wanted } of packets) {
      const ticks = 2n * this.#given[decoder]!++ + (wanted ? 1n : 0n)
      this.into[decoder]!.write(retimed({ packet, ticks }))
    }
    if (samples.length > 0) this.#dealt.shown(samples)
  }
}
