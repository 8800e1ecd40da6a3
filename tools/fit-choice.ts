import { writeFileSync } from "node:fs"
import { fileURLToPath } from "node:url"
import { readFootageFile } from "../bench/extraction/FootageRecord.ts"
import { CHOICE_FEATURES } from "../workers/extraction/choice/ChoiceFeatures.ts"
import { logitBy, type Trees } from "../workers/extraction/judge/Trees.ts"
import { written } from "./fit-judge/Boosting.ts"
import { type ChoiceCase, choiceCasesOf, fitChoice } from "./fit-judge/ChoiceCases.ts"
import { handOf } from "./fit-judge/Hands.ts"

// Fits workers/extraction/choice/choice-trees.json, which choose the values of single leaves, on the written footage that is open
// (`bench/extraction/footage/dev*.jsonl`), about two minutes: `node tools/fit-choice.ts [FILE.jsonl …]`. First what they are worth by
// cross-validation over videos, then the final fit on everything. The test part is never read here.

const folder = new URL("../bench/extraction/footage/", import.meta.url)
const files = process.argv.length > 2
  ? process.argv.slice(2)
  : ["dev.jsonl", "dev-2.jsonl"].map((name) => fileURLToPath(new URL(name, folder)))

const read = files.map((file) => ({ file, records: readFootageFile(file).records }))
const cases = read.flatMap(({ records }) => records.flatMap(choiceCasesOf))
const hands = handOf(read.map(({ file, records }) => ({ file, videos: records.map(({ id }) => id) })))
const writers = new Set(hands.values())

const bestOf = (trees: Trees, { options }: ChoiceCase): number => {
  const said = options.map(({ features }) => logitBy(trees, features))
  return said.indexOf(Math.max(...said))
}
const ranked = CHOICE_FEATURES.indexOf("rank")
let [first, before, possible] = [0, 0, 0]
for (const writer of writers) {
  const trees = fitChoice(cases.filter(({ video }) => hands.get(video) !== writer))
  for (const one of cases.filter(({ video }) => hands.get(video) === writer)) {
    if (one.options[bestOf(trees, one)]!.right) first++
    if (one.options.find(({ features }) => features[ranked] === 0)!.right) before++
    if (one.options.some(({ right }) => right)) possible++
  }
}
console.log(
  `${cases.length} single leaves of ${hands.size} videos by ${writers.size} writers; the right value is an option of ${possible}, the best of ${first} by unseen writers, of ${before} by the ranker alone`
)

const { base, trees } = fitChoice(cases)
const made_by = "node tools/fit-choice.ts, from the written footage bench/extraction/footage/dev*.jsonl"
writeFileSync(
  new URL("../workers/extraction/choice/choice-trees.json", import.meta.url),
  `{\n  "made_by": ${JSON.stringify(made_by)},\n  "base": ${base},\n  "trees": [\n    ${
    trees.map(written).join(",\n    ")
  }\n  ]\n}\n`
)
