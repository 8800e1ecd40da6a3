import { join } from "node:path"
import { isObject, pointerTo, pointerTokens } from "../../src/schemas/json-schema/JsonSchema.ts"
import { leavesOf } from "../../workers/extraction/text/InstanceLeaves.ts"
import type { SchemaNode } from "../../workers/extraction/text/Plan.ts"
import { lineFilesIn, linesOf } from "./LabelledLines.ts"
import { footageProblem } from "./RecordProblems.ts"

/** How a right value comes about: in the source's own words, in another form, by meaning, by counting, or as a text about it. */
export const leafKinds = ["stated", "normalised", "classified", "computed", "generated"] as const
export type LeafKind = typeof leafKinds[number]

interface FootageLine {
  readonly id: string
  readonly speaker: string | null
  readonly text: string
  readonly t0?: number
  readonly t1?: number
  /** How sure the recogniser is of each word, where one heard it. */
  readonly confidences?: ReadonlyArray<number>
}

/** A wrong value that is said in the footage. */
interface Trap {
  readonly pointer: string
  readonly value: unknown
  readonly why: string
  readonly evidence: ReadonlyArray<string>
}

/** A video as text, with the result that a person takes from it, leaf by leaf. */
export interface FootageRecord {
  readonly id: string
  readonly schema: SchemaNode
  readonly segments: ReadonlyArray<FootageLine>
  readonly ocr: ReadonlyArray<FootageLine & { readonly frame: string }>
  readonly gold: unknown
  /** By pointer of a leaf: the segments and lines that support it. */
  readonly evidence: Readonly<Record<string, ReadonlyArray<string>>>
  readonly kinds: Readonly<Record<string, LeafKind>>
  /** By pointer of a generated leaf: what any right text holds. */
  readonly facts: Readonly<Record<string, ReadonlyArray<string>>>
  readonly traps: ReadonlyArray<Trap>
  /** Pointers that nobody answers. */
  readonly not_stated: ReadonlyArray<string>
}

/** The form before kinds and traps: evidence by property, segments by number. */
interface EarlierRecord extends Pick<FootageRecord, "id" | "schema" | "segments" | "ocr" | "gold"> {
  readonly evidence_segments: Readonly<Record<string, ReadonlyArray<number | string>>>
}

const nodeAt = (schema: SchemaNode, pointer: string): SchemaNode => {
  let at: unknown = schema
  for (const part of pointerTokens(pointer)) {
    if (!isObject(at)) return {}
    const properties = isObject(at["properties"]) ? at["properties"] : {}
    at = /^\d+$/u.test(part) && at["items"] !== undefined ? at["items"] : properties[part]
  }
  return isObject(at) ? at : {}
}

/** What is said word for word is stated, labels and yes or no are classified, all else is another form of what is said. */
const kindOf = (value: unknown, schema: SchemaNode, said: string): LeafKind => {
  if (typeof value === "boolean" || Array.isArray(schema["enum"])) return "classified"
  return said.toLowerCase().includes(String(value).toLowerCase()) ? "stated" : "normalised"
}

const converted = (earlier: EarlierRecord): FootageRecord => {
  const { evidence_segments, gold, id, ocr, schema, segments } = earlier
  const texts = new Map([...segments, ...ocr].map((line) => [line.id, line.text]))
  const leaves = Array.from(leavesOf(gold))
  const evidence = Object.fromEntries(leaves.map(({ pointer }): [string, ReadonlyArray<string>] => {
    const refs = evidence_segments[`/${pointer.split("/")[1]}`] ?? []
    return [
      pointer,
      refs.map((ref) => {
        const id = typeof ref === "number" ? segments[ref]?.id : ref
        if (id === undefined) throw new RangeError(`evidence names segment ${ref} of ${segments.length}`)
        return id
      })
    ]
  }))
  const kinds = Object.fromEntries(leaves.map(({ pointer, value }): [string, LeafKind] => {
    const said = evidence[pointer]!.map((ref) => texts.get(ref) ?? "").join(" ")
    return [pointer, kindOf(value, nodeAt(schema, pointer), said)]
  }))
  const properties = isObject(schema["properties"]) ? Object.keys(schema["properties"]) : []
  const answered = isObject(gold) ? new Set(Object.keys(gold)) : new Set<string>()
  const not_stated = properties.filter((name) => !answered.has(name)).map((name) => pointerTo("", name))
  return { id, schema, segments, ocr, gold, evidence, kinds, facts: {}, traps: [], not_stated }
}

/** A line of a file of footage, in the form of today or the earlier one; throws with what is wrong where it is neither. */
const recordOf = (value: unknown): FootageRecord => {
  if (!isObject(value)) throw new TypeError("no footage")
  const isEarlier = isObject(value["evidence_segments"])
  const whole = { facts: {}, traps: [], not_stated: [], ...value }
  const problem = footageProblem(isEarlier ? { ...whole, evidence: {}, kinds: {} } : whole, leafKinds)
  if (problem !== undefined) throw new TypeError(`no footage: ${problem}`)
  return isEarlier ? converted(value as never) : whole as never
}

export interface ReadFootage {
  readonly records: ReadonlyArray<FootageRecord>
  /** `file:line: why` of everything that was not read. */
  readonly unread: ReadonlyArray<string>
}

/** All footage of one file; what cannot be read is named, never passed over. */
export const readFootageFile = (file: string): ReadFootage => {
  const records: Array<FootageRecord> = []
  const unread: Array<string> = []
  for (const { line, number } of linesOf(file)) {
    try {
      const value: unknown = JSON.parse(line)
      // A line of an export of jobs: its gold, if people have decided on all of it.
      const exported = isObject(value) && typeof value["cursor"] === "string" && isObject(value["job"])
      const gold = exported ? (value["job"] as { readonly gold?: unknown }).gold : value
      if (exported && gold === undefined) continue
      records.push(recordOf(gold))
    } catch (error) {
      unread.push(`${file}:${number}: ${error instanceof Error ? error.message : String(error)}`)
    }
  }
  return { records, unread }
}

/** All footage in the `*.jsonl` files of a folder, but for files of dialogues (`sgd*.jsonl`), which are scored by themselves. */
export const readFootageFolder = (folder: string): ReadFootage => {
  const { files, unread } = lineFilesIn(folder)
  const read = files.filter((name) => !name.startsWith("sgd")).map((name) => readFootageFile(join(folder, name)))
  return {
    records: read.flatMap(({ records }) => records),
    unread: [...read.flatMap((one) => one.unread), ...unread]
  }
}
