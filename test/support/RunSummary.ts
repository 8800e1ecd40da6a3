import { relative } from "node:path"
import type { Reporter, TestModule } from "vitest/node"

const most = 10

/** Ends a run with the ten slowest files and with the name of every test that was skipped, so that neither is found out later. */
export class RunSummary implements Reporter {
  onTestRunEnd(modules: ReadonlyArray<TestModule>): void {
    const files = modules.map((module) => ({
      name: relative(process.cwd(), module.moduleId),
      seconds: module.diagnostic().duration / 1000,
      skipped: [...module.children.allTests("skipped")].map(({ fullName }) => fullName)
    }))
    const slowest = files.toSorted((a, b) => b.seconds - a.seconds).slice(0, most)
    const lines = [
      ...slowest.map(({ name, seconds }) => `${seconds.toFixed(1).padStart(7)} s  ${name}`),
      ...files.flatMap(({ name, skipped }) => skipped.map((test) => `  skipped  ${name}: ${test}`))
    ]
    process.stdout.write(`\nThe ${slowest.length} slowest files, and what was skipped:\n${lines.join("\n")}\n`)
  }
}
