import { measuredInRange, measureOf } from "../candidates/Measures.ts"
import type { Reading } from "../candidates/Reading.ts"
import type { Unit } from "../lexicon/Units.ts"
import type { Candidate, LeafCandidate } from "../text/Candidate.ts"
import type { Leaf } from "../text/Plan.ts"
import { type Passage, sentenceAround } from "../text/SourceDocument.ts"
import type { Token } from "../text/Tokens.ts"

/** How a value's own sentence names its field, beside the other values of the field and the other fields. */
export const QUALIFIER_FEATURES = [
  "named_here",
  "named_better_elsewhere",
  "other_field_named",
  "only_of_unit",
  "unit_elsewhere",
  "near_own",
  "near_other",
  "phrase_near_own"
] as const

/** Below this weight a term only stands for the field's own. */
const OWN = 0.6
/** What a term counts in the line above on the same picture, in its heading, or in the question before. */
const NEAR = 0.6

/** How far a word can stand and still be near, in characters: a passage may be as long as a video. */
const REACH = 200

/** The first of some tokens, by their places in order, that starts at or after a character. */
const firstFrom = (places: ReadonlyArray<number>, tokens: ReadonlyArray<Token>, from: number): number => {
  let [low, high] = [0, places.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if (tokens[places[middle]!]!.from < from) low = middle + 1
    else high = middle
  }
  return low
}

const fits = (wanted: Unit, found: Unit | undefined): boolean =>
  found !== undefined && found.dimension === wanted.dimension &&
  (wanted.unit === "" || wanted.unit === found.unit || wanted.dimension === "time")

interface Bounds {
  readonly from: number
  readonly to: number
}

interface Place {
  readonly key: string
  readonly has: (term: string) => number
}

/** Two leaves' scores at one place, so that either has its best rival. */
interface Best {
  leaf: Leaf | undefined
  most: number
  second: number
}

const bestRival = (best: Best, leaf: Leaf): number => best.leaf === leaf ? best.second : best.most

const stemsWithin = (reading: Reading, passage: Passage, from: number, to: number) => {
  const places = reading.stems[passage.index]!
  return (term: string): boolean =>
    places.get(term)?.some((at) => {
      const token = passage.tokens[at]!
      return token.from >= from && token.to <= to
    }) ?? false
}

/** Of each line on a picture: the line before it and the picture's heading. */
const screenContext = (reading: Reading): ReadonlyMap<Passage, ReadonlyArray<Passage>> => {
  const out = new Map<Passage, ReadonlyArray<Passage>>()
  const frames = Map.groupBy(reading.passages.filter(({ line }) => line !== null), ({ source_ref }) => source_ref)
  for (const lines of frames.values()) {
    const heading = lines.find(({ line }) => line!.heading)
    lines.forEach((passage, at) => {
      const around = [lines[at - 1], heading].filter((one) => one !== undefined && one !== passage)
      out.set(passage, Array.from(new Set(around as ReadonlyArray<Passage>)))
    })
  }
  return out
}

/**
 * Measures which words that belong to one field alone stand where a value stands. Of "the Home plan is four dollars, the Family plan is seven" both
 * numbers are prices of a plan; only the word that the other field has not tells them apart.
 */
export class Qualifiers {
  readonly #reading: Reading
  readonly #own: ReadonlyMap<Leaf, ReadonlyMap<string, number>>
  readonly #screen: ReadonlyMap<Passage, ReadonlyArray<Passage>>
  readonly #below: ReadonlyMap<Passage, Passage>
  readonly #heaviest: ReadonlyMap<Leaf, number>
  readonly #places = new Map<string, Place>()
  readonly #placed = new Map<Candidate, Place>()
  readonly #bounds = new WeakMap<Candidate, Bounds>()
  readonly #covered = new Map<Leaf, Map<Place, number>>()
  readonly #byType: ReadonlyMap<Leaf["type"], ReadonlyArray<Leaf>>
  readonly #nearest = new Map<string, Best>()
  readonly #covering = new Map<string, Best>()

  constructor(reading: Reading, leaves: ReadonlyArray<Leaf>) {
    this.#reading = reading
    this.#screen = screenContext(reading)
    this.#below = new Map(reading.passages.flatMap((passage, at) => {
      const next = reading.passages[at + 1]
      return passage.line !== null && next?.source_ref === passage.source_ref ? [[passage, next] as const] : []
    }))
    const shared = new Map<string, number>()
    for (const leaf of leaves) {
      for (const [term, weight] of leaf.terms) if (weight >= OWN) shared.set(term, (shared.get(term) ?? 0) + 1)
    }
    this.#own = new Map(leaves.map((leaf) => [
      leaf,
      new Map(
        Array.from(leaf.terms).flatMap(([term, weight]): ReadonlyArray<readonly [string, number]> => {
          // A word that nobody says tells nothing apart.
          if (weight < OWN || !reading.rarity.has(term)) return []
          return [[term, weight / shared.get(term)! * Math.min(reading.rarity.get(term)!, 3)]]
        })
      )
    ]))
    this.#byType = Map.groupBy(leaves, ({ type }) => type)
    this.#heaviest = new Map(Array.from(this.#own, ([leaf, terms]) => [leaf, Math.max(1e-9, ...terms.values())]))
  }

  #boundsOf(candidate: Candidate): Bounds {
    const { passage } = candidate
    if (passage.modality === "visual") return { from: 0, to: passage.text.length }
    const bounds = this.#bounds.get(candidate) ?? sentenceAround(candidate)
    this.#bounds.set(candidate, bounds)
    return bounds
  }

  #placeOf(candidate: Candidate): Place {
    const known = this.#placed.get(candidate) ?? this.#placeFor(candidate)
    this.#placed.set(candidate, known)
    return known
  }

  #placeFor(candidate: Candidate): Place {
    const { passage } = candidate
    const { from, to } = this.#boundsOf(candidate)
    // Whose name it is stands under a name; what costs so much stands over a price.
    const named = candidate.kind === "name" || candidate.kind === "label"
    const key = `${passage.index}:${from}:${named}`
    const known = this.#places.get(key)
    if (known !== undefined) return known
    const here = stemsWithin(this.#reading, passage, from, to)
    const before = this.#reading.passages[passage.index - 1]
    const asked = passage.modality === "audio" && from === 0 && before?.modality === "audio" &&
      before.text.includes("?")
    const under = named ? this.#below.get(passage) : undefined
    const near = [
      ...this.#screen.get(passage) ?? [],
      ...(under === undefined ? [] : [under]),
      ...(asked ? [before] : [])
    ].map((one) => stemsWithin(this.#reading, one, 0, one.text.length))
    const place = { key, has: (term: string) => here(term) ? 1 : near.some((one) => one(term)) ? NEAR : 0 }
    this.#places.set(key, place)
    return place
  }

  /** From 0 to 1: how much of what names the field stands where the value stands. */
  #coverage(leaf: Leaf, place: Place): number {
    const known = this.#covered.get(leaf) ?? new Map<Place, number>()
    this.#covered.set(leaf, known)
    const found = known.get(place)
    if (found !== undefined) return found
    let [sum, all] = [0, 0]
    for (const [term, weight] of this.#own.get(leaf)!) {
      all += weight
      sum += weight * place.has(term)
    }
    const covered = all === 0 ? 0 : sum / all
    known.set(place, covered)
    return covered
  }

  /** From 0 to 1: how close the closest word stands that tells the field from others, commas counting as three words. */
  #nearness(leaf: Leaf, candidate: Candidate, { from, to }: Bounds): number {
    const { tokens } = candidate.passage
    const places = this.#reading.stems[candidate.passage.index]!
    let best = 0
    for (const [term, weight] of this.#own.get(leaf)!) {
      const of = places.get(term) ?? []
      for (let next = firstFrom(of, tokens, candidate.from - REACH); next < of.length; next++) {
        const token = tokens[of[next]!]!
        if (token.from > candidate.to + REACH) break
        if (token.from < from || token.to > to || (token.from >= candidate.from && token.to <= candidate.to)) continue
        const between = token.to <= candidate.from
          ? candidate.passage.text.slice(token.to, candidate.from)
          : candidate.passage.text.slice(candidate.to, token.from)
        const words = between.split(/\s+/u).length - 1
        const breaks = between.match(/[,;:–]|\b(?:and|but|or)\b/gu)?.length ?? 0
        best = Math.max(best, weight / this.#heaviest.get(leaf)! / (1 + (words + 3 * breaks) / 3))
      }
    }
    return best
  }

  /** The best of all leaves of a type at one place, worked out once: asked anew for each leaf it is their number squared. */
  #bestOf(kept: Map<string, Best>, key: string, type: Leaf["type"], score: (leaf: Leaf) => number): Best {
    const known = kept.get(`${type}:${key}`)
    if (known !== undefined) return known
    const best: Best = { leaf: undefined, most: 0, second: 0 }
    for (const leaf of this.#byType.get(type) ?? []) {
      const found = score(leaf)
      if (found > best.most) {
        best.second = best.most
        best.most = found
        best.leaf = leaf
      } else best.second = Math.max(best.second, found)
    }
    kept.set(`${type}:${key}`, best)
    return best
  }

  /** The features of every candidate of one leaf; `isOfWantedUnit` is whether `only_of_unit` would be set. */
  of(leaf: Leaf, candidates: ReadonlyArray<LeafCandidate>): {
    readonly of: (one: LeafCandidate) => ReadonlyArray<number>
    readonly isOfWantedUnit: (one: LeafCandidate) => boolean
  } {
    const best = candidates.reduce(
      (most, { candidate }) => Math.max(most, this.#coverage(leaf, this.#placeOf(candidate))),
      0
    )
    const wanted = measureOf(leaf)
    const fitting = wanted === undefined
      ? []
      : candidates.filter(({ candidate }) => fits(wanted, measuredInRange(this.#reading, candidate)))
    const distinct = new Set(fitting.map(({ value }) => value)).size
    const isOfWantedUnit = ({ candidate }: LeafCandidate): boolean =>
      wanted !== undefined && distinct > 0 && fits(wanted, measuredInRange(this.#reading, candidate))
    const of = (one: LeafCandidate): ReadonlyArray<number> => {
      const { candidate } = one
      const share = isOfWantedUnit(one) ? 1 / distinct : 0
      const place = this.#placeOf(candidate)
      const own = this.#coverage(leaf, place)
      const bounds = this.#boundsOf(candidate)
      const near = this.#nearness(leaf, candidate, bounds)
      const at = `${candidate.passage.index}:${candidate.from}:${candidate.to}`
      const nearer = bestRival(
        this.#bestOf(this.#nearest, at, leaf.type, (rival) => this.#nearness(rival, candidate, bounds)),
        leaf
      )
      const other = bestRival(
        this.#bestOf(this.#covering, place.key, leaf.type, (rival) => this.#coverage(rival, place)),
        leaf
      )
      return [
        own,
        best - own,
        Math.max(0, other - own),
        share,
        share === 0 && distinct > 0 ? 1 : 0,
        near,
        Math.max(0, nearer - near),
        candidate.kind === "phrase" ? near : 0
      ]
    }
    return { of, isOfWantedUnit }
  }
}
