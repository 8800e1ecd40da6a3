import type { Judge } from "./Judges.ts"
import { readGroups, suiteDrafts, type SuitePart, suiteParts } from "./TestSuite.ts"

/** How one judge did on one part of one draft, in cases (a value with the verdict that the suite wants). */
export interface PartScore {
  readonly draft: string
  readonly part: SuitePart
  readonly cases: number
  readonly right: number
  /** Otherwise than the suite wants, by a decision that is written down: see `byDecision`. */
  readonly by_decision: number
  /** Cases whose schema was refused, by reason. */
  readonly refused: Readonly<Record<string, number>>
  /** Each other verdict than the suite's, and each schema called unsatisfiable that a value of the suite fits. */
  readonly wrong: ReadonlyArray<string>
}

/**
 * Files in which another verdict is meant: the required part wants formats told and not asserted, which we assert; and JSON
 * as JavaScript reads it has no 1.0 beside 1, which draft-04 takes for no integer.
 */
const byDecision: Readonly<Record<SuitePart, ReadonlySet<string>>> = {
  required: new Set(["format.json"]),
  optional: new Set(["zeroTerminatedFloats.json"]),
  format: new Set()
}

const scorePart = async (folder: string, draft: string, part: SuitePart, judge: Judge): Promise<PartScore> => {
  const refused: Record<string, number> = {}
  const wrong: Array<string> = []
  let [cases, right, decided] = [0, 0, 0]
  for (const group of readGroups(folder, draft, part)) {
    cases += group.tests.length
    const judged = await judge(group, draft, part)
    const place = `${draft}/${part}/${group.file}: ${group.description}`
    if ("refused" in judged) {
      const fits = group.tests.find(({ valid }) => valid)
      if (judged.refused === "unsatisfiable" && fits !== undefined) {
        wrong.push(`${place}: refused, but: ${fits.description}`)
      } else refused[judged.refused] = (refused[judged.refused] ?? 0) + group.tests.length
      continue
    }
    for (const [index, test] of group.tests.entries()) {
      if (judged.verdicts[index] === test.valid) right++
      else if (byDecision[part].has(group.file)) decided++
      else wrong.push(`${place}: ${test.description} (${test.valid ? "fits" : "does not fit"})`)
    }
  }
  return { draft, part, cases, right, by_decision: decided, refused, wrong }
}

/** Puts every case of the suite in `folder` before a judge, part by part. */
export const scoreSuite = async (folder: string, judge: Judge): Promise<ReadonlyArray<PartScore>> => {
  const scores: Array<PartScore> = []
  for (const draft of Object.keys(suiteDrafts)) {
    for (const part of Object.keys(suiteParts) as Array<SuitePart>) {
      scores.push(await scorePart(folder, draft, part, judge))
    }
  }
  return scores
}
