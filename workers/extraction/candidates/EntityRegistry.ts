import { FIRST_NAMES } from "../lexicon/FirstNames.ts"
import { ORGANISATION_WORD } from "../lexicon/NameTypes.ts"
import type { Candidate } from "../text/Candidate.ts"
import { sentencesIn } from "../text/SentenceBounds.ts"
import { type Passage, quoteOf, type Span } from "../text/SourceDocument.ts"
import { likeness, normaliseValue } from "../text/Tokens.ts"
import { FULL_NAME, isPerson, untitled } from "./PersonClassifier.ts"
import type { Reading } from "./Reading.ts"

/** A name with the places that give it, best spelling first. */
export interface Named {
  readonly name: string
  readonly spans: ReadonlyArray<Span>
}

/** Who and what a source names, spelled as on screen where the screen has it. */
export interface EntityRegistry {
  readonly people: ReadonlyArray<Named>
  readonly organisations: ReadonlyArray<Named>
  /** Speaker id → the name that the speaker gives. */
  readonly speakers: ReadonlyMap<string, Named>
}

const ORGANISATION_BEFORE = /\b(?:by|made by|from|work (?:for|at)|company called|©|copyright)\s+(?:the\s+)?$/iu
const isOrganisation = ({ from, passage, text }: Candidate): boolean => {
  if (ORGANISATION_WORD.test(text)) return true
  const before = passage.text.slice(Math.max(0, from - 24), from)
  // "by" also announces people; a line that starts with it names a maker.
  return passage.channel === "ocr" && !/\d/u.test(text) && ORGANISATION_BEFORE.test(before) && before.trim().length < 14
}

/** Joins spellings of one name: the screen's before the recogniser's, then by time. */
const collect = (
  candidates: ReadonlyArray<Span>
): ReadonlyArray<{ readonly name: string; readonly spans: Array<Span> }> => {
  const out: Array<{ name: string; spans: Array<Span> }> = []
  const ordered = candidates.toSorted((a, b) =>
    Number(a.passage.modality === "audio") - Number(b.passage.modality === "audio") ||
    a.passage.index - b.passage.index || a.from - b.from
  )
  for (const span of ordered) {
    const name = quoteOf(span)
    const same = out.find((one) => likeness(one.name, name) >= (one.name.length > 6 ? 0.75 : 0.99))
    if (same === undefined) out.push({ name, spans: [span] })
    else same.spans.push(span)
  }
  return out
}

// Recognisers drop the small words of an introduction; a known name must follow in any case.
const SELF = /\b(?:i'?m|(?:i )?am|(?:my |mine )?name(?:'s| is)|this is)\s+(?:(?:dr|prof|professor|doctor)\.?\s+)?/giu

/** "Petra Vogel here": the name before it. */
const HERE = /(?<=^|[.,!?]\s)(\p{Lu}[\p{L}'’-]+\s\p{Lu}[\p{L}'’-]+)\s(?:here|speaking)\b(?=[.,!]|$|\sfrom\b)/gu

/** "my name is mary brown": the two or three words after it, if the screen or the capitals say that they are a name. */
interface Introduction {
  readonly span: Span
  readonly name: Named | null
}

/** "I'm Tamsin Okoro": two capitals after an introduction need no known first name. */
const PAIR = /^\p{Lu}\p{Ll}[\p{L}'’-]*\s\p{Lu}\p{Ll}[\p{L}'’-]*$/u

/** "My name is Laura. How can I help you?": one name that the clause ends with. */
const ALONE = /^\p{Lu}[\p{L}'’-]+(?:[.,!?;]|$|\s(?:and|from|here|with|speaking)\b)/u

const introductions = (passage: Passage, known: ReadonlyArray<Named>): ReadonlyArray<Introduction> => [
  ...Array.from(passage.text.matchAll(HERE), ({ 1: name = "", index }): Introduction => ({
    span: { passage, from: index, to: index + name.length },
    name: null
  })),
  ...Array.from(passage.text.matchAll(SELF)).flatMap((match): ReadonlyArray<Introduction> => {
    const from = match.index + match[0].length
    const end = sentencesIn(passage.text).find(({ to }) => to > from)?.to ?? passage.text.length
    const after = passage.tokens.filter((token) => token.from >= from && token.from < end).slice(0, 3)
    if (after[0]?.from !== from) return []
    const spans = [2, 3].flatMap((count) => after.length < count ? [] : [{ passage, from, to: after[count - 1]!.to }])
    const near = spans.flatMap((span) =>
      known.map((name) => ({ span, name, like: likeness(name.name, quoteOf(span)) }))
    )
      .toSorted((x, y) => y.like - x.like)[0]
    if (near !== undefined && near.like >= 0.72) return [{ span: near.span, name: near.name }]
    const first = FIRST_NAMES.has(after[0].norm)
    const ofAnything = /this is/iu.test(match[0])
    const named = spans.toReversed().find((span) => first && FULL_NAME.test(quoteOf(span))) ??
      (ofAnything
        ? undefined
        : spans.find((span) => PAIR.test(quoteOf(span)) && !ORGANISATION_WORD.test(quoteOf(span))))
    if (named !== undefined) return [{ span: named, name: null }]
    const alone = { passage, from, to: after[0].to }
    return first && ALONE.test(passage.text.slice(from)) && !ofAnything
      ? [{ span: alone, name: known.find(({ name }) => name.startsWith(`${quoteOf(alone)} `)) ?? null }]
      : []
  })
]

/** Who and what a reading names. Names that occur in speech only are kept in the recogniser's spelling. */
export const registryOf = (reading: Reading): EntityRegistry => {
  const names = reading.candidates.filter((candidate) =>
    candidate.kind === "name" && candidate.passage.channel !== "vision"
  )
  const listed = collect(names.map(untitled).filter(isPerson))
  const heard = reading.passages.filter((passage) => passage.modality === "audio").flatMap((passage) =>
    introductions(passage, listed)
  )
  const people = collect([
    ...listed.flatMap((one) => one.spans),
    ...heard.flatMap((one) => one.name === null ? [one.span] : [])
  ]).map(({ name, spans }): Named => ({
    name,
    spans: spans.concat(heard.filter((self) => self.name?.name === name).map((self) => self.span))
  }))
  const speakers = new Map<string, Named>()
  for (const { name, span } of heard) {
    const { speaker } = span.passage
    const text = name?.name ?? quoteOf(span)
    const person = people.find((one) => normaliseValue(one.name) === normaliseValue(text))
    if (speaker !== null && person !== undefined && !speakers.has(speaker)) {
      speakers.set(speaker, { name: person.name, spans: [span] })
    }
  }
  const organisations = collect(names.filter((name) => isOrganisation(name) && !isPerson(name)))
  return { people, organisations, speakers }
}
