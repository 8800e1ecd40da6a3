import type { EntityRegistry, Named } from "../candidates/EntityRegistry.ts"
import { isPerson, personScore } from "../candidates/PersonClassifier.ts"
import { isPlaceName } from "../candidates/PlaceNames.ts"
import type { Reading } from "../candidates/Reading.ts"
import { FIRST_NAMES } from "../lexicon/FirstNames.ts"
import { subjectsOf } from "../lexicon/KnownValues.ts"
import { ORGANISATION_WORD, PLACE_END, typesOf } from "../lexicon/NameTypes.ts"
import { quoteOf, type Span } from "../text/SourceDocument.ts"
import { entityKey } from "./EntityKeys.ts"
import { opensSentence } from "./EntityNames.ts"

export type EntityType = "person" | "organisation" | "place"

/** From here on a capitalised run is sooner a person than not; that its first word also stands alone, as "Google" of "Google Maps", is too little. */
const likelyPerson = 0.65

const TITLED =
  /^(?:council(?:man|woman|lor)|cllr|coach|captain|miss|mister|officer|inspector|sergeant|senator|judge|nurse|uncle|aunt(?:ie)?|mr|mrs|ms|dr|prof|professor)\.?\s\p{Lu}/iu
/** How somebody is spoken to: "Thanks, Tobias.", "Anneke, can you …?", "over to you, Kofi". */
const GREETED =
  /\b(?:thanks|thank you|morning|evening|afternoon|night|hello|hi|hey|welcome|okay|ok|yes|no|yeah|sorry|please|bye|goodbye|right|well|now|dear|you|and you|to you)[,.]?\s$/iu
const CALLED_UPON =
  /^,\s(?:you|you['’](?:re|ve|ll)|can|could|would|will|do|did|have|are|what|how|where|please|thanks|thank|come|go|tell|let|your|why|when)\b/iu
/** What only people are said to do, right after their name. */
const DOES =
  /^(?:,\s|\s)(?:who|whose|thinks?|thought|wants?|wanted|asked|knows?|knew|smiled|laughed|married|lives|lived|himself|herself|and (?:i|me)|speaking)\b/iu
const SELF = /\b(?:i['’]?m|i am|my name is|my name['’]s|name is|called me)\s$/iu
const KIN =
  /\b(?:my|his|her|our|your|their)\s(?:[\p{L}-]+\s)?(?:son|daughter|wife|husband|brother|sister|mother|father|boss|colleague|friend|neighbour|neighbor|uncle|aunt|cousin|partner|apprentice|assistant|[\p{L}]+-in-law),?\s$/iu
/** People have no article, and nobody is in, at or near them. */
const THING = /\b(?:the|a|an|this|that|these|our|in|at|near|into|on|called|of)\s$/iu
const FULL = /^\p{Lu}\p{Ll}[\p{L}'’-]*\s\p{Lu}\p{Ll}[\p{L}'’-]*$/u

const beforeOf = ({ from, passage }: Span): string => passage.text.slice(Math.max(0, from - 40), from)
const afterOf = ({ passage, to }: Span): string => passage.text.slice(to, to + 24)

/** Words that stand where a name may stand, with a capital where they open a sentence. */
const NO_NAME =
  /^(?:some|any|every|no)(?:one|body)$|^(?:ma['’]?am|sir|madam|folks|guys|mate|love|darling|mum|mom|dad|ladies|gentlemen|boss|doc|welcome)$/iu
/** What somebody is, alone on the line below a name. */
const ROLE_LINE =
  /^(?:[\p{L}-]+\s){0,3}(?:\p{L}{2,}(?:er|or|ist|ian|man|woman)|chief|head|chef|coach|guide|host|president|professor|nurse|scientist|analyst|consultant|student|agent|assistant)s?(?:,|\s(?:of|for|at|in)\b|$)/iu

/** Whether a line of the screen is the name and the next one says what its bearer is. */
const isCaptioned = ({ passage }: Span, name: string, { passages }: Reading): boolean => {
  const next = passages[passage.index + 1]
  return passage.channel === "ocr" && passage.text.trim() === name && next !== undefined &&
    next.channel === "ocr" && next.source_ref === passage.source_ref && ROLE_LINE.test(next.text.trim())
}

/** Whether the words around its mentions are those that stand around a person's name, and none of those that do not. */
const isSpokenOfAsPerson = (mentions: ReadonlyArray<Span>, reading: Reading): boolean => {
  const said = mentions.filter(({ passage }) => passage.modality === "audio")
  const texts = mentions.map(quoteOf)
  if (texts.some((text) => /\d/u.test(text) || NO_NAME.test(text))) return false
  if (texts.some((text) => TITLED.test(text))) return true
  if (mentions.some((mention, at) => FULL.test(texts[at]!) && isCaptioned(mention, texts[at]!, reading))) return true
  if (said.some((mention) => THING.test(beforeOf(mention)))) return false
  if (said.some((mention) => FIRST_NAMES.has(quoteOf(mention).toLowerCase()) && !opensSentence(mention))) return true
  // "Basses, can you …": a word that only opens sentences has to be known as a name.
  const known = texts.some((text) => text.includes(" ") || FIRST_NAMES.has(text.toLowerCase()))
  return (known || said.some((mention) => !opensSentence(mention))) && said.some((mention) => {
    const [before, after] = [beforeOf(mention), afterOf(mention)]
    return SELF.test(before) || KIN.test(before) || DOES.test(after) ||
      (GREETED.test(before) && /^[,.!?]/u.test(after)) ||
      (/(?:^|[.!?]\s|,\s)$/u.test(before) && CALLED_UPON.test(after))
  })
}

const keysOfNamed = new WeakMap<ReadonlyArray<Named>, ReadonlySet<string>>()

/** The keys of some names; remembered, since every entity asks again. */
export const keysOf = (named: ReadonlyArray<Named>): ReadonlySet<string> => {
  const known = keysOfNamed.get(named) ?? new Set(named.map(({ name }) => entityKey(name)))
  keysOfNamed.set(named, known)
  return known
}

/** What something is by its own words, by what the source says of it, or by the words around its mentions; null where nothing tells. */
export const entityTypeOf = (
  mentions: ReadonlyArray<Span>,
  registry: EntityRegistry,
  reading: Reading
): EntityType | null => {
  const keys = new Set(mentions.map((mention) => entityKey(quoteOf(mention))))
  const isAny = (named: ReadonlySet<string>): boolean => Array.from(keys).some((key) => named.has(key))
  if (isAny(keysOf(registry.people))) return "person"
  if (isAny(keysOf(registry.organisations))) return "organisation"
  const types = mentions.map((mention) => {
    const text = quoteOf(mention)
    if (isPerson({ ...mention, text })) return "person"
    if (ORGANISATION_WORD.test(text)) return "organisation"
    if (PLACE_END.test(text) || isPlaceName(text)) return "place"
    if (personScore(reading, { ...mention, kind: "name", text, value: text }) >= likelyPerson) return "person"
    return null
  })
  const own = types.find((type) => type !== null)
  if (own !== undefined) return own
  if (isSpokenOfAsPerson(mentions, reading)) return "person"
  const texts = mentions.map(quoteOf)
  const placed = mentions.some((mention) => {
    const before = beforeOf(mention)
    return typesOf(quoteOf(mention), before, "").has("place") && /\b(?:in|near|at)\s+(?:the\s+)?$/iu.test(before)
  })
  // "In English" is no place.
  return placed && !texts.some((text) => subjectsOf(text).includes("language")) ? "place" : null
}
