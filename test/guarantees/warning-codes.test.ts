import { assert, describe, it } from "@effect/vitest"
import { readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { JobFailureCode } from "../../src/jobs/model/JobFailure.ts"
import { WarningCode } from "../../src/jobs/model/StageIo.ts"

const workers = fileURLToPath(new URL("../../workers", import.meta.url))

describe("WarningCode", () => {
  it("has every code that a worker gives a warning, and no other", () => {
    const files = readdirSync(workers, { recursive: true, encoding: "utf8" }).filter((file) => file.endsWith(".ts"))
    const source = files.map((file) => readFileSync(join(workers, file), "utf8")).join("\n")
    const given = Array.from(source.matchAll(/\bcode: "([A-Z_]+)"/gu), ([, code]) => code!)
    const failures: ReadonlyArray<string> = JobFailureCode.literals
    assert.sameMembers([...new Set(given.filter((code) => !failures.includes(code)))], [...WarningCode.literals])
  })
})
