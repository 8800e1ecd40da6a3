import type { Frames } from "../../src/artifacts/Frames.ts"
import type { Segment, Transcript } from "../../src/artifacts/Transcript.ts"
import type { Vision } from "../../src/artifacts/Vision.ts"
import { makeSourceDocument } from "../../workers/extraction/text/SourceDocument.ts"
import { unclearPassages } from "../../workers/extraction/text/UnclearSpeech.ts"
import type { RecognisedChunk } from "../../workers/speech/asr/RecognisedChunk.ts"
import { assembleTranscript } from "../../workers/speech/transcript/TranscriptAssembly.ts"
import { align, comparable } from "./ErrorRates.ts"

/** A passage of a transcript against what was said. */
export interface HeardPassage {
  readonly confidence: number
  readonly words: ReadonlyArray<{ readonly confidence: number; readonly right: boolean }>
  /** Whether nothing is taken from it because it was hardly understood. */
  readonly silenced: boolean
}

/** How far confidence can be believed; shares are fractions, and absent where there is nothing to take them of. */
export interface CertaintyScores {
  readonly passages: number
  /** Expected calibration error: mean distance of confidence from the share of words that are right, over ten steps of confidence. */
  readonly word_ece: number
  readonly passage_ece: number
  /** Of passages with fewer than half of their words right, and of the others, how many are silenced. */
  readonly hopeless: number
  readonly hopeless_silenced: number
  readonly others_silenced: number
}

const noVision: Vision = { visual_branch: "absent", frames: [], model: null }
const noFrames: Frames = { visual_branch: "absent", sampled: 0, kept: 0, frames: [] }

const unclearSegments = (transcript: Transcript): ReadonlySet<string> => {
  const { passages } = makeSourceDocument({ transcript, vision: noVision, frames: noFrames })
  const unclear = unclearPassages(passages)
  return new Set(passages.filter(({ index }) => unclear.has(index)).map(({ source_ref }) => source_ref))
}

const same = (text: string) => comparable(text).join("")

/** The passages of what was heard in one recording, each word right or wrong by the cheapest alignment with what was said. */
export const heardPassages = (
  chunks: ReadonlyArray<RecognisedChunk>,
  duration_seconds: number,
  said: string
): ReadonlyArray<HeardPassage> => {
  const transcript = assembleTranscript({ chunks, captions: null, duration_seconds, hints: {} })
  const heard = transcript.segments.flatMap(({ words }) => words.map(({ text }) => same(text)))
  const right = new Set(align(comparable(said), heard).equal.map(([, at]) => at))
  const unclear = unclearSegments(transcript)
  let at = 0
  return transcript.segments.map(({ confidence, id, words }: Segment) => ({
    confidence,
    words: words.map((word) => ({ confidence: word.confidence, right: right.has(at++) })),
    silenced: unclear.has(id)
  }))
}

const STEPS = 10

interface Judged {
  readonly confidence: number
  readonly right: number
  readonly words: number
}

/** Expected calibration error (Naeini et al. 2015) over equal steps of confidence, every word counting once. */
export const calibrationError = (judged: ReadonlyArray<Judged>): number => {
  const total = judged.reduce((sum, { words }) => sum + words, 0)
  const steps = Map.groupBy(judged, ({ confidence }) => Math.min(STEPS - 1, Math.floor(STEPS * confidence)))
  const apart = [...steps.values()].map((own) =>
    Math.abs(own.reduce((sum, { confidence, right, words }) => sum + words * confidence - right, 0))
  )
  return total === 0 ? 0 : apart.reduce((sum, one) => sum + one, 0) / total
}

export const rightIn = ({ words }: HeardPassage): number => words.filter(({ right }) => right).length

const share = (some: ReadonlyArray<HeardPassage>): number =>
  some.length === 0 ? 0 : some.filter(({ silenced }) => silenced).length / some.length

/** How far the confidence of these passages can be believed; undefined where there is none. */
export const certaintyScores = (passages: ReadonlyArray<HeardPassage>): CertaintyScores | undefined => {
  if (passages.length === 0) return undefined
  const hopeless = passages.filter((passage) => rightIn(passage) < passage.words.length / 2)
  return {
    passages: passages.length,
    word_ece: calibrationError(
      passages.flatMap(({ words }) =>
        words.map(({ confidence, right }) => ({ confidence, right: right ? 1 : 0, words: 1 }))
      )
    ),
    passage_ece: calibrationError(
      passages.map((passage) => ({
        confidence: passage.confidence,
        right: rightIn(passage),
        words: passage.words.length
      }))
    ),
    hopeless: hopeless.length,
    hopeless_silenced: share(hopeless),
    others_silenced: share(passages.filter((passage) => !hopeless.includes(passage)))
  }
}
