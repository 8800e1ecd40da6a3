import type { EntityRegistry } from "../candidates/EntityRegistry.ts"
import { mayBeMisread } from "../candidates/NameSpellings.ts"
import { isPlaceName } from "../candidates/PlaceNames.ts"
import type { Reading } from "../candidates/Reading.ts"
import { align, type AlignmentIndex, findExact } from "../grounding/Align.ts"
import { quoteOf, type Span } from "../text/SourceDocument.ts"
import { canonicalKeys, type KeyFacts } from "./CanonicalKeys.ts"
import { entityKey } from "./EntityKeys.ts"
import { isName, mayName, uncapitalisedIn } from "./EntityNames.ts"
import { type EntityType, entityTypeOf, keysOf } from "./EntityTypes.ts"

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

/** How long the longest name is that touches a place; 0 where none does. */
const longestNames = (names: ReadonlyArray<Span>): (place: Span) => number => {
  const known = new Map<Span["passage"], Map<number, number>>()
  for (const { from, passage, to } of names) {
    const lengths = known.get(passage) ?? new Map<number, number>()
    known.set(passage, lengths)
    for (let at = from; at < to; at++) lengths.set(at, Math.max(lengths.get(at) ?? 0, to - from))
  }
  return ({ from, passage, to }) => {
    const lengths = known.get(passage)
    let most = 0
    for (let at = from; at < to; at++) most = Math.max(most, lengths?.get(at) ?? 0)
    return most
  }
}

/** What stands between a name and what it is short for. */
const SHORT_AFTER = /[,\s]*(?:\(|\b(?:aka|known as|called|abbreviated(?: (?:as|to))?)\s+(?:the\s+)?)["“]?$/iu
const SHORT_BEFORE =
  /^["”]?[,\s]*(?:\(|\b(?:(?:is |which is )?short for|(?:which )?stands for|means)\s+)(?:the\s+)?["“]?/iu
/** Initials are of no more words than this. */
const MOST_INITIALS = 6

/** Keys of the words that some initials are said to be short for, where their own sentence says it. */
const shortFor = (mentions: ReadonlyArray<Span>): ReadonlySet<string> =>
  new Set(mentions.flatMap(({ from, passage, to }) => {
    const before = passage.text.slice(Math.max(0, from - 100), from)
    const told = SHORT_AFTER.exec(before)
    const whole = told === null ? [] : entityKey(before.slice(0, told.index)).split(" ")
    const after = passage.text.slice(to, to + 100)
    const tells = SHORT_BEFORE.exec(after)
    const meant = tells === null ? [] : entityKey(after.slice(tells[0].length)).split(" ")
    return Array.from({ length: MOST_INITIALS - 1 }, (_, at) => at + 2).flatMap((count) => [
      whole.slice(-count).join(" "),
      meant.slice(0, count).join(" ")
    ])
  }))

const factsOf = (key: string, mentions: ReadonlyArray<Span>, registry: EntityRegistry, reading: Reading): KeyFacts => {
  const texts = mentions.map(quoteOf)
  return {
    count: mentions.length,
    type: entityTypeOf(mentions, registry, reading),
    said: mentions.some(({ passage }) => passage.modality === "audio"),
    shown: mentions.some(({ passage }) => passage.modality === "visual"),
    capitals: texts.every((text) => /^\p{Lu}+$/u.test(text.replaceAll(".", ""))),
    known: keysOf(registry.people).has(key) || texts.some(isPlaceName),
    shortFor: /^[a-z]{2,6}$/u.test(key) ? shortFor(mentions) : new Set()
  }
}

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
  const heads = canonicalKeys(
    new Map(Array.from(byKey, ([key, list]) => [key, factsOf(key, list, registry, reading)]))
  )
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
  const longest = longestNames(spans)
  /** Where a name on screen is said nearly so, and nothing else is named there. */
  const misreadOf = (name: string): Span | undefined => {
    const at = align(heard, name)
    return at !== undefined && mayBeMisread(name, quoteOf(at)) && longest(at) === 0 ? at : undefined
  }
  const entities = Array.from(grouped.values(), (members): Entity => {
    const own = members.flatMap(([, list]) => list)
    const first = own.reduce((earliest, span) => inTime(span, earliest) < 0 ? span : earliest)
    const name = labelOf(own)
    // "Google" is not named in "Google Maps".
    const said = /\p{L}{4}/u.test(name)
      ? findExact(heard, name).filter((span) => longest(span) <= span.to - span.from)
      : []
    const near = said.length === 0 && own.every((span) => span.passage.modality === "visual")
      ? misreadOf(name)
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
