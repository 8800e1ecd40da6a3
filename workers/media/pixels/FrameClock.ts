import { SAMPLES_PER_SECOND } from "../../../src/artifacts/Frames.ts"

/** One decoded picture in FFmpeg's `framecrc`: of the numbers the third is its time. */
const pictureLine = /^0, +-?\d+, +(-?\d+),/u

/** Times are counted in microseconds: every container's ticks round to less than half a millisecond of them. */
const CLOCK_UNITS = 1_000_000
const STEP = CLOCK_UNITS / SAMPLES_PER_SECOND

/**
 * Tells of each sample when the picture that it shows begins. FFmpeg's `fps` filter picks, for each half second, the last
 * picture that has begun by then, and forgets its time; this reads the times of all decoded pictures, which a second output
 * lists, and follows the same rule.
 */
export class FrameClock {
  readonly #times: Array<number> = []
  #rest = ""
  #sample: number
  #first: number | undefined
  #current: number | undefined

  /** `first` is the number of half seconds before the first sample. */
  constructor(first: number) {
    this.#sample = first
  }

  /** When the first decoded picture begins, in seconds; undefined before it is known. */
  get first(): number | undefined {
    return this.#first === undefined ? undefined : this.#first / CLOCK_UNITS
  }

  /** Takes the next piece of the list, cut wherever it is. */
  read(text: string): void {
    const lines = (this.#rest + text).split("\n")
    this.#rest = lines.pop()!
    for (const line of lines) this.#take(line)
  }

  /** Of each of the `samples` that came out, in seconds. Without any known time they are where they were asked for. */
  finish(samples: number): ReadonlyArray<number> {
    const begins = this.#current
    while (this.#times.length < samples) this.#times.push(begins ?? this.#sample++ * STEP)
    return this.#times.slice(0, samples).map((time) => time / CLOCK_UNITS)
  }

  #take(line: string): void {
    const picture = pictureLine.exec(line)
    if (picture === null) return
    const begins = Number(picture[1])
    this.#first ??= begins
    if (this.#current !== undefined) {
      for (const due = Math.ceil(begins / STEP); this.#sample < due; this.#sample++) this.#times.push(this.#current)
    }
    this.#current = begins
  }
}
