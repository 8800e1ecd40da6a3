import { Effect, Fiber } from "effect"
import type { Writable } from "node:stream"
import { SAMPLES_PER_SECOND } from "../../../src/artifacts/Frames.ts"
import type { Probe } from "../../../src/jobs/model/StageIo.ts"
import type { FrameParser } from "../codec/CodedFrame.ts"
import { asItStood, headerBefore, type IvfPacket, ivfPacket, IvfReader, NotIvf } from "../codec/IvfStream.ts"
import { PacketTable } from "../codec/PacketTable.ts"
import { NotPruned, type PrunedPacket, ReferencePruner } from "../codec/ReferencePruning.ts"
import { flags, inputArguments } from "../ffmpeg/InputArguments.ts"
import type { MediaContext } from "../ffmpeg/MediaContext.ts"
import { runMedia, SECOND_OUTPUT } from "../ffmpeg/MediaProcess.ts"
import { openPipe } from "../ffmpeg/OutputPipe.ts"
import { PipeSource } from "../ffmpeg/PipeSource.ts"

interface Feed {
  readonly probe: Probe
  readonly file: string
  readonly wall_seconds: number
  readonly parse: FrameParser
  readonly into: Writable
  /** Is told at which sample the last picture ends, by its own length, before the decoder hears that there are no more. */
  readonly ends: (samples: number) => void
}

/** What is written to the decoder at once: a write for every packet cost as much as choosing it. */
const AT_ONCE = 64 * 1024

/** Neighbours in memory as one. */
const joined = (parts: ReadonlyArray<Uint8Array>): ReadonlyArray<Uint8Array> => {
  const runs: Array<Uint8Array> = []
  for (const part of parts) {
    const run = runs.at(-1)
    if (run !== undefined && run.buffer === part.buffer && run.byteOffset + run.length === part.byteOffset) {
      runs[runs.length - 1] = new Uint8Array(run.buffer, run.byteOffset, run.length + part.length)
    } else runs.push(part)
  }
  return runs
}

/** Lets through to a decoder what its samples need. */
class SieveFeeder {
  readonly #ivf = new IvfReader()
  readonly #parse: FrameParser
  readonly into: Writable
  readonly #ends: (samples: number) => void
  #sieve: ReferencePruner | undefined
  #first: IvfPacket | undefined
  #latest = 0n
  #parts: Array<Uint8Array> = []
  #bytes = 0

  constructor({ ends, into, parse }: Feed) {
    this.#parse = parse
    this.into = into
    this.#ends = ends
  }

  /** Where the next bytes of the file go. */
  room(): Uint8Array {
    return this.#ivf.room()
  }

  /** So many have come there; whether more is wanted now. Throws `NotPruned` or `NotIvf`. */
  take(count: number): boolean {
    for (const packet of this.#ivf.took(count)) {
      if (this.#sieve === undefined) {
        this.#sieve = new ReferencePruner(this.#parse, this.#ivf.tick!)
        this.#first = { ticks: packet.ticks, packet: packet.packet.slice() }
        this.#parts.push(headerBefore(packet))
      }
      this.#latest = packet.ticks
      this.#add(this.#sieve.push(packet.ticks, packet.packet))
    }
    return this.#bytes < AT_ONCE || this.#flush()
  }

  /**
   * All has come, of so many samples in all; false where nothing did. The first packet, a key picture that decodes alone, ends the
   * last picture.
   */
  finish(samples: number): boolean {
    if (this.#sieve === undefined || this.#first === undefined) return false
    this.#add(this.#sieve.finish())
    this.#flush()
    this.#ends(samples)
    // A decoder that is fed does not know how long its last picture stands, and would guess.
    const ticks = BigInt(Math.ceil(samples / SAMPLES_PER_SECOND / this.#ivf.tick! - 1e-6))
    const { packet } = this.#first
    this.into.end(ivfPacket({ ticks: ticks > this.#latest ? ticks : this.#latest + 1n, packet }))
    return true
  }

  #add(packets: ReadonlyArray<PrunedPacket>): void {
    for (const packet of packets) {
      const bytes = packet.whole ? asItStood(packet) : ivfPacket(packet)
      this.#parts.push(bytes)
      this.#bytes += bytes.length
    }
  }

  #flush(): boolean {
    const runs = joined(this.#parts)
    this.#parts = []
    this.#bytes = 0
    this.into.cork()
    const writable = runs.map((run) => this.into.write(run))
    this.into.uncork()
    return writable.every(Boolean)
  }
}

/** Feeds all that comes through the pipe at `path`; false where that cannot be told what is needed of it, or nobody takes it. */
const feed = async (path: string, feeder: SieveFeeder): Promise<boolean> => {
  const { into } = feeder
  let lost = false
  const source: PipeSource = new PipeSource(path, () => feeder.room(), (count) => {
    try {
      const more = feeder.take(count)
      // It closed before anybody listened.
      if (into.destroyed) gone()
      return more
    } catch (error) {
      if (!(error instanceof NotPruned || error instanceof NotIvf)) throw error
      lost = true
      source.destroy()
      return false
    }
  })
  const onward = () => source.resume()
  const gone = () => {
    lost = true
    source.destroy()
  }
  into.on("drain", onward).once("close", gone)
  try {
    await source.ended
    return !lost
  } finally {
    into.removeListener("drain", onward).removeListener("close", gone)
    source.destroy()
  }
}

/**
 * Gives a decoder the packets of a file that its samples need, as IVF, and then the end. Gives false where not all went well: what
 * the decoder made of them is then of no use. The file is opened by a process of its own, confined as any decoder.
 */
export const feedPackets = Effect.fnUntraced(
  function*(context: MediaContext, fed: Feed) {
    const { file, probe, wall_seconds } = fed
    const feeder = new SieveFeeder(fed)
    const table = new PacketTable()
    const copied = flags(`-map 0:${probe.video!.index} -c copy -flush_packets 0`)
    const pipe = yield* openPipe
    const feeding = yield* Effect.forkScoped(Effect.promise(() => feed(pipe.path, feeder).catch(() => false)))
    const { ended, exitCode, messages } = yield* runMedia(context.tools, {
      program: "ffmpeg",
      input: file,
      output: yield* pipe.writer,
      wall_seconds,
      listed: (text) => table.push(text),
      args: [
        ...flags("-v error"),
        ...inputArguments(probe.demuxer, context.limits),
        ...copied,
        ...flags("-avoid_negative_ts disabled -f ivf -"),
        ...copied,
        ...flags(`-f framecrc ${SECOND_OUTPUT}`)
      ]
    })
    yield* pipe.handedOver
    if (!(yield* Fiber.join(feeding))) return false
    yield* ended
    const last = table.streams.get(0)
    if (last === undefined || !feeder.finish(Math.ceil(last.end * SAMPLES_PER_SECOND - 1e-6))) return false
    return exitCode() === 0 && messages().trim() === ""
  },
  Effect.scoped,
  (effect, _, { into }) => Effect.ensuring(effect, Effect.sync(() => void (into.destroyed || into.end())))
)
