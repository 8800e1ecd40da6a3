import assert from "node:assert"
import { describe, it } from "vitest"
import { footnote } from "../../bench/schemas/Judges.ts"
import { type PartScore, scoreSuite } from "../../bench/schemas/SuiteScore.ts"
import { suiteFolder, suiteIsThere } from "./schemaTestSuite.ts"

/** Cases, those answered as the suite wants, and those whose schema is refused, by reason. */
const expected: Readonly<Record<string, readonly [number, number, Readonly<Record<string, number>>]>> = {
  "draft2020-12 required": [1299, 1187, { external_ref: 48, unsatisfiable: 40, unsupported_dialect: 5 }],
  "draft2020-12 optional": [162, 157, { external_ref: 1, unsupported_dialect: 4 }],
  "draft2020-12 format": [764, 764, {}],
  "draft2019-09 required": [1259, 1178, { external_ref: 35, unsatisfiable: 41, unsupported_dialect: 5 }],
  "draft2019-09 optional": [158, 155, { external_ref: 3 }],
  "draft2019-09 format": [757, 757, {}],
  "draft7 required": [927, 866, { external_ref: 27, unsatisfiable: 34 }],
  "draft7 optional": [118, 116, { external_ref: 2 }],
  "draft7 format": [676, 676, {}],
  "draft6 required": [839, 778, { external_ref: 27, unsatisfiable: 34 }],
  "draft6 optional": [106, 106, {}],
  "draft6 format": [325, 325, {}],
  "draft4 required": [618, 588, { external_ref: 21, unsatisfiable: 9 }],
  "draft4 optional": [100, 99, {}],
  "draft4 format": [219, 219, {}]
}

/** 19 of `format.json`, which wants formats told and not asserted; one of draft-04, which takes 1.0 for no integer. */
const byDecision: Readonly<Record<string, number>> = { "draft2020-12 required": 19, "draft4 optional": 1 }

const nameOf = ({ draft, part }: PartScore): string => `${draft} ${part}`

describe("the official JSON Schema test suite", () => {
  it.skipIf(!suiteIsThere)("is answered rightly or its schema refused with a reason, case by case", async () => {
    const scores = await scoreSuite(suiteFolder, footnote)
    assert.deepStrictEqual(scores.flatMap(({ wrong }) => wrong), [])
    assert.deepStrictEqual(
      Object.fromEntries(scores.map((score) => [nameOf(score), [score.cases, score.right, score.refused]])),
      expected
    )
    const decided = scores.filter(({ by_decision }) => by_decision > 0)
    assert.deepStrictEqual(
      Object.fromEntries(decided.map((score) => [nameOf(score), score.by_decision])),
      byDecision
    )
  })
})
