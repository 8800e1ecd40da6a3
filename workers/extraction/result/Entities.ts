import { distance } from "fastest-levenshtein"
import type { EntityRegistry } from "../candidates/EntityRegistry.ts"
import type { Reading } from "../candidates/Reading.ts"
import { align, type AlignmentIndex, findExact } from "../grounding/Align.ts"
import { quoteOf, type Span } from "../text/SourceDocument.ts"
import { STOP_WORDS } from "../text/Tokens.ts"
import { entityKey } from "./EntityKeys.ts"
import { isName, mayName, uncapitalisedIn } from "./EntityNames.ts"
import { type EntityType, entityTypeOf } from "./EntityTypes.ts"

/** Something that is named, with every place that names it in any channel. */
export interface Entity {
  /** How it is first named, so that a longer name that comes up later leaves the id of the node as it is. */
  readonly key: string
  readonly label: string
  readonly type: EntityType | null
  readonly mentions: ReadonlyArray<Span>
  /** What a model says that it is, where that is none of these types. */
  readonly told?: string
}

const words = (key: string): ReadonlyArray<string> => key.split(" ")
const INSTITUTION =
  /\b(?:university|institute|street|court|city|park|company|college|bank|school|group|club|state|county)\b/u
const personLike = (key: string): boolean => /^\p{L}+(?: \p{L}+){1,2}$/u.test(key) && !INSTITUTION.test(key)

/** What two spellings of one name nearly always share: how it starts or how it ends. */
const spellings = (key: string): ReadonlyArray<string> => {
  const letters = key.replaceAll(" ", "")
  return [`starts ${letters.slice(0, 3)}`, `ends ${letters.slice(-3)}`]
}

/** Everything that a name of the same thing could share with this one. */
const traits = (key: string): ReadonlyArray<string> => {
  const parts = words(key)
  const telling = parts.filter((word) => !STOP_WORDS.has(word))
  return [
    `word ${parts[0]}`,
    `word ${parts.at(-1)}`,
    `initials ${telling.map((word) => word[0]).join("")}`,
    ...spellings(key)
  ]
}

/**
 * Which key stands for which: parts of a person's name for the whole, initials for what they abbreviate, near spellings and
 * joined words for each other, and only where a single candidate exists: two that could be meant are never merged.
 */
export const canonicalKeys = (counts: ReadonlyMap<string, number>): ReadonlyMap<string, string> => {
  const keys = Array.from(counts.keys()).toSorted((a, b) =>
    words(b).length - words(a).length || counts.get(b)! - counts.get(a)! || (a < b ? -1 : 1)
  )
  // Heads by everything that a test below could share with them, so that ten thousand names stay cheap.
  const heads = new Map<string, Array<string>>()
  const out = new Map<string, string>()
  for (const key of keys) {
    const parts = words(key)
    const only = (shared: ReadonlyArray<string>, test: (head: string) => boolean): string | undefined => {
      const found = new Set(shared.flatMap((trait) => heads.get(trait) ?? []).filter(test))
      return found.size === 1 ? Array.from(found)[0] : undefined
    }
    const contained = parts[0]!.length > 2
      ? only([`word ${parts[0]}`, `word ${parts.at(-1)}`], (head) => {
        const whole = words(head)
        if (parts.length >= whole.length || !personLike(head)) return false
        return parts.every((part, at) => whole[at] === part) ||
          parts.every((part, at) => whole[whole.length - parts.length + at] === part)
      })
      : undefined
    const initials = /^[a-z]{2,6}$/u.test(key)
      ? only([`initials ${key}`], (head) => words(head).length >= 2)
      : undefined
    const near = key.length >= 5 && !/\d/u.test(key)
      ? only(spellings(key), (head) =>
        words(head).length === parts.length && head.length >= 5 &&
        distance(head.replaceAll(" ", ""), key.replaceAll(" ", "")) <= (key.length >= 8 ? 2 : 1))
      : undefined
    const joined = only(spellings(key), (head) => head !== key && head.replaceAll(" ", "") === key.replaceAll(" ", ""))
    const head = contained ?? initials ?? near ?? joined
    if (head === undefined) {
      for (const trait of new Set(traits(key))) heads.set(trait, [...(heads.get(trait) ?? []), key])
    }
    out.set(key, head ?? key)
  }
  return out
}

const withoutNumber = (name: string): string => name.replace(/ \d{1,2}$/u, "")

/** The name as the screen spells it; else the longest spelling, the first of equals. A score beside it belongs to it only where it never stands alone. */
const labelOf = (mentions: ReadonlyArray<Span>): string => {
  const bare = mentions.filter((mention) => withoutNumber(quoteOf(mention)) === quoteOf(mention))
  const own = bare.length > 0 ? bare : mentions
  const shown = own.filter((mention) => mention.passage.channel === "ocr")
  const names = (shown.length > 0 ? shown : own).map(quoteOf)
  return names.reduce((best, name) => name.length > best.length ? name : best)
}

const inTime = (a: Span, b: Span): number =>
  a.passage.t_start - b.passage.t_start || a.passage.index - b.passage.index || a.from - b.from

/** "Lecturer" in "Lecturer: Mary Brown" is a label and names nothing. */
const isLabel = ({ passage, to }: Span): boolean => passage.channel === "ocr" && /^\s*:/u.test(passage.text.slice(to))

/**
 * Named things of all channels, one per thing. A name on screen is also looked for in speech, where recognisers write it
 * small and nearly right: that joins both modalities in one node. Words that only open a sentence, headings and numbers are none.
 */
export const entitiesOf = (
  reading: Reading,
  registry: EntityRegistry,
  heard: AlignmentIndex
): ReadonlyArray<Entity> => {
  const isHeard = ({ passage }: Span): boolean => !reading.unclear.has(passage.index)
  const spans: Array<Span> = reading.candidates.filter((one) =>
    one.kind === "name" && one.passage.channel !== "vision" && !isLabel(one) && isHeard(one) && mayName(one)
  )
  for (const named of [...registry.people, ...registry.organisations]) spans.push(...named.spans.filter(isHeard))
  const byKey = Map.groupBy(spans, (span) => entityKey(quoteOf(span)))
  byKey.delete("")
  const introduced = new Map(
    registry.people.flatMap((person) =>
      person.spans.map((span) => [entityKey(quoteOf(span)), entityKey(person.name)] as const)
    )
  )
  const heads = canonicalKeys(new Map(Array.from(byKey, ([key, list]) => [key, list.length])))
  /** "Northfield United 2" on a scoreboard is Northfield United; with two such names the numbers tell them apart. */
  const alike = Map.groupBy(byKey.keys(), withoutNumber)
  const unscored = (key: string): string => {
    const name = withoutNumber(key)
    return byKey.has(name) && alike.get(name)!.length === 2 ? name : key
  }
  const headOf = (scored: string): string => {
    const key = unscored(scored)
    const given = introduced.get(key)
    return given !== undefined && given !== key ? heads.get(given) ?? given : heads.get(key)!
  }
  const grouped = Map.groupBy(Array.from(byKey), ([key]) => headOf(key))
  const uncapitalised = uncapitalisedIn(reading.passages)
  const entities = Array.from(grouped.values(), (members): Entity => {
    const own = members.flatMap(([, list]) => list)
    const first = own.reduce((earliest, span) => inTime(span, earliest) < 0 ? span : earliest)
    const name = labelOf(own)
    const said = /\p{L}{4}/u.test(name) ? findExact(heard, name) : []
    const near = said.length === 0 && own.every((span) => span.passage.modality === "visual")
      ? align(heard, name)
      : undefined
    const mentions = new Map<string, Span>()
    for (const { from, passage, to } of [...own, ...said, ...(near === undefined ? [] : [near])]) {
      const at = `${passage.index}:${from}`
      if (!mentions.has(at)) mentions.set(at, { passage, from, to })
    }
    const ordered = Array.from(mentions.values()).toSorted(inTime)
    return {
      key: entityKey(quoteOf(first)),
      label: name,
      type: entityTypeOf(ordered, registry, reading),
      mentions: ordered
    }
  })
  return entities.filter(({ mentions, type }) => isName(mentions, type !== null, uncapitalised))
}
