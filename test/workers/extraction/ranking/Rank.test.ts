import { join } from "node:path"
import { expect, test } from "vitest"
import { videoDocument } from "../../../../bench/extraction/ExtractionData.ts"
import { readFootageFile } from "../../../../bench/extraction/FootageRecord.ts"
import { read } from "../../../../workers/extraction/candidates/Reading.ts"
import { type Ranked, scoreAll } from "../../../../workers/extraction/ranking/Rank.ts"
import { RANK_MODEL } from "../../../../workers/extraction/ranking/RankWeights.ts"
import { planOf } from "../../../../workers/extraction/text/Plan.ts"

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
