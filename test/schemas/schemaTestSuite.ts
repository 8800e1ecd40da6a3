import { existsSync, readdirSync, readFileSync } from "node:fs"
import process from "node:process"
import { fileURLToPath } from "node:url"
import type { JsonSchema } from "../../src/schemas/JsonSchema.ts"

/** The official JSON Schema test suite, read in place where it is there. */
const folder = fileURLToPath(new URL("../../../shared/assets/json-schema-test-suite/", import.meta.url))

export const suiteIsThere = existsSync(folder)
if (!suiteIsThere) {
  process.stdout.write("JSON Schema test suite: not found beside the repository, its tests are skipped\n")
}

export const suiteDialects: Readonly<Record<string, string>> = {
  "draft2020-12": "https://json-schema.org/draft/2020-12/schema",
  "draft2019-09": "https://json-schema.org/draft/2019-09/schema",
  draft7: "http://json-schema.org/draft-07/schema#",
  draft6: "http://json-schema.org/draft-06/schema#",
  draft4: "http://json-schema.org/draft-04/schema#"
}

export interface SuiteGroup {
  readonly file: string
  readonly description: string
  readonly schema: JsonSchema
  readonly tests: ReadonlyArray<{ readonly description: string; readonly data: unknown; readonly valid: boolean }>
}

/** The groups of one draft. A schema without `$schema` is given its draft's, since ours would be 2020-12. */
export const suiteGroups = (draft: string): ReadonlyArray<SuiteGroup> =>
  readdirSync(`${folder}${draft}`).filter((file) => file.endsWith(".json")).toSorted().flatMap((file) =>
    (JSON.parse(readFileSync(`${folder}${draft}/${file}`, "utf8")) as Array<SuiteGroup>).map(
      ({ description, schema, tests }): SuiteGroup => ({
        file,
        description,
        tests,
        schema: typeof schema === "boolean" || "$schema" in schema
          ? schema
          : { $schema: suiteDialects[draft], ...schema }
      })
    )
  )
