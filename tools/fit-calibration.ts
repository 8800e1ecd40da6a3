import { writeFileSync } from "node:fs"
import { fileURLToPath } from "node:url"
import { readFootageFile } from "../bench/extraction/FootageRecord.ts"
import { extractFootage } from "../bench/extraction/FootageRun.ts"
import { calibrationError, scoreRecord } from "../bench/extraction/FootageScore.ts"
import { calibrationTerms, type Footing } from "../workers/extraction/judge/Calibration.ts"
import { thresholds } from "../workers/extraction/judge/JudgeWeights.ts"
import { handOf } from "./fit-judge/Hands.ts"
import { judgeCases } from "./fit-judge/JudgeCases.ts"
import { fitProbability } from "./fit-ranker/Logistic.ts"

// Fits workers/extraction/judge/CalibrationWeights.ts, about four minutes, after `tools/fit-judge.ts`: `node tools/fit-calibration.ts`. The judge's
// word is taken for videos that it has not seen: of those that it was fitted on, from trees that have not seen their writer; of the others as it is. First the
// honest figures, by cross-validation over all writers. The test parts are never read here.

const inFolder = (name: string): string =>
  fileURLToPath(new URL(`../bench/extraction/footage/${name}.jsonl`, import.meta.url))
const seen = ["dev", "dev-2"].map(inFolder)
const strange = ["dev-3", "dev-4", "clips-dev", "clips-dev-2"].map(inFolder)

interface Given {
  readonly file: string
  readonly writer: string
  readonly said: number
  readonly terms: ReadonlyArray<number>
  readonly right: boolean
}

const ofSeen = judgeCases(seen).unseen.filter(({ said }) => said >= thresholds.balanced)
  .map(({ file, footing, right, said, writer }): Given => ({
    file,
    writer: `seen ${writer}`,
    said,
    terms: calibrationTerms(said, footing),
    right
  }))
const read = strange.map((file) => ({ file, records: readFootageFile(file).records }))
const hands = handOf(read.map(({ file, records }) => ({ file, videos: records.map(({ id }) => id) })))
const ofStrangers = read.flatMap(({ file, records }) =>
  records.flatMap((record) => {
    let footing: Footing = { words: 0, order: 0 }
    const { evidence: { spans }, result } = extractFootage(record, "balanced", {
      observe: (_placed, stands) => {
        footing = stands
      }
    })
    const answers = new Map(spans.map(({ checks, pointer }) => [pointer, checks.answers]))
    return scoreRecord(record, { result, spans }).given.flatMap(({ pointer, right }): ReadonlyArray<Given> => {
      const said = answers.get(pointer)
      return said === undefined || said === null
        ? []
        : [{ file, writer: `${hands.get(record.id)}`, said, terms: calibrationTerms(said, footing), right }]
    })
  })
)

const all = [...ofSeen, ...ofStrangers]
const writers = Array.from(new Set(all.map(({ writer }) => writer)))
const fit = (some: ReadonlyArray<Given>): ReadonlyArray<number> =>
  fitProbability(some.map(({ right, terms }) => ({ features: [1, ...terms], right })))
const chanceOf = (weights: ReadonlyArray<number>, { terms }: Given): number =>
  1 / (1 + Math.exp(-[1, ...terms].reduce((sum, term, at) => sum + term * weights[at]!, 0)))
const unseen = writers.flatMap((writer) => {
  const weights = fit(all.filter((one) => one.writer !== writer))
  return all.filter((one) => one.writer === writer).map((one) => Object.assign({ told: chanceOf(weights, one) }, one))
})
const errors = (some: typeof unseen): string =>
  [
    calibrationError(some.map(({ right, said }) => ({ confidence: said, right }))),
    calibrationError(some.map(({ right, told }) => ({ confidence: told, right })))
  ].join(" as the judge says it, calibrated ")
for (const file of [...seen, ...strange]) {
  const own = unseen.filter((one) => one.file === file)
  console.log(`${file}: ${own.length} values, calibration error ${errors(own)}`)
}
console.log(`all: ${errors(unseen)}`)
const mean = (of: (one: (typeof unseen)[number]) => number): number =>
  writers.reduce((sum, writer) => {
    const own = unseen.filter((one) => one.writer === writer)
    return sum + calibrationError(own.map((one) => ({ confidence: of(one), right: one.right })))! / writers.length
  }, 0)
console.log(
  `mean over ${writers.length} writers: ${mean(({ said }) => said).toFixed(3)}, calibrated ${
    mean(({ told }) => told).toFixed(3)
  }`
)
const [base, ...weights] = fit(all)
writeFileSync(
  new URL("../workers/extraction/judge/CalibrationWeights.ts", import.meta.url),
  `// Written by tools/fit-calibration.ts, from ${all.length} values of ${writers.length} writers.

/** Weights of \`calibrationTerms\`. */
export const calibration = { base: ${base}, weights: [${weights.join(", ")}] } as const
`
)
