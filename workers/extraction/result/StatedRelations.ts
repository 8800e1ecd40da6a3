import type { Reading } from "../candidates/Reading.ts"
import { type AlignmentIndex, alignmentIndex, findExact } from "../grounding/Align.ts"
import type { GraphStatements } from "../proposers/GraphStatements.ts"
import { quoteOf, type Span } from "../text/SourceDocument.ts"
import type { Entity } from "./Entities.ts"
import { entityKey } from "./EntityKeys.ts"
import { saidPlainly } from "./PlainStatements.ts"
import type { End, Related } from "./Relations.ts"

/** Words between two names, or around the second, by which a speaker says that they are one thing's. */
const ONE_AND_THE_SAME =
  /\b(?:or|aka|also|called|calls?|known as|short for|stands for|abbreviated|nickname\w*|goes by|namely|that is|i\.e\.|formerly|now)\b|[("“]/iu

const MOST_NAME = 80
const MOST_NAME_WORDS = 6

/** A name has a capital or a digit somewhere, and is no sentence. */
const isNameLike = (text: string): boolean =>
  text.length <= MOST_NAME && /[\p{Lu}\p{N}]/u.test(text) && /\p{L}{2}/u.test(text) &&
  text.split(/\s+/u).length <= MOST_NAME_WORDS && !/[.!?]\s/u.test(text)

const within = (span: Span, other: Span): boolean =>
  span.passage === other.passage && span.from >= other.from && span.to <= other.to

/** What may be believed of a source: neither orders to machines nor speech that was hardly understood. */
const believed = ({ passages, suspects, unclear }: Reading): AlignmentIndex =>
  alignmentIndex(passages.filter(({ index }) => !suspects.has(index) && !unclear.has(index)))

/** Every place of a span's own words, the span's own first. */
const placesOf = (span: Span, index: AlignmentIndex): ReadonlyArray<Span> =>
  [
    span,
    ...findExact(index, quoteOf(span)).filter(({ from, passage, to }) =>
      quoteOf({ passage, from, to }) === quoteOf(span)
    )
      .map(({ from, passage, to }) => ({ passage, from, to }))
  ].filter((one, at, all) => all.findIndex(({ from, passage }) => passage === one.passage && from === one.from) === at)

const first = (spans: ReadonlyArray<Span>): ReadonlyArray<Span> =>
  spans.toSorted((a, b) =>
    a.passage.t_start - b.passage.t_start || a.passage.index - b.passage.index || a.from - b.from
  )

const RULES_TYPES: ReadonlySet<unknown> = new Set(["person", "organisation", "place"])

/** One entity by all of its keys: those of each place that names it. */
const byName = (entities: ReadonlyArray<Entity>): ReadonlyMap<string, Entity> =>
  new Map(
    entities.flatMap((entity) => [
      ...entity.mentions.map((mention) => [entityKey(quoteOf(mention)), entity] as const),
      [entity.key, entity] as const,
      [entityKey(entity.label), entity] as const
    ])
  )

/** With names that the rules did not know, and with types where they had none: what a rule says is not overruled. */
const withNames = (
  entities: ReadonlyArray<Entity>,
  { names }: GraphStatements,
  reading: Reading
): ReadonlyArray<Entity> => {
  const out = new Map(entities.map((entity) => [entity.key, entity]))
  const index = believed(reading)
  for (const { name, type } of names) {
    const known = byName(Array.from(out.values())).get(entityKey(quoteOf(name)))
    if (known !== undefined) {
      if (known.type === null && known.told === undefined && type !== null) {
        out.set(known.key, { ...known, ...typed(type) })
      }
      continue
    }
    const key = entityKey(quoteOf(name))
    if (key === "" || out.has(key) || !isNameLike(quoteOf(name))) continue
    // Part of a longer name that is known is no name of its own.
    const part = entities.some(({ mentions }) => mentions.some((mention) => within(name, mention)))
    if (part || reading.unclear.has(name.passage.index)) continue
    const mentions = first(placesOf(name, index))
    out.set(key, { key, label: quoteOf(name), type: null, mentions, ...(type === null ? {} : typed(type)) })
  }
  return Array.from(out.values())
}

const typed = (type: string): Pick<Entity, "type" | "told"> =>
  RULES_TYPES.has(type) ? { type: type as Entity["type"] } : { type: null, told: type }

const typeOf = ({ told, type }: Entity): string | null => type ?? told ?? null

/** Two names are one thing's where a sentence has both and says so, and nothing known of them differs. */
const merged = (
  entities: ReadonlyArray<Entity>,
  { names }: GraphStatements,
  reading: Reading
): ReadonlyArray<Entity> => {
  let out = entities
  for (const { also_called, name } of names) {
    if (also_called === null) continue
    const known = byName(out)
    const [one, other] = [known.get(entityKey(quoteOf(name))), known.get(entityKey(quoteOf(also_called)))]
    if (one === undefined || other === undefined || one === other) continue
    if (typeOf(one) !== null && typeOf(other) !== null && typeOf(one) !== typeOf(other)) continue
    const says = one.mentions.some((a) =>
      other.mentions.some((b) => {
        const [from, to] = a.from < b.from ? [a, b] : [b, a]
        return saidPlainly(a, b, reading) !== undefined &&
          ONE_AND_THE_SAME.test(a.passage.text.slice(from.to, to.from))
      })
    )
    if (!says) continue
    const mentions = first([...one.mentions, ...other.mentions])
    const head = mentions[0] !== undefined && other.mentions.includes(mentions[0]) ? other : one
    const rest = head === one ? other : one
    const both: Entity = {
      key: head.key,
      label: head.label.length >= rest.label.length ? head.label : rest.label,
      mentions,
      type: head.type ?? rest.type,
      ...(head.told ?? rest.told) === undefined ? {} : { told: (head.told ?? rest.told)! }
    }
    out = out.flatMap((entity) => entity === head ? [both] : entity === rest ? [] : [entity])
  }
  return out
}

/** The entities of the rules with what a model said of them, as far as the source proves it. */
export const statedEntities = (
  entities: ReadonlyArray<Entity>,
  statements: GraphStatements,
  reading: Reading
): ReadonlyArray<Entity> => merged(withNames(entities, statements, reading), statements, reading)

type Type = string | null

/** What each relation may hold between; a thing whose type nobody knows may be any but the other end's. */
const FITS: Readonly<Record<string, (subject: Type, object: Type) => boolean>> = {
  works_for: (subject, object) => subject === "person" && object === "organisation",
  part_of: (subject, object) => subject !== "person" && object !== "person",
  located_in: (subject, object) => subject !== "person" && (object === "place" || object === null)
}

const ROLE_WORDS = 6

/** The relations that a sentence with both ends in it says plainly, between things that the relation can hold between. */
export const statedRelations = (
  entities: ReadonlyArray<Entity>,
  { relations }: GraphStatements,
  reading: Reading
): ReadonlyArray<Related> => {
  const known = byName(entities)
  const index = believed(reading)
  const measured = (span: Span, kind: string): boolean =>
    reading.candidates.some((one) =>
      one.kind === kind && one.passage === span.passage && one.from <= span.from && one.to >= span.to
    )
  return relations.flatMap(({ object, relation, subject, where: said }): ReadonlyArray<Related> => {
    // The words that say it, where the ends were quoted from elsewhere.
    const near = (span: Span): Span => placesOf(span, index).find((one) => one.passage === said.passage) ?? span
    const [a, b] = [near(subject), near(object)]
    const where = saidPlainly(a, b, reading)
    if (where === undefined) return []
    const [one, two] = [known.get(entityKey(quoteOf(a))), known.get(entityKey(quoteOf(b)))]
    const ends = (source: End, target: End): ReadonlyArray<Related> => [
      { relation: relation as Related["relation"], source, target, where }
    ]
    if (relation === "role_of") {
      const words = quoteOf(a)
      const role = one === undefined && words.split(/\s+/u).length <= ROLE_WORDS && !/\d/u.test(words)
      return role && two !== undefined && typeOf(two) === "person"
        ? ends({ words: a, type: "role" }, { entity: two })
        : []
    }
    if (relation === "price_of") {
      return measured(a, "money") && two !== undefined && typeOf(two) !== "person"
        ? ends({ words: a, type: "price" }, { entity: two })
        : []
    }
    if (relation === "happened_at") {
      return one !== undefined && measured(b, "date") ? ends({ entity: one }, { words: b, type: "date" }) : []
    }
    const fits = FITS[relation]
    return one !== undefined && two !== undefined && one !== two && fits?.(typeOf(one), typeOf(two)) === true
      ? ends({ entity: one }, { entity: two })
      : []
  })
}
