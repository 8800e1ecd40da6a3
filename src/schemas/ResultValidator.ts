import Ajv from "ajv"
import addFormats from "ajv-formats"
import Ajv2019 from "ajv/dist/2019.js"
import Ajv2020 from "ajv/dist/2020.js"
import draft06 from "ajv/dist/refs/json-schema-draft-06.json" with { type: "json" }
import { isObject, type JsonSchema, subschemas } from "./JsonSchema.ts"
import { type Dialect, dialectOf, normaliseDialect } from "./JsonSchemaDialect.ts"
import { linearPattern } from "./LinearPattern.ts"

/** Where and why a value does not fit; `path` is a JSON pointer into the value. */
export interface Misfit {
  readonly path: string
  readonly message: string
}

/** The first thing that does not fit, or undefined where the value is valid. */
export type ResultValidator = (value: unknown) => Misfit | undefined

/** ajv keys compiled patterns by `toString()`: without it all patterns share one entry and wrong data passes. */
const regExp = Object.assign(
  (source: string) => Object.assign(Object.create(linearPattern(source)), { toString: () => source }),
  { code: "linearPattern" }
)

const options = (dialect: Dialect) => ({
  strict: false,
  logger: false,
  validateFormats: true,
  ownProperties: true,
  // Stopping at the first error nests the code by property: from 1,400 on the stack does not hold it.
  allErrors: true,
  ignoreKeywordsWithRef: dialect === "draft-07" || dialect === "draft-06",
  code: { regExp }
} as const)

const instance = (dialect: Dialect, checksSchema: boolean) => {
  const Class: any = dialect === "2020-12" || dialect === "draft-04"
    ? Ajv2020
    : dialect === "2019-09"
    ? Ajv2019
    : Ajv
  const ajv = new Class({ ...options(dialect), validateSchema: checksSchema })
  if (dialect === "draft-06") ajv.addMetaSchema(draft06)
  ;(addFormats as any)(ajv)
  return ajv
}

const misfit = (errors: ReadonlyArray<any> | null | undefined): Misfit => {
  const first = errors?.[0]
  return { path: first?.instancePath ?? "", message: first?.message ?? "is not valid" }
}

/** ajv has no draft-04: it is given the same schema in 2020-12. */
const portable = (schema: JsonSchema, dialect: Dialect): JsonSchema =>
  dialect === "draft-04" ? normaliseDialect(schema) : schema

/** ajv follows OpenAPI's `nullable`, which JSON Schema does not know. */
const withoutNullable = (schema: JsonSchema): JsonSchema => {
  if (!isObject(schema) || !JSON.stringify(schema).includes("\"nullable\"")) return schema
  const copy: JsonSchema = structuredClone(schema)
  const stack: Array<JsonSchema> = [copy]
  for (let next = stack.pop(); next !== undefined; next = stack.pop()) {
    if (!isObject(next)) continue
    Reflect.deleteProperty(next, "nullable")
    for (const { schema: below } of subschemas(next)) stack.push(below)
  }
  return copy
}

const metaValidators = new Map<Dialect, any>()

/** What of a linted schema is not what its dialect's meta-schema asks for, or undefined. */
export const metaSchemaMisfit = (schema: JsonSchema): Misfit | undefined => {
  const dialect = dialectOf(schema) ?? "2020-12"
  const ajv = metaValidators.get(dialect) ?? instance(dialect, true)
  metaValidators.set(dialect, ajv)
  return ajv.validateSchema(portable(schema, dialect)) === true ? undefined : misfit(ajv.errors)
}

/**
 * Compiles a linted schema with ajv, which shares no line with the filler: the last gate before a result leaves. Patterns
 * run on RE2, formats are asserted. Throws what ajv throws for a schema that it cannot compile.
 */
export const resultValidator = (schema: JsonSchema): ResultValidator => {
  const dialect = dialectOf(schema) ?? "2020-12"
  const compiled = instance(dialect, false).compile(withoutNullable(portable(schema, dialect)))
  return (value) => compiled(value) === true ? undefined : misfit(compiled.errors)
}
