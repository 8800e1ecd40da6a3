import { createHash } from "node:crypto"
import { canonicalJson } from "../../src/crypto/CanonicalJson.ts"

/** Artifacts that may not change where only the code's order does. */
export const compared = ["result", "evidence", "transcript", "frames", "vision", "graph"] as const
export type Compared = (typeof compared)[number]

/** What is another in every run: whose job it was. */
const FROM_RUN = new Set(["job_id"])

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null && !Array.isArray(value)

/** An artifact without what is another in every run. */
export const settled = (value: unknown): unknown =>
  isObject(value) ? Object.fromEntries(Object.entries(value).filter(([name]) => !FROM_RUN.has(name))) : value

/** SHA-256 of an artifact's canonical JSON, by which two runs are told to be the same. */
export const digestOf = (value: unknown): string =>
  createHash("sha256").update(canonicalJson(settled(value) as never)).digest("hex")

/** A place where two artifacts differ, by its JSON Pointer; undefined stands for nothing there. */
export interface Difference {
  readonly pointer: string
  readonly before: unknown
  readonly after: unknown
}

const membersOf = (value: unknown): Readonly<Record<string, unknown>> | undefined =>
  Array.isArray(value) ? Object.fromEntries(value.entries()) : isObject(value) ? value : undefined

/** Every place where two JSON values differ: the innermost ones, in the order of the first. */
export const differencesOf = (before: unknown, after: unknown, pointer = ""): ReadonlyArray<Difference> => {
  const [one, other] = [membersOf(before), membersOf(after)]
  if (one === undefined || other === undefined || Array.isArray(before) !== Array.isArray(after)) {
    return Object.is(before, after) ? [] : [{ pointer, before, after }]
  }
  const names = new Set([...Object.keys(one), ...Object.keys(other)])
  return [...names].flatMap((name) =>
    differencesOf(one[name], other[name], `${pointer}/${name.replaceAll("~", "~0").replaceAll("/", "~1")}`)
  )
}

/** Differences by their place without the numbers of entries: what changed of a kind, and how often. */
export const byKind = (differences: ReadonlyArray<Difference>): ReadonlyMap<string, ReadonlyArray<Difference>> =>
  Map.groupBy(differences, ({ pointer }) => pointer.replaceAll(/\/\d+(?=\/|$)/gu, "/*"))
