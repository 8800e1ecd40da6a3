import { distance } from "fastest-levenshtein"
import { readWordModel, type WordModel } from "../../../workers/speech/ctc/WordModel.ts"
import measured from "./confusions.json" with { type: "json" }

/** How often something was said or heard. */
export type Counts = Readonly<Record<string, number>>

/** How one person was heard. */
export interface Voice {
  readonly name: string
  /** Of the words that this person said: heard as they are, as another word, not at all; and heard though not said. */
  readonly right: number
  readonly substituted: number
  readonly deleted: number
  readonly inserted: number
  /** The recogniser's own confidence in words that it heard right and wrong: eleven points from the least to the most. */
  readonly sure: { readonly right: ReadonlyArray<number>; readonly wrong: ReadonlyArray<number> }
}

/** Sorts of words that are heard differently well: those that the recogniser's word model lacks, and the others by their letters. */
export type Sort = "unknown" | "short" | "middle" | "long"

/** What `tools/measure-confusions.ts` measures. */
export interface Confusions {
  readonly made_by: string
  readonly voices: ReadonlyArray<Voice>
  readonly sorts: Readonly<Record<Sort, { readonly right: number; readonly wrong: number }>>
  /** By a word that was said: what was heard instead. */
  readonly heard_as: Readonly<Record<string, Counts>>
  /** What was heard where nobody said anything. */
  readonly added: Counts
  /** How unlike its word that is, in letters to be changed by the letters of the longer one: eleven points from the least to the most. */
  readonly unlike: ReadonlyArray<number>
}

export const confusions: Confusions = measured

let model: WordModel | undefined
/** The words that the recogniser knows, the commonest first. */
export const wordModel = (): WordModel =>
  model ??= readWordModel(new URL("../../../models/lm/en.lm.gz", import.meta.url).pathname)

export const sortOf = (word: string): Sort =>
  wordModel().number(word) === undefined ? "unknown" : word.length <= 3 ? "short" : word.length <= 6 ? "middle" : "long"

/** Letters to be changed, added or left out to make one word of another (Levenshtein 1966), by the letters of the longer one. */
export const unlikeness = (left: string, right: string): number =>
  distance(left, right) / Math.max(1, left.length, right.length)
