import { assert, describe, it } from "@effect/vitest"
import { readFileSync } from "node:fs"
import { dashboard, dashboardQueries, dcgmNames, metricNames } from "../../tools/kubernetes/Dashboard.ts"

const text = (path: string) => readFileSync(new URL(`../../${path}`, import.meta.url), "utf8")

describe("deploy/grafana/footnote.json", () => {
  it("is what npm run kubernetes writes", () => {
    assert.deepStrictEqual(JSON.parse(text("deploy/grafana/footnote.json")), JSON.parse(JSON.stringify(dashboard())))
  })

  it("asks for no metric that the code does not make, or that is not DCGM's", () => {
    const known = metricNames()
    const asked = new Set(dashboardQueries().flatMap((query) => query.match(/\b(?:footnote|DCGM)_\w+/gu) ?? []))
    assert.isAbove(asked.size, 20)
    assert.deepStrictEqual([...asked].filter((name) => !known.has(name) && !dcgmNames.has(name)), [])
  })

  it("has every metric of docs/operations.md in the code, and every one of the code in the table", () => {
    const told = new Set(
      text("docs/operations.md").split("\n").filter((line) => line.startsWith("| `footnote_"))
        .flatMap((line) => line.split("|")[1]!.match(/footnote_\w+/gu) ?? [])
    )
    const made = new Set([...metricNames()].filter((name) => !/_(bucket|sum|count)$/u.test(name)))
    assert.sameMembers([...told], [...made])
  })
})
