import { join } from "node:path"
import { expect, test } from "vitest"
import { readFootageFile } from "../../../../bench/extraction/FootageRecord.ts"
import { playTrials } from "../../../../bench/gate/SwapTrials.ts"
import { PROPOSAL_FEATURES } from "../../../../workers/extraction/judge/ProposalFeatures.ts"
import { proposalTrees } from "../../../../workers/extraction/judge/ProposalWeights.ts"
import { chanceBy } from "../../../../workers/extraction/judge/Trees.ts"

const footage = join(import.meta.dirname, "../../../../bench/extraction/footage/dev-2.jsonl")

test("of two values of a model with true quotes the one that answers its field is believed more, six times out of seven", () => {
  const played = readFootageFile(footage).records.slice(0, 8).flatMap((record) => playTrials(record).played)
  const said = played.flatMap(({ features, swap }) => {
    expect(features === null || features.length === PROPOSAL_FEATURES.length).toBe(true)
    return features === null ? [] : [{ right: swap === null, chance: chanceBy(proposalTrees, features) }]
  })
  expect(said.every(({ chance }) => chance >= 0 && chance <= 1)).toBe(true)
  const [right, wrong] = [said.filter((one) => one.right), said.filter((one) => !one.right)]
  const pairs = right.flatMap((a) => wrong.map((b) => a.chance > b.chance))
  expect(pairs.filter(Boolean).length / pairs.length).toBeGreaterThan(6 / 7)
})
