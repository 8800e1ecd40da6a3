import Ajv from "ajv"
import addFormats from "ajv-formats"
import Ajv2019 from "ajv/dist/2019.js"
import Ajv2020 from "ajv/dist/2020.js"
import draft06 from "ajv/dist/refs/json-schema-draft-06.json" with { type: "json" }
import { draft04MetaSchema } from "./Draft04MetaSchema.ts"
import { ownFormats } from "./Formats.ts"
import { isObject, type JsonSchema, subschemas, valueAt } from "./JsonSchema.ts"
import { type Dialect, dialectOf, normaliseDialect } from "./JsonSchemaDialect.ts"
import { linearPattern } from "./LinearPattern.ts"
import { isMultiple } from "./Multiples.ts"
import { interpret } from "./SchemaInterpreter.ts"

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

const options = {
  strict: false,
  logger: false,
  validateFormats: true,
  ownProperties: true,
  // Stopping at the first error nests the code by property: from 1,400 on the stack does not hold it.
  allErrors: true,
  code: { regExp }
} as const

/** `formatMinimum` and the like are in no draft, and do not compile beside our own formats. */
const hasFormatBounds = false

const instance = (Class: any, checksSchema: boolean) => {
  const ajv = new Class({ ...options, validateSchema: checksSchema })
  ;(addFormats as any)(ajv, { keywords: hasFormatBounds })
  for (const [name, validate] of Object.entries(ownFormats)) ajv.addFormat(name, { validate })
  return ajv
}

/** ajv divides doubles, and 4.35 / 0.01 is not whole. */
const exactSteps = (ajv: any) => {
  ajv.removeKeyword("multipleOf")
  ajv.addKeyword({
    keyword: "multipleOf",
    type: "number",
    schemaType: "number",
    validate: (step: number, value: number) => isMultiple(value, step)
  })
  return ajv
}

const misfit = (errors: ReadonlyArray<any> | null | undefined): Misfit => {
  const first = errors?.[0]
  return { path: first?.instancePath ?? "", message: first?.message ?? "is not valid" }
}

/** Of a schema itself, where values out of a list are names of types and such: which there are, and what stands there. */
const metaMisfit = (schema: JsonSchema, errors: ReadonlyArray<any> | null | undefined): Misfit => {
  const { message, path } = misfit(errors)
  const allowed: unknown = errors?.[0]?.params?.allowedValues
  const given = valueAt(schema, path)
  if (!Array.isArray(allowed)) return { path, message }
  const was = typeof given === "string" && given.length <= 50 ? `, was ${JSON.stringify(given)}` : ""
  return { path, message: `must be one of ${allowed.join(", ")}${was}` }
}

/** What ajv heeds or refuses though no draft after 4 knows it: OpenAPI's `nullable`, the `id` of draft 4, its own `$async`. */
const foreign = ["nullable", "id", "$async"]

const without = (keywords: ReadonlyArray<string>, schema: JsonSchema): JsonSchema => {
  const text = JSON.stringify(schema)
  if (!isObject(schema) || !keywords.some((keyword) => text.includes(`"${keyword}"`))) return schema
  const copy: JsonSchema = structuredClone(schema)
  const stack: Array<JsonSchema> = [copy]
  for (let next = stack.pop(); next !== undefined; next = stack.pop()) {
    if (!isObject(next)) continue
    for (const keyword of keywords) Reflect.deleteProperty(next, keyword)
    for (const { schema: below } of subschemas(next)) stack.push(below)
  }
  return copy
}

/** Where each draft's meta-schema is kept; what a schema calls it may begin with the other of http and https. */
const metaSchemaUri = {
  "2020-12": "https://json-schema.org/draft/2020-12/schema",
  "2019-09": "https://json-schema.org/draft/2019-09/schema",
  "draft-07": "http://json-schema.org/draft-07/schema",
  "draft-06": "http://json-schema.org/draft-06/schema"
} as const

const metaAjv = (dialect: Dialect) => {
  if (dialect === "2020-12") return instance(Ajv2020, true)
  if (dialect === "2019-09") return instance(Ajv2019, true)
  const ajv = instance(Ajv, true)
  if (dialect === "draft-06") ajv.addMetaSchema(draft06)
  return ajv
}

const metaValidators = new Map<Dialect, (schema: JsonSchema) => Misfit | undefined>()

const metaValidator = (dialect: Dialect): (schema: JsonSchema) => Misfit | undefined => {
  // ajv has no draft-04.
  if (dialect === "draft-04") {
    const compiled = instance(Ajv2020, false).compile(draft04MetaSchema)
    return (schema) => compiled(schema) === true ? undefined : metaMisfit(schema, compiled.errors)
  }
  const ajv = metaAjv(dialect)
  const uri = metaSchemaUri[dialect]
  return (schema) => ajv.validate(uri, schema) === true ? undefined : metaMisfit(schema, ajv.errors)
}

/** What of a linted schema is not what its dialect's meta-schema asks for, or undefined. */
export const metaSchemaMisfit = (schema: JsonSchema): Misfit | undefined => {
  const dialect = dialectOf(schema) ?? "2020-12"
  const validate = metaValidators.get(dialect) ?? metaValidator(dialect)
  metaValidators.set(dialect, validate)
  return validate(schema)
}

/**
 * Where ajv 8.20 answers some of the JSON Schema test suite wrongly or not at all, so that it is not asked: it does not see
 * every item and member that was evaluated, takes a member called `__proto__` for none and throws for an empty `enum`.
 */
const ajvErrsOn = (normalised: JsonSchema): boolean =>
  /"(?:unevaluatedItems|unevaluatedProperties|__proto__)"|"enum":\[\]/u.test(JSON.stringify(normalised))

/**
 * The last gate before a result leaves: a value fits a linted schema where the interpreter says so and ajv, which shares no
 * line with it, does not object. Patterns run on RE2, the formats of `Formats.ts` are asserted. Throws what ajv throws for
 * a schema that it cannot compile, and a `RangeError` for a reference that leads nowhere.
 */
export const resultValidator = (schema: JsonSchema): ResultValidator => {
  const normalised = normaliseDialect(schema)
  const fits = interpret(normalised)
  const second = ajvErrsOn(normalised)
    ? undefined
    : exactSteps(instance(Ajv2020, false)).compile(without(foreign, normalised))
  return (value) => {
    if (second !== undefined && second(value) !== true) return misfit(second.errors)
    return fits(normalised, value) ? undefined : misfit([])
  }
}

const branching = /^(?:anyOf|oneOf|not|if|contains)$/u

/** ajv on what of a schema it does not err on; undefined where it cannot compile that either. */
const locatorOf = (schema: JsonSchema) => {
  try {
    return exactSteps(instance(Ajv2020, false)).compile(
      without([...foreign, "unevaluatedItems", "unevaluatedProperties"], schema)
    )
  } catch {
    return undefined
  }
}

/**
 * All that keeps a value from fitting a linted schema, none where it fits: the first as `resultValidator` tells it, then what is
 * wrong for certain, which is no part of one branch of several. Of schemas that ajv errs on it tells where, though not whether.
 */
export const misfitFinder = (schema: JsonSchema): (value: unknown) => ReadonlyArray<Misfit> => {
  const validate = resultValidator(schema)
  // Compiling takes long, and most values fit at once.
  let locate: ReturnType<typeof locatorOf> | null = null
  return (value) => {
    const first = validate(value)
    if (first === undefined) return []
    locate = locate === null ? locatorOf(normaliseDialect(schema)) : locate
    const errors: ReadonlyArray<any> = locate === undefined || locate(value) === true ? [] : locate.errors
    const branches = errors.filter(({ keyword }) => branching.test(keyword)).map(({ instancePath }) =>
      `${instancePath}/`
    )
    const certain = errors.filter(({ instancePath }) => !branches.some((at) => `${instancePath}/`.startsWith(at)))
    const told = certain.map((error) => misfit([error]))
    return first.path === "" && errors.length > 0 ? [misfit(errors), ...told] : [first, ...told]
  }
}
