import type { Leaf } from "../text/Plan.ts"
import { identifierWords, stem, STOP_WORDS } from "../text/Tokens.ts"

/** The closed class of verbs whose participle does not end in "-ed": its other forms, and the participle last. */
const IRREGULAR = new Map(
  ("beat beaten|begin began begun|bite bit bitten|blow blew blown|break broke broken|bring brought|build built|burn burnt|buy bought|catch caught|choose chose chosen" +
    "|cut cut|draw drew drawn|drive drove driven|drink drank drunk|eat ate eaten|fall fell fallen|feed fed|fight fought|find found|fly flew flown|forget forgot forgotten" +
    "|freeze froze frozen|give gave given|grow grew grown|hear heard|hold held|hide hid hidden|hit hit|hang hung|hurt hurt|keep kept|lay laid|lead led|leave left|lend lent" +
    "|light lit|lose lost|meet met|pay paid|put put|read read|ride rode ridden|ring rang rung|see saw seen|sell sold|send sent|shake shook shaken|shoot shot|show shown" +
    "|shut shut|sing sang sung|sink sank sunk|spend spent|split split|speak spoke spoken|steal stole stolen|stick stuck|strike struck|sweep swept|swim swam swum" +
    "|take took taken|teach taught|tear tore torn|throw threw thrown|wake woke woken|wear wore worn|win won|write wrote written|complete|over|ready|open")
    .split("|").map((forms) => [forms.split(" ").at(-1)!, Array.from(new Set(forms.split(" ").map(stem)))] as const)
)

const NO_PARTICIPLE = /^(?:need|speed|indeed|exceed|bleed|breed|steed|succeed|proceed|hundred|sacred|naked|wicked)$/u

/** Whether a word says what becomes, or has become, of something: "signed", "sold", "ready". */
export const saysWhatBecomes = (word: string): boolean =>
  IRREGULAR.has(word) || /^(?:done|made)$/u.test(word) || (/^\p{L}{3,}ed$/u.test(word) && !NO_PARTICIPLE.test(word))

/** Predicates that are said in so many ways that no word has to be there: who may bring a dog speaks of no allowance. */
const LOOSE =
  /^(?:allowed|permitted|needed|required|included|provided|offered|served|accepted|admitted|taken|wanted|desired|reserved|shared|recommended|expected|planned|involved|based|used|shown|said)$/u

/** What says how, when or where a predicate holds, and of nothing what it holds. */
export const ADVERB =
  /^(?:been|already|now|yet|still|ever|get|got|overall|today|tonight|tomorrow|yesterday|again|inside|outside|online|last|next|first|time|times|\p{L}{2,}ly)$/u

/** What a yes-or-no field's name says of what: `contract_signed` has the subject "contract" and the predicate "signed". */
export interface Proposition {
  /** The stems of its forms. */
  readonly predicate: ReadonlyArray<string>
  /** Stems in the order of the name. */
  readonly subject: ReadonlyArray<string>
}

/**
 * The proposition that a field's name is, or undefined where the name is none, or says its predicate in a word that nobody
 * has to use. What stands before a noun is no predicate: `is_listed_building`.
 */
export const propositionOf = ({ name }: Leaf): Proposition | undefined => {
  const words = identifierWords(name)
  const at = words.findLastIndex((word, place) => {
    const next = words[place + 1]
    return saysWhatBecomes(word) && (next === undefined || STOP_WORDS.has(next) || ADVERB.test(next))
  })
  const predicate = words[at]
  if (predicate === undefined || LOOSE.test(predicate)) return undefined
  const subject = words.slice(0, at).filter((word) => !STOP_WORDS.has(word) && !ADVERB.test(word)).map(stem)
  return subject.length === 0 ? undefined : { predicate: IRREGULAR.get(predicate) ?? [stem(predicate)], subject }
}
