import { isAsserted } from "./json-schema/Formats.ts"
import {
  isObject,
  isSchema,
  type JsonSchema,
  own,
  pointerTo,
  type SchemaObject,
  subschemas
} from "./json-schema/JsonSchema.ts"
import { ignoredPrefix, normaliseDialect } from "./json-schema/JsonSchemaDialect.ts"
import { lintSchema } from "./json-schema/JsonSchemaLint.ts"
import { metaSchemaMisfit, resultValidator } from "./json-schema/ResultValidator.ts"
import { memberSchema } from "./json-schema/SchemaMerge.ts"
import type { SchemaProblem } from "./json-schema/SchemaProblem.ts"
import { openSchema, type SchemaDocument } from "./json-schema/SmallestInstance.ts"

/** Something about a usable schema that will make its results worse than they could be. */
export interface SchemaWarning {
  readonly path: string
  readonly message: string
}

export type Checked =
  | { readonly ok: true; readonly warnings: ReadonlyArray<SchemaWarning> }
  | { readonly ok: false; readonly problems: ReadonlyArray<SchemaProblem> }

const refused = (...problems: ReadonlyArray<SchemaProblem>): Checked => ({ ok: false, problems: problems.slice(0, 10) })

/**
 * Accepts a schema only if a result that fits it can always be given: it passes the linter, its meta-schema and ajv, and
 * a smallest instance exists that ajv accepts as well. Never throws; what a hostile schema still costs is bounded by
 * running this in a worker thread (`checkSchemaSafely`).
 */
export const checkSchema = (schema: unknown): Checked => {
  const problems = lintSchema(schema)
  if (problems.length > 0) return refused(...problems)
  const linted = schema as JsonSchema
  try {
    const meta = metaSchemaMisfit(linted)
    if (meta !== undefined) {
      return refused({ path: meta.path, message: `Not a JSON Schema: ${meta.message}.`, reason: "not_json_schema" })
    }
    const validate = resultValidator(linted)
    const normalised = normaliseDialect(linted)
    const document = openSchema(normalised)
    const smallest = document.smallest(document.root)
    if (smallest === undefined || validate(smallest) !== undefined) {
      const message = "No value was found that fits the schema, so no result could be given."
      return refused({ path: unsatisfiablePart(normalised), message, reason: "unsatisfiable" })
    }
    return { ok: true, warnings: warningsOf(document) }
  } catch (error) {
    return refused({ path: "", message: `Cannot be compiled: ${(error as Error).message}.`, reason: "not_json_schema" })
  }
}

/** The innermost part for which no value was found either; the whole schema where only its parts together have none. */
const unsatisfiablePart = (root: JsonSchema): string => {
  // Of its own: the steps that are left to the document that found nothing may be few.
  const { smallest } = openSchema(root)
  let [schema, path] = [root, ""]
  while (isObject(schema)) {
    const required = own(schema, "required")
    const needed = ({ key = "", keyword }: { readonly keyword: string; readonly key?: string }) =>
      keyword === "allOf" || (keyword === "items" && Number(own(schema, "minItems")) > 0)
      || (keyword === "properties" && Array.isArray(required) && required.includes(key))
    const part = [...subschemas(schema)].find((one) => needed(one) && smallest(one.schema) === undefined)
    if (part === undefined) break
    schema = part.schema
    path = [part.keyword, ...(part.key === undefined ? [] : [part.key])].reduce(pointerTo, path)
  }
  return path
}

/** Names that say nothing to whoever looks for the value. */
const opaque = /^(?:[a-z]{1,2}\d*|(?:field|value|data|item|prop|col|key|attr)_?\d*)$/iu

const mostWarnings = 10

/** What the schema says in vain: keywords that its draft does not know, and a format that nobody defined. */
const unheeded = (view: SchemaObject, path: string): ReadonlyArray<SchemaWarning> => {
  const ignored = Object.keys(view).filter((keyword) => keyword.startsWith(ignoredPrefix)).map((keyword) => ({
    path,
    message: `The schema's draft has no \`${keyword.slice(ignoredPrefix.length)}\`, so it is ignored.`
  }))
  const format = own(view, "format")
  return typeof format !== "string" || isAsserted(format)
    ? ignored
    : [...ignored, { path, message: `No format is called \`${format}\`, so it is not checked.` }]
}

const warningsOf = ({ root, views, fits }: SchemaDocument): ReadonlyArray<SchemaWarning> => {
  const warnings: Array<SchemaWarning> = []
  const seen = new Set<SchemaObject>()
  const visit = (schema: JsonSchema, path: string): void => {
    if (!isObject(schema) || seen.has(schema) || warnings.length >= mostWarnings) return
    seen.add(schema)
    const view = views(schema)[0]
    if (view === undefined) return
    warnings.push(...unheeded(view, path))
    const items = own(view, "items")
    if (isSchema(items)) visit(items, `${path}/*`)
    const properties = own(view, "properties")
    const required = own(view, "required")
    for (const name of isObject(properties) ? Object.keys(properties) : []) {
      const at = pointerTo(path, name)
      const member = memberSchema(view, name)
      const leaf = views(member)[0]
      if (leaf === undefined) continue
      const nested = Object.hasOwn(leaf, "properties") || Object.hasOwn(leaf, "items")
      // Inside an array nothing is filled before something was found.
      if (!nested && !at.includes("/*") && Array.isArray(required) && required.includes(name) && !fits(member, null)) {
        warnings.push({
          path: at,
          message: "Required and not nullable: a placeholder stands in when the video does not say."
        })
      }
      if (at.includes("/*") && Object.hasOwn(leaf, "items")) {
        const inner = own(leaf, "items")
        const without = isSchema(inner) && own(views(inner)[0] ?? {}, "type") === "string"
          ? "it is filled only from lines of a slide and from series right beside their entry."
          : "it is told as `unsupported`."
        warnings.push({
          path: at,
          message:
            `A list inside the entries of a list is filled by a language model; where none is configured, ${without}`
        })
      }
      if (!nested && opaque.test(name) && own(leaf, "description") === undefined && own(leaf, "title") === undefined) {
        warnings.push({ path: at, message: "The name says little and there is no description to find the value by." })
      }
      visit(member, at)
    }
  }
  visit(root, "")
  return warnings.slice(0, mostWarnings)
}
