import Ajv from "ajv"
import addFormats from "ajv-formats"
import Ajv2019 from "ajv/dist/2019.js"
import Ajv2020 from "ajv/dist/2020.js"
import draft06 from "ajv/dist/refs/json-schema-draft-06.json" with { type: "json" }
import { resultValidator } from "../../src/schemas/json-schema/ResultValidator.ts"
import { checkSchema } from "../../src/schemas/RegisterSchema.ts"
import type { SuiteGroup, SuitePart } from "./TestSuite.ts"

/** A schema refused with a reason, or a verdict on each of a group's values. */
type Judged = { readonly refused: string } | { readonly verdicts: ReadonlyArray<boolean> }
export type Judge = (group: SuiteGroup, draft: string, part: SuitePart) => Judged | Promise<Judged>

/** What a caller gets: registration, then the gate that every result passes. */
export const footnote: Judge = ({ schema, tests }) => {
  const checked = checkSchema(schema)
  if (!checked.ok) return { refused: checked.problems[0]!.reason }
  const validate = resultValidator(schema)
  return { verdicts: tests.map(({ data }) => validate(data) === undefined) }
}

/** ajv as it comes, in the class made for the draft; it has none for draft-04. */
export const plainAjv: Judge = ({ schema, tests }, draft, part) => {
  const Class: any = draft === "draft2020-12" ? Ajv2020 : draft === "draft2019-09" ? Ajv2019 : Ajv
  const ajv = new Class({ strict: false, logger: false, validateFormats: part === "format" })
  if (draft === "draft6") ajv.addMetaSchema(draft06)
  ;(addFormats as any)(ajv)
  try {
    const validate = ajv.compile(schema)
    return { verdicts: tests.map(({ data }) => validate(data) === true) }
  } catch {
    return { refused: "throws" }
  }
}

/** Not a dependency: `npm install --no-save @hyperjump/json-schema @hyperjump/browser` brings it into the comparison. */
const scope: string = "@hyperjump/json-schema"
const dialects: Readonly<Record<string, string>> = {
  "draft2020-12": "draft-2020-12",
  "draft2019-09": "draft-2019-09",
  draft7: "draft-07",
  draft6: "draft-06",
  draft4: "draft-04"
}

/** hyperjump, or undefined where it is not installed. Its registry is global: each schema goes in and out again. */
export const hyperjump = async (): Promise<Judge | undefined> => {
  const modules = new Map<string, any>()
  try {
    for (const [draft, dialect] of Object.entries(dialects)) modules.set(draft, await import(`${scope}/${dialect}`))
    await import(`${scope}/formats`)
  } catch {
    return undefined
  }
  let count = 0
  return async ({ schema, tests }, draft, part) => {
    const { registerSchema, setShouldValidateFormat, unregisterSchema, validate } = modules.get(draft)
    setShouldValidateFormat(part === "format")
    const uri = `https://schema.invalid/${count++}`
    try {
      registerSchema(structuredClone(schema), uri)
      const validator = await validate(uri)
      return { verdicts: tests.map(({ data }) => validator(data).valid === true) }
    } catch {
      return { refused: "throws" }
    } finally {
      unregisterSchema(uri)
    }
  }
}
