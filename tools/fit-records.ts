import { writeFileSync } from "node:fs"
import { fileURLToPath } from "node:url"
import { readFootageFile } from "../bench/extraction/FootageRecord.ts"
import { chanceBy, type Trees } from "../workers/extraction/judge/Trees.ts"
import { type Member, MEMBER_FEATURES } from "../workers/extraction/lists/records/MemberFeatures.ts"
import { chancesOf } from "../workers/extraction/lists/records/Records.ts"
import { VALUE_FEATURES } from "../workers/extraction/lists/records/ValueFeatures.ts"
import { written } from "./fit-judge/Boosting.ts"
import { foldsOf } from "./fit-judge/ChoiceCases.ts"
import { fitMembers, fitValues, isMember, recordVideo, valueCases } from "./fit-judge/RecordCases.ts"

// Fits workers/extraction/lists/records/record-trees.json, which tell the members of lists and the values of their entries, on the written
// footage that is open (`bench/extraction/footage/dev*.jsonl`), about a minute: `node tools/fit-records.ts [FILE.jsonl …]`. First what they are
// worth by cross-validation over videos, then the final fit on everything. The test part is never read here.

const folder = new URL("../bench/extraction/footage/", import.meta.url)
const files = process.argv.length > 2
  ? process.argv.slice(2)
  : ["dev.jsonl", "dev-2.jsonl"].map((name) => fileURLToPath(new URL(name, folder)))
const folds = 4

console.log(`${MEMBER_FEATURES.length} features of names, ${VALUE_FEATURES.length} of values`)

const videos = files.flatMap((file) => readFootageFile(file).records.map(recordVideo))
const fold = foldsOf(videos.map(({ id }) => id), folds, 1)
const unseen = new Map<Member, number>()
const parts = Array.from({ length: folds }, (_, at) => ({
  seen: videos.filter(({ id }) => fold.get(id) !== at),
  left: videos.filter(({ id }) => fold.get(id) === at)
}))
for (const { left, seen } of parts) {
  const trees = fitMembers(seen)
  for (const { members } of left.flatMap(({ lists }) => lists)) {
    for (const one of members) unseen.set(one, chanceBy(trees, one.features))
  }
}
const cases = new Map(videos.map((video) => [video, valueCases(video, (member) => unseen.get(member)!)]))
const told = (name: string, said: ReadonlyArray<{ readonly chance: number; readonly right: boolean }>): void => {
  for (const least of [0.25, 0.31, 0.4, 0.5, 0.6, 0.8]) {
    const given = said.filter(({ chance }) => chance >= least)
    const right = given.filter((one) => one.right).length
    console.log(`${name} from ${least}: ${given.length} given, ${right} right (${(right / given.length).toFixed(2)})`)
  }
}
told(
  "names of entries",
  videos.flatMap(({ lists }) =>
    lists.flatMap((list) => list.members.map((one) => ({ chance: unseen.get(one)!, right: isMember(list, one) })))
  )
)
told(
  "their other values",
  parts.flatMap(({ left, seen }) => {
    const trees = fitValues(seen.flatMap((video) => cases.get(video)!))
    return left.flatMap((video) => cases.get(video)!).map((options) => {
      const chances = chancesOf(trees, options)
      const chance = Math.max(...chances)
      return { chance, right: options[chances.indexOf(chance)]!.right }
    })
  })
)

const rows = ({ base, trees }: Trees): string =>
  `{\n    "base": ${base},\n    "trees": [\n      ${trees.map(written).join(",\n      ")}\n    ]\n  }`
const made_by = "node tools/fit-records.ts, from the written footage bench/extraction/footage/dev*.jsonl"
writeFileSync(
  new URL("../workers/extraction/lists/records/record-trees.json", import.meta.url),
  `{\n  "made_by": ${JSON.stringify(made_by)},\n  "members": ${rows(fitMembers(videos))},\n  "values": ${
    rows(fitValues(Array.from(cases.values()).flat()))
  }\n}\n`
)
