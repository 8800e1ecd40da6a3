import type { Cues } from "../../../src/jobs/model/StageIo.ts"
import { baseLanguage } from "../../../src/text/LanguageTag.ts"

/** What one track says, and what the container says of it. */
export interface CaptionTrack {
  readonly language: string | null
  readonly is_default: boolean
  /** It writes only what a viewer would not understand, such as signs and another language. */
  readonly is_forced: boolean
  readonly cues: Cues
}

/** In characters: not every language puts spaces between words. */
const length = ({ cues }: CaptionTrack): number => cues.reduce((sum, { text }) => sum + text.length, 0)

/** Those that fit, all where none does. */
const fitting = (tracks: ReadonlyArray<CaptionTrack>, fits: (track: CaptionTrack) => boolean) =>
  tracks.some(fits) ? tracks.filter(fits) : tracks

/**
 * One track of each language that says anything: plain captions and those for the deaf stand beside each other in films, and
 * together would say every sentence twice. The container's default one is taken, else that which says the most; a forced one only where
 * its language has no other. Tracks without a language count as one more.
 */
export const oneOfEachLanguage = (tracks: ReadonlyArray<CaptionTrack>): ReadonlyArray<CaptionTrack> => {
  const saying = tracks.filter(({ cues }) => cues.length > 0)
  return [...Map.groupBy(saying, ({ language }) => baseLanguage(language)).values()].map((alike) => {
    const full = fitting(alike, ({ is_forced }) => !is_forced)
    return fitting(full, ({ is_default }) => is_default)
      .reduce((most, track) => length(track) > length(most) ? track : most)
  })
}
