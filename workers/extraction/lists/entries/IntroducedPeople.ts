import { type Material, mentionText } from "../../candidates/Mention.ts"
import type { Leaf } from "../../text/Plan.ts"
import type { Sentence } from "../../text/Sentences.ts"
import type { Passage } from "../../text/SourceDocument.ts"
import { normaliseValue } from "../../text/Tokens.ts"
import { wholeOf } from "../kinds/SlideContents.ts"
import type { Entry, Shape } from "./Entry.ts"
import { namesPeople } from "./EntryNames.ts"

const FULL_NAME = "\\p{Lu}[\\p{L}'’-]+(?:\\s(?:\\p{Lu}\\.|van|von|de|da|del|la|le|bin|al|\\p{Lu}[\\p{L}'’-]+)){1,3}"
const PERSON = new RegExp(`^${FULL_NAME}$`, "u")
const ROLE =
  /\b(?:role|title|position|job|occupation|function|profession|affiliation|organi[sz]ation|company|department)\b/u
/** How words for what somebody is end. */
const AGENT =
  "(?:er|or|ist|man|woman|person|ian|ant|ent|eer|chief|head|chair|captain|coach|cook|chef|guide|nurse|judge|host|mayor|clerk|boss|lead)"
const BEFORE = new RegExp(
  `\\b(?:[Oo]ur|[Tt]heir|[Tt]he|[Ii]ts|[Hh]is|[Hh]er|[Mm]y|[Yy]our)\\s+((?:[\\p{Ll}-]+\\s){0,3}[\\p{Ll}-]+${AGENT}),?\\s+(${FULL_NAME})`,
  "gu"
)
const AFTER = new RegExp(
  `(${FULL_NAME}),\\s+(?:an?|the|our|their|its|my|his|her)\\s+((?:[\\p{L}-]+\\s){0,4}[\\p{L}-]*${AGENT})(?=[,.;!?]|\\s(?:of|at|for|from|in|who|with)\\b)`,
  "gu"
)

/** A person's name on screen with the line below that says who that is. */
const captioned = (lines: ReadonlyArray<Passage>, anchor: Leaf, role: Leaf): ReadonlyArray<Entry> =>
  lines.flatMap((line, at): ReadonlyArray<Entry> => {
    const below = lines[at + 1]
    if (!PERSON.test(line.text) || below === undefined || below.source_ref !== line.source_ref) return []
    if (/\d/u.test(below.text) || PERSON.test(below.text)) return []
    return entryOf(line, line.text, below, below.text.split(/,\s/u)[0]!, anchor, role)
  })

const entryOf = (
  line: Passage,
  name: string,
  other: Passage,
  said: string,
  anchor: Leaf,
  role: Leaf
): ReadonlyArray<Entry> => {
  const [named, what] = [mentionText(wholeOf(line), name), mentionText(wholeOf(other), said)]
  return anchor === role || named === undefined || what === undefined
    ? []
    : [{ name: named, values: new Map([[role, what]]) }]
}

/** "Our reporter Dario Venn", "Imke Haldane, a schoolteacher". */
const introduced = ({ passage, text }: Sentence, anchor: Leaf, role: Leaf): ReadonlyArray<Entry> =>
  [
    ...Array.from(
      text.matchAll(BEFORE),
      ({ 1: what, 2: name }) => entryOf(passage, name!, passage, what!, anchor, role)
    ),
    ...Array.from(text.matchAll(AFTER), ({ 1: name, 2: what }) => entryOf(passage, name!, passage, what!, anchor, role))
  ].flat()

/** People with what they are, as captions and speech introduce them, each once; empty for lists of anything else. */
export const peopleIntroduced = ({ reading, sentences }: Material, shape: Shape): ReadonlyArray<Entry> => {
  const role = shape.texts.find((leaf) => ROLE.test(leaf.name))
  const people = namesPeople(shape) || /\bname\b/u.test(shape.anchor.words)
  if (role === undefined || !people) return []
  const honest = reading.passages.filter(({ index }) => !reading.suspects.has(index))
  const said = sentences.filter(({ passage }) => passage.modality === "audio" && !reading.suspects.has(passage.index))
  const seen = new Set<string>()
  return [
    ...captioned(honest.filter(({ channel }) => channel === "ocr"), shape.anchor, role),
    ...said.flatMap((sentence) => introduced(sentence, shape.anchor, role))
  ].filter(({ name }) => {
    const key = normaliseValue(name.value)
    return !seen.has(key) && seen.add(key)
  })
}
