import { basename } from "node:path"
import { type FootageRecord, readFootageFile } from "../../bench/extraction/FootageRecord.ts"
import { extractFootage } from "../../bench/extraction/FootageRun.ts"
import { scoreRecord } from "../../bench/extraction/FootageScore.ts"
import { choiceTrees } from "../../workers/extraction/choice/ChoiceWeights.ts"
import { isCertain } from "../../workers/extraction/judge/Certainty.ts"
import { chanceBy, treeDepth, type Trees } from "../../workers/extraction/judge/Trees.ts"
import { boost, type BoostingOptions } from "./Boosting.ts"
import { choiceCasesOf, fitChoice } from "./ChoiceCases.ts"
import { handOf } from "./Hands.ts"

export const options: BoostingOptions = {
  trees: 300,
  rate: 0.06,
  least: 12,
  shrinkage: 3,
  examples: 0.7,
  features: 0.5
}
/** A value that is judged, and whether it is right. */
export interface JudgeCase {
  readonly file: string
  readonly video: string
  readonly features: ReadonlyArray<number>
  readonly right: boolean
  readonly weight: number
  /** Whether a strict result may have it. */
  readonly certain: boolean
}

/** A case with what the judge says of it when it has not seen who wrote the case's video. */
export interface UnseenCase extends JudgeCase {
  readonly said: number
  readonly writer: number
}

/** The values of a video, whatever the judge says of them now. */
export const judgeCasesOf = (file: string, record: FootageRecord, choice: Trees): ReadonlyArray<JudgeCase> => {
  const features = new Map<string, ReadonlyArray<number>>()
  const { evidence: { spans }, result } = extractFootage(record, "balanced", {
    choice,
    observe: (placed) => {
      for (const one of placed) features.set(one.pointer, one.features)
    }
  })
  const proposers = new Map(spans.map(({ pointer, proposed_by }) => [pointer, proposed_by]))
  return scoreRecord(record, { result, spans }).given.flatMap(({ pointer, right }) => {
    const own = features.get(pointer)
    const certain = own !== undefined && isCertain(proposers.get(pointer)!, own)
    return own === undefined ? [] : [{ file, video: record.id, features: own, right, weight: 1, certain }]
  })
}

/** Whether the trees that choose are fitted on a file: of writers whom they have seen they are too sure. */
const isChosenFrom = (file: string): boolean => /^dev(?:-2)?\.jsonl$/u.test(basename(file))

/** What of these files the judge learns from, and what trees say of each value that have not seen its writer, in choosing or in judging. */
export const judgeCases = (files: ReadonlyArray<string>): {
  readonly read: ReadonlyArray<{ readonly file: string; readonly records: ReadonlyArray<FootageRecord> }>
  readonly cases: ReadonlyArray<JudgeCase>
  readonly unseen: ReadonlyArray<UnseenCase>
} => {
  const read = files.map((file) => ({ file, records: readFootageFile(file).records }))
  const hands = handOf(read.map(({ file, records }) => ({ file, videos: records.map(({ id }) => id) })))
  const choices = read.filter(({ file }) => isChosenFrom(file)).flatMap(({ records }) => records.flatMap(choiceCasesOf))
  const choosing = new Set(choices.map(({ video }) => hands.get(video)!))
  const choiceWithout = new Map(
    Array.from(choosing, (writer) => [writer, fitChoice(choices.filter(({ video }) => hands.get(video) !== writer))])
  )
  const cases = read.flatMap(({ file, records }) =>
    records.flatMap((record) => judgeCasesOf(file, record, choiceWithout.get(hands.get(record.id)!) ?? choiceTrees))
  )
  const writers = Array.from(new Set(hands.values()))
  const unseen = writers.flatMap((writer) => {
    const trees = boost(cases.filter(({ video }) => hands.get(video) !== writer), options, treeDepth)
    return cases.filter(({ video }) => hands.get(video) === writer)
      .map((one) => Object.assign({ said: chanceBy(trees, one.features), writer }, one))
  })
  return { read, cases, unseen }
}
