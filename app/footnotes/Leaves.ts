import type { EvidenceSpan, Unfilled } from "../../clients/typescript/src/generated/types.ts"
import { pointerOf, stepsOf, titleOf } from "./JsonPointer.ts"
import type { Json, ResultData } from "./ResultData.ts"
import { type Shape, shapeOf } from "./SchemaShape.ts"

/**
 * `verified` and `not_verified` as the evidence says; `unfilled`: no value of the footage is there; `schema`: the schema's own
 * value; `person`: a person said so in a review; `uncited`: a value that the evidence does not mention.
 */
export type LeafState = "verified" | "not_verified" | "unfilled" | "schema" | "person" | "uncited"

export interface Leaf {
  readonly kind: "leaf"
  readonly pointer: string
  readonly depth: number
  readonly title: string
  readonly description: string | null
  /** Titles on the way to it. */
  readonly path: ReadonlyArray<string>
  readonly value: Json | undefined
  readonly span: EvidenceSpan | null
  readonly unfilled: Unfilled | null
  readonly state: LeafState
  /** Its place among the leaves, from 0. */
  readonly index: number
  /** The number of its footnote; null where it has none. */
  readonly number: number | null
}

export interface Heading {
  readonly kind: "heading"
  readonly pointer: string
  readonly depth: number
  readonly title: string
  readonly description: string | null
  /** Titles on the way to it. */
  readonly path: ReadonlyArray<string>
  /** Of a list: how many entries it has. */
  readonly entries: number | null
}

export type Row = Leaf | Heading

interface Node {
  readonly children: Map<string, Node>
  list: boolean
  value: Json | undefined
  span: EvidenceSpan | null
  unfilled: Unfilled | null
}

const node = (): Node => ({ children: new Map(), list: false, value: undefined, span: null, unfilled: null })

const grow = (root: Node, pointer: string): Node => {
  let here = root
  for (const step of stepsOf(pointer)) {
    const next = here.children.get(step) ?? node()
    here.children.set(step, next)
    here = next
  }
  return here
}

const plant = (here: Node, value: Json): void => {
  here.value = value
  here.list = Array.isArray(value)
  if (typeof value !== "object" || value === null) return
  for (const [step, child] of Object.entries(value)) {
    const next = node()
    here.children.set(step, next)
    plant(next, child)
  }
}

const stateOf = ({ span, unfilled }: Node): LeafState =>
  unfilled !== null
    ? "unfilled"
    : span === null
    ? "uncited"
    : (span.origin as string) === "person"
    ? "person"
    : span.grade === "default"
    ? "schema"
    : span.verified
    ? "verified"
    : "not_verified"

/** The result as rows from top to bottom, in the order and by the titles of its schema; what is not filled stands in its place. */
export const rowsOf = ({ evidence, json_schema, result }: Pick<ResultData, "evidence" | "json_schema" | "result">) => {
  const root = node()
  plant(root, result)
  for (const span of evidence.spans) grow(root, span.pointer).span = span
  for (const unfilled of evidence.unfilled) grow(root, unfilled.pointer).unfilled = unfilled

  const rows: Array<Row> = []
  let [index, number] = [0, 0]
  const walk = (
    here: Node,
    shape: Shape,
    steps: ReadonlyArray<string>,
    path: ReadonlyArray<string>,
    entry: boolean
  ) => {
    const depth = Math.max(0, steps.length - 1)
    const pointer = pointerOf(steps)
    const title = path.at(-1) ?? shape.title ?? "Result"
    const { description } = shape
    const leaf = here.children.size === 0 || here.span !== null || here.unfilled !== null
    if (leaf && (steps.length > 0 || here.children.size === 0)) {
      const cited = here.span !== null && here.span.citations.length > 0
      rows.push({
        kind: "leaf",
        pointer,
        depth,
        title,
        description,
        path,
        value: here.value,
        span: here.span,
        unfilled: here.unfilled,
        state: stateOf(here),
        index: index++,
        number: cited ? ++number : null
      })
    } else if (steps.length > 0) {
      const entries = here.list ? here.children.size : null
      rows.push({ kind: "heading", pointer, depth, title, description: entry ? null : description, path, entries })
    }
    const known = shape.names.filter((name) => here.children.has(name))
    const others = [...here.children.keys()].filter((step) => !known.includes(step))
    for (
      const step of here.list
        ? [...here.children.keys()].toSorted((a, b) => Number(a) - Number(b))
        : [...known, ...others]
    ) {
      const child = shape.child(step)
      const name = here.list || (/^\d+$/u.test(step) && shape.names.length === 0)
        ? `${Number(step) + 1}`
        : child.title ?? titleOf(step)
      walk(here.children.get(step)!, child, [...steps, step], [...path, name], here.list)
    }
  }
  walk(root, shapeOf(json_schema), [], [], false)
  return rows
}

export const leavesOf = (rows: ReadonlyArray<Row>): ReadonlyArray<Leaf> =>
  rows.filter((row): row is Leaf => row.kind === "leaf")

/** A value as a person reads it. */
export const shown = (value: Json | undefined): string =>
  value === undefined || value === null
    ? ""
    : typeof value === "string"
    ? value
    : typeof value === "boolean"
    ? (value ? "Yes" : "No")
    : JSON.stringify(value)
