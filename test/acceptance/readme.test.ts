import { assert, describe, it } from "@effect/vitest"
import { execFile } from "node:child_process"
import { readFileSync } from "node:fs"
import { fileURLToPath } from "node:url"
import { promisify } from "node:util"

const root = fileURLToPath(new URL("../..", import.meta.url))
const readme = readFileSync(`${root}/README.md`, "utf8")

const block = (language: string, holds: string): string => {
  const found = [...readme.matchAll(new RegExp(`^\`\`\`${language}\\n([\\s\\S]*?)^\`\`\``, "gmu"))].map(([, code]) =>
    code!
  )
    .find((code) => code.includes(holds))
  assert.isDefined(found, `README.md has a block of ${language} with ${holds}`)
  return found!
}

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null && !Array.isArray(value)

/** How sure a value is moves with every fit; what it is, and where it stands, does not. */
const FITTED = new Set(["confidence", "answers"])

/** Holds all that is shown to what there is; of an array, each entry by its pointer, or by its place. */
const holds = (shown: unknown, real: unknown, at: string): void => {
  if (Array.isArray(shown)) {
    assert.isArray(real, at)
    const all = real as ReadonlyArray<unknown>
    shown.forEach((one, index) => {
      const same = isObject(one) && "pointer" in one
        ? all.find((other) => isObject(other) && other["pointer"] === one["pointer"])
        : all[index]
      holds(one, same, `${at}/${index}`)
    })
  } else if (isObject(shown)) {
    assert.isTrue(isObject(real), at)
    for (const [name, value] of Object.entries(shown)) {
      const other = (real as Readonly<Record<string, unknown>>)[name]
      if (FITTED.has(name)) assert.isNumber(other, `${at}/${name}`)
      else holds(value, other, `${at}/${name}`)
    }
  } else assert.deepStrictEqual(real, shown, at)
}

describe("README.md", () => {
  it("its first command gives the result that stands below it", async () => {
    // What is installed already is not installed once more under the running tests.
    const command = block("sh", "npm run extract").trim().replace(/^npm ci --omit=dev && /u, "")
    const { stdout } = await promisify(execFile)("sh", ["-euc", `${command} --json`], { cwd: root, maxBuffer: 2 ** 26 })
    const printed: unknown = JSON.parse(stdout.slice(stdout.indexOf("\n{")))
    holds(JSON.parse(block("json", "\"evidence\"")), printed, "")
  })
})
