import type { Transcript } from "../../../src/artifacts/Transcript.ts"
import type { Warning } from "../../../src/jobs/model/StageIo.ts"

/** Below this a word is more likely wrong than right. */
const unsure = 0.5
/**
 * Recordings of people that came out hard to read had 0.43 (a historic speech), 0.56 (a panel), 0.61 (a poem) and 0.68 (a book); what is
 * read well has 0.84 (samples/product-demo.mp4) and 0.85 (samples/lecture.mp4).
 */
const clearMean = 0.7
/** Fewer words say nothing about a recording. */
const fewestWords = 20

/**
 * Whether what was recognised can be relied on, by the recogniser's own word: people far from a microphone give transcripts that
 * read like any other. Captions are somebody's text and are not judged.
 */
export const unclearSpeech = ({ segments }: Pick<Transcript, "segments">): ReadonlyArray<Warning> => {
  const words = segments.flatMap((segment) => segment.origin === "asr" ? segment.words : [])
  if (words.length < fewestWords) return []
  const mean = words.reduce((sum, { confidence }) => sum + confidence, 0) / words.length
  if (mean >= clearMean) return []
  const share = words.filter(({ confidence }) => confidence < unsure).length / words.length
  return [{
    code: "SPEECH_UNCLEAR",
    message: `The speech was hard to recognise: mean word confidence ${mean.toFixed(2)}, and ${
      Math.round(share * 100)
    } % of ${words.length} words below ${unsure}. Read what rests on it beside its quote.`
  }]
}
