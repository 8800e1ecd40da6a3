import { sentencesIn } from "../text/SentenceBounds.ts"

const BEFORE =
  "^\\W*(?:(?:oh|well|ok(?:ay)?|um+|uh+|er|ah|hmm*|so|and|but|wait|sorry|actually|honestly|alright)[\\s,.…–—-]+){0,6}"
/** An answer is a clause of its own: nothing follows it, or a mark that ends it. */
const END = "(?=[\\s\"”’')]*$|\\s*[,.!;:…–—]|\\s+-\\s)"
/** Who an answer goes on to speak of, where a recogniser writes no commas. */
const GOES_ON =
  "(?=\\s+(?:i|you|we|he|she|it|they|that|this|there|these|those|the|a|an|my|your|our|their|please|thanks?|thank|sir|madam|ma['’]am|but|and|because|not|nothing|just|only|unfortunately|sorry)\\b(?! (?:one|body)\\b))"

const CLOSE = `(?:${END}|(?=\\s+(?:and|thanks?|thank|for (?:me|us))\\b))`

const WHO = "(?:it|they|we|i|you|he|she|there|that|this|these|those)"
const HELPER = "(?:do|does|did|is|are|am|was|were|has|have|had|can|could|will|would|should)"
const STRESS =
  "(?:\\s+(?:actually|certainly|definitely|really|absolutely|indeed|sure|both|all|also|too|so|now|already|yet|either|anymore|though|sir|please)){0,3}"
const IT = "(?:\\s+(?:it|that|this|one|them|those|these|some|any|so))?"

const anyOf = (...ways: ReadonlyArray<string>): RegExp => new RegExp(`${BEFORE}(?:${ways.join("|")})`, "iu")

/** What answers nothing, also after a "yeah": "I don't know", "no idea". */
const UNSURE = anyOf(
  "(?:(?:yes|yeah|yep|no|nope)[\\s,.]+)?(?:(?:i|we|he|she|they|you)(?:['’](?:m|re|s)| am| are| is)?(?:\\s+(?:really|honestly|actually|just|still))*\\s+)?"
    + "(?:(?:do not|don['’]?t|did not|didn['’]?t|cannot|can['’]?t|could not|couldn['’]?t|would not|wouldn['’]?t)(?:\\s+really)?\\s+(?:know|remember|recall|say|tell|care|mind)|not\\s+(?:(?:so|quite|too|really|entirely|completely|100 percent)\\s+)?(?:sure|certain)|(?:have\\s+)?no (?:idea|clue|preference))",
  "(?:maybe|perhaps|possibly|(?:it|that) depends|hard to say|who knows|never mind|let me (?:check|see|look))\\b"
)

const YES = anyOf(
  "(?:yes|yeah|yep|yup)\\b(?!\\s*\\?)",
  "(?:sure|of course|absolutely|definitely|certainly|indeed|exactly|correct|right|true|perfect|please)" +
    `(?:${END}|(?=\\s+(?:it|they|we|i|you|he|she|there|that|please|thanks?|thank)\\b))`,
  "sure (?:thing|do|does|did|is|are|can|will)\\b",
  `ok(?:ay)?(?=\\W*$|[\\s,]+(?:sure|great|good|perfect|fine)${END})`,
  `${WHO}${STRESS}\\s+${HELPER}${STRESS}${END}`,
  `(?:it|they|we|i|you|he|she)${STRESS}\\s+(?:do|does|did)${STRESS}(?:\\s+(?!not\\b|never\\b|no\\b)\\p{L}+)?${IT}${STRESS}${END}`,
  `(?:it|they|we|i|you|he|she)${STRESS}\\s+(?:has|have|had|want|need|offer)\\s+(?:it|that|one|them|some)${STRESS}${END}`,
  `(?:that|it|this|which|everything|all)(?:(?: ?['’]?s| is| was| will be| would be)(?: (?:all|quite|very|really|just|absolutely|exactly|perfectly|totally|completely|pretty))? (?:right|correct|true|fine|it|good|great|perfect|ok(?:ay)?|nice|wonderful|awesome|ideal|lovely)| sounds (?:(?:very|really|pretty|quite) )?(?:good|great|nice|fine|perfect|right|okay|lovely)| works| would work| would do)${CLOSE}`,
  `(?:sounds (?:(?:very|really|pretty|quite) )?(?:good|great|nice|fine|perfect|right|like a plan)|works for me|go ahead)${CLOSE}`,
  `(?:i|we)(?:['’]d| would| will|['’]ll)?(?:\\s+(?:really|also|certainly))*\\s+(?:like|love)\\s+(?:to|that|it|one|some)${STRESS}${END}`,
  `i(?: (?:think|believe|guess|suppose)|['’]m afraid) so${CLOSE}`
)

const NO = anyOf(
  `(?:no|nope|nah)(?:${END}|${GOES_ON})`,
  "(?:no way|not a chance)\\b",
  `(?:of course|absolutely|definitely|certainly|please|probably|i think|i guess|i['’]m afraid|i hope|surely)\\s+not\\b`,
  // "Not at all a problem" agrees to what was asked.
  "not\\b(?!\\s+(?:only|just|to)\\b|(?:\\s+(?:at|all|really|even|such|much|of|an?)){0,5}\\s+(?:problem|issue|bother|trouble|worry|necessarily)\\b)",
  `never${END}`,
  `${WHO}${STRESS}(?:\\s+${HELPER}(?:n['’]?t|\\s+not)|\\s+(?:can['’]?t|cannot|won['’]?t)|['’](?:s|re)\\s+not)${STRESS}(?:\\s+(?:have|offer|serve|accept|provide|need|want|allow))?${IT}${STRESS}${END}`,
  `(?:i|we)(?:\\s+(?:really|actually))*\\s+(?:do not|don['’]?t|would not|wouldn['’]?t)(?:\\s+really)?\\s+(?:(?:need|want|like)${IT}${STRESS}${END}|(?:think|believe) so${CLOSE})`,
  `(?:unfortunately|sadly|regrettably)${END}`,
  `(?:unfortunately|sadly|regrettably|i['’]m afraid)(?:[\\s,]+(?:no\\b|not\\b|[^.!?]{0,60}(?:\\bnot\\b|\\p{L}n['’]?t\\b|\\bcannot\\b)))`,
  "(?:that|this|it)(?:['’]?s| is| was)? (?:wrong|incorrect|false)\\b"
)

/** "Yeah, it doesn't" and "yes, there's no garage" say two things at once. */
const TAKEN_BACK = anyOf(
  "(?:yes|yeah|yep|yup|sure|of course|absolutely|definitely|certainly|indeed|exactly|correct|right|true|perfect|please)[\\s,.]+(?:[^\\s,.]+[\\s,.]+){0,3}?(?:[\\p{L}]+n['’]?t|not|never|no|cannot|unfortunately)\\b"
)

/**
 * What a text answers to a yes-or-no question before it, or undefined where it answers none. An answer says yes or no in
 * itself ("Yes", "It does.", "That's right"): "We have decided to move" begins like one and states something else, and "I don't
 * know" denies nothing.
 */
export const answerOf = (text: string): boolean | undefined =>
  UNSURE.test(text)
    ? undefined
    : NO.test(text)
    ? false
    : YES.test(text) && !TAKEN_BACK.test(text)
    ? true
    : undefined

/** Who begins to take back what was just said. */
const CORRECTS =
  /^\W*(?:wait|sorry|no|nope|actually|hold on|hang on|i mean|well|or rather|scratch that|correction|yes|yeah)\b/iu

/** What a turn answers to a question before it, or undefined where it answers none or takes its answer back. */
export const settledAnswerOf = (text: string): boolean | undefined => {
  const answer = answerOf(text)
  if (answer === undefined) return undefined
  const [, ...later] = sentencesIn(text)
  const isTakenBack = later.some(({ from, to }) => {
    const sentence = text.slice(from, to)
    return CORRECTS.test(sentence) && answerOf(sentence) === !answer
  })
  return isTakenBack ? undefined : answer
}
