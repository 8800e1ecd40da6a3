import { isObject, type JsonSchema, own, type SchemaObject, subschemas, valueAt } from "./JsonSchema.ts"
import type { SchemaProblem } from "./SchemaProblem.ts"

/** Keywords that look at the same instance again; every other one looks at a part of it. */
const inPlace = new Set(["allOf", "anyOf", "oneOf", "not", "if", "then", "else", "dependentSchemas"])

type Step =
  | { readonly kind: "enter"; readonly node: SchemaObject; readonly level: number }
  | { readonly kind: "parts"; readonly node: SchemaObject; readonly level: number }
  | { readonly kind: "leave"; readonly node: SchemaObject }

/**
 * What is wrong with the schema once its references are followed: a cycle that never gets to a smaller part of the instance
 * (`{"$ref":"#"}`), or more than `limit` nodes. Recursion through a part, as in a tree, is cut when it comes round, so
 * that trees pass. Takes a normalised schema; iterative, and never visits more than `limit` nodes.
 */
export const unfoldingProblem = (root: JsonSchema, limit: number): SchemaProblem | undefined => {
  if (!isObject(root)) return undefined
  const resolved = new Map<string, unknown>()
  const follow = (ref: string): unknown => {
    if (!resolved.has(ref)) resolved.set(ref, valueAt(root, decodeURIComponent(ref.slice(1))))
    return resolved.get(ref)
  }
  // Per node, the levels at which it is being looked at: the same level twice means that nothing was consumed.
  const levels = new Map<SchemaObject, Array<number>>()
  const expanded = new Set<SchemaObject>()
  let count = 0
  let level = 0
  const steps: Array<Step> = [{ kind: "enter", node: root, level: 0 }]
  for (let step = steps.pop(); step !== undefined; step = steps.pop()) {
    if (step.kind === "leave") {
      expanded.delete(step.node)
      continue
    }
    const { node } = step
    if (step.kind === "parts") {
      levels.get(node)!.pop()
      if (expanded.has(node)) continue
      expanded.add(node)
      steps.push({ kind: "leave", node })
      for (const { keyword, schema } of subschemas(node)) {
        if (inPlace.has(keyword) || keyword === "$defs" || keyword === "definitions" || !isObject(schema)) continue
        steps.push({ kind: "enter", node: schema, level: ++level })
      }
      continue
    }
    if (++count > limit) {
      return { path: "", message: `Expands to more than ${limit} nodes.`, reason: "too_complex" }
    }
    const active = levels.get(node) ?? []
    levels.set(node, active)
    if (active.at(-1) === step.level) {
      return { path: "", message: "A reference leads back to itself without going into a part.", reason: "ref_cycle" }
    }
    active.push(step.level)
    steps.push({ kind: "parts", node, level: step.level })
    const ref = own(node, "$ref")
    const target = typeof ref === "string" ? follow(ref) : undefined
    if (isObject(target)) steps.push({ kind: "enter", node: target, level: step.level })
    for (const { keyword, schema } of subschemas(node)) {
      if (inPlace.has(keyword) && isObject(schema)) steps.push({ kind: "enter", node: schema, level: step.level })
    }
  }
  return undefined
}
