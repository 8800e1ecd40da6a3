/** How far from a word what governs it may stand; a text without stops costs no more than one with them. */
const REACH = 200

const CLAUSE =
  /[.!?;:,]\s|\s[–—-]\s|(?<!\b(?:anything|all)\s)\bbut\b|\b(?:though|although|because|so|while|whereas)\b/giu

/** A verb that has its own subject or tense: what stands before it governs nothing behind it. */
const FINITE =
  /\b(?:is|are|am|was|were|has|had|does|did)\b|\b(?:it|he|she|that|there|they|we|you|i)['’](?:s|re|m|ve)\b/iu

const NEGATED = "(?!\\s+(?:not|never)\\b|n['’]?t)"
/** What says that something is to come, to be done or only possible. "Will not", "may not" and "could not" deny, "can" allows. */
const MODAL = new RegExp(
  `(?:\\b(?:will|shall|could|must)\\b${NEGATED}|(?<=\\p{L})['’]ll\\b${NEGATED}|\\bwould\\b${NEGATED}(?!\\s+(?:really\\s+|also\\s+)?(?:like|prefer|need|want)\\b)` +
    "|\\b(?:should|might|ought)\\b|\\bmay\\s+(?:\\p{L}+ly\\s+)?(?:be|have)\\b|\\bis to\\b|\\bare to\\b|\\b(?:was|were) to\\b" +
    "|\\b(?:has|have|had|having|yet|needs|needed|used|supposed|expected|scheduled|going|gonna|about|set|likely|unlikely|plans?|planned|planning|hopes?|hoped|hoping" +
    "|intends?|intended|intending|aims?|tries|tried|trying|wants|wanted|promise[ds]?|promising|offered|wait(?:s|ed|ing)?|refuse[ds]?|refusing|fail(?:s|ed|ing)?|forgets?|forgot|forgotten" +
    "|decline[ds]?|neglect(?:s|ed)?|asked|urged|required|threaten(?:s|ed)?)\\s+to\\b|\\bdue\\s+to\\s+be\\b)",
  "giu"
)

/** What somebody doubts, wishes, imagines or asks, in a clause of its own behind it. */
const EMBEDDED =
  /\b(?:doubt(?:s|ed|ful|ing)?|wish(?:es|ed|ing)?|hop(?:e|es|ed|ing)|pretend(?:s|ed|ing)?|claim(?:s|ed|ing)?|alleg(?:e|es|ed|ing)|rumou?r(?:s|ed)?|myth|misconception|wonder(?:s|ed|ing)?|imagin(?:e|es|ed|ing)|suppos(?:e|es|ing)|assum(?:e|es|ed|ing)|suspect(?:s|ed)?|expect(?:s|ed|ing)?|(?:somebody|someone|some(?: people)?) (?:else )?(?:says?|said|told|thinks?|thought|reckons?|mentioned)|maybe|perhaps|possibly|allegedly|supposedly|reportedly|as though|(?<!\bmind )if|whether|unless|lest|in case|(?:unlikely|possible|impossible|likely|false|untrue|wrong|lie) that)\b/iu

const EXEMPTING = "except|excepting|excluding|apart from|other than|aside from"
const SMALL_WORDS = "(?:(?:for|on|in|at|being|getting|having|the|an?)\\s+)*"
/** Right before what a statement is not true of: "every day except Sunday". */
export const EXEMPTED = new RegExp(`\\b(?:${EXEMPTING})\\s+${SMALL_WORDS}$`, "iu")
/** What takes back the word right behind it: "nearly won", "anything but free", "every day except Sunday". */
const UNDONE = new RegExp(
  `\\b(?:nearly|almost|hardly|barely|scarcely|not quite|anything but|far from|all but|short of|stop(?:s|ped)?|ceas(?:e|es|ed)|quit|${EXEMPTING}|instead of|rather than)\\s+${SMALL_WORDS}$`,
  "iu"
)

/** What ends a state that once was: "allowed until last May". */
const ENDED = /\b(?:until|till)\s+(?:last|recently|yesterday|then|(?:\p{L}{3,9}\s+)?(?:19|20)\d\d)\b/iu
/** What takes a statement back behind it: "… but that is wrong". */
const TAKEN_BACK =
  /\b(?:but|and|which|though|although)\s+(?:(?:that|this|it)\s*)?(?:is|was|['’]s)\s+(?:(?:just|simply|of course|plainly|quite|all)\s+)?(?:wrong|false|untrue|incorrect|an?\s+(?:lie|myth|mistake|error|rumou?r)|not\s+(?:true|right|correct|so|the case))\b/iu

/** Few words that no other subject is among: between a subject and its verb. */
const WITHIN_SUBJECT = /^\S+\s+(?:(?!(?:that|which|who|you|we|i|they|it|he|she)\s)\p{L}+\s+){0,3}$/iu

/**
 * Whether a sentence states as a fact, or denies as one, what stands at a place of it: the predicate, or what comes with it.
 * Not so for what is to come ("will be", "has yet to"), may be ("could have"), ought to be ("must"), was given up ("refused
 * to", "until last May"), or is doubted, wished or asked ("it is a myth that", "if"). Which of fact and denial it is, `affirms`
 * tells; whether the whole sentence asks or supposes, `asks`, `isConditional` and `supposes`. `mayCome`: for who asks what is to
 * come or has to be, such is a fact.
 */
export const isAsserted = (sentence: string, at: number, mayCome = false): boolean => {
  const lead = sentence.slice(Math.max(0, at - REACH), at)
  const before = lead.slice(Array.from(lead.matchAll(CLAUSE), (cut) => cut.index + cut[0].length).at(-1) ?? 0)
  const rest = sentence.slice(at, at + REACH)
  const clause = rest.slice(0, Array.from(rest.matchAll(CLAUSE), ({ index }) => index)[0] ?? rest.length)
  if (EMBEDDED.test(before) || UNDONE.test(before) || ENDED.test(clause)) return false
  // "You need no cap, somebody started that rumour and it's not true" takes the rumour back.
  const back = TAKEN_BACK.exec(rest)
  if (back !== null && !/\b(?:rumou?rs?|myth|stor(?:y|ies))\b/iu.test(rest.slice(0, back.index))) return false
  if (mayCome) return true
  const modal = Array.from(before.matchAll(MODAL)).at(-1)
  if (modal !== undefined) return FINITE.test(before.slice(modal.index + modal[0].length))
  if (FINITE.test(before)) return true
  // What stands at the place may be the subject: its verb follows.
  const verb = Array.from(clause.matchAll(MODAL), ({ index }) => index)[0]
  return verb === undefined || !WITHIN_SUBJECT.test(clause.slice(0, verb))
}
