import { Schema } from "effect"
import { gunzipSync, gzipSync } from "node:zlib"
import type { Interval } from "../dsp/Interval.ts"
import type { PcmFile } from "../dsp/PcmFile.ts"

/** How likely each of several voices is heard, frame by frame over a whole source. */
export interface SpeakerActivity {
  readonly channels: number
  readonly frame_seconds: number
  /** Row-major `[frames, channels]`. A voice has the same channel throughout. */
  readonly probabilities: Float32Array
}

/** A network that hears several voices at once and knows each of them again. */
export interface SpeakerTracker extends AsyncDisposable {
  /**
   * Who is heard when, over a whole source. Memory holds a step of half a minute and the answer. Rejects with the signal's
   * reason when it is aborted, after the step at hand, and with `OnnxModelError` when the model fails.
   */
  readonly track: (
    pcm: PcmFile,
    hints: { readonly tenant_id?: string; readonly signal?: AbortSignal }
  ) => Promise<SpeakerActivity>
}

/** Activity as JSON can hold it. */
export const PackedActivity = Schema.Struct({
  channels: Schema.Int.check(Schema.isGreaterThan(0)),
  frame_seconds: Schema.Finite.check(Schema.isGreaterThan(0)),
  /** Base64 of gzip of one byte each, `255 p`. */
  data: Schema.String
})
export type PackedActivity = typeof PackedActivity.Type

/** Packs activity, each probability rounded to 1/255: at most 100 bytes per second of eight voices before it is compressed. */
export const packActivity = ({ channels, frame_seconds, probabilities }: SpeakerActivity): PackedActivity => ({
  channels,
  frame_seconds,
  data: gzipSync(Uint8Array.from(probabilities, (one) => Math.round(255 * one))).toString("base64")
})

/** The activity that was kept, rounded. Throws where the data are not what `packActivity` made. */
export const unpackActivity = ({ channels, data, frame_seconds }: PackedActivity): SpeakerActivity => {
  const bytes = gunzipSync(Buffer.from(data, "base64"))
  if (bytes.length % channels !== 0) throw new RangeError(`${bytes.length} probabilities of ${channels} voices`)
  return { channels, frame_seconds, probabilities: Float32Array.from(bytes, (byte) => byte / 255) }
}

/** The mean probability of each channel in a stretch, by the time that each frame has in it; of its nearest frame where that is none. */
export const meanActivity = (
  { channels, frame_seconds, probabilities }: SpeakerActivity,
  { t_end, t_start }: Interval
): Float64Array => {
  const means = new Float64Array(channels)
  const last = probabilities.length / channels - 1
  if (last < 0) return means
  const frameAt = (seconds: number) => Math.max(0, Math.min(last, Math.floor(seconds / frame_seconds)))
  const [from, to] = [frameAt(t_start), frameAt(t_end)]
  let total = 0
  for (let frame = from; frame <= to; frame++) {
    const inside = Math.min(t_end, (frame + 1) * frame_seconds) - Math.max(t_start, frame * frame_seconds)
    const weight = from === to ? 1 : Math.max(0, inside)
    total += weight
    for (let channel = 0; channel < channels; channel++) {
      means[channel]! += weight * probabilities[frame * channels + channel]!
    }
  }
  return total > 0 ? means.map((sum) => sum / total) : means
}
