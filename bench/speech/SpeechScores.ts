import type { CertaintyScores } from "./Certainty.ts"
import type { DetectionScores } from "./Detection.ts"
import type { SpeakerScores } from "./SpeakerScores.ts"
import type { WordScores } from "./WordScores.ts"

/**
 * Scores of one set. The words are those of the lane, and beside them those of other recognisers: on the same slices
 * of sound, or on the whole recordings (pocketsphinx). What could not be measured is absent.
 */
export interface SpeechScores extends Partial<WordScores>, Partial<SpeakerScores> {
  files: number
  audio_seconds: number
  /** Processor time of the whole lane: finding speech, hearing words, telling voices. */
  lane_rtf?: number
  detection?: DetectionScores
  certainty?: CertaintyScores
  /** Equal error rate of the voices over all pairs of utterances. */
  eer?: number
  greedy?: WordScores
  sherpa?: WordScores
  pocketsphinx?: WordScores
}
