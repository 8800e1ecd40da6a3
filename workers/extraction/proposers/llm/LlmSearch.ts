import type { Warning } from "../../../../src/jobs/model/StageIo.ts"
import { OnnxModelError } from "../../../onnx/OnnxSession.ts"
import type { Passage } from "../../text/SourceDocument.ts"
import type { Search } from "../Proposer.ts"
import { groups, type Part, partsOf, passageTokens, type Unit } from "./LlmParts.ts"

/** Fields that share the room of one question: more would have a line each and no neighbours. */
const FIELDS = 8

/**
 * The likeliest passages for some fields, each field in turn, with the one before and the one after, as many as there is room
 * for. In the order in which they were given.
 */
const choosePassages = (
  ranked: ReadonlyArray<ReadonlyArray<Passage>>,
  passages: ReadonlyArray<Passage>,
  tokens: number
): ReadonlyArray<Passage> => {
  const places = new Map(passages.map((passage, at) => [passage, at]))
  const chosen = new Set<Passage>()
  let room = tokens
  const rounds = Math.max(0, ...ranked.map(({ length }) => length))
  for (let round = 0; round < rounds; round++) {
    for (const order of ranked) {
      const best = order[round]
      if (best === undefined) continue
      const at = places.get(best)!
      for (const passage of [best, passages[at - 1], passages[at + 1]]) {
        if (passage === undefined || chosen.has(passage)) continue
        const cost = passageTokens(passage)
        if (cost > room) return passages.filter((one) => chosen.has(one))
        chosen.add(passage)
        room -= cost
      }
    }
  }
  return passages.filter((one) => chosen.has(one))
}

/** A list or a map may have its entries anywhere. */
const isOne = ({ template }: Unit): boolean => !/\/(?:\*|\{\})(?:\/|$)/u.test(template)

const searched = async (
  units: ReadonlyArray<Unit>,
  passages: ReadonlyArray<Passage>,
  chunk_tokens: number,
  rank: Search["rank"]
): Promise<ReadonlyArray<Part>> => {
  const single = units.filter(isOne)
  const parts: Array<Part> = []
  for (let from = 0; from < single.length; from += FIELDS) {
    for (const some of groups(single.slice(from, from + FIELDS))) {
      const ranked: Array<ReadonlyArray<Passage>> = []
      for (const leaf of some.flatMap(({ leaves }) => leaves)) ranked.push(await rank(leaf, passages))
      parts.push({ units: some, passages: choosePassages(ranked, passages, chunk_tokens) })
    }
  }
  return [...parts, ...partsOf(units.filter((unit) => !isOne(unit)), passages, chunk_tokens)]
}

/**
 * Every question that has to be asked. Of a source that is longer than what is read at once, single fields are asked for over the
 * passages that a search finds for them, lists and maps over all of it. Without a search, or where its model cannot be used,
 * all fields are asked for over all of it, in parts.
 */
export const searchedParts = async (
  units: ReadonlyArray<Unit>,
  passages: ReadonlyArray<Passage>,
  chunk_tokens: number,
  search: Search | undefined
): Promise<{ readonly parts: ReadonlyArray<Part>; readonly warnings: ReadonlyArray<Warning> }> => {
  const all = passages.reduce((sum, passage) => sum + passageTokens(passage), 0)
  const parts = () => partsOf(units, passages, chunk_tokens)
  if (search === undefined || all <= chunk_tokens) return { parts: parts(), warnings: [] }
  try {
    return { parts: await searched(units, passages, chunk_tokens, search.rank), warnings: [] }
  } catch (error) {
    if (!(error instanceof OnnxModelError)) throw error
    const message = `The model that finds passages cannot be used (${error.message}): the source was read in parts.`
    return { parts: parts(), warnings: [{ code: "LLM_INCOMPLETE", message }] }
  }
}
