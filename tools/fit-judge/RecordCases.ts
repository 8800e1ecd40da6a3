import { sameValue, videoArtifacts } from "../../bench/extraction/ExtractionData.ts"
import type { FootageRecord } from "../../bench/extraction/FootageRecord.ts"
import type { JsonSchema } from "../../src/schemas/json-schema/JsonSchema.ts"
import { normaliseDialect } from "../../src/schemas/json-schema/JsonSchemaDialect.ts"
import { registryOf } from "../../workers/extraction/candidates/EntityRegistry.ts"
import type { Material } from "../../workers/extraction/candidates/Mention.ts"
import { read } from "../../workers/extraction/candidates/Reading.ts"
import type { Trees } from "../../workers/extraction/judge/Trees.ts"
import { listDrafts } from "../../workers/extraction/lists/Lists.ts"
import { anchorOf, type Member, membersOf } from "../../workers/extraction/lists/records/MemberFeatures.ts"
import {
  chosenEntries,
  type RecordTrees,
  type RuledEntries,
  ruledEntries
} from "../../workers/extraction/lists/records/Records.ts"
import { valueOptions } from "../../workers/extraction/lists/records/ValueFeatures.ts"
import { RANK_MODEL } from "../../workers/extraction/ranking/RankWeights.ts"
import { type Leaf, type List, planOf } from "../../workers/extraction/text/Plan.ts"
import { sentencesOf } from "../../workers/extraction/text/Sentences.ts"
import { makeSourceDocument } from "../../workers/extraction/text/SourceDocument.ts"
import type { Example } from "../fit-ranker/Logistic.ts"
import { boost, boostChoices, type BoostingOptions, numbersFrom } from "./Boosting.ts"

/** One list of a video with all that may be its members, and the entries of the right result. */
interface RecordList {
  readonly list: List
  readonly members: ReadonlyArray<Member>
  readonly entries: ReadonlyArray<{ readonly name: unknown; readonly entry: unknown }>
}

export interface RecordVideo {
  readonly id: string
  readonly record: FootageRecord
  readonly material: Material
  readonly lists: ReadonlyArray<RecordList>
}

const same = (value: unknown, wanted: unknown): boolean =>
  typeof wanted === "string" ? sameValue(String(value), [wanted]) : value === wanted

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null && !Array.isArray(value)

/** All that stands at a template of a result. */
const standingAt = (value: unknown, [part, ...rest]: ReadonlyArray<string>): ReadonlyArray<unknown> =>
  part === undefined
    ? [value]
    : part === "*"
    ? Array.isArray(value) ? value.flatMap((one) => standingAt(one, rest)) : []
    : isObject(value) && Object.hasOwn(value, part)
    ? standingAt(value[part], rest)
    : []
const partsOf = (template: string): ReadonlyArray<string> => template.split("/").slice(1)
const within = (list: List, leaf: Leaf): ReadonlyArray<string> =>
  partsOf(leaf.template.slice(`${list.template}/*`.length))

export const recordVideo = (record: FootageRecord): RecordVideo => {
  const document = makeSourceDocument(videoArtifacts(record))
  const reading = read(document)
  const material = { reading, sentences: sentencesOf(document), registry: registryOf(reading) }
  const plan = planOf(normaliseDialect(record.schema as JsonSchema))
  // Lists inside entries are as good to learn from, although they are not given.
  const listOf = (list: List, ruled: RuledEntries): ReadonlyArray<RecordList> => {
    const anchor = anchorOf(list)
    const entries = standingAt(record.gold, partsOf(`${list.template}/*`)).map((entry) => ({
      entry,
      name: anchor === undefined ? undefined : standingAt(entry, within(list, anchor))[0]
    }))
    const members = membersOf(material, list, list.template.includes("/*"), ruled)
    return [{ list, members, entries }, ...list.nested.flatMap((inner) => listOf(inner, new Map()))]
  }
  const lists = plan.lists.flatMap((list) => listOf(list, ruledEntries(list, listDrafts(material, list, RANK_MODEL))))
  return { id: record.id, record, material, lists }
}

export const isMember = ({ entries }: RecordList, { value }: Member): boolean =>
  entries.some(({ name }) => name !== undefined && same(value, name))

/** Of wrong members, of which there are sixty for each right one, so many are learnt from. */
const wrongShare = 0.35
const memberOptions: BoostingOptions = {
  trees: 100,
  rate: 0.08,
  least: 15,
  shrinkage: 4,
  examples: 0.7,
  features: 0.4
}
const valueBoosting: BoostingOptions = {
  trees: 100,
  rate: 0.08,
  least: 15,
  shrinkage: 3,
  examples: 0.7,
  features: 0.4
}

export const fitMembers = (videos: ReadonlyArray<RecordVideo>): Trees => {
  const random = numbersFrom(1)
  const examples = videos.flatMap(({ lists }) =>
    lists.flatMap((list) =>
      list.members.flatMap((member) => {
        const right = isMember(list, member)
        return right || random() < wrongShare
          ? [{ features: member.features, right, weight: right ? 1 : 1 / wrongShare }]
          : []
      })
    )
  )
  return boost(examples, memberOptions, 4)
}

/** The values that the leaves of a video's entries might have. `chanceOf` must not have seen the video. */
export const valueCases = (
  { lists, material }: RecordVideo,
  chanceOf: (member: Member) => number
): ReadonlyArray<ReadonlyArray<Example>> =>
  lists.flatMap((one) => {
    const { entries: wanted, list, members } = one
    const anchor = anchorOf(list)
    // Of entries that are not found there is as much to learn.
    const entries = chosenEntries(members, (member) =>
      isMember(one, member) ? Math.max(0.16, chanceOf(member)) : chanceOf(member))
    return Array.from(list.leaves.values()).filter((leaf) =>
      leaf !== anchor
    ).flatMap((leaf) =>
      valueOptions(material, list, entries, leaf).flatMap((options, at) => {
        const right = wanted.filter(({ name }) => name !== undefined && same(entries[at]!.member.value, name))
          .flatMap(({ entry }) => standingAt(entry, within(list, leaf)))
        return options.length === 0
          ? []
          : [
            options.map(({ features, place }) => ({ features, right: right.some((value) => same(place.value, value)) }))
          ]
      })
    )
  })

export const fitValues = (cases: ReadonlyArray<ReadonlyArray<Example>>): RecordTrees["values"] =>
  boostChoices(cases, valueBoosting, 3)
