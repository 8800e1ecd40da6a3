import { Schema } from "effect"
import { gunzipSync, gzipSync } from "node:zlib"
import type { Posteriors } from "./CtcAlignment.ts"

/** Posteriors as JSON can hold them. */
export const PackedPosteriors = Schema.Struct({
  frames: Schema.Int,
  tokens: Schema.Int,
  /** Base64 of gzip of one byte each, `-16 ln p`; 255 for what is 12 nats or more below the frame's best. */
  data: Schema.String
})
export type PackedPosteriors = typeof PackedPosteriors.Type

const STEP = 16
const NEVER = 255
/** The search tries nothing that is further below the best: `token_margin`. */
const MARGIN = 12

/** Packs posteriors, pruned and quantised: about 100 bytes per second of speech instead of 2,900; each `ln p` is off by at most 1/32. */
export const packPosteriors = ({ data, frames, tokens }: Posteriors): PackedPosteriors => {
  const bytes = Buffer.alloc(frames * tokens, NEVER)
  for (let t = 0; t < frames; t++) {
    const row = data.subarray(t * tokens, (t + 1) * tokens)
    let best = -Infinity
    for (const value of row) best = Math.max(best, value)
    for (let v = 0; v < tokens; v++) {
      if (row[v]! > best - MARGIN) bytes[t * tokens + v] = Math.min(NEVER, Math.max(0, Math.round(-STEP * row[v]!)))
    }
  }
  return { frames, tokens, data: gzipSync(bytes, { level: 9 }).toString("base64") }
}

/** The posteriors that were kept, rounded. Throws where the data are not what `packPosteriors` made. */
export const unpackPosteriors = ({ data, frames, tokens }: PackedPosteriors): Posteriors => {
  const bytes = gunzipSync(Buffer.from(data, "base64"))
  if (bytes.length !== frames * tokens) throw new RangeError(`${bytes.length} posteriors for ${frames} frames`)
  return { data: Float32Array.from(bytes, (byte) => -byte / STEP), frames, tokens }
}
