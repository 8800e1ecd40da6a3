import { isObject, type JsonSchema } from "../../src/schemas/json-schema/JsonSchema.ts"
import { normaliseDialect } from "../../src/schemas/json-schema/JsonSchemaDialect.ts"

type Problem = string | undefined

const first = (...problems: ReadonlyArray<() => Problem>): Problem => {
  for (const find of problems) {
    const problem = find()
    if (problem !== undefined) return problem
  }
  return undefined
}

const entries = (value: unknown, name: string, problem: (entry: unknown) => Problem): Problem => {
  if (!Array.isArray(value)) return `${name} is no array`
  for (const [at, entry] of value.entries()) {
    const found = problem(entry)
    if (found !== undefined) return `${name}/${at} ${found}`
  }
  return undefined
}

const strings = (value: unknown, name: string): Problem =>
  entries(value, name, (entry) => typeof entry === "string" ? undefined : "is no text")

const having = (...keys: ReadonlyArray<string>) => (entry: unknown): Problem => {
  if (!isObject(entry)) return "is no object"
  const missing = keys.find((key) => typeof entry[key] !== "string")
  return missing === undefined ? undefined : `has no ${missing}`
}

const byPointer = (value: unknown, name: string, problem: (entry: unknown, name: string) => Problem): Problem => {
  if (!isObject(value)) return `${name} is no object`
  return first(...Object.entries(value).map(([key, entry]) => () => problem(entry, `${name} of ${key}`)))
}

/** Only references are looked after: what else a schema may not say keeps nobody from reading it. */
const schemaProblem = (schema: unknown): Problem => {
  if (!isObject(schema)) return "schema is no object"
  try {
    normaliseDialect(schema as JsonSchema)
    return undefined
  } catch (error) {
    return `schema: ${error instanceof Error ? error.message : String(error)}`
  }
}

/** What keeps an object from being footage with a right result, or undefined where nothing does. */
export const footageProblem = (value: Readonly<Record<string, unknown>>, kinds: ReadonlyArray<string>): Problem =>
  first(
    () => typeof value["id"] === "string" ? undefined : "id is no text",
    () => value["gold"] === undefined ? "no gold" : undefined,
    () => schemaProblem(value["schema"]),
    () => entries(value["segments"], "segments", having("id", "text")),
    () => entries(value["ocr"], "ocr", having("id", "text", "frame")),
    () => byPointer(value["evidence"], "evidence", strings),
    () => byPointer(value["facts"], "facts", strings),
    () =>
      byPointer(
        value["kinds"],
        "kinds",
        (kind, name) => kinds.includes(String(kind)) ? undefined : `${name} is unknown`
      ),
    () => entries(value["traps"], "traps", having("pointer")),
    () => strings(value["not_stated"], "not_stated")
  )

/** What keeps an object from being a dialogue with its final state, or undefined where nothing does. */
export const dialogueProblem = (value: unknown): Problem => {
  if (!isObject(value)) return "is no object"
  return first(
    () => typeof value["id"] === "string" ? undefined : "id is no text",
    () => schemaProblem(value["schema"]),
    () => entries(value["segments"], "segments", having("id", "text")),
    () =>
      byPointer(
        value["gold"],
        "gold",
        (entry, name) =>
          isObject(entry) && Array.isArray(entry["accept"]) && Array.isArray(entry["segments"])
            ? undefined
            : `${name} has no accept and segments`
      ),
    () =>
      byPointer(
        value["optional"],
        "optional",
        (entry, name) => Array.isArray(entry) ? undefined : `${name} is no array`
      )
  )
}
