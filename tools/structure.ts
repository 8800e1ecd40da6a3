import { fileURLToPath } from "node:url"
import { styleText } from "node:util"
import { findingsOf, medianLines } from "./structure/Findings.ts"
import { house } from "./structure/House.ts"
import { arrowsOf, readSources } from "./structure/Tree.ts"

/**
 * Prints what the import graph and the sizes of `src`, `workers` and `app` make of the house's rules, and exits with 1 where one
 * is broken. `--why` names what is let pass, each with its reason.
 */
const sources = readSources(fileURLToPath(new URL("..", import.meta.url)), ["src", "workers", "app"])
const findings = findingsOf(house, sources)
const arrows = arrowsOf(sources)
process.stdout.write(
  `${sources.size} files, median ${medianLines(sources)} lines; ${arrows.length} imports, ${
    arrows.filter(({ type }) => !type).length
  } of them by value\n`
)
for (const { rule, broken, excused } of findings) {
  const passed = excused.length === 0 ? "" : `, ${excused.length} with a reason`
  process.stdout.write(`${styleText(broken.length === 0 ? "green" : "red", String(broken.length))} ${rule}${passed}\n`)
  for (const line of broken) process.stdout.write(`  ${line}\n`)
  if (process.argv.includes("--why")) { for (const line of excused) process.stdout.write(`  let pass: ${line}\n`) }
}
process.exitCode = findings.every(({ broken }) => broken.length === 0) ? 0 : 1
