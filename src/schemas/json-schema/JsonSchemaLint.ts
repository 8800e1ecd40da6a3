import { TooManyScopes } from "./DynamicScopes.ts"
import { lookupSteps, mostPatternSteps } from "./EcmaPattern.ts"
import {
  isObject,
  isSchema,
  type JsonSchema,
  own,
  pointerTo,
  type SchemaObject,
  subschemas,
  valueAt
} from "./JsonSchema.ts"
import { type Dialect, dialectOf, dynamicKeyword, normaliseDialect, referencesOf } from "./JsonSchemaDialect.ts"
import type { ReferenceProblem } from "./JsonSchemaReferences.ts"
import { linearPattern, translated } from "./LinearPattern.ts"
import type { SchemaProblem } from "./SchemaProblem.ts"
import { unfoldingProblem } from "./SchemaUnfolding.ts"

/** Of 885 real schemas measured, the largest 1 % begins at 69 KB, depth 17 and 418 properties. */
export const schemaLimits = {
  bytes: 131_072,
  /** Of the copy in 2020-12. */
  normalised_bytes: 2_097_152,
  depth: 48,
  properties: 1500,
  enum_values: 2000,
  pattern_length: 512,
  /** Of all different patterns together, as `Translated` counts them: 0.4 s to compile. Real schemas have below 2,000. */
  pattern_steps: mostPatternSteps,
  /** Nodes after every `$ref` is expanded, recursion cut at its second round. */
  unfolded: 20_000
} as const

const halfCharacter = { message: "Half of a surrogate pair is no text.", reason: "unsupported_text" } as const

/**
 * What no later step could cope with: too many levels, text that UTF-8 cannot hold, and numbers such as `1e999`, which JSON
 * would turn into null. Walks without recursion: at 5,000 levels even `JSON.stringify` overflows its stack.
 */
const flawOf = (root: unknown): SchemaProblem | undefined => {
  const stack: Array<[value: unknown, depth: number, path: string]> = [[root, 1, ""]]
  for (let next = stack.pop(); next !== undefined; next = stack.pop()) {
    const [value, depth, path] = next
    if (typeof value === "number" && !Number.isFinite(value)) {
      return { path, message: "The number is too large for a double.", reason: "unsupported_number" }
    }
    if (typeof value === "string" && !value.isWellFormed()) return { path, ...halfCharacter }
    if (typeof value !== "object" || value === null) continue
    if (depth > schemaLimits.depth) {
      return { path: "", message: `Nested deeper than ${schemaLimits.depth} levels.`, reason: "too_deep" }
    }
    for (const [key, item] of Object.entries(value)) {
      if (!key.isWellFormed()) return { path, ...halfCharacter }
      stack.push([item, depth + 1, pointerTo(path, key)])
    }
  }
  return undefined
}

/** Kind, depth, text, numbers and size: what must hold before anything else may touch the document. */
export const sizeProblem = (schema: unknown): SchemaProblem | undefined => {
  if (!isSchema(schema)) {
    return { path: "", message: "A JSON Schema is an object or a boolean.", reason: "not_json_schema" }
  }
  const flaw = flawOf(schema)
  if (flaw !== undefined) return flaw
  const bytes = Buffer.byteLength(JSON.stringify(schema))
  if (bytes > schemaLimits.bytes) {
    return { path: "", message: `${bytes} bytes; the limit is ${schemaLimits.bytes}.`, reason: "too_large" }
  }
  return undefined
}

/**
 * Everything about a schema that can be refused without running it, in at most a few milliseconds for any input: a
 * bomb, a cycle, a remote reference or a pattern that RE2 does not run never reaches a validator. Never throws.
 */
export const lintSchema = (schema: unknown): ReadonlyArray<SchemaProblem> => {
  const size = sizeProblem(schema)
  if (size !== undefined) return [size]
  const root = schema as JsonSchema
  const dialect = dialectOf(root)
  if (dialect === undefined) {
    const message = "Use 2020-12, 2019-09, draft-07, draft-06 or draft-04."
    return [{ path: "/$schema", message, reason: "unsupported_dialect" }]
  }
  const references = referencesOf(root)
  const problems: Array<SchemaProblem> = references.problems.map(({ kind, pointer, ref }) => ({
    path: pointer,
    ...referenceProblems[kind](ref)
  }))
  problems.push(...keywordProblems(root, dialect, references.elsewhere))
  if (problems.length > 0) return problems
  try {
    const unfolding = unfoldingProblem(normaliseDialect(root), schemaLimits.unfolded)
    return unfolding === undefined ? [] : [unfolding]
  } catch (error) {
    const reason = error instanceof TooManyScopes ? "too_complex" : "unresolved_ref"
    return [{ path: "", message: (error as Error).message, reason }]
  }
}

const referenceProblems: Readonly<
  Record<ReferenceProblem["kind"], (ref: string) => Pick<SchemaProblem, "message" | "reason">>
> = {
  external: (ref) => ({ message: `"${ref}" leads outside the schema.`, reason: "external_ref" }),
  nowhere: (ref) => ({ message: `"${ref}" leads nowhere.`, reason: "unresolved_ref" }),
  twice: (ref) => ({ message: `"${ref}" names two schemas.`, reason: "ambiguous_ref" })
}

const keywordProblems = (root: JsonSchema, dialect: Dialect, elsewhere: ReadonlySet<string>): Array<SchemaProblem> => {
  const problems: Array<SchemaProblem> = []
  let properties = 0
  let enumValues = 0
  const starts = ["", ...elsewhere].map((pointer): [unknown, string] => [valueAt(root, pointer), pointer])
  const seen = new Set<unknown>()
  const patterns = new PatternBudget()
  for (let next = starts.pop(); next !== undefined; next = starts.pop()) {
    const [node, pointer] = next
    if (!isObject(node) || seen.has(node)) continue
    seen.add(node)
    const declared = own(node, "properties")
    if (isObject(declared)) properties += Object.keys(declared).length
    const values = own(node, "enum")
    if (Array.isArray(values)) enumValues += values.length
    const nested = own(node, "$schema")
    if (pointer !== "" && nested !== undefined && dialectOf(node) !== dialect) {
      const message = "One schema, one dialect."
      problems.push({ path: pointerTo(pointer, "$schema"), message, reason: "unsupported_dialect" })
    }
    for (const keyword of ["$dynamicRef", "$recursiveRef"]) {
      if (own(node, keyword) === undefined || keyword === dynamicKeyword(dialect)) continue
      const message = `${dialect} has no ${keyword}; use $ref.`
      problems.push({ path: pointerTo(pointer, keyword), message, reason: "dynamic_ref" })
    }
    problems.push(...patternProblems(node, pointer, patterns))
    for (const { keyword, key, schema } of subschemas(node)) {
      const at = pointerTo(pointer, keyword)
      starts.push([schema, key === undefined ? at : pointerTo(at, key)])
    }
  }
  problems.push(...patterns.compiled())
  if (properties > schemaLimits.properties) {
    const message = `${properties} properties; the limit is ${schemaLimits.properties}.`
    problems.push({ path: "", message, reason: "too_many_properties" })
  }
  if (enumValues > schemaLimits.enum_values) {
    const message = `${enumValues} enum values; the limit is ${schemaLimits.enum_values}.`
    problems.push({ path: "", message, reason: "too_many_enum_values" })
  }
  return problems
}

/**
 * Adds up what a schema's patterns cost before the first of them is compiled: a schema beyond it costs 19 ms and not the 90 of
 * compiling them until their sum is reached.
 */
class PatternBudget {
  private steps = 0
  private dearest = { steps: 0, path: "" }
  /** By their source, with the place where each stood first. */
  private readonly seen = new Map<string, string>()
  private readonly properties = new Set<string>()

  /** What is wrong once the sum is too large, told at the dearest pattern. A pattern that was there already is free. */
  add(source: string, path: string): SchemaProblem | undefined {
    if (this.steps > schemaLimits.pattern_steps || this.seen.has(source)) return undefined
    const pattern = translated(source)
    this.seen.set(source, path)
    const lookups = Array.from(pattern.properties).filter((property) => !this.properties.has(property))
    for (const property of lookups) this.properties.add(property)
    const steps = pattern.steps + lookups.length * lookupSteps
    if (steps > this.dearest.steps) this.dearest = { steps, path }
    this.steps += steps
    if (this.steps <= schemaLimits.pattern_steps) return undefined
    return {
      path: this.dearest.path,
      message:
        `All patterns together take more than ${schemaLimits.pattern_steps} steps, this one ${this.dearest.steps}: `
        + "every repeat and every range of a class counts, of `\\p{L}` 650. Repeat less, or use maxLength.",
      reason: "too_complex"
    }
  }

  /** What RE2 does not run of the patterns whose steps are known, each compiled; nothing where there are too many steps. */
  compiled(): ReadonlyArray<SchemaProblem> {
    if (this.steps > schemaLimits.pattern_steps) return []
    return Array.from(this.seen).flatMap(([source, path]) => problemOf(path, () => void linearPattern(source)))
  }
}

/** The problem of a pattern that cannot be translated or compiled, or what was found. */
const problemOf = (path: string, look: () => SchemaProblem | void): ReadonlyArray<SchemaProblem> => {
  try {
    return [look()].filter((problem) => problem !== undefined)
  } catch (error) {
    return [{ path, message: `The pattern ${(error as Error).message}.`, reason: "pattern_unsupported" }]
  }
}

const patternProblems = (node: SchemaObject, pointer: string, budget: PatternBudget): ReadonlyArray<SchemaProblem> => {
  const byPattern = own(node, "patternProperties")
  const patterns: Array<[string, string]> = isObject(byPattern)
    ? Object.keys(byPattern).map((key) => [key, pointerTo(pointerTo(pointer, "patternProperties"), key)])
    : []
  const pattern = own(node, "pattern")
  if (typeof pattern === "string") patterns.push([pattern, pointerTo(pointer, "pattern")])
  return patterns.flatMap(([source, path]): ReadonlyArray<SchemaProblem> => {
    if (source.length > schemaLimits.pattern_length) {
      const message = `The pattern is longer than ${schemaLimits.pattern_length} characters.`
      return [{ path, message, reason: "pattern_unsupported" }]
    }
    return problemOf(path, () => budget.add(source, path))
  })
}
