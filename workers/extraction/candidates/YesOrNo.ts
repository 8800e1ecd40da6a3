import { answerOf } from "../lexicon/Answers.ts"
import { isAsserted } from "../lexicon/Assertion.ts"
import { NEGATION } from "../lexicon/Polarity.ts"
import type { Leaf } from "../text/Plan.ts"
import { sentencesIn } from "../text/SentenceBounds.ts"
import { asks } from "../text/Sentences.ts"
import { quoteOf, type Span } from "../text/SourceDocument.ts"
import { stem, tokenise } from "../text/Tokens.ts"
import { asksToCome, statingStems, tellingStems } from "./FieldWords.ts"
import type { Reading } from "./Reading.ts"
import { statedBy } from "./StatedYes.ts"

/** A verb that is turned round after its subject: "the garage was never built", "the garage isn't there". */
const TURNED = /^[^,.;!?]{0,40}?(?:\b(?:not|never|cannot)\b|n['’]t\b)/iu

/** What begins a statement of its own within a sentence. */
const CONTRAST = /;|\b(?:but|however|while|although|whereas)\b/iu

/** Where a text first uses one of some words. */
const wordOf = (text: string, stems: ReadonlyArray<string>) => {
  const telling = new Set(stems)
  return tokenise(text).find(({ norm }) => telling.has(stem(norm)))
}

/** Whether a text uses the words by which a yes-or-no field is recognised. */
export const speaksOf = (text: string, leaf: Leaf): boolean => wordOf(text, tellingStems(leaf)) !== undefined

/** Whether a text that uses a field's words says that it is so: negations count before these words and at their verb. */
const holds = (text: string, { from, to }: { readonly from: number; readonly to: number }): boolean =>
  !NEGATION.test(text.slice(0, from).slice(-40).split(CONTRAST).at(-1)!) &&
  !TURNED.test(text.slice(to).split(CONTRAST)[0]!)

/**
 * What a sentence says of a yes-or-no field: by a statement in the field's words, or as an answer. Undefined for a question,
 * for what is only mentioned, only to come, possible or doubted, and for an answer that its own statement contradicts ("No, the garage is new"), which say nothing.
 */
export const saidOf = (sentence: string, leaf: Leaf): boolean | undefined => {
  const [answer, word] = [answerOf(sentence), wordOf(sentence, statingStems(leaf))]
  if (word === undefined) return answer
  if (asks(sentence) || !isAsserted(sentence, word.from, asksToCome(leaf))) return undefined
  const [says, stating] = [statedBy(leaf), new Set(statingStems(leaf))]
  // "The garage is new" says it at its second word.
  const said = tokenise(sentence).filter(({ norm }) => stating.has(stem(norm))).slice(0, 4)
    .map(({ from, to }) => says(sentence, from, to)).find((one) => one !== undefined)
  if (answer === undefined) return said
  return answer === (said ?? holds(sentence, word)) ? answer : undefined
}

const spokenSentences = (text: string): ReadonlyArray<string> =>
  sentencesIn(text).map(({ from, to }) => text.slice(from, to).trim()).filter((sentence) => /\p{L}/u.test(sentence))

/** What was said before a span, as far back as the passage before its own. */
const saidBefore = ({ from, passage }: Span, { passages, suspects }: Reading): ReadonlyArray<string> => {
  const before = passages[passage.index - 1]
  const heard = before !== undefined && before.channel === passage.channel && !suspects.has(before.index)
  return [...spokenSentences(heard ? before.text : ""), ...spokenSentences(passage.text.slice(0, from))]
}

/**
 * Whether a sentence can carry a yes or no of a field: it uses the field's words, or it answers what was asked, or said right
 * before, in these words. A "yes" to a sentence that denies carries nothing, and neither does an answer to anything else.
 */
export const carriesYesOrNo = (sentence: Span, leaf: Leaf, reading: Reading): boolean => {
  if (speaksOf(quoteOf(sentence), leaf)) return true
  const before = saidBefore(sentence, reading)
  // "Yes. It is." answers twice.
  const last = before.findLastIndex((text) => speaksOf(text, leaf) || answerOf(text) === undefined)
  return before.some((text, at) => {
    const word = at === last || asks(text) ? wordOf(text, tellingStems(leaf)) : undefined
    // To "no medicines in there?" a no agrees.
    return word !== undefined && (holds(text, word) || answerOf(quoteOf(sentence)) === false)
  })
}
