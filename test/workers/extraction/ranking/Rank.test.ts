import { join } from "node:path"
import { expect, test } from "vitest"
import { videoDocument } from "../../../../bench/extraction/ExtractionData.ts"
import { readFootageFile } from "../../../../bench/extraction/FootageRecord.ts"
import { read } from "../../../../workers/extraction/candidates/Reading.ts"
import { type Ranked, scoreAll } from "../../../../workers/extraction/ranking/Rank.ts"
import { RANK_MODEL } from "../../../../workers/extraction/ranking/RankWeights.ts"
import { leafOf, planOf } from "../../../../workers/extraction/text/Plan.ts"
import { materialOf } from "../Footage.ts"

const footage = join(import.meta.dirname, "../../../../bench/extraction/footage/dev.jsonl")

test("a value is scored as beside all others where only some are wanted", () => {
  for (const record of readFootageFile(footage).records.slice(0, 5)) {
    const reading = read(videoDocument(record))
    const { leaves } = planOf(record.schema)
    const isWanted = ({ candidate, leaf }: Pick<Ranked, "candidate" | "leaf">) =>
      leaf === leaves[0] || candidate.passage.index % 3 === 0
    const all = scoreAll(reading, leaves, RANK_MODEL.weights)
    const some = scoreAll(reading, leaves, RANK_MODEL.weights, (leaf, candidate) => isWanted({ leaf, candidate }))
    expect(some.length).toBeGreaterThan(0)
    expect(some.length).toBeLessThan(all.length)
    expect(some).toEqual(all.filter(isWanted))
  }
})

/** The values that a field may have by what one sentence says. */
const scored = (name: string, schema: object, said: string): ReadonlyArray<unknown> =>
  scoreAll(materialOf([[0, "S1", said]]).reading, [leafOf(`/${name}`, name, schema as never)], RANK_MODEL.weights)
    .map(({ value }) => value)

test("years, days and times of the clock stand for their field without a word about it, other numbers do not", () => {
  const integer = { type: "integer" }
  expect(scored("year_created", integer, "This was painted in nineteen thirty-four, a very pretty thing.")).toEqual([
    1934
  ])
  expect(scored("year_created", integer, "There were eleven hundred of them, a very pretty thing.")).toEqual([])
  expect(scored("height_cm", integer, "This was painted in nineteen thirty-four, a very pretty thing.")).toEqual([])
  const clock = { type: "string", description: "HH:MM" }
  expect(scored("visit_time", clock, "He can be with you by twenty to two.")).toEqual(["13:40"])
})
