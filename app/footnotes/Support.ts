import type { Leaf } from "./Leaves.ts"
import type { Interval } from "./Moments.ts"

/** One place of the footage that a leaf rests on. */
export interface Place extends Interval {
  readonly source_ref: string
  readonly quote: string
  readonly media_fragment: string
  readonly origin_channel: string
  /** `value`, `subject`, …; `also` where the other of sound and picture says the same. */
  readonly role: string
  readonly frame_id: string | null
}

const frameIdOf = (source_ref: string): string | null =>
  source_ref.startsWith("frame#") ? `frm_${source_ref.slice("frame#".length)}` : null

/** Everything that a leaf rests on, its own citations first. */
export const placesOf = ({ span, unfilled }: Leaf): ReadonlyArray<Place> => {
  if (span !== null) {
    return [
      ...span.citations,
      ...span.corroborated_by.map((cited) => ({ ...cited, role: "also" }))
    ].map((cited) => ({ ...cited, frame_id: frameIdOf(cited.source_ref) }))
  }
  return (unfilled?.candidates ?? []).flatMap(({ quote, source_ref, t_end, t_start }) =>
    source_ref === null || t_start === null || t_end === null ? [] : [{
      source_ref,
      t_start,
      t_end,
      quote,
      media_fragment: "",
      origin_channel: source_ref.startsWith("frame#") ? "ocr" : "asr",
      role: "candidate",
      frame_id: frameIdOf(source_ref)
    }]
  )
}

/** Words are cited by their moments, which are rounded to milliseconds in between. */
const tolerance = 0.005

export const speaks = (word: Interval, cited: Interval): boolean => {
  const middle = (word.t_start + word.t_end) / 2
  return middle >= cited.t_start - tolerance && middle <= cited.t_end + tolerance
}

export interface Supported {
  readonly leaf: Leaf
  readonly place: Place
}

/** Which leaves rest on which segment or frame. */
export const supportOf = (leaves: ReadonlyArray<Leaf>): ReadonlyMap<string, ReadonlyArray<Supported>> => {
  const support = new Map<string, Array<Supported>>()
  for (const leaf of leaves) {
    if (leaf.span === null) continue
    for (const place of placesOf(leaf)) {
      const known = support.get(place.source_ref)
      if (known === undefined) support.set(place.source_ref, [{ leaf, place }])
      else known.push({ leaf, place })
    }
  }
  return support
}
