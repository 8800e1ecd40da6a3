import { Effect } from "effect"
import { SAMPLES_PER_SECOND } from "../../../src/artifacts/Frames.ts"
import type { Warning } from "../../../src/jobs/model/StageIo.ts"
import { systemFailure } from "../../engine/FromStore.ts"
import type { FrameReader } from "../ffmpeg/FrameReader.ts"
import { analysisSize, makeLumaReducer } from "../pixels/LumaPlane.ts"
import { hashHex } from "../pixels/PerceptualHash.ts"
import { FrameSelector } from "./FrameSelector.ts"

/** What is done with the frames as they come. */
export interface OnFrames<E, R> {
  /** Takes a frame that carries new information; it must copy the pixels (see `rgbPicture`; of `frameSize`) before it returns. */
  readonly keep: (index: number, frame: Buffer) => Effect.Effect<void, E, R>
  /** Is told after each sample, about 1 ms of work apart. */
  readonly sampled: (count: number) => Effect.Effect<void, E, R>
  /** All that came so far counts for nothing: the samples come again from the first. */
  readonly again?: Effect.Effect<void>
}

/** What sampling a video gives. */
export interface SampledFrames {
  /** Of each sampled frame, in time order, 16 hex digits. */
  readonly hashes: ReadonlyArray<string>
  /** Of each sampled frame: when the picture that it shows begins, in seconds from the start of the source. */
  readonly timestamps: ReadonlyArray<number>
  /** Of each sampled frame: the ordinal of the kept frame that stands for it, or -1 where nothing is to be seen. */
  readonly clusters: ReadonlyArray<number>
  readonly kept: ReadonlySet<number>
  /** How many decoder messages spoke of damage. */
  readonly damaged: number
  readonly warnings: ReadonlyArray<Warning>
}

/** The next frame of a reader, or null at the end. Fails, retryable, with `INTERNAL` where the pipe breaks. */
export const nextOf = (reader: FrameReader) =>
  Effect.tryPromise({
    try: () => reader.next(),
    catch: systemFailure("Reading a file")
  })

/** Looks at the samples of a video in order, each next to the one before it, and gives those that are kept to `on`. */
export class FrameIntake<E, R> {
  readonly hashes: Array<string> = []
  readonly kept = new Set<number>()
  readonly #on: OnFrames<E, R>
  readonly #selector: FrameSelector
  readonly #reduce: (frame: Uint8Array, plane: Uint8Array) => void
  readonly #pixels: number
  #previous: Buffer | undefined
  #plane = new Uint8Array(0)

  constructor({ height, width }: { readonly width: number; readonly height: number }, on: OnFrames<E, R>) {
    const size = analysisSize(width, height)
    this.#on = on
    this.#pixels = size.width * size.height
    this.#reduce = makeLumaReducer(width, height, size)
    this.#selector = new FrameSelector(size, SAMPLES_PER_SECOND)
  }

  /** Of each sample: the ordinal of the kept frame that stands for it. */
  get clusters(): ReadonlyArray<number> {
    return this.#selector.clusters
  }

  /** Takes the next sample, which must stay as it is until after the one behind it. */
  take(frame: Buffer): Effect.Effect<void, E, R> {
    return Effect.suspend(() => {
      // A still picture repeats byte for byte: comparing takes a tenth of reducing.
      if (frame !== this.#previous && (this.#previous === undefined || !frame.equals(this.#previous))) {
        this.#plane = new Uint8Array(this.#pixels)
        this.#reduce(frame, this.#plane)
      }
      const { commitment, hash } = this.#selector.push(this.#plane)
      this.hashes.push(hashHex(hash))
      const keeping = this.#keep(commitment, frame)
      this.#previous = frame
      return Effect.andThen(keeping, this.#on.sampled(this.hashes.length))
    })
  }

  /** There are no more. */
  finish(): Effect.Effect<void, E, R> {
    return Effect.suspend(() => this.#keep(this.#selector.finish(), this.#previous))
  }

  #keep(commitment: ReturnType<FrameSelector["finish"]>, current: Buffer | undefined): Effect.Effect<void, E, R> {
    if (commitment === undefined || !commitment.kept) return Effect.void
    this.kept.add(commitment.index)
    return this.#on.keep(commitment.index, commitment.index === this.hashes.length - 1 ? current! : this.#previous!)
  }
}
