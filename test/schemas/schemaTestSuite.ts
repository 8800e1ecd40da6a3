import { existsSync } from "node:fs"
import process from "node:process"
import { fileURLToPath } from "node:url"
import { readGroups, type SuiteGroup } from "../../bench/schemas/TestSuite.ts"

/** The official JSON Schema test suite, read in place where it is there. */
export const suiteFolder = fileURLToPath(new URL("../../../shared/assets/json-schema-test-suite/", import.meta.url))

export const suiteIsThere = existsSync(suiteFolder)
if (!suiteIsThere) {
  process.stdout.write("JSON Schema test suite: not found beside the repository, its tests are skipped\n")
}

/** The groups of one draft that every implementation must answer. */
export const suiteGroups = (draft: string): ReadonlyArray<SuiteGroup> => readGroups(suiteFolder, draft, "required")
