import {
  caseFeatures,
  markFeatures,
  questionFeatures,
  STARTS,
  type TurnWords,
  turnWords
} from "./PunctuationFeatures.ts"
import { bestClass, featuresOf, type PunctuationModel } from "./PunctuationModel.ts"

/** Classes of the mark after a word. */
const [NONE, COMMA, END] = [0, 1, 2]
/** Classes of how a word is written. */
const [SMALL, CAPITAL, CAPITALS] = [0, 1, 2]
/** Two names this many seconds apart are two: "… I am Peter Stone. Garden Helper is …" was read as one name without it. */
const NAMES_PAUSE = 0.6

/** How a word of a turn is to be written: as it is, with a capital or in capitals, and with which mark after it. */
export interface Writing {
  readonly letters: "small" | "capital" | "capitals"
  readonly mark: "" | "," | "." | "?"
}

const marksOf = (model: PunctuationModel, turn: TurnWords): Uint8Array => {
  const features = featuresOf(model.marks)
  const marks = new Uint8Array(turn.words.length)
  let [start, comma] = [0, -1]
  for (let i = 0; i < marks.length - 1; i++) {
    markFeatures(turn, i, start, comma, features)
    const mark = bestClass(model.marks, features)
    marks[i] = mark
    if (mark === END) start = i + 1
    if (mark !== NONE) comma = i
  }
  if (marks.length > 0) marks[marks.length - 1] = END
  return marks
}

const LETTERS = ["small", "capital", "capitals"] as const

/**
 * Decides where the sentences of one speaker's turn end, where commas stand, which sentences ask and which words are names:
 * linear classifiers over hashed features of the words around (trained by models/training/train-punctuation.ts), from left
 * to right. `words` are in lower case; `pauses` are the seconds of silence after each of them, or null where nothing is
 * known. A turn ends with a mark. As many writings as words; nothing but the arguments decides them.
 */
export const punctuate = (
  model: PunctuationModel,
  words: ReadonlyArray<string>,
  pauses: ReadonlyArray<number> | null
): Array<Writing> => {
  const turn = turnWords(words, pauses, model.list)
  const marks = marksOf(model, turn)
  const [asking, letters] = [featuresOf(model.questions), featuresOf(model.cases)]
  const out: Array<Writing> = []
  let start = 0
  let last: number = STARTS
  for (let i = 0; i < words.length; i++) {
    const before = i === 0 ? END : marks[i - 1]!
    caseFeatures(turn, i, last, before, marks[i]!, letters)
    let written = bestClass(model.cases, letters)
    // What can be said as a word mostly is one: "app" was written "APP". Acronyms that are said so are in the lexicon.
    if (written === CAPITALS && words[i]!.length > 1 && /[aeiouy]/u.test(words[i]!)) written = SMALL
    if (i === start) {
      // A name at the start cannot be told from any word there.
      last = STARTS
      if (written === SMALL) written = CAPITAL
    } else last = written
    if (marks[i] === NONE && written === CAPITAL && (pauses?.[i] ?? 0) >= NAMES_PAUSE && i + 1 < words.length) {
      caseFeatures(turn, i + 1, last, NONE, marks[i + 1]!, letters)
      if (bestClass(model.cases, letters) === CAPITAL) marks[i] = END
    }
    let mark: Writing["mark"] = marks[i] === COMMA ? "," : ""
    if (marks[i] === END) {
      questionFeatures(turn, start, i + 1, asking)
      mark = bestClass(model.questions, asking) === 1 ? "?" : "."
      start = i + 1
    }
    out.push({ letters: LETTERS[written === CAPITALS ? CAPITALS : written === CAPITAL ? CAPITAL : SMALL]!, mark })
  }
  return out
}
