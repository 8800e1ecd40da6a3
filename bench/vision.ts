import { existsSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { openFrameDescriber } from "../workers/vision/DescribeFrame.ts"

/** Levenshtein distance in characters. */
const distance = (a: string, b: string): number => {
  const row = Array.from({ length: b.length + 1 }, (_, j) => j)
  for (let i = 1; i <= a.length; i++) {
    let diagonal = row[0]!
    row[0] = i
    for (let j = 1; j <= b.length; j++) {
      const above = row[j]!
      row[j] = Math.min(above + 1, row[j - 1]! + 1, diagonal + (a[i - 1] === b[j - 1] ? 0 : 1))
      diagonal = above
    }
  }
  return row[b.length]!
}

const median = (values: ReadonlyArray<number>): number =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0

const percent = (part: number, whole: number): number => whole === 0 ? 0 : Math.round((10_000 * part) / whole) / 100

/**
 * Reads every image that `slides.truth.json` (`{ file: lines }`) of a folder names and compares line by line, each true
 * line with the nearest one that was read. A read line that is near to none of the true ones counts as extra.
 */
export const run = async (folders: ReadonlyArray<string>) => {
  const describer = await openFrameDescriber()
  const scores: Record<string, Readonly<Record<string, number>>> = {}
  for (const folder of folders) {
    const file = join(folder, "slides.truth.json")
    if (!existsSync(file)) throw new Error(`No labelled slides: ${file}`)
    const truth: Readonly<Record<string, ReadonlyArray<string>>> = JSON.parse(readFileSync(file, "utf8"))
    const times: Array<number> = []
    let [wrong, characters, exact, lines, extra] = [0, 0, 0, 0, 0]
    for (const [image, expected] of Object.entries(truth)) {
      const began = performance.now()
      const read = (await describer.describe(join(folder, image))).text.map(({ text }) => text)
      times.push(performance.now() - began)
      for (const line of expected) {
        const errors = Math.min(line.length, ...read.map((one) => distance(line, one)))
        if (errors > 0) console.log(`  ${image}: "${line}" read with ${errors} wrong characters`)
        wrong += errors
        characters += line.length
        lines++
        if (errors === 0) exact++
      }
      extra += read.filter((one) => !expected.some((line) => distance(line, one) <= line.length * 0.4)).length
    }
    scores[folder] = {
      images: times.length,
      lines,
      exact_lines: exact,
      extra_lines: extra,
      character_error_percent: percent(wrong, characters),
      median_ms: Math.round(median(times)),
      rss_megabytes: Math.round(process.memoryUsage.rss() / 1e6)
    }
    console.log(folder)
    console.table(scores[folder])
  }
  await describer.dispose()
  return scores
}
