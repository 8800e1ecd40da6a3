import { existsSync, readFileSync } from "node:fs"
import { relative } from "node:path"

// `node tools/ci-report.ts FIRST [SECOND]`: the closing lines of a test run from vitest's JSON reports, the second of what failed in the
// first and ran again. `--files FIRST` gives the files to run again, one a line.

interface Report {
  readonly numPassedTests: number
  readonly numFailedTests: number
  readonly numPendingTests: number
  readonly testResults: ReadonlyArray<{
    readonly name: string
    readonly status: string
    /** In ms of Unix time. */
    readonly startTime: number
    readonly endTime: number
    readonly assertionResults: ReadonlyArray<{ readonly fullName: string; readonly status: string }>
  }>
}

const reportOf = (file: string | undefined): Report | undefined => {
  const text = file === undefined || !existsSync(file) ? "" : readFileSync(file, "utf8")
  return text === "" ? undefined : JSON.parse(text)
}

const failedTests = ({ testResults }: Report): ReadonlyArray<string> =>
  testResults.flatMap(({ assertionResults, name, status }) => {
    const tests = assertionResults.filter((test) => test.status === "failed").map(({ fullName }) => fullName)
    // A file that does not load has no tests to fail.
    return tests.length > 0 || status !== "failed" ? tests : [name]
  })

/** Where a run's time went. */
const slowest = ({ testResults }: Report, most: number): ReadonlyArray<string> =>
  testResults.map(({ endTime, name, startTime }) => ({ name, seconds: (endTime - startTime) / 1000 }))
    .toSorted((a, b) => b.seconds - a.seconds).slice(0, most)
    .map(({ name, seconds }) => `${seconds.toFixed(0).padStart(5)} s  ${relative(process.cwd(), name)}`)

const skippedTests = ({ testResults }: Report): ReadonlyArray<string> =>
  testResults.flatMap(({ assertionResults, name }) =>
    assertionResults.filter(({ status }) => status === "skipped" || status === "pending")
      .map(({ fullName }) => `${relative(process.cwd(), name)}: ${fullName}`)
  )

const [option, file] = process.argv.slice(2)
const first = reportOf(option === "--files" ? file : option)
if (first === undefined) throw new Error("Usage: node tools/ci-report.ts [--files] FIRST [SECOND]")
if (option === "--files") {
  for (const { name, status } of first.testResults) if (status === "failed") console.log(relative(process.cwd(), name))
} else {
  const second = reportOf(file)
  const before = failedTests(first)
  const still = second === undefined ? before : failedTests(second)
  const unsteady = before.filter((test) => !still.includes(test))
  for (const test of unsteady) console.log(`Unsteady, passed when it ran again: ${test}`)
  console.log("The ten slowest files:")
  for (const line of slowest(first, 10)) console.log(line)
  for (const test of skippedTests(first)) console.log(`Skipped for want of an asset, a program or a right: ${test}`)
  const skipped = first.numPendingTests > 0 ? `, ${first.numPendingTests} skipped` : ""
  console.log(`${first.numPassedTests + unsteady.length} passed, ${still.length} failed${skipped}`)
}
