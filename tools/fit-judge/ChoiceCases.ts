import { sameValue, videoArtifacts } from "../../bench/extraction/ExtractionData.ts"
import type { FootageRecord } from "../../bench/extraction/FootageRecord.ts"
import type { JsonSchema } from "../../src/schemas/json-schema/JsonSchema.ts"
import { normaliseDialect } from "../../src/schemas/json-schema/JsonSchemaDialect.ts"
import { registryOf } from "../../workers/extraction/candidates/EntityRegistry.ts"
import { read } from "../../workers/extraction/candidates/Reading.ts"
import type { Trees } from "../../workers/extraction/judge/Trees.ts"
import { treeDepth } from "../../workers/extraction/judge/Trees.ts"
import { choicesIn } from "../../workers/extraction/proposers/Propose.ts"
import { leavesOf } from "../../workers/extraction/text/InstanceLeaves.ts"
import { planOf } from "../../workers/extraction/text/Plan.ts"
import { sentencesOf } from "../../workers/extraction/text/Sentences.ts"
import { makeSourceDocument } from "../../workers/extraction/text/SourceDocument.ts"
import type { Example } from "../fit-ranker/Logistic.ts"
import { boostChoices, type BoostingOptions, numbersFrom } from "./Boosting.ts"

/** The values that one single leaf of a video might have, and which of them are right. */
export interface ChoiceCase {
  readonly video: string
  readonly leaf: string
  readonly options: ReadonlyArray<Example>
}

/** The choices of a video, those without any right value included: the trees learn from them to choose nothing. */
export const choiceCasesOf = (record: FootageRecord): ReadonlyArray<ChoiceCase> => {
  const document = makeSourceDocument(videoArtifacts(record))
  const reading = read(document)
  const material = { reading, sentences: sentencesOf(document), registry: registryOf(reading) }
  const plan = planOf(normaliseDialect(record.schema as JsonSchema))
  const gold = new Map(Array.from(leavesOf(record.gold), ({ pointer, value }) => [pointer, value]))
  return choicesIn(material, plan).flatMap((options): ReadonlyArray<ChoiceCase> => {
    const [first] = options
    if (first === undefined) return []
    const { template } = first.one.leaf
    const wanted = gold.get(template)
    const isRight = (value: unknown): boolean =>
      wanted !== undefined && (typeof wanted === "string" ? sameValue(String(value), [wanted]) : wanted === value)
    return [{
      video: record.id,
      leaf: template,
      options: options.map(({ features, one }) => ({ features, right: isRight(one.value) }))
    }]
  })
}

const options: BoostingOptions = { trees: 300, rate: 0.06, least: 20, shrinkage: 3, examples: 0.7, features: 0.4 }

/** The trees that choose, fitted on the choices of some videos. */
export const fitChoice = (cases: ReadonlyArray<ChoiceCase>): Trees =>
  boostChoices(cases.map((one) => one.options), options, treeDepth)

/** Videos in so many parts of like size, by a seed. */
export const foldsOf = (videos: ReadonlyArray<string>, folds: number, seed: number): ReadonlyMap<string, number> => {
  const random = numbersFrom(seed)
  const shuffled = videos.map((video) => ({ video, at: random() })).toSorted((a, b) => a.at - b.at)
  return new Map(shuffled.map(({ video }, at) => [video, at % folds]))
}
