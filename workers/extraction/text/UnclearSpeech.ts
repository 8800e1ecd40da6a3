import { coverage } from "../../../src/artifacts/SpokenSegments.ts"
import type { SpeakerTurn, Transcript } from "../../../src/artifacts/Transcript.ts"
import type { Precision } from "../../../src/jobs/model/Precision.ts"
import type { Warning } from "../../../src/jobs/model/StageIo.ts"
import { type Passage, sourceConfidence, type Span } from "./SourceDocument.ts"

/** Below this a word is more likely wrong than right. */
const unsure = 0.5
/**
 * Below this `strict`, which promises nine right values of ten, takes nothing from it: of words in passages with a mean confidence of 0.7 to 0.8,
 * 0.70 are right, from 0.8 to 0.9 0.86, from 0.9 on 0.95 (4,461 of the words that `readableMean` is chosen by).
 */
const sureWord = 0.8
/** Of a recording: learners, of whom 0.65 of the words are right, have a mean of 0.77, and what is heard well 0.91 to 0.97. */
const clearMean = 0.7
/**
 * Of 6,017 words that the built-in recogniser heard in 644 passages of 161 recordings as they are and under two levels of noise, 0.30 to 0.38 were
 * right in passages with a mean confidence from 0.5 to 0.6, 0.47 to 0.65, 0.56 to 0.7 and 0.74 from 0.75 on. Below, nothing that
 * stands there can be relied on: so 77 % of the passages with fewer than half of their words right, and 11 % of the others.
 */
const readableMean = 0.65
/**
 * Fewer words say nothing about a recording. Any ten words in a row of recordings that are heard well had a mean below `readableMean` 5 times
 * in 1,000 (1,521 stretches), of hopeless ones 757 times (173 stretches); any eight 7 and 726 times.
 */
const fewestWords = 10
/** Fewer than these are unclear only where nothing of them can be relied on: of ten clear words in a row 11 stretches in 1,000 are below `clearMean`. */
const wordsOfMean = 20
/** Fewer words say little about a passage: those beside it are heard under the same conditions. */
const wordsOfPassage = 8

/** Speech without a word in it says that the recogniser gave it up: from so many seconds on, and where it is most of what is said. */
const fewestSeconds = 5

const secondsOf = (some: ReadonlyArray<Pick<SpeakerTurn, "t_end" | "t_start">>): number =>
  some.reduce((sum, { t_end, t_start }) => sum + t_end - t_start, 0)

/** Seconds in which somebody is heard, and those of them in which no word is: what is beside a word within its segment counts as heard. */
const wordless = (
  { segments, turns }: Pick<Transcript, "segments" | "turns">
): { spoken: number; given_up: number } => {
  const within = turns.flatMap((turn) =>
    coverage(segments, 0).flatMap(({ t_end, t_start }) => {
      const part = { t_start: Math.max(t_start, turn.t_start), t_end: Math.min(t_end, turn.t_end) }
      return part.t_end > part.t_start ? [part] : []
    })
  )
  const spoken = secondsOf(turns)
  return { spoken, given_up: spoken - secondsOf(within) }
}

const meanOf = (confidences: ReadonlyArray<number>): number =>
  confidences.reduce((sum, one) => sum + one, 0) / Math.max(1, confidences.length)

const confidencesOf = (passages: ReadonlyArray<Passage>): ReadonlyArray<number> =>
  passages.flatMap(({ timings }) => timings.map(({ confidence }) => confidence))

/**
 * Passages of recognised speech, by index, of which fewer than half of the words are likely right; all of them where that holds of the
 * whole recording, since what is surer there is so by chance.
 */
export const unclearPassages = (passages: ReadonlyArray<Passage>): ReadonlySet<number> => {
  const heard = passages.filter(({ channel, timings }) => channel === "asr" && timings.length > 0)
  const all = confidencesOf(heard)
  if (all.length >= fewestWords && meanOf(all) < readableMean) return new Set(heard.map(({ index }) => index))
  const unclear = heard.filter((_, at) => {
    let [from, to] = [at, at]
    const words = () => confidencesOf(heard.slice(from, to + 1))
    while (words().length < wordsOfPassage && (from > 0 || to < heard.length - 1)) {
      from = Math.max(0, from - 1)
      to = Math.min(heard.length - 1, to + 1)
    }
    return meanOf(words()) < readableMean
  })
  return new Set(unclear.map(({ index }) => index))
}

/** Whether what was recognised at a span is too unclear to rely on: the whole passage, or the span's own words. */
export const isUnclear = (span: Span, unclear: ReadonlySet<number>, precision: Precision): boolean =>
  span.passage.channel === "asr" &&
  (unclear.has(span.passage.index) || sourceConfidence(span) < (precision === "strict" ? sureWord : unsure))

const wordsIn = (some: ReadonlyArray<Passage>): number => some.reduce((sum, { timings }) => sum + timings.length, 0)

/** Whether most of what was said is unclear: then it cannot be told either that something was not said. */
export const isMostlyUnclear = (passages: ReadonlyArray<Passage>, unclear: ReadonlySet<number>): boolean => {
  const spoken = passages.filter(({ modality }) => modality === "audio")
  return spoken.length > 0 && wordsIn(spoken.filter(({ index }) => unclear.has(index))) > wordsIn(spoken) / 2
}

/**
 * Whether what was recognised can be relied on, by the recogniser's own word: people far from a microphone give transcripts that
 * read like any other. Captions are somebody's text and are not judged.
 */
export const unclearSpeech = (
  { language, segments, turns }: Pick<Transcript, "language" | "segments" | "turns">
): ReadonlyArray<Warning> => {
  const { given_up, spoken } = wordless({ segments, turns })
  if (given_up >= fewestSeconds && given_up > spoken / 2) {
    return [{
      code: "SPEECH_UNCLEAR",
      message: `The speech was hard to recognise: of ${Math.round(spoken)} s in which somebody is heard, ${
        Math.round(given_up)
      } s gave no word. What was said there is not in the transcript.`
    }]
  }
  const confidences = segments.flatMap((segment) =>
    segment.origin === "asr" ? segment.words.map(({ confidence }) => confidence) : []
  )
  if (confidences.length < fewestWords) return []
  const mean = meanOf(confidences)
  if (mean >= (confidences.length < wordsOfMean ? readableMean : clearMean)) return []
  const share = confidences.filter((one) => one < unsure).length / confidences.length
  const means = mean < readableMean
    ? "Most of it is likely wrong, and nothing is taken from it"
    : "Nothing is taken from its least sure passages; read what rests on it beside its quote"
  const foreign = language === null ? " It may be in a language that the recogniser does not know." : ""
  return [{
    code: "SPEECH_UNCLEAR",
    message: `The speech was hard to recognise: mean word confidence ${mean.toFixed(2)}, and ${
      Math.round(share * 100)
    } % of ${confidences.length} words below ${unsure}. ${means}.${foreign}`
  }]
}
