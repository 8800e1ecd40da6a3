import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, describe, expect, it } from "vitest"
import { footnote, type Judge, plainAjv } from "../../../bench/schemas/Judges.ts"
import { scoreSuite } from "../../../bench/schemas/SuiteScore.ts"

const folder = mkdtempSync(join(tmpdir(), "footnote-suite-"))
afterAll(() => rmSync(folder, { recursive: true }))

const valued = (data: unknown, valid: boolean) => ({ description: JSON.stringify(data), data, valid })
const group = (description: string, schema: unknown, ...tests: ReadonlyArray<unknown>) => ({
  description,
  schema,
  tests
})
const write = (path: string, groups: ReadonlyArray<unknown>) => {
  mkdirSync(join(folder, path, ".."), { recursive: true })
  writeFileSync(join(folder, path), JSON.stringify(groups))
}

write("draft7/type.json", [
  group("words", { type: "string" }, valued("a", true), valued(1, false)),
  group("elsewhere", { $ref: "https://example.com/a" }, valued(1, true)),
  group("nothing", false, valued(1, false))
])
write("draft7/format.json", [group("dates", { format: "date" }, valued("never", true), valued("2026-11-21", true))])
write("draft7/optional/format/date.json", [group("dates", { format: "date" }, valued("never", false))])

const score = async (judge: Judge) => (await scoreSuite(folder, judge)).filter(({ cases }) => cases > 0)

describe("scoreSuite", () => {
  it("counts cases right, refused by reason and otherwise by decision, part by part", async () => {
    expect(await score(footnote)).toEqual([
      {
        draft: "draft7",
        part: "required",
        cases: 6,
        right: 3,
        by_decision: 1,
        refused: { external_ref: 1, unsatisfiable: 1 },
        wrong: []
      },
      { draft: "draft7", part: "format", cases: 1, right: 1, by_decision: 0, refused: {}, wrong: [] }
    ])
  })

  it("asserts formats for another judge only where the suite does", async () => {
    const [required, format] = await score(plainAjv)
    expect([required!.right, required!.refused, format!.right]).toEqual([5, { throws: 1 }, 1])
  })

  it("names every wrong verdict, and every schema called unsatisfiable that a value fits", async () => {
    const [liar] = await score(({ tests }) => ({ verdicts: tests.map(({ valid }) => !valid) }))
    expect(liar!.right).toBe(0)
    expect(liar!.by_decision).toBe(2)
    expect(liar!.wrong).toHaveLength(4)
    expect(liar!.wrong[0]).toBe("draft7/required/type.json: words: \"a\" (fits)")
    const [denier] = await score(() => ({ refused: "unsatisfiable" }))
    expect(denier!.refused).toEqual({ unsatisfiable: 1 })
    expect(denier!.wrong).toHaveLength(3)
  })
})
