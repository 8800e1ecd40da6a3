import { Schema } from "effect"
import { Interval, intervalFields } from "../dsp/Interval.ts"
import type { Speech } from "./SpeechGate.ts"

/** What the recogniser hears at once, and the pieces of it that one speaker is taken to have said. */
const Slice = Schema.Struct({ ...intervalFields, pieces: Schema.Array(Interval) })
export type Slice = typeof Slice.Type

/** Slices that one task recognises. */
export const Chunk = Schema.Struct({ slices: Schema.Array(Slice) })
export type Chunk = typeof Chunk.Type

export interface ChunkOptions {
  /** The longest slice; an attention-free recogniser gains nothing from more context and memory grows with it. */
  readonly slice_seconds: number
  /** Neighbouring intervals share a slice up to this length and this silence between: short answers need context. */
  readonly join_seconds: number
  readonly join_gap_seconds: number
  /** Speech per chunk: small enough that a lost worker costs little, large enough that a task is worth its transaction. */
  readonly chunk_seconds: number
  /** A pause of this length may be a change of speaker; a piece is never longer than `piece_seconds`. */
  readonly turn_pause_seconds: number
  readonly piece_seconds: number
  /** What a slice hears before and after its pieces where nobody was found to speak: soft first and last sounds. */
  readonly context_seconds: number
}

export const chunkDefaults: ChunkOptions = {
  slice_seconds: 20,
  join_seconds: 12,
  join_gap_seconds: 0.8,
  chunk_seconds: 120,
  // 0.3 s and 6 s left 0.7 % of composed panels' speech in pieces of two people, and the sequence model of voices errs
  // less on pieces of at most 3 s (on the panels that it was tuned on 1.5 % confusion against 2.9 %).
  turn_pause_seconds: 0.2,
  piece_seconds: 3,
  // Wrong words of learners' short answers: 58.1 % without, 52.8 % with 0.3 s, 50.5 % with this.
  context_seconds: 0.6
}

const length = ({ t_end, t_start }: Interval) => t_end - t_start

/**
 * Plans the recognition of speech: every moment of it is in exactly one piece of one slice of one chunk, slices do not
 * overlap and hold at most `slice_seconds` of it, cuts fall into the longest pause at hand. A pure function of its
 * arguments, so that any number of workers makes the same words.
 */
export const planChunks = (speech: Speech, options: ChunkOptions = chunkDefaults): ReadonlyArray<Chunk> => {
  const parts = speech.intervals.flatMap((interval) => cutLong(interval, speech.pauses, options))
  const slices = join(parts, options).map((run) => sliceOf(run, speech.pauses, options))
  return group(slices.map((slice, i) => widen(slice, slices[i - 1], slices[i + 1], options)), options.chunk_seconds)
}

const widen = (slice: Slice, before: Slice | undefined, after: Slice | undefined, options: ChunkOptions): Slice => ({
  t_start: Math.max(
    slice.t_start - options.context_seconds,
    before === undefined ? 0 : (before.t_end + slice.t_start) / 2
  ),
  t_end: Math.min(
    slice.t_end + options.context_seconds,
    after === undefined ? Infinity : (slice.t_end + after.t_start) / 2
  ),
  pieces: slice.pieces
})

/** Cuts an interval that is too long at its longest pause in the second half of the window, else where the window ends. */
const cutLong = (interval: Interval, pauses: ReadonlyArray<Interval>, options: ChunkOptions): Array<Interval> => {
  const parts: Array<Interval> = []
  let { t_start } = interval
  while (interval.t_end - t_start > options.slice_seconds) {
    const limit = t_start + options.slice_seconds
    const cut = longestPauseIn(pauses, t_start + options.slice_seconds / 2, limit) ?? limit
    parts.push({ t_start, t_end: cut })
    t_start = cut
  }
  parts.push({ t_start, t_end: interval.t_end })
  return parts
}

/** The middle of the longest pause whose middle lies in `[from, to]`; the earlier of equals. */
const longestPauseIn = (pauses: ReadonlyArray<Interval>, from: number, to: number): number | undefined => {
  let best: Interval | undefined
  for (let i = firstAfter(pauses, from); i < pauses.length; i++) {
    const pause = pauses[i]!
    if (pause.t_start > to) break
    const middle = (pause.t_start + pause.t_end) / 2
    if (middle >= from && middle <= to && (best === undefined || length(pause) > length(best))) best = pause
  }
  return best && (best.t_start + best.t_end) / 2
}

/** Index of the first interval that ends after a moment. */
const firstAfter = (sorted: ReadonlyArray<Interval>, moment: number): number => {
  let low = 0
  let high = sorted.length
  while (low < high) {
    const middle = (low + high) >> 1
    if (sorted[middle]!.t_end > moment) high = middle
    else low = middle + 1
  }
  return low
}

/** Runs of neighbouring parts that are heard together. */
const join = (parts: ReadonlyArray<Interval>, options: ChunkOptions): Array<Array<Interval>> => {
  const runs: Array<Array<Interval>> = []
  for (const part of parts) {
    const run = runs.at(-1)
    const close = run !== undefined && part.t_start - run.at(-1)!.t_end <= options.join_gap_seconds &&
      part.t_end - run[0]!.t_start <= options.join_seconds
    if (close) run.push(part)
    else runs.push([part])
  }
  return runs
}

const sliceOf = (run: ReadonlyArray<Interval>, pauses: ReadonlyArray<Interval>, options: ChunkOptions): Slice => ({
  t_start: run[0]!.t_start,
  t_end: run.at(-1)!.t_end,
  pieces: run.flatMap((part) => piecesOf(part, pauses, options))
})

/** Cuts a part in the middle of its longer pauses, and what is still too long into equal shares. */
const piecesOf = (part: Interval, pauses: ReadonlyArray<Interval>, options: ChunkOptions): Array<Interval> => {
  const cuts = [part.t_start]
  for (let i = firstAfter(pauses, part.t_start); i < pauses.length && pauses[i]!.t_start < part.t_end; i++) {
    const middle = (pauses[i]!.t_start + pauses[i]!.t_end) / 2
    if (length(pauses[i]!) >= options.turn_pause_seconds && middle > part.t_start && middle < part.t_end) {
      cuts.push(middle)
    }
  }
  cuts.push(part.t_end)
  return cuts.slice(1).flatMap((t_end, i) => {
    const t_start = cuts[i]!
    const shares = Math.ceil((t_end - t_start) / options.piece_seconds)
    return Array.from({ length: shares }, (_, k) => ({
      t_start: t_start + ((t_end - t_start) * k) / shares,
      t_end: k + 1 === shares ? t_end : t_start + ((t_end - t_start) * (k + 1)) / shares
    }))
  })
}

const group = (slices: ReadonlyArray<Slice>, chunk_seconds: number): ReadonlyArray<Chunk> => {
  const chunks: Array<Array<Slice>> = []
  let filled = Infinity
  for (const slice of slices) {
    if (filled + length(slice) > chunk_seconds) {
      chunks.push([])
      filled = 0
    }
    chunks.at(-1)!.push(slice)
    filled += length(slice)
  }
  return chunks.map((slices) => ({ slices }))
}
