import Ajv from "ajv"
import addFormats from "ajv-formats"
import Ajv2019 from "ajv/dist/2019.js"
import Ajv2020 from "ajv/dist/2020.js"
import draft06 from "ajv/dist/refs/json-schema-draft-06.json" with { type: "json" }

/** Draft-04's boolean bounds and `id` in the words of draft-07. */
const modern = (node: unknown): unknown => {
  if (Array.isArray(node)) return node.map(modern)
  if (typeof node !== "object" || node === null) return node
  const copy: Record<string, unknown> = {}
  for (const [key, value] of Object.entries(node)) {
    if (key === "$schema" || (key === "id" && typeof value === "string")) continue
    if (/^exclusiveM(?:in|ax)imum$/u.test(key) && typeof value === "boolean") {
      const bound = key === "exclusiveMinimum" ? "minimum" : "maximum"
      if (value) copy[key] = (node as Record<string, unknown>)[bound]
    } else copy[key] = modern(value)
  }
  return copy
}

/** Says of a result what of it does not fit the schema, or undefined. The schema is compiled once. */
export const fitOf = (schema: unknown): (result: unknown) => string | undefined => {
  const dialect = String((schema as { $schema?: unknown }).$schema ?? "2020-12")
  const Class: any = dialect.includes("2020-12") ? Ajv2020 : dialect.includes("2019-09") ? Ajv2019 : Ajv
  const ajv = new Class({ strict: false, logger: false, ownProperties: true })
  if (dialect.includes("draft-06")) ajv.addMetaSchema(draft06)
  ;(addFormats as any)(ajv)
  try {
    const validate = ajv.compile(dialect.includes("draft-04") ? modern(schema) : schema)
    return (result) => validate(result) === true ? undefined : ajv.errorsText(validate.errors, { dataVar: "result" })
  } catch (error) {
    return () => `the schema does not compile: ${(error as Error).message}`
  }
}
