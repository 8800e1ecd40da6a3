import { assert, describe, it } from "@effect/vitest"
import { existsSync, globSync } from "node:fs"
import { fileURLToPath } from "node:url"
import { longTests } from "./LongTests.ts"

const root = fileURLToPath(new URL("../..", import.meta.url))

describe("npm test", () => {
  it("leaves out only files that are there, each with one that it runs instead or with why there is none", () => {
    const missing = Object.keys(longTests).filter((file) => !existsSync(`${root}/${file}`))
    assert.deepStrictEqual(missing, [])
    const elsewhere = Object.entries(longTests).flatMap(([file, instead]) =>
      "none" in instead ?
        [] :
        instead.length === 0 ?
        [file] :
        instead.filter((quick) => !existsSync(`${root}/${quick}`) || Object.hasOwn(longTests, quick)).map((quick) =>
          `${file}: ${quick}`
        )
    )
    assert.deepStrictEqual(elsewhere, [])
  })

  it("leaves out the whole services: every file of acceptance, deployment and app", () => {
    const folders = globSync("test/{acceptance,app,deployment}/**/*.test.ts", { cwd: root })
    assert.isAbove(folders.length, 20)
    assert.deepStrictEqual(folders.filter((file) => !Object.hasOwn(longTests, file)), [])
  })
})
