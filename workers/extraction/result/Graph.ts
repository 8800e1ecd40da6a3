import { createHash } from "node:crypto"
import type { Graph, GraphEdge, GraphNode } from "../../../src/artifacts/Graph.ts"
import { roundSeconds } from "../../../src/artifacts/Moment.ts"
import type { EntityRegistry } from "../candidates/EntityRegistry.ts"
import type { Reading } from "../candidates/Reading.ts"
import type { AlignmentIndex } from "../grounding/Align.ts"
import type { GraphStatements } from "../proposers/GraphStatements.ts"
import { asks, type Sentence } from "../text/Sentences.ts"
import { momentOf, quoteOf, type Span } from "../text/SourceDocument.ts"
import { coreferencesOf } from "./Coreferences.ts"
import { entitiesOf, type Entity } from "./Entities.ts"
import { entityKey } from "./EntityKeys.ts"
import { type End, relationsOf } from "./Relations.ts"
import { type CitedValue, entriesOf, fieldOf, labelOf, outerEntry, resultKey } from "./ResultEntries.ts"
import { statedEntities, statedRelations } from "./StatedRelations.ts"
import { twinsOf } from "./Twins.ts"

/** Crockford's base 32: no letter that reads like another. */
const ALPHABET = "0123456789abcdefghjkmnpqrstvwxyz"

/** Ten base-32 characters (50 bits) of a SHA-256 over what the thing is: the same thing has the same id in every run. */
export const contentId = (prefix: string, content: string): string =>
  prefix +
  Array.from(createHash("sha256").update(content).digest().subarray(0, 10), (byte) => ALPHABET[byte & 31]).join("")

export interface BuiltGraph {
  readonly canonical: Graph
  readonly compact: Graph
  /** The node that holds a span: the entity that it names, else the statement that it is part of. */
  readonly nodeOf: (span: Span) => string | null
}

interface Draft {
  readonly node: Omit<GraphNode, "source_refs" | "mentions" | "t_start" | "t_end" | "modality">
  readonly mentions: Array<Span>
}

const overlaps = (a: Span, b: Span): boolean =>
  a.passage.index === b.passage.index && a.passage.source_ref === b.passage.source_ref && a.from < b.to && b.from < a.to

const finish = ({ mentions, node }: Draft): GraphNode => {
  const moments = mentions.map(momentOf)
  const modalities = new Set(mentions.map((mention) => mention.passage.modality))
  return {
    ...node,
    t_start: roundSeconds(Math.min(...moments.map((moment) => moment.t_start))),
    t_end: roundSeconds(Math.max(...moments.map((moment) => moment.t_end))),
    modality: modalities.size > 1 ? "both" : mentions[0]!.passage.modality,
    source_refs: Array.from(new Set(mentions.map((mention) => mention.passage.source_ref))),
    mentions: mentions.length
  }
}

const MEASURED = new Set(["number", "money", "percent", "duration", "date"])
/** Shorter sentences state nothing, longer ones are several. */
const CLAIM_WORDS = { least: 5, most: 45 } as const

const statesSomething = (sentence: Sentence, facts: ReadonlyArray<Span>): boolean => {
  const words = sentence.passage.tokens.filter((token) => token.from >= sentence.from && token.to <= sentence.to).length
  return words >= CLAIM_WORDS.least && words <= CLAIM_WORDS.most && !asks(sentence.text) &&
    sentence.passage.line?.heading !== true && facts.some((fact) => overlaps(fact, sentence))
}

const claimKey = ({ passage, text }: Sentence): string => `claim|${passage.source_ref}|${entityKey(text)}`

const entityId = (entity: Entity): string => contentId("ent_", `entity|${entity.key}`)
const speakerId = (speaker: string): string => contentId("spk_", `speaker|${speaker}`)

class Edges {
  readonly #edges = new Map<string, { edge: Omit<GraphEdge, "source_refs">; refs: Set<string> }>()
  add(source: string, relation: string, target: string, where: Span): void {
    if (source === target) return
    const id = contentId("rel_", `${source}|${relation}|${target}`)
    const { t_end, t_start } = momentOf(where)
    const known = this.#edges.get(id)
    const refs = (known?.refs ?? new Set<string>()).add(where.passage.source_ref)
    const from = Math.min(known?.edge.t_start ?? Infinity, roundSeconds(t_start))
    const to = Math.max(known?.edge.t_end ?? 0, roundSeconds(t_end))
    this.#edges.set(id, { edge: { id, source, target, relation, t_start: from, t_end: to }, refs })
  }
  list(): ReadonlyArray<GraphEdge> {
    const edges = Array.from(this.#edges.values(), ({ edge, refs }) => ({ ...edge, source_refs: Array.from(refs) }))
    return edges.toSorted((a, b) => a.t_start - b.t_start || (a.id < b.id ? -1 : 1))
  }
}

/** How much hangs on a node: log mentions + half log degree + half for being both heard and seen. */
const salienceOf = (nodes: ReadonlyArray<GraphNode>, edges: ReadonlyArray<GraphEdge>): ReadonlyMap<string, number> => {
  const degree = new Map<string, number>()
  for (const { source, target } of edges) for (const id of [source, target]) degree.set(id, (degree.get(id) ?? 0) + 1)
  return new Map(nodes.map((node) => [
    node.id,
    Math.log1p(node.mentions) + 0.5 * Math.log1p(degree.get(node.id) ?? 0) + (node.modality === "both" ? 0.5 : 0)
  ]))
}

/** Entities and statements that the compact view keeps at most, besides those that evidence names. */
const COMPACT = 60

const compactOf = (
  nodes: ReadonlyArray<GraphNode>,
  all: ReadonlyArray<GraphEdge>,
  cited: ReadonlySet<string>
): Graph => {
  const edges = all.filter((edge) => edge.relation !== "co_occurs")
  const salience = salienceOf(nodes, all)
  const linked = new Set(edges.flatMap((edge) => [edge.source, edge.target]))
  const kept = new Set(cited)
  for (const kind of ["entity", "claim", "speaker"]) {
    const best = nodes.filter((node) => node.kind === kind && linked.has(node.id)).toSorted((a, b) =>
      salience.get(b.id)! - salience.get(a.id)! || (a.id < b.id ? -1 : 1)
    )
    for (const node of best.slice(0, COMPACT)) kept.add(node.id)
  }
  return {
    view: "compact",
    nodes: nodes.filter((node) => kept.has(node.id)),
    edges: edges.filter((edge) => kept.has(edge.source) && kept.has(edge.target))
  }
}

/**
 * Builds the graph of a source: speakers, named things and verbatim statements, with who states what, what mentions what and
 * what occurs together; and every entry of the result, with the nodes that it is evidenced by. Every node of `cited` values is in it. Nothing depends on order or time of building; a segment
 * appended to the source changes no id. What a model has `stated` of names and relations comes in as far as the source proves it.
 */
export const buildGraph = (
  reading: Reading,
  registry: EntityRegistry,
  sentences: ReadonlyArray<Sentence>,
  heard: AlignmentIndex,
  cited: ReadonlyArray<CitedValue>,
  stated?: GraphStatements
): BuiltGraph => {
  const drafts = new Map<string, Draft>()
  const edges = new Edges()
  const ruled = entitiesOf(reading, registry, heard)
  const entities = stated === undefined ? ruled : statedEntities(ruled, stated, reading)
  const byPassage = new Map<string, Array<readonly [Span, string]>>()
  for (const entity of entities) {
    const id = entityId(entity)
    drafts.set(id, {
      node: { id, kind: "entity", label: entity.label, type: entity.type ?? entity.told ?? null },
      mentions: [...entity.mentions]
    })
    for (const mention of entity.mentions) {
      const key = `${mention.passage.index}|${mention.passage.source_ref}`
      byPassage.set(key, [...(byPassage.get(key) ?? []), [mention, id]])
    }
  }
  const namedIn = (span: Span): ReadonlyArray<readonly [Span, string]> =>
    (byPassage.get(`${span.passage.index}|${span.passage.source_ref}`) ?? []).filter(([mention]) =>
      overlaps(mention, span)
    )

  for (const passage of reading.passages) {
    if (passage.speaker === null) continue
    const id = speakerId(passage.speaker)
    const turn = { passage, from: 0, to: passage.text.length }
    const known = drafts.get(id)
    if (known !== undefined) {
      known.mentions.push(turn)
      continue
    }
    const name = registry.speakers.get(passage.speaker)
    const label = name?.name ?? reading.document.speakers.get(passage.speaker) ?? passage.speaker
    // A speaker with a name is a person, tied below to everything else that is said of that name.
    const type = name === undefined ? null : "person"
    drafts.set(id, { node: { id, kind: "speaker", label, type }, mentions: [turn] })
    const person = name === undefined
      ? undefined
      : entities.find((entity) => entityKey(entity.label) === entityKey(name.name))
    if (person !== undefined) edges.add(id, "is", entityId(person), name!.spans[0]!)
  }

  for (const { mention, name } of coreferencesOf(sentences, entities)) {
    const id = entityId(name)
    drafts.get(id)!.mentions.push(mention)
    const key = `${mention.passage.index}|${mention.passage.source_ref}`
    byPassage.set(key, [...(byPassage.get(key) ?? []), [mention, id]])
  }

  const measured = reading.candidates.filter((one) => MEASURED.has(one.kind))
  const measuredIn = Map.groupBy(measured, (one) => one.passage.index)
  const isClaim = (sentence: Sentence): boolean =>
    !reading.unclear.has(sentence.passage.index) &&
    statesSomething(sentence, [
      ...(measuredIn.get(sentence.passage.index) ?? []),
      ...namedIn(sentence).map(([mention]) => mention)
    ])
  const claims = sentences.filter(isClaim)
  const twins = twinsOf(claims)
  const claimId = (sentence: Sentence): string => contentId("clm_", claimKey(twins.get(sentence) ?? sentence))
  const addClaim = (sentence: Sentence): string => {
    const id = claimId(sentence)
    const known = drafts.get(id)
    if (known?.mentions.includes(sentence) === true) return id
    if (known === undefined) {
      const own = twins.get(sentence) ?? sentence
      // What parts the cells of a line on the screen is in no quote of it.
      const label = own.passage.line === null ? own.text : quoteOf(own).trim()
      drafts.set(id, { node: { id, kind: "claim", label, type: "statement" }, mentions: [sentence] })
    } else known.mentions.push(sentence)
    if (sentence.passage.speaker !== null) edges.add(speakerId(sentence.passage.speaker), "states", id, sentence)
    const named = Array.from(new Set(namedIn(sentence).map(([, entity]) => entity)))
    for (const entity of named) edges.add(id, "mentions", entity, sentence)
    for (const [at, one] of named.entries()) {
      for (const other of named.slice(at + 1)) {
        const [first, second] = one < other ? [one, other] : [other, one]
        edges.add(first, "co_occurs", second, sentence)
      }
    }
    return id
  }
  for (const claim of claims) addClaim(claim)

  const byId = new Map(entities.map((entity) => [entityId(entity), entity]))
  const endOf = (end: End): string => {
    if ("entity" in end) return entityId(end.entity)
    if ("claim" in end) return claimId(end.claim)
    const label = quoteOf(end.words)
    const id = contentId("ent_", `${end.type}|${entityKey(label) || label}`)
    const known = drafts.get(id)
    if (known === undefined) {
      drafts.set(id, { node: { id, kind: "entity", label, type: end.type }, mentions: [end.words] })
    } else known.mentions.push(end.words)
    return id
  }
  const mentionsIn = (span: Span) => namedIn(span).map(([mention, id]) => [mention, byId.get(id)!] as const)
  const related = relationsOf(reading, claims, mentionsIn)
  for (
    const { relation, source, target, where } of stated === undefined
      ? related
      : related.concat(statedRelations(entities, stated, reading))
  ) {
    edges.add(endOf(source), relation, endOf(target), where)
  }

  const nodeOf = (span: Span): string | null => {
    const entity = namedIn(span).find(([mention]) => mention.from === span.from && mention.to === span.to)
    if (entity !== undefined) return entity[1]
    const sentence = sentences.find((one) => overlaps(one, span))
    return sentence === undefined ? null : claimId(sentence)
  }
  const named = new Set<string>()
  for (const { seeks, span } of cited) {
    const id = nodeOf(span)
    if (id === null) continue
    named.add(id)
    if (!drafts.has(id)) addClaim(sentences.find((one) => overlaps(one, span))!)
    const draft = drafts.get(id)!
    // What the result takes for the name of a person is one.
    if (draft.node.kind === "entity" && draft.node.type === null && seeks !== null) {
      drafts.set(id, { ...draft, node: { ...draft.node, type: seeks } })
    }
  }
  const entries = entriesOf(cited)
  const results = new Map<string, string>()
  for (const [pointer, entry] of entries) {
    const id = contentId("res_", resultKey(entry))
    results.set(pointer, id)
    named.add(id)
    const known = drafts.get(id)
    drafts.set(id, {
      node: { id, kind: "result", label: labelOf(entry), type: fieldOf(entry) },
      mentions: [...(known?.mentions ?? []), ...entry.values.map(({ span }) => span)]
    })
    for (const { span } of entry.values) {
      const evidence = nodeOf(span)
      if (evidence !== null) edges.add(id, "evidenced_by", evidence, span)
    }
  }
  for (const [pointer, entry] of entries) {
    const above = results.get(outerEntry(entry))
    if (above !== undefined) edges.add(results.get(pointer)!, "part_of", above, entry.values[0]!.span)
  }
  const nodes = Array.from(drafts.values(), finish).toSorted((a, b) => a.t_start - b.t_start || (a.id < b.id ? -1 : 1))
  const all = edges.list()
  return { canonical: { view: "canonical", nodes, edges: all }, compact: compactOf(nodes, all, named), nodeOf }
}
