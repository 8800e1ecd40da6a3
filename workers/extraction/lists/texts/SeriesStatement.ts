import { callsAnother } from "../../candidates/Disowned.ts"
import { negates, NEGATION } from "../../lexicon/Polarity.ts"
import type { List } from "../../text/Plan.ts"
import { asks, type Sentence } from "../../text/Sentences.ts"
import type { Span } from "../../text/SourceDocument.ts"
import { stem, STOP_WORDS, tokenise } from "../../text/Tokens.ts"
import { asksDenied, denies, statesEntries } from "../kinds/Stated.ts"
import { type Subject, subjectStem } from "./ListSubject.ts"
import { type Series, seriesAbout } from "./SpokenSeries.ts"

/** Verbs by which what follows is not there, or no longer. */
const REMOVED =
  /\b(?:left out|leav(?:e|es|ing) (?:out|off)|omit(?:s|ted|ting)?|skip(?:s|ped|ping)?|remov(?:e[sd]?|ing)|cancel(?:s|l?ed)?|discontinu(?:e[sd]?|ing)|abandon(?:s|ed)?|banned|forbids?|forbidden|prohibit(?:s|ed)?|reject(?:s|ed)?|refuse[sd]?|lack(?:s|ed|ing)?|miss(?:es|ed|ing)|absent|avoid(?:s|ed|ing)?|stopped \p{L}+ing|gave up|ran out of|run out of|negative for)\b/giu
/** "Leave out olives": the same as an order, which is no step of the list's own. */
const LEFT_OUT = /^(?:leave (?:out|off)|omit|skip|avoid|forget)\b/iu
/** Whether words say that what follows is gone or left out, in a word that the list does not ask for. */
const isRemoved = (text: string, words: string): boolean => {
  const asked = new Set(tokenise(words).map(({ norm }) => stem(norm)))
  return Array.from(text.matchAll(REMOVED)).some(([said]) => !asked.has(stem(said.split(" ")[0]!.toLowerCase())))
}

const KIN =
  "(?:mother|mum|mom|father|dad|parents?|brother|sister|son|daughter|wife|husband|partner|cousin|uncle|aunt|niece|nephew|grand(?:mother|father|parents)|friend|neighbou?r|colleague|boss|flatmate|roommate|competitor|rival)s?"
const IS_KIN = new RegExp(String.raw`\b${KIN}\b`, "u")
const OWNED = new RegExp(
  String.raw`\b(?:my|your|his|her|its|our|their|the|an?)\s+(?:\p{L}+\s+)?${KIN}['’]s?\s+(?:\p{L}+\s+){0,2}$`,
  "iu"
)
const DONE_BY = new RegExp(
  String.raw`^\s+(?:(?:that|which|who|whom)\s+)?(?:my|your|his|her|our|their|the|an?)\s+(?:\p{L}+\s+)?${KIN}\s`,
  "iu"
)
/** As much around a list's name as may say whose it is. */
const NEAR = 80

/**
 * Whether a text names a list's things as somebody else's, or as other things than the list asks for: "her sister's instruments",
 * "the cities my brother visited", "former members". "The next ingredients" are only those that come next.
 */
export const namesAnother = (text: string, { named }: Pick<Subject, "named">, list: Pick<List, "words">): boolean => {
  const tokens = tokenise(text)
  return tokens.some((token, at) => {
    if (!named.has(subjectStem(token.norm))) return false
    if (!IS_KIN.test(list.words)) {
      if (OWNED.test(text.slice(Math.max(0, token.from - NEAR), token.from))) return true
      if (DONE_BY.test(text.slice(token.to, token.to + NEAR))) return true
    }
    const phrase: Array<string> = []
    for (let before = at - 1; before >= Math.max(0, at - 3); before--) {
      const { norm } = tokens[before]!
      if (STOP_WORDS.has(norm) || tokens[before + 1]!.gap !== "space") break
      if (norm !== "next" && norm !== "last") phrase.push(norm)
    }
    return callsAnother(phrase.join(" "), list)
  })
}

/** Whether a series stands as what is not so: behind words that deny it, or with them in its first member. */
const isDenying = ({ from, text }: Sentence, { clause, members: [first] }: Series): boolean => {
  const { span } = first!
  return denies(text.slice(clause, span.from - from)) || negates(text.slice(span.from - from, span.to - from))
}

/** What denies behind its last member all that stands before: "eggs, milk and nuts, none of which we use". */
const DENIED_BEHIND =
  /^,?\s+(?:(?:none|neither|not (?:any|one)) of (?:which|whom|them|these|those)\b|(?:which|that|whom|all of which|both of which)\s+(?:i|we|you|they|he|she|it)\s+(?:(?:do|does|did|can|could|will|would|must|should)(?:n['’]t|\s+not)|can['’]t|cannot|won['’]t|never|no longer)\s+(?:really\s+|actually\s+|even\s+)?(?:need|use|want|have|include|sell|offer|serve|stock|carry|add|allow|take|eat|get|do|recommend)\b)/iu

/** Whether a series is left out or denied by the words around it, in a word that the list does not ask for. */
const isUntrue = (sentence: Sentence, series: Series, { words }: Pick<List, "words">): boolean => {
  const { clause, members } = series
  const { text } = sentence
  const [first, last] = [members[0]!.span, members.at(-1)!.span]
  const from = first.from - sentence.from
  const behind = text.slice(last.to - sentence.from, last.to - sentence.from + NEAR)
  return isDenying(sentence, series) || isRemoved(text.slice(clause, from), words) ||
    LEFT_OUT.test(text.slice(from, first.to - sentence.from)) || DENIED_BEHIND.test(behind)
}

/**
 * Whether a sentence states all of a series as entries of a list. It has one polarity, from the beginning of its clause through its first
 * member: a comma between its members ends nothing. What is denied, over, left out or somebody else's is not stated, in whole.
 */
export const statesSeries = (
  sentence: Sentence,
  series: Series,
  subject: Subject,
  list: Pick<List, "words">
): boolean => {
  const { members } = series
  const { text } = sentence
  const [first, last] = [members[0]!.span, members.at(-1)!.span]
  const from = first.from - sentence.from
  if (
    ![first, last].every((end) => statesEntries(sentence, end.from - sentence.from, end.to - sentence.from, list.words))
  ) return false
  if (namesAnother(text.slice(0, from), subject, list)) return false
  return asksDenied(list.words) || !isUntrue(sentence, series, list)
}

/** The series of a sentence that may be a list's: for a list of what is not so those that deny, where one does. */
export const seriesFor = (
  sentence: Sentence,
  subject: Subject,
  { words }: Pick<List, "words">
): ReadonlyArray<Series> => {
  const all = seriesAbout(sentence, subject)
  const denying = asksDenied(words) ? all.filter((one) => isDenying(sentence, one)) : []
  return denying.length > 0 ? denying : all
}

/** Where speech names a list and gives a series that is none of it: denied, over or somebody else's. */
export const unstatedSeries = (
  said: ReadonlyArray<Sentence>,
  subject: Subject,
  list: Pick<List, "words">
): ReadonlyArray<Span> =>
  said.flatMap((sentence) => {
    if (sentence.passage.modality !== "audio" || asks(sentence.text)) return []
    if (!tokenise(sentence.text).some(({ norm }) => subject.named.has(subjectStem(norm)))) return []
    return seriesFor(sentence, subject, list).filter((series) => !statesSeries(sentence, series, subject, list)).map(
      ({ members }) => ({ passage: sentence.passage, from: members[0]!.span.from, to: members.at(-1)!.span.to })
    )
  })

const DENIALS = new RegExp(NEGATION.source, "giu")

/** Where what a series denies begins: "There are no eggs, milk or nuts" has eggs in it, though no member begins with "no". */
const deniedFrom = ({ from, text }: Sentence, { clause, members: [first] }: Series): number => {
  const lead = text.slice(clause, first!.span.from - from)
  const last = Array.from(lead.matchAll(DENIALS)).at(-1)
  return last === undefined ? first!.span.from : from + clause + last.index + last[0].length
}

/** The series that speech denies or leaves out, whatever it names them: for a list of what is not so there are none. */
export const deniedSeries = (said: ReadonlyArray<Sentence>, list: Pick<List, "words">): ReadonlyArray<Span> =>
  asksDenied(list.words)
    ? []
    : said.flatMap((sentence) =>
      sentence.passage.modality !== "audio" || !/,| (?:and|or|plus) /iu.test(sentence.text)
        ? []
        : seriesAbout(sentence).filter((series) => isUntrue(sentence, series, list)).map((series) => ({
          passage: sentence.passage,
          from: deniedFrom(sentence, series),
          to: series.members.at(-1)!.span.to
        }))
    )
