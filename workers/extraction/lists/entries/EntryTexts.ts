import { type Mention, mentionText } from "../../candidates/Mention.ts"
import type { Reading } from "../../candidates/Reading.ts"
import type { Leaf } from "../../text/Plan.ts"
import type { Span } from "../../text/SourceDocument.ts"
import { identifierWords } from "../../text/Tokens.ts"
import type { Shape } from "./Entry.ts"
import type { EntryValue } from "./EntryValues.ts"

/** Where an entry is spoken of: from its name to the next entry's. */
export interface Region {
  readonly from: Span
  readonly until: Span | undefined
}

/** How many passages an entry is spoken of at most. */
const LONGEST = 5

const MAKER =
  /\b(?:maker|author|artist|creator|designer|composer|painter|writer|director|brand|manufacturer|builder|sculptor|by)\b/u
const CAPITALISED =
  "[\"“‘']?(\\p{Lu}[\\p{L}\\p{N}'’&-]*(?:\\s(?:(?:of|the|de|van|von)\\s)?\\p{Lu}[\\p{L}\\p{N}'’-]*){0,3}|\\p{N}[\\p{L}\\p{N}-]*)"

/** What announces a property in speech: its own words, and "by" whoever made something. */
const announcedBy = (leaf: Leaf): RegExp => {
  const words = identifierWords(leaf.name).filter((word) => word.length > 2 && word !== "name")
  const own = words.flatMap((word) => [word, word[0]!.toUpperCase() + word.slice(1)])
  const cues = [...own.map((word) => `${word}(?:['’]s| is| was|:)?`), ...(MAKER.test(leaf.words) ? ["[Bb]y"] : [])]
  return new RegExp(`\\b(?:${cues.join("|") || "$^"})\\s+(?:called |named |the |a |an )?${CAPITALISED}`, "u")
}

const within = ({ from, until }: Region, { passage, from: at }: Span): boolean =>
  (passage.index > from.passage.index || (passage === from.passage && at >= from.from)) &&
  passage.index < from.passage.index + LONGEST &&
  (until === undefined || passage.index < until.passage.index || (passage === until.passage && at < until.from))

/** The texts and yes-or-no values that are said of one entry in its region: what its property's own words announce. */
export const saidOfEntry = (
  { passages }: Reading,
  shape: Shape,
  flags: ReadonlyArray<EntryValue>,
  region: Region
): ReadonlyMap<Leaf, Mention> => {
  const out = new Map<Leaf, Mention>()
  const start = region.from.passage.index
  for (const leaf of shape.texts) {
    const cue = announcedBy(leaf)
    for (const passage of passages.slice(start, start + LONGEST)) {
      if (passage.modality !== "audio") break
      const from = passage === region.from.passage ? region.from.from : 0
      const match = cue.exec(passage.text.slice(from))
      const span = { passage, from: from + (match?.index ?? 0), to: passage.text.length }
      const found = match === null || !within(region, span) ? undefined : mentionText(span, match[1]!)
      if (found === undefined) continue
      out.set(leaf, found)
      break
    }
  }
  for (const { from, leaf, passage, to, value } of flags) {
    if (!out.has(leaf) && within(region, { passage, from, to })) out.set(leaf, { value, span: { passage, from, to } })
  }
  return out
}
