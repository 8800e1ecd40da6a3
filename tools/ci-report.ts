import { readdirSync, readFileSync } from "node:fs"
import { join, relative } from "node:path"
import { longTests } from "../test/support/LongTests.ts"

// `node tools/ci-report.ts LOGS`: the closing lines of a test run from vitest's JSON reports in a folder, of which `again.json` is of what failed in the
// others and ran again. `--files LOGS` gives the files to run again, one a line; `--batches` the long files, six a line.

/** As many as run in about three minutes: what begins last ends in time. */
const filesPerBatch = 6

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

const merged = (reports: ReadonlyArray<Report>): Report => ({
  numPassedTests: reports.reduce((sum, { numPassedTests }) => sum + numPassedTests, 0),
  numFailedTests: reports.reduce((sum, { numFailedTests }) => sum + numFailedTests, 0),
  numPendingTests: reports.reduce((sum, { numPendingTests }) => sum + numPendingTests, 0),
  testResults: reports.flatMap(({ testResults }) => testResults)
})

const reportsIn = (folder: string) => {
  const read = (names: ReadonlyArray<string>): ReadonlyArray<Report> =>
    names.map((name) => JSON.parse(readFileSync(join(folder, name), "utf8")))
  const names = readdirSync(folder)
  return {
    first: merged(read(names.filter((name) => name !== "again.json"))),
    again: read(names.filter((name) => name === "again.json"))[0]
  }
}

/** What no file that takes seconds holds goes before what one does: the last are those that a slow machine leaves out. */
const batches = (): ReadonlyArray<ReadonlyArray<string>> => {
  const files = Object.entries(longTests).toSorted(([, a], [, b]) => Number("none" in b) - Number("none" in a))
    .map(([file]) => file)
  return Array.from(
    { length: Math.ceil(files.length / filesPerBatch) },
    (_, at) => files.slice(filesPerBatch * at, filesPerBatch * (at + 1))
  )
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

const [option, folder = option] = process.argv.slice(2)
if (option === undefined) throw new Error("Usage: node tools/ci-report.ts [--files] LOGS | --batches")
if (option === "--batches") {
  for (const files of batches()) console.log(files.join(" "))
} else {
  const { again, first } = reportsIn(folder!)
  if (option === "--files") {
    for (const { name, status } of first.testResults) {
      if (status === "failed") console.log(relative(process.cwd(), name))
    }
  } else {
    const before = failedTests(first)
    const still = again === undefined ? before : failedTests(again)
    const unsteady = before.filter((test) => !still.includes(test))
    for (const test of unsteady) console.log(`Unsteady, passed when it ran again: ${test}`)
    console.log("The ten slowest files:")
    for (const line of slowest(first, 10)) console.log(line)
    for (const test of skippedTests(first)) console.log(`Skipped for want of an asset, a program or a right: ${test}`)
    const skipped = first.numPendingTests > 0 ? `, ${first.numPendingTests} skipped` : ""
    console.log(`${first.numPassedTests + unsteady.length} passed, ${still.length} failed${skipped}`)
  }
}
