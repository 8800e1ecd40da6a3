import { SAMPLES_PER_SECOND } from "../../../src/artifacts/Frames.ts"
import type { CodedFrame, FrameParser } from "./CodedFrame.ts"

/** Times are rounded to microseconds on their way: a picture that begins so near to a sample's moment counts for both. */
const ROUNDING = 2e-6

/** Packets and bytes that wait for what follows; beyond that the oldest are decoded, needed or not. */
const MOST_WAITING = 512
const MOST_BYTES = 16 * 1024 * 1024

/** Places in the memory of any decoder that is spoken of. */
const PLACES = 8

interface Frame {
  needed: boolean
  /** Who may still come to need it: places that it is kept in, undecided frames, and the screen while it is the latest. */
  holders: number
  /** What it is decoded with; empty once it is decided. */
  uses: ReadonlyArray<Frame>
  readonly coded: CodedFrame
}

interface Waiting {
  readonly ticks: bigint
  readonly packet: Uint8Array
  readonly frames: ReadonlyArray<Frame>
}

/** A packet to decode, at its own time. */
export interface PrunedPacket {
  readonly ticks: bigint
  readonly packet: Uint8Array
  /** It is the packet that was pushed, with all of its frames. */
  readonly whole: boolean
}

/** A packet was not understood, or its time lay before the one before it. */
export class NotPruned extends Error {}

const isDecided = ({ holders, needed }: Frame): boolean => needed || holders === 0

const need = (frame: Frame): void => {
  const open = [frame]
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    if (next.needed) continue
    next.needed = true
    open.push(...next.uses)
    next.uses = []
  }
}

const release = (frame: Frame): void => {
  const open = [frame]
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    if (--next.holders > 0 || next.needed) continue
    open.push(...next.uses)
    next.uses = []
  }
}

/** The packet without the frames that nobody needs. */
const reduced = ({ frames, packet, ticks }: Waiting): PrunedPacket | undefined => {
  const left = frames.filter(({ needed }) => !needed).map(({ coded }) => coded)
  if (left.length === 0) return { ticks, packet, whole: true }
  if (left.length === frames.length) return undefined
  const parts: Array<Uint8Array> = []
  let at = 0
  for (const { from, to } of left) {
    parts.push(packet.subarray(at, from))
    at = to
  }
  return { ticks, packet: Buffer.concat([...parts, packet.subarray(at)]), whole: false }
}

/**
 * Prunes packets by their reference frames: lets through what has to be decoded for the samples to show what they would show anyway: of each half second the last
 * picture that has begun by then, and all frames that these are decoded with, directly or not. A frame is left out only once
 * no place of the decoder's memory holds it any more. Throws `NotPruned` where that cannot be told; what was let through until
 * then is of no use.
 */
export class ReferencePruner {
  readonly #parse: FrameParser
  /** Seconds of one tick. */
  readonly #tick: number
  readonly #places: Array<Frame | undefined> = Array.from({ length: PLACES })
  #waiting: Array<Waiting> = []
  #bytes = 0
  #shown: { readonly frame: Frame; readonly at: number } | undefined

  constructor(parse: FrameParser, tick: number) {
    this.#parse = parse
    this.#tick = tick
  }

  /** Takes the next packet, whose bytes must stay as they are; gives those that are decided by now, in order. */
  push(ticks: bigint, packet: Uint8Array): ReadonlyArray<PrunedPacket> {
    const coded = this.#parse(packet)
    if (coded === null) throw new NotPruned()
    const frames = coded.map((frame) => this.#add(frame, Number(ticks) * this.#tick))
    this.#waiting.push({ ticks, packet, frames })
    this.#bytes += packet.length
    return this.#take(({ frames }) => frames.every(isDecided))
  }

  /** What is left at the end: the last picture stays on screen. */
  finish(): ReadonlyArray<PrunedPacket> {
    if (this.#shown !== undefined) need(this.#shown.frame)
    return this.#take(() => true)
  }

  #add(coded: CodedFrame, at: number): Frame {
    const uses = new Set<Frame>()
    for (let place = 0; place < PLACES; place++) {
      const kept = this.#places[place]
      if (((coded.uses >> place) & 1) === 1 && kept !== undefined) uses.add(kept)
    }
    const frame: Frame = { needed: false, holders: 0, uses: [...uses], coded }
    for (const used of uses) used.holders++
    if (coded.shown) this.#show(frame, at)
    for (let place = 0; place < PLACES; place++) {
      if (((coded.stores >> place) & 1) === 0) continue
      const old = this.#places[place]
      this.#places[place] = frame
      frame.holders++
      if (old !== undefined) release(old)
    }
    if (coded.essential) need(frame)
    // Nobody can come to need a frame that is neither shown nor kept.
    if (frame.holders === 0) {
      frame.holders = 1
      release(frame)
    }
    return frame
  }

  #show(frame: Frame, at: number): void {
    const before = this.#shown
    this.#shown = { frame, at }
    frame.holders++
    if (before === undefined) return need(frame)
    if (at < before.at) throw new NotPruned()
    const last = Math.floor((at + ROUNDING) * SAMPLES_PER_SECOND)
    if (last >= Math.ceil((before.at - ROUNDING) * SAMPLES_PER_SECOND)) need(before.frame)
    release(before.frame)
  }

  #take(isReady: (waiting: Waiting) => boolean): ReadonlyArray<PrunedPacket> {
    const taken: Array<PrunedPacket> = []
    let count = 0
    for (const waiting of this.#waiting) {
      const overdue = this.#waiting.length - count > MOST_WAITING || this.#bytes > MOST_BYTES
      if (overdue) { for (const frame of waiting.frames) need(frame) }
      else if (!isReady(waiting)) break
      count++
      this.#bytes -= waiting.packet.length
      const rest = reduced(waiting)
      if (rest !== undefined) taken.push(rest)
    }
    if (count > 0) this.#waiting = this.#waiting.slice(count)
    return taken
  }
}
