import type { Writable } from "node:stream"
import type { FrameParser } from "./CodedFrame.ts"
import type { Feeder } from "./FeedPackets.ts"
import { headerBefore, inTicksOf, ivfPacket, IvfReader } from "./IvfStream.ts"
import { GROUP_TICKS, type GroupedSample, type Grouping, type GroupRules, PacketGroups } from "./PacketGroups.ts"

/** What waits for decoders that are behind, beyond which no more is read. */
const MOST_QUEUED = 16 * 1024 * 1024

interface Dealt extends Omit<GroupRules, "tick" | "decoders"> {
  readonly parse: FrameParser
  readonly into: ReadonlyArray<Writable>
  /** Is told of the samples in order, as soon as it is known who shows them. */
  readonly shown: (samples: ReadonlyArray<GroupedSample>) => void
}

/** Deals a file's groups of pictures out to several decoders, as IVF. */
export class GroupFeeder implements Feeder {
  readonly into: ReadonlyArray<Writable>
  readonly #ivf = new IvfReader()
  readonly #dealt: Dealt
  #groups: PacketGroups | undefined
  #first = new Uint8Array()

  constructor(dealt: Dealt) {
    this.into = dealt.into
    this.#dealt = dealt
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

  /** The first packet, a key picture that decodes alone, ends each decoder's last picture. */
  finish(samples: number): boolean {
    const groups = this.#groups
    if (groups === undefined) return false
    this.#write(groups.finish(samples))
    for (const [decoder, one] of this.into.entries()) {
      one.end(ivfPacket({ ticks: groups.end(decoder), packet: this.#first }))
    }
    return true
  }

  #start(packet: Uint8Array): PacketGroups {
    const { first, most, parse } = this.#dealt
    const header = inTicksOf(headerBefore({ packet, ticks: 0n }), GROUP_TICKS)
    for (const one of this.into) one.write(header)
    this.#first = packet.slice()
    return new PacketGroups(parse, { tick: this.#ivf.tick!, decoders: this.into.length, first, most })
  }

  #write({ packets, samples }: Grouping): void {
    for (const packet of packets) this.into[packet.decoder]!.write(ivfPacket(packet))
    if (samples.length > 0) this.#dealt.shown(samples)
  }
}
