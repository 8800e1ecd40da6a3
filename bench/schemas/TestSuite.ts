import { existsSync, readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import type { JsonSchema } from "../../src/schemas/json-schema/JsonSchema.ts"

/** The drafts of the official JSON Schema test suite that are read here: folder → `$schema`. */
export const suiteDrafts: Readonly<Record<string, string>> = {
  "draft2020-12": "https://json-schema.org/draft/2020-12/schema",
  "draft2019-09": "https://json-schema.org/draft/2019-09/schema",
  draft7: "http://json-schema.org/draft-07/schema#",
  draft6: "http://json-schema.org/draft-06/schema#",
  draft4: "http://json-schema.org/draft-04/schema#"
}

/** What every implementation must answer, what it may, and formats where they are asserted. */
export const suiteParts = { required: "", optional: "optional", format: "optional/format" } as const
export type SuitePart = keyof typeof suiteParts

export interface SuiteGroup {
  readonly file: string
  readonly description: string
  readonly schema: JsonSchema
  readonly tests: ReadonlyArray<{ readonly description: string; readonly data: unknown; readonly valid: boolean }>
}

/** The groups of one part of a draft. A schema without `$schema` is given its draft's, since ours would be 2020-12. */
export const readGroups = (folder: string, draft: string, part: SuitePart): ReadonlyArray<SuiteGroup> => {
  const place = join(folder, draft, suiteParts[part])
  if (!existsSync(place)) return []
  return readdirSync(place).filter((file) => file.endsWith(".json")).toSorted().flatMap((file) =>
    (JSON.parse(readFileSync(join(place, file), "utf8")) as Array<SuiteGroup>).map(
      ({ description, schema, tests }): SuiteGroup => ({
        file,
        description,
        tests,
        schema: typeof schema === "boolean" || "$schema" in schema ? schema : { $schema: suiteDrafts[draft], ...schema }
      })
    )
  )
}
