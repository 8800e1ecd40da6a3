import type { Posteriors } from "../../../workers/speech/ctc/CtcAlignment.ts"
import { type CtcTokens, parseTokens, WORD_MARK } from "../../../workers/speech/ctc/CtcTokens.ts"

/** The letters of the recogniser, the word mark first and the blank last. */
export const letters: CtcTokens = parseTokens(
  [WORD_MARK, ..."abcdefghijklmnopqrstuvwxyz'", "<blk>"].map((token, i) => `${token} ${i}`).join("\n")
)

/** Posteriors by hand: per frame the probabilities of some tokens, `_` for a space and `-` for the blank. */
export const posteriors = (frames: ReadonlyArray<Readonly<Record<string, number>>>): Posteriors => {
  const tokens = letters.texts.length
  const data = new Float32Array(frames.length * tokens)
  frames.forEach((frame, t) => {
    const given = Object.values(frame).reduce((sum, p) => sum + p, 0)
    const rest = Math.max(1e-9, 1 - given) / (tokens - Object.keys(frame).length)
    letters.texts.forEach((text, v) => {
      const name = text === WORD_MARK ? "_" : text === "<blk>" ? "-" : text
      data[t * tokens + v] = Math.log(frame[name] ?? rest)
    })
  })
  return { data, frames: frames.length, tokens }
}

/** One frame per letter of `_he-llo`, each as sure as told. */
export const spelled = (text: string, sure = 0.99): Posteriors =>
  posteriors([...text].map((name) => ({ [name]: sure })))

export const tokenIds = (text: string): Array<number> =>
  [...text].map((letter) => letters.texts.indexOf(letter === "_" ? WORD_MARK : letter))

export const textOf = (sequence: ReadonlyArray<number>): string =>
  sequence.map((token) => letters.texts[token]!.replace(WORD_MARK, "_")).join("")
