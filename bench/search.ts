import { Effect } from "effect"
import { fileURLToPath } from "node:url"
import { ModelStore } from "../src/model-stacks/ModelStore.ts"
import type { ResolvedModel } from "../src/model-stacks/ResolvedStack.ts"
import { read } from "../workers/extraction/candidates/Reading.ts"
import type { Search } from "../workers/extraction/proposers/Proposer.ts"
import { makeSearch } from "../workers/extraction/proposers/search/Search.ts"
import { type Leaf, planOf } from "../workers/extraction/text/Plan.ts"
import { makeSourceDocument, type Passage } from "../workers/extraction/text/SourceDocument.ts"
import { videoArtifacts } from "./extraction/ExtractionData.ts"
import { type FootageRecord, readFootageFile } from "./extraction/FootageRecord.ts"

const file = (name: string) => fileURLToPath(new URL(`extraction/footage/${name}.jsonl`, import.meta.url))
const LINES = [1, 5, 20] as const

const plain = (text: string): string => text.trim().replaceAll(/\s+/gu, " ")

/** All videos one after the other, as one long source: what is sought stands among the lines of all of them. */
const joined = (records: ReadonlyArray<FootageRecord>): FootageRecord => {
  let offset = 0
  const parts = records.map(({ ocr, segments }) => {
    const from = offset
    const later = <A extends { readonly t0?: number; readonly t1?: number }>(line: A) => ({
      ...line,
      t0: from + (line.t0 ?? 0),
      t1: from + (line.t1 ?? 0)
    })
    const all = [segments.map(later), ocr.map(later)] as const
    offset = Math.max(from, ...all.flat().map(({ t1 }) => t1)) + 1
    return all
  })
  return { ...records[0]!, segments: parts.flatMap(([heard]) => heard), ocr: parts.flatMap(([, shown]) => shown) }
}

interface Sought {
  readonly leaf: Leaf
  /** Texts of which any one says it. */
  readonly texts: ReadonlySet<string>
}

const soughtIn = ({ evidence, ocr, schema, segments }: FootageRecord): ReadonlyArray<Sought> => {
  const lines = new Map([...segments, ...ocr].map(({ id, text }) => [id, plain(text)]))
  return planOf(schema).leaves.flatMap((leaf): ReadonlyArray<Sought> => {
    const texts = (evidence[leaf.template] ?? []).flatMap((id) => lines.get(id) ?? [])
    return texts.length === 0 ? [] : [{ leaf, texts: new Set(texts) }]
  })
}

/** Of what is sought the share that one of the first so many lines says. */
const recallOf = async (sought: ReadonlyArray<Sought>, passages: ReadonlyArray<Passage>, rank: Search["rank"]) => {
  const places: Array<number> = []
  for (const { leaf, texts } of sought) {
    places.push((await rank(leaf, passages)).findIndex(({ text }) => texts.has(plain(text))))
  }
  return Object.fromEntries(
    LINES.map((most) => [
      `in ${most}`,
      Number((places.filter((at) => at >= 0 && at < most).length / places.length).toFixed(3))
    ])
  )
}

/** The models for search of the stacks that are here. */
const models = Effect.gen(function*() {
  const store = yield* ModelStore
  const found: Array<ResolvedModel> = []
  for (const { id, roles } of store.stacks) {
    if (roles.search === undefined) continue
    const stack = yield* Effect.option(store.resolve(id))
    if (stack._tag === "Some" && stack.value.roles.search !== undefined) found.push(stack.value.roles.search)
  }
  return found
}).pipe(Effect.provide(ModelStore.layer))

/**
 * How often a line that says what a field asks for is among the first 1, 5 and 20 that a search finds, in all videos of a set as
 * one source: by the terms that fields and lines share, which is what rules and question answering search by, and by the
 * stacks' own models where they are here.
 */
export const run = async () => {
  const here = await Effect.runPromise(models)
  const out: Record<string, Record<string, Readonly<Record<string, number>>>> = {}
  for (const name of ["dev", "test", "test-2"]) {
    const { records } = readFootageFile(file(name))
    const reading = read(makeSourceDocument(videoArtifacts(joined(records))))
    const { passages } = reading
    const lexical: Search["rank"] = async (leaf) => {
      const weightOf = ({ index }: Passage) =>
        Array.from(leaf.terms).reduce(
          (sum, [term, own]) => sum + (reading.stems[index]!.has(term) ? own * (reading.rarity.get(term) ?? 0) : 0),
          0
        )
      return passages.map((passage) => ({ passage, weight: weightOf(passage) })).filter(({ weight }) => weight > 0)
        .toSorted((a, b) => b.weight - a.weight || a.passage.index - b.passage.index).map(({ passage }) => passage)
    }
    const sought = records.flatMap(soughtIn)
    const rows: Record<string, Readonly<Record<string, number>>> = {
      "shared terms": await recallOf(sought, passages, lexical)
    }
    const { signal } = new AbortController()
    for (const model of here) {
      rows[model.name] = await recallOf(sought, passages, makeSearch(model, { signal }).rank)
    }
    console.log(`\n${name}: ${sought.length} fields, ${passages.length} lines`)
    console.table(rows)
    out[name] = rows
  }
  if (here.length === 0) {
    console.log("unmeasured: no stack's model for search is here (npm run models -- fetch STACK --with search)")
  }
  return out
}
