import { footnote, hyperjump, type Judge, plainAjv } from "./schemas/Judges.ts"
import { type PartScore, scoreSuite } from "./schemas/SuiteScore.ts"
import { printed } from "./speech/Table.ts"

const total = (scores: ReadonlyArray<PartScore>, count: (score: PartScore) => number): number =>
  scores.reduce((sum, score) => sum + count(score), 0)

const refusals = ({ refused }: PartScore): number => Object.values(refused).reduce((sum, count) => sum + count, 0)

const ownTable = (scores: ReadonlyArray<PartScore>, markdown: boolean): string =>
  printed({
    titles: ["draft", "part", "cases", "right", "wrong", "refused", "by decision", "refused for"],
    rows: scores.map((score) => [
      score.draft,
      score.part,
      String(score.cases),
      String(score.right),
      String(score.wrong.length),
      String(refusals(score)),
      String(score.by_decision),
      Object.entries(score.refused).toSorted().map(([reason, count]) => `${reason} ${count}`).join(", ")
    ])
  }, markdown)

/**
 * Puts the official JSON Schema test suite before what a caller gets (registration, then the gate for results), beside ajv as
 * it comes and hyperjump where that is installed: cases right, wrong and refused with a reason, each wrong one by name.
 */
export const run = async (folders: ReadonlyArray<string>, { markdown }: { readonly markdown: boolean }) => {
  const [folder] = folders
  if (folder === undefined) throw new Error("No test suite.")
  const other = await hyperjump()
  const judges: Readonly<Record<string, Judge>> = {
    footnote,
    ajv: plainAjv,
    ...(other === undefined ? {} : { hyperjump: other })
  }
  const rows: Array<ReadonlyArray<string>> = []
  const results: Record<string, ReadonlyArray<PartScore>> = {}
  for (const [name, judge] of Object.entries(judges)) {
    const start = performance.now()
    const scores = await scoreSuite(folder, judge)
    const seconds = (performance.now() - start) / 1000
    results[name] = scores
    if (name === "footnote") {
      console.log(`${ownTable(scores, markdown)}\n`)
      for (const wrong of scores.flatMap((score) => score.wrong)) console.log(`wrong: ${wrong}`)
    }
    const required = scores.filter(({ part }) => part === "required")
    rows.push([
      name,
      String(total(required, ({ right }) => right)),
      String(total(required, ({ wrong }) => wrong.length)),
      String(total(scores, ({ right }) => right)),
      String(total(scores, ({ wrong }) => wrong.length)),
      String(total(scores, refusals)),
      seconds.toFixed(1)
    ])
  }
  const titles = ["judge", "required right", "required wrong", "all right", "all wrong", "all refused", "seconds"]
  console.log(`\n${printed({ titles, rows }, markdown)}`)
  if (other === undefined) console.log("hyperjump: not installed, not compared")
  return results
}
