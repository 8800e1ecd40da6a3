import type { Sentence } from "../text/Sentences.ts"
import type { Span } from "../text/SourceDocument.ts"
import type { Entity } from "./Entities.ts"

/** A word that stands for a name, and the name that it stands for. */
interface Coreference {
  readonly mention: Span
  readonly name: Entity
}

/** A sentence that begins with such a word is about whoever the one before was about. */
const PERSON = /^(?:(?:and|but|so|then|now),?\s)?(he|she)\b/iu
const ORGANISATION = /\b(the (?:company|firm|organi[sz]ation|charity|foundation|club|agency))\b/iu

/** Sentences back in which the name may stand. */
const BACK = 2

/**
 * Words that surely stand for a name: "he" and "she" at the beginning of a sentence for the only person of the two sentences before,
 * said by the same speaker; "the company" for the only organisation that this speaker names in the same sentence or the one before.
 * Where two could be meant there is none.
 */
export const coreferencesOf = (
  sentences: ReadonlyArray<Sentence>,
  entities: ReadonlyArray<Entity>
): ReadonlyArray<Coreference> => {
  const named = Map.groupBy(
    entities.flatMap((entity) => entity.mentions.map((mention) => ({ entity, mention }))),
    ({ mention }) => mention.passage
  )
  const namedIn = (sentence: Sentence): ReadonlyArray<Entity> =>
    (named.get(sentence.passage) ?? [])
      .filter(({ mention }) => mention.from >= sentence.from && mention.to <= sentence.to)
      .map(({ entity }) => entity)
  const spoken = sentences.filter(({ passage }) => passage.modality === "audio")
  return spoken.flatMap((sentence, at): ReadonlyArray<Coreference> => {
    const { from, passage, text } = sentence
    const spanOf = (match: RegExpExecArray): Span => {
      const start = from + match.index + match[0].length - match[1]!.length
      return { passage, from: start, to: start + match[1]!.length }
    }
    const out: Array<Coreference> = []
    const person = PERSON.exec(text)
    if (person !== null) {
      const before = spoken.slice(Math.max(0, at - BACK), at).filter((one) => one.passage.speaker === passage.speaker)
      const people = new Set(before.flatMap(namedIn).filter(({ type }) => type === "person"))
      const [name] = people
      if (people.size === 1 && before.length > 0) out.push({ mention: spanOf(person), name: name! })
    }
    const firm = ORGANISATION.exec(text)
    if (firm !== null) {
      const mention = spanOf(firm)
      const last = spoken[at - 1]
      const before = last?.passage.speaker === passage.speaker ? namedIn(last) : []
      const near = new Set(
        [...before, ...namedIn({ ...sentence, to: mention.from })].filter(({ type }) => type === "organisation")
      )
      const [only] = near
      if (near.size === 1) out.push({ mention, name: only! })
    }
    return out
  })
}
