import type { Scorer } from "./BeamSearch.ts"
import { type CtcTokens, WORD_MARK } from "./CtcTokens.ts"
import { makeTrie, type Trie } from "./Trie.ts"
import { NOWHERE, type WordModel } from "./WordModel.ts"

export interface WordScorerOptions {
  /** Weight of the words against the sound, and what every finished word gains to make up for it. */
  readonly weight: number
  readonly word_bonus: number
  /** What every letter gains: the sound alone favours saying too little. */
  readonly letter_bonus: number
  /** `ln p` of a word that the model does not know: at all, and for each of its letters. */
  readonly unknown: number
  readonly unknown_letter: number
  /** `ln p` that the caller's own terms have at least: as a first word, and after the term's word before. */
  readonly hot: number
  readonly hot_next: number
}

/**
 * Tuned by `bench/decoding.ts`. At `hot` -6.2 the right slides take 11.2 % word errors of the product demo to 4.3 % and
 * slides of another film add 1.0 points to people's 57.0 %; -5 would be 3.7 % and 2.6 points, -8 4.3 % and 0.6.
 */
export const wordScorerDefaults: WordScorerOptions = {
  weight: 1,
  word_bonus: 0,
  letter_bonus: 1.8,
  unknown: -16,
  unknown_letter: -2,
  hot: -6.2,
  hot_next: Math.log(0.5)
}

/** All hot words together have no more than this probability, so that a long list does not drown the model. */
const HOT_SHARE = 0.5
/** The same of the words that may go on a term after one of its words: after "the" there are many. */
const NEXT_SHARE = 0.9
/** As many as a key has room for. Terms beyond are left out: the first are the surest. */
const MOST_HOT_WORDS = 2 ** 13 - 2

const OUTSIDE = -1
/** Bounds for a key below 2 ** 53: 22 bits for places, 18 for the letters of a word, 13 for hot words. */
const PLACES = 2 ** 22
const NODES = 2 ** 18

/** The word being spelled and what is known of the words before. */
interface State {
  readonly place: number
  /** The hot word before, for terms of several words. */
  readonly before: number
  /** Where its letters so far stand in the trees of known words, of hot words, and of those that go on a term. */
  readonly known: number
  readonly hot: number
  readonly next: number
  readonly letters: number
  /** What the unfinished word has been charged. */
  readonly charged: number
}

const trees = new WeakMap<WordModel, Trie>()
const treeOf = (model: WordModel): Trie => {
  let tree = trees.get(model)
  if (tree === undefined) {
    // `<s>` and the like cannot be spelled and do no harm.
    trees.set(model, tree = makeTrie(model.words, model.alone))
  }
  return tree
}

/** Terms as the recogniser can spell them: lower case, parted by single spaces; what has other letters is left out. */
export const spellable = (terms: ReadonlyArray<string>): Array<string> =>
  terms
    .map((term) => term.toLowerCase().replaceAll("’", "'").replaceAll(/[^\p{L}\p{N}']+/gu, " ").trim())
    .filter((term) => /^[a-z']+( [a-z']+)*$/u.test(term))

/** The caller's terms as single words, and which of them follow which. */
const makeHotWords = (terms: ReadonlyArray<string>, { hot, hot_next }: WordScorerOptions) => {
  const numbers = new Map<string, number>()
  const follows = new Map<number, Set<string>>()
  for (const term of spellable(terms)) {
    let last = OUTSIDE
    for (const word of term.split(" ")) {
      const number = numbers.get(word) ?? numbers.size
      if (number >= MOST_HOT_WORDS) break
      numbers.set(word, number)
      if (last !== OUTSIDE) follows.set(last, (follows.get(last) ?? new Set()).add(word))
      last = number
    }
  }
  const words = [...numbers.keys()]
  const first = Math.min(hot, Math.log(HOT_SHARE / words.length))
  const nexts = new Map<number, Next>()
  return {
    first,
    tree: words.length === 0 ? undefined : makeTrie(words, () => first),
    /** The words that go on a term after one of its words; undefined where none does. */
    nextOf: (number: number): Next | undefined => {
      const found = nexts.get(number)
      if (found !== undefined) return found
      const follow = follows.get(number)
      if (follow === undefined) return undefined
      const price = Math.min(hot_next, Math.log(NEXT_SHARE / follow.size))
      const next = { tree: makeTrie([...follow], () => price), price }
      nexts.set(number, next)
      return next
    }
  }
}

interface Next {
  readonly tree: Trie
  /** `ln p` of each of its words. */
  readonly price: number
}

/**
 * Scores words by a model of words and by the caller's own terms. An unfinished word is charged what the likeliest word
 * with its letters costs, so that the search drops impossible spellings early; the exact price is settled where it ends.
 * Terms that the recogniser cannot spell have no effect.
 */
export const makeWordScorer = (
  model: WordModel,
  tokens: CtcTokens,
  terms: ReadonlyArray<string> = [],
  options: WordScorerOptions = wordScorerDefaults
): Scorer<State> => {
  const { letter_bonus, unknown, unknown_letter, weight, word_bonus } = options
  const known = treeOf(model)
  const hot = makeHotWords(terms, options)
  const pieces = tokens.texts.map((text) => ({
    begins: text.startsWith(WORD_MARK),
    letters: Array.from(text.replace(WORD_MARK, ""), (letter) => letter.charCodeAt(0))
  }))

  const fresh = (place: number, before: number): State => ({
    place,
    before,
    known: 0,
    hot: hot.tree === undefined ? OUTSIDE : 0,
    next: before === OUTSIDE || hot.nextOf(before) === undefined ? OUTSIDE : 0,
    letters: 0,
    charged: 0
  })

  /** What the finished word costs on top of what it has been charged, and where it leads. */
  const end = (state: State): { readonly score: number; readonly place: number; readonly before: number } => {
    const word = state.known === OUTSIDE ? -1 : known.word[state.known]!
    const heard = word === -1
      ? { score: unknown + unknown_letter * state.letters, place: NOWHERE }
      : model.after(state.place, word)
    const before = state.hot === OUTSIDE ? OUTSIDE : hot.tree!.word[state.hot]!
    const next = state.next === OUTSIDE ? undefined : hot.nextOf(state.before)!
    const price = Math.max(
      heard.score,
      before === OUTSIDE ? -Infinity : hot.first,
      next !== undefined && next.tree.word[state.next] !== -1 ? next.price : -Infinity
    )
    return { score: weight * price + word_bonus - state.charged, place: heard.place, before }
  }

  const spell = (state: State, letter: number): State => {
    const inKnown = state.known === OUTSIDE ? OUTSIDE : known.child(state.known, letter)
    const inHot = state.hot === OUTSIDE ? OUTSIDE : hot.tree!.child(state.hot, letter)
    const next = state.next === OUTSIDE ? undefined : hot.nextOf(state.before)!
    const inNext = next === undefined ? OUTSIDE : next.tree.child(state.next, letter)
    const letters = state.letters + 1
    const best = Math.max(
      inKnown === OUTSIDE ? unknown + unknown_letter * letters : known.best[inKnown]!,
      inHot === OUTSIDE ? -Infinity : hot.first,
      next === undefined || inNext === OUTSIDE ? -Infinity : next.price
    )
    return {
      place: state.place,
      before: state.before,
      known: inKnown,
      hot: inHot,
      next: inNext,
      letters,
      charged: weight * best
    }
  }

  return {
    start: fresh(model.start, OUTSIDE),
    // Of unknown words the letters are not kept, so that two of them cannot be told to be the same.
    key: ({ before, known, letters, place }) =>
      known === OUTSIDE || letters === 0 && place === model.start
        ? null
        : ((before + 1) * PLACES + place + 1) * NODES + known,
    finish: (state) => state.letters === 0 ? 0 : end(state).score,
    extend: (state, token) => {
      const { begins, letters } = pieces[token]!
      let score = letter_bonus * letters.length
      let at = state
      if (begins && at.letters > 0) {
        const ended = end(at)
        score += ended.score
        at = fresh(ended.place, ended.before)
      }
      const charged = at.charged
      for (const letter of letters) at = spell(at, letter)
      return { state: at, score: score + at.charged - charged }
    }
  }
}
