import { createHash } from "node:crypto"
import { readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import {
  dialogueDocument,
  type DialogueRecord,
  readLines,
  sameValue,
  scoreDialogues,
  videoDocument
} from "../bench/extraction/ExtractionData.ts"
import { candidatesFor } from "../workers/extraction/LeafCandidates.ts"
import { type Leaf, planOf } from "../workers/extraction/Plan.ts"
import { Context, FEATURES, featuresOf } from "../workers/extraction/RankFeatures.ts"
import { read } from "../workers/extraction/Reading.ts"

// Fits the constants of workers/extraction/RankWeights.ts: `node tools/fit-ranker.ts [folder]`, about a minute.
// First the honest figure (fitted on the training services, scored on the others), then the final fit on both.

const folder = process.argv[2] ??
  join(fileURLToPath(new URL("..", import.meta.url)), "..", "shared", "assets", "extraction", "dev")
const ITERATIONS = 500
const L2 = 5e-3
const THRESHOLD = 0.4

interface Example {
  readonly features: ReadonlyArray<number>
  readonly right: boolean
}

const examplesOf = (record: DialogueRecord): ReadonlyArray<Example> => {
  const reading = read(dialogueDocument(record))
  const { leaves } = planOf(record.schema)
  return examples(reading, leaves, (leaf, value) => {
    const gold = record.gold[leaf.template]
    if (gold !== undefined) return sameValue(value, gold.accept)
    // A value that one side offered and nobody took is neither right nor wrong.
    return sameValue(String(value), record.optional[leaf.template] ?? []) ? undefined : false
  })
}

const examples = (
  reading: ReturnType<typeof read>,
  leaves: ReadonlyArray<Leaf>,
  judge: (leaf: Leaf, value: unknown) => boolean | undefined
): ReadonlyArray<Example> => {
  const context = new Context(reading, leaves)
  return leaves.flatMap((leaf) =>
    candidatesFor(reading, leaf).flatMap(({ candidate, value }) => {
      const right = judge(leaf, value)
      return right === undefined ? [] : [{ features: featuresOf(reading, leaf, candidate, context), right }]
    })
  )
}

/** Logistic regression by Adam (Kingma, D. and Ba, J., 2015) over the whole set, right answers weighted by the root of their rarity. */
const fit = (data: ReadonlyArray<Example>): ReadonlyArray<number> => {
  const size = FEATURES.length
  const rows = data.map((example) => Float64Array.from(example.features))
  const positives = data.filter((example) => example.right).length
  const rarity = Math.sqrt((data.length - positives) / positives)
  const [weights, mean, square] = [0, 1, 2].map(() => new Float64Array(size)) as [
    Float64Array,
    Float64Array,
    Float64Array
  ]
  for (let step = 1; step <= ITERATIONS; step++) {
    const gradient = new Float64Array(size)
    rows.forEach((row, at) => {
      let sum = 0
      for (let k = 0; k < size; k++) sum += row[k]! * weights[k]!
      const { right } = data[at]!
      const error = (1 / (1 + Math.exp(-sum)) - (right ? 1 : 0)) * (right ? rarity : 1)
      for (let k = 0; k < size; k++) gradient[k]! += error * row[k]!
    })
    for (let k = 0; k < size; k++) {
      const slope = gradient[k]! / rows.length + (k === 0 ? 0 : L2 * weights[k]!)
      mean[k] = 0.9 * mean[k]! + 0.1 * slope
      square[k] = 0.999 * square[k]! + 0.001 * slope * slope
      weights[k]! -= (0.05 * (mean[k]! / (1 - 0.9 ** step))) / (Math.sqrt(square[k]! / (1 - 0.999 ** step)) + 1e-8)
    }
  }
  return Array.from(weights, (weight) => Math.round(weight * 1000) / 1000 + 0)
}

const files = ["sgd_train.jsonl", "sgd.jsonl", "videos.jsonl"].map((name) => join(folder, name)) as [
  string,
  string,
  string
]
const [train, other] = [readLines<DialogueRecord>(files[0]), readLines<DialogueRecord>(files[1])]
const videos = readLines<Parameters<typeof videoDocument>[0]>(files[2]).flatMap((record) => {
  const reading = read(videoDocument(record))
  const { leaves } = planOf(record.schema)
  return examples(reading, leaves, (leaf, value) => {
    const gold = record.gold[leaf.name]
    return gold !== undefined && (typeof gold === "string" ? sameValue(value, [gold]) : gold === value)
  })
})
const trained = train.flatMap(examplesOf)
const honest = scoreDialogues(other, { weights: fit([...trained, ...videos]), threshold: THRESHOLD })
console.log("fitted on the training services, scored on the others:", honest)

const weights = fit([...trained, ...other.flatMap(examplesOf), ...videos])
const sha256 = createHash("sha256")
for (const file of files) sha256.update(readFileSync(file))
const lines = weights.map((weight, at) => `    ${weight}${at === weights.length - 1 ? "" : ","} // ${FEATURES[at]}`)
writeFileSync(
  fileURLToPath(new URL("../workers/extraction/RankWeights.ts", import.meta.url)),
  `import type { RankModel } from "./Rank.ts"

// Written by tools/fit-ranker.ts. Data: SHA-256 ${sha256.digest("hex")} over
// sgd_train.jsonl, sgd.jsonl and videos.jsonl, one after the other. Fitted on the first and the last alone it scores F1 ${honest.value_f1} on the
// second, whose services it has then never seen.

/** The fitted constants of the ranker, in the order of \`FEATURES\`. */
export const RANK_MODEL: RankModel = {
  threshold: ${THRESHOLD},
  weights: [
${lines.join("\n")}
  ]
}
`
)
