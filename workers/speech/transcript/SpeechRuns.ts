import type { Word } from "../../../src/artifacts/Transcript.ts"
import type { makeCasing } from "./Casing.ts"

/**
 * A silence of this length after a sentence ends a segment: it cuts every sentence of the samples apart (0.6 s: three in
 * five) and read prose every 17 words, about a sentence's length.
 */
const SENTENCE_PAUSE = 0.45
/** A silence of this length ends a segment even inside of a sentence. */
const LONG_PAUSE = 1.5
/** After a silence of this length somebody starts anew, whatever the words. */
const TURN_PAUSE = 3
/** A longer segment is cut, at the end of a sentence where there is one. */
const SEGMENT_SECONDS = 20

/** Words of one speaker that belong together, as they are written. */
export interface SpeechRun {
  readonly speaker: number
  readonly words: ReadonlyArray<Word>
}

const ends = ({ text }: Word): boolean => /[.?!]["”')]*$/u.test(text)
const silence = (words: ReadonlyArray<Word>, at: number): number => words[at]!.t_start - words[at - 1]!.t_end

/** Halves words that last too long in their middle half: at its longest silence, an end of a sentence before any other. */
const cutLong = (words: ReadonlyArray<Word>): Array<ReadonlyArray<Word>> => {
  if (words.length < 2 || words.at(-1)!.t_end - words[0]!.t_start <= SEGMENT_SECONDS) return [words]
  const quarter = Math.floor(words.length / 4)
  let cut = Math.max(1, quarter)
  const worth = (at: number) => silence(words, at) + (ends(words[at - 1]!) ? SEGMENT_SECONDS : 0)
  for (let at = cut + 1; at <= Math.min(words.length - 1, words.length - quarter); at++) {
    if (worth(at) > worth(cut)) cut = at
  }
  return [...cutLong(words.slice(0, cut)), ...cutLong(words.slice(cut))]
}

const cutAtPauses = (words: ReadonlyArray<Word>): Array<ReadonlyArray<Word>> => {
  // Words of a recogniser that writes no marks are cut by silence alone.
  const marked = words.some(ends)
  const cuts = words.flatMap((_, at) => {
    const pause = at === 0 ? 0 : silence(words, at)
    return pause >= LONG_PAUSE || (pause >= SENTENCE_PAUSE && (!marked || ends(words[at - 1]!))) ? [at] : []
  })
  return [0, ...cuts].map((from, i) => words.slice(from, cuts[i] ?? words.length))
}

/**
 * Writes what each speaker says between two others with `casing`, or leaves it as it is for null, and cuts it into runs:
 * where a sentence ends in a silence, where a silence is long, and so that none lasts more than 20 s of several words. Takes
 * pieces in time order; the words of all runs are the words of all pieces, in order, one for one.
 */
export const runsOf = (
  pieces: ReadonlyArray<SpeechRun>,
  casing: ReturnType<typeof makeCasing> | null
): Array<SpeechRun> => {
  const turns: Array<{ readonly speaker: number; readonly words: Array<Word> }> = []
  for (const { speaker, words } of pieces) {
    for (const word of words) {
      const turn = turns.at(-1)
      const goesOn = turn?.speaker === speaker && word.t_start - turn.words.at(-1)!.t_end < TURN_PAUSE
      if (goesOn) turn.words.push(word)
      else turns.push({ speaker, words: [word] })
    }
  }
  return turns.flatMap(({ speaker, words }) => {
    const texts = casing?.(
      words.map(({ text }) => text),
      words.map((_, i) => i + 1 < words.length ? Math.max(0, silence(words, i + 1)) : TURN_PAUSE)
    )
    const written = texts === undefined ? words : words.map((word, i) => ({ ...word, text: texts[i]! }))
    return cutAtPauses(written).flatMap(cutLong).map((words) => ({ speaker, words }))
  })
}
