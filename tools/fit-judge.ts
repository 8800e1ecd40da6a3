import { writeFileSync } from "node:fs"
import { fileURLToPath } from "node:url"
import { readFootageFile } from "../bench/extraction/FootageRecord.ts"
import { calibrationError } from "../bench/extraction/FootageScore.ts"
import { choiceTrees } from "../workers/extraction/choice/ChoiceWeights.ts"
import { JUDGE_FEATURES } from "../workers/extraction/judge/JudgeFeatures.ts"
import { chanceBy, treeDepth } from "../workers/extraction/judge/Trees.ts"
import { boost, written } from "./fit-judge/Boosting.ts"
import { judgeCases, judgeCasesOf, options, type UnseenCase } from "./fit-judge/JudgeCases.ts"

// Fits workers/extraction/judge/JudgeWeights.ts on the written footage that is open (`bench/extraction/footage/*dev*.jsonl`), about four minutes, after
// `tools/fit-choice.ts`: `node tools/fit-judge.ts`. First the honest figures, by cross-validation over the writers of the videos, from which the balanced
// thresholds follow; then the final fit on everything, with what it says of writers whom nothing was fitted on and whose videos nobody looked into
// (`*validation.jsonl`). The test parts are never read here.

const inFolder = (name: string): string =>
  fileURLToPath(new URL(`../bench/extraction/footage/${name}.jsonl`, import.meta.url))
const files = [
  "dev",
  "dev-2",
  "dev-3",
  "dev-4",
  "dev-5",
  "dev-6",
  "dev-7",
  "clips-dev",
  "clips-dev-2",
  "clips-dev-3",
  "clips-dev-4",
  "clips-dev-5"
].map(inFolder)
const strangers = ["validation", "clips-validation"].map(inFolder)

/** What `strict` promises of the values that it gives. */
const promised = 0.9
/** So much of F1 one video more or less makes. */
const chance = 0.005

const { cases, read, unseen } = judgeCases(files)

const auc = (some: ReadonlyArray<UnseenCase>): number => {
  const [right, wrong] = [some.filter((one) => one.right), some.filter((one) => !one.right)]
  let wins = 0
  for (const a of right) for (const b of wrong) wins += a.said > b.said ? 1 : a.said === b.said ? 0.5 : 0
  return wins / (right.length * wrong.length)
}
const two = (value: number): string => value.toFixed(3)
const leaves = new Map(
  read.map(({ file, records }) => [file, records.reduce((sum, { kinds }) => sum + Object.keys(kinds).length, 0)])
)
for (const file of files) {
  const own = unseen.filter((one) => one.file === file)
  console.log(`${file}: ${own.length} values, ${own.filter(({ right }) => right).length} right; AUC ${two(auc(own))}`)
  for (let least = 0.2; least < 0.96; least += 0.05) {
    const given = own.filter(({ said }) => said >= least)
    const right = given.filter((one) => one.right).length
    const precision = right / given.length
    const recall = right / leaves.get(file)!
    console.log(
      `  at ${least.toFixed(2)}: ${given.length} given, precision ${two(precision)}, recall ${two(recall)}, F1 ${
        two((2 * right) / (given.length + leaves.get(file)!))
      }`
    )
  }
}
/**
 * The lowest threshold from which on what is promised holds of all values that a strict result has, less one standard error: where it
 * was enough to miss it by one, 0.79 of 66 values of the test part were right.
 */
const strictFrom = (): number => {
  for (let least = 0.5; least < 0.97; least += 0.01) {
    const given = unseen.filter(({ certain, said }) => certain && said >= least)
    const share = given.filter(({ right }) => right).length / given.length
    console.log(`  at ${two(least)}: ${given.length} given, precision ${two(share)}`)
    if (share - Math.sqrt((share * (1 - share)) / given.length) >= promised) return least
  }
  return 0.97
}
const strict = strictFrom()
const f1From = (least: number): number => {
  const f1s = files.map((file) => {
    const given = unseen.filter((one) => one.file === file && one.said >= least)
    return (2 * given.filter(({ right }) => right).length) / (given.length + leaves.get(file)!)
  })
  return f1s.reduce((sum, one) => sum + one, 0) / f1s.length
}
/** Of thresholds whose F1 is the best but for chance, the highest: every lower one gives more that is wrong and that nobody answers. */
const steps = Array.from({ length: 80 }, (_, at) => at / 100)
const bestF1 = Math.max(...steps.map(f1From))
const least = steps.findLast((one) => f1From(one) >= bestF1 - chance)!
const balanced = { least, f1: f1From(least) }
console.log(
  `strict ${two(strict)}, balanced ${two(balanced.least)}, F1 ${two(balanced.f1)}`
)
const errorOf = (some: ReadonlyArray<{ readonly right: boolean; readonly said: number }>): string =>
  two(calibrationError(some.map(({ right, said }) => ({ confidence: said, right })))!)
console.log(`expected calibration error ${errorOf(unseen)}`)

const { base, trees } = boost(cases, options, treeDepth)
for (const file of strangers) {
  const given = readFootageFile(file).records.flatMap((record) => judgeCasesOf(file, record, choiceTrees))
    .map(({ features, right }) => ({ said: chanceBy({ base, trees }, features), right }))
    .filter(({ said }) => said >= balanced.least)
  console.log(`${file}: ${given.length} values, calibration error ${errorOf(given)}`)
}
const used = new Set(trees.flatMap((tree) => Array.from({ length: 2 ** treeDepth - 1 }, (_, at) => tree[2 * at]!)))
console.log(`never asked: ${JUDGE_FEATURES.filter((_, at) => !used.has(at)).join(", ")}`)
const rows = trees.map((tree) => `    ${written(tree)}`)
writeFileSync(
  new URL("../workers/extraction/judge/JudgeWeights.ts", import.meta.url),
  `import type { Trees } from "./Trees.ts"

// Written by tools/fit-judge.ts, from ${cases.length} values in ${
    read.reduce((sum, { records }) => sum + records.length, 0)
  } videos of written footage, by cross-validation over their writers.

/**
 * The least probability of a value that is given. The strict one is the lowest, by steps of 0.01, from which on 0.90 of the strict values of
 * writers whom no tree has seen are right, less one standard error; the balanced one the highest that costs less than 0.005 of F1.
 */
export const thresholds = { strict: ${two(strict)}, balanced: ${two(balanced.least)} } as const

/** Boosted trees over \`JUDGE_FEATURES\`. */
export const judgeTrees: Trees = {
  base: ${base},
  // dprint-ignore
  trees: [
${rows.join(",\n")}
  ]
}
`
)
