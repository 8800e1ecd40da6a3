import { CORRECTION } from "../lexicon/Corrections.ts"
import { ORDINALS } from "../lexicon/Numbers.ts"
import { affirms, OPPOSITES } from "../lexicon/Polarity.ts"
import type { LeafCandidate } from "../text/Candidate.ts"
import type { Leaf } from "../text/Plan.ts"
import type { Span } from "../text/SourceDocument.ts"
import { normaliseWord, stem, STOP_WORDS } from "../text/Tokens.ts"
import { sentenceAt } from "./FieldWords.ts"
import type { Reading } from "./Reading.ts"

/** How a label is said: `heat_pump` and `heatPump` as "heat pump", with and without its hyphens. */
export const spokenLabels = (label: string): ReadonlyArray<string> => {
  const plain = label.replace(/([a-z])([A-Z])/gu, "$1 $2").replaceAll("_", " ").toLowerCase()
  return Array.from(new Set([plain, plain.replaceAll("-", " ")]))
}

/** Every place where a phrase occurs, stem by stem. */
const findPhrase = (reading: Reading, phrase: string): ReadonlyArray<Span> => {
  const wanted = phrase.split(/[^\p{L}\p{N}']+/u).filter(Boolean).map((word) => stem(normaliseWord(word)))
  const [first] = wanted
  if (first === undefined) return []
  return reading.passages.flatMap((passage) =>
    (reading.stems[passage.index]!.get(first) ?? []).flatMap((at) => {
      const tokens = passage.tokens.slice(at, at + wanted.length)
      return tokens.length === wanted.length && tokens.every((token, index) => stem(token.norm) === wanted[index])
        ? [{ passage, from: tokens[0]!.from, to: tokens.at(-1)!.to }]
        : []
    })
  )
}

const asCandidate = (span: Span, value: string): LeafCandidate => ({
  candidate: { ...span, kind: "label", text: span.passage.text.slice(span.from, span.to), value },
  value
})

/** "Economy extra" is not "Economy": a label inside of a longer one is none. */
const outermost = (found: ReadonlyArray<LeafCandidate>): ReadonlyArray<LeafCandidate> => {
  const byPassage = Map.groupBy(found, ({ candidate }) => candidate.passage)
  return found.filter(({ candidate: { from, passage, to } }) =>
    !byPassage.get(passage)!.some(({ candidate: other }) =>
      other.from <= from && other.to >= to && other.to - other.from > to - from
    )
  )
}

const DENIAL = /^(?:not?|non|never|without)\b/u

/** How far around a label what denies it may stand. */
const DENIED_WITHIN = 200

/** "The car was not red, but blue", "we do not offer massage": whoever says so names the label to deny it. */
const isDenied = ({ from, passage, to }: Span): boolean => {
  const sentence = sentenceAt(passage, from)
  const start = Math.max(sentence.from, from - DENIED_WITHIN)
  const near = passage.text.slice(start, Math.min(sentence.from + sentence.text.length, to + DENIED_WITHIN))
  return passage.modality === "audio"
    ? !affirms(near, from - start, to - start)
    : /\b(?:not|never|neither|no longer|\p{L}+n['’]t)\s+(?:(?:an?|the|really|very|yet|been?|being|quite|fully)\s+)*$/iu
      .test(near.slice(0, from - start))
}

/** Whether a label is said of what a field asks the opposite of: "closed on Sunday" for the days it is open. */
const isOpposed = (leaf: Leaf, labels: ReadonlyArray<string>): (span: Span) => boolean => {
  const opposites = OPPOSITES.find(([own]) => own.test(leaf.words))
  if (opposites === undefined || labels.some((label) => opposites.some((word) => word.test(label)))) return () => false
  const either = new RegExp(opposites.map(({ source }) => source).join("|"), "giu")
  return ({ from, passage, to }) => {
    const sentence = sentenceAt(passage, from)
    const start = Math.max(sentence.from, from - DENIED_WITHIN)
    const end = Math.min(sentence.from + sentence.text.length, to + DENIED_WITHIN)
    const said = passage.text.slice(start, from).match(either)?.at(-1) ?? passage.text.slice(to, end).match(either)?.[0]
    return said !== undefined && opposites[1].test(said)
  }
}

/** What only was to be, before a label: "it was supposed to be sunny". */
const INTENDED =
  /\b(?:(?:was|were) (?:supposed|meant|going|expected|planned|due) to|should have|could have|would have|hoped|wanted|thought of|thought about)\b[^.!?;,]*$/iu
/** What would be, behind a label: "express would be faster". */
const WOULD = /^\s(?:would|could|might)(?: have)?\b/iu
/** What counts instead. */
const BUT = /\bbut\b/iu
/** Behind a label, what takes it back and brings another one: "medium. No, actually, make it". */
const REPLACED = new RegExp(
  `^[\\p{L}\\s]{0,24}[.,;!?–—-]*\\s*(?:${CORRECTION}|no,? actually|actually,? no|no,? (?:let['’]s|make))\\b[^.!?]{0,40}$`,
  "iu"
)

/** Whether whoever names a label takes it back for another, or says that it only was to be. */
const isGivenUp = (
  { candidate: { from, passage, to }, value }: LeafCandidate,
  all: ReadonlyArray<LeafCandidate>
): boolean => {
  if (passage.modality !== "audio") return false
  const sentence = sentenceAt(passage, from)
  const end = Math.min(sentence.from + sentence.text.length, to + DENIED_WITHIN)
  const [before, behind] = [
    passage.text.slice(Math.max(sentence.from, from - DENIED_WITHIN), from),
    passage.text.slice(to, end)
  ]
  if (BUT.test(behind) && (INTENDED.test(before) || WOULD.test(behind))) return true
  return all.some(({ candidate: other, value: instead }) =>
    instead !== value && other.passage === passage && other.from >= to && other.from - to <= DENIED_WITHIN &&
    REPLACED.test(passage.text.slice(to, other.from))
  )
}

/** Every place where a label of an enum is said, but where it is denied, taken back or only supposed. */
export const enumCandidates = (reading: Reading, leaf: Leaf): ReadonlyArray<LeafCandidate> => {
  const labels = (leaf.schema["enum"] as ReadonlyArray<unknown>).filter((label) => typeof label === "string")
  const opposed = isOpposed(leaf, labels)
  return outermost(labels.flatMap((label) => {
    const spoken = spokenLabels(label)
    let spans = spoken.flatMap((phrase) => findPhrase(reading, phrase))
    if (spans.length === 0) {
      const parts = spoken[0]!.split(" ").filter((part) =>
        part.length > 3 && !STOP_WORDS.has(part) && !Object.hasOwn(ORDINALS, part)
      )
      const telling = parts.filter((part) =>
        !labels.some((other) => other !== label && spokenLabels(other)[0]!.includes(part))
      )
      const told = telling.filter((part) => !leaf.terms.has(stem(part)))
      if (parts.length > 1) spans = told.flatMap((part) => findPhrase(reading, part))
      else if (/^\d+$/u.test(label)) {
        spans = reading.candidates.filter((one) => one.kind === "number" && one.value === Number(label))
      }
    }
    if (!DENIAL.test(spoken[0]!)) spans = spans.filter((span) => !isDenied(span) && !opposed(span))
    const places = new Map(spans.map((span) => [`${span.passage.index}:${span.from}`, span]))
    return Array.from(places.values(), ({ from, passage, to }) => asCandidate({ passage, from, to }, label))
  })).filter((one, _, all) => !isGivenUp(one, all))
}
