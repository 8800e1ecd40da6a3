import type { EvidenceSpan } from "../../src/artifacts/Evidence.ts"
import { leavesOf } from "../../workers/extraction/text/InstanceLeaves.ts"
import { sameValue } from "./ExtractionData.ts"
import { type FootageRecord, type LeafKind, leafKinds } from "./FootageRecord.ts"

/** What an extractor gave for a video. */
interface GivenResult {
  readonly result: unknown
  readonly spans: ReadonlyArray<EvidenceSpan>
}

/** One leaf that was given, and what is true of it. */
interface GivenLeaf {
  readonly pointer: string
  /** The leaf of the right result that it stands for; undefined where no leaf of it does. */
  readonly gold: string | undefined
  readonly kind: LeafKind | undefined
  readonly right: boolean
  /** Right, and the cited source is one that the right result names. */
  readonly grounded: boolean
  /** It is the wrong value that the video says for this leaf. */
  readonly trap: boolean
  /** Nobody answers this field. */
  readonly unanswered: boolean
  readonly confidence: number | null
}

interface RecordScore {
  readonly given: ReadonlyArray<GivenLeaf>
  /** Leaves that stand for nothing because the schema demands them: no facts, and told as `PLACEHOLDERS`. */
  readonly placeholders: number
  readonly missed: ReadonlyArray<LeafKind>
}

const plain = (text: string): string => text.toLowerCase().normalize("NFKD").replaceAll(/[^\p{L}\p{N}]+/gu, " ").trim()

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null && !Array.isArray(value)

/** A day, a moment or a time of day: of "2026-04-16T19:30" with one digit other, four words of five are the same. */
const MOMENT = /^(?:\d{4}-\d{2}(?:-\d{2})?(?:[T ].*)?|\d{1,2}:\d{2}(?::\d{2})?)$/u
/** One code or number of digits and letters, however it is grouped: "0800 55 21 90" is 0800552190. */
const CODE = /^(?=.*\d)[\p{L}\d](?:[\s./+-]?[\p{L}\d])*$/u
const ungrouped = (code: string): string => code.toUpperCase().replaceAll(/[^\p{L}\d]/gu, "")

/** A text is right where it is the other but for case and marks, or four of five words are the same; moments, numbers and yes or no only as they are. */
export const equal = (left: unknown, right: unknown): boolean => {
  if (typeof left !== "string" || typeof right !== "string") return left === right
  if (MOMENT.test(right)) return left === right
  return sameValue(left, [right]) || (CODE.test(left) && CODE.test(right) && ungrouped(left) === ungrouped(right))
}

const likeness = (left: unknown, right: unknown): number => {
  const [mine, gold] = [Array.from(leavesOf(left)), Array.from(leavesOf(right))]
  const same = mine.filter((leaf) =>
    gold.some((other) => other.pointer === leaf.pointer && equal(leaf.value, other.value))
  )
  return (2 * same.length) / (mine.length + gold.length || 1)
}

/** Entries of two arrays by falling likeness, each once. */
const pairUp = (mine: ReadonlyArray<unknown>, gold: ReadonlyArray<unknown>): ReadonlyMap<number, number> => {
  const scored = mine.flatMap((one, at) => gold.map((other, to) => ({ at, to, like: likeness(one, other) })))
  const pairs = new Map<number, number>()
  const taken = new Set<number>()
  for (const { at, like, to } of scored.toSorted((a, b) => b.like - a.like || a.to - b.to || a.at - b.at)) {
    if (like === 0 || pairs.has(at) || taken.has(to)) continue
    pairs.set(at, to)
    taken.add(to)
  }
  return pairs
}

/** Each leaf that was given with the pointer of the leaf of the right result beside it, where there is one. */
function* beside(
  mine: unknown,
  gold: unknown,
  at: string,
  to: string | undefined
): Generator<{ readonly pointer: string; readonly value: unknown; readonly gold: string | undefined }> {
  if (Array.isArray(mine)) {
    const pairs = Array.isArray(gold) ? pairUp(mine, gold) : new Map<number, number>()
    for (const [index, entry] of mine.entries()) {
      const pair = pairs.get(index)
      yield* beside(
        entry,
        pair === undefined ? undefined : (gold as ReadonlyArray<unknown>)[pair],
        `${at}/${index}`,
        pair === undefined || to === undefined ? undefined : `${to}/${pair}`
      )
    }
  } else if (isObject(mine)) {
    for (const [key, value] of Object.entries(mine)) {
      yield* beside(
        value,
        isObject(gold) ? gold[key] : undefined,
        `${at}/${key}`,
        to === undefined ? undefined : `${to}/${key}`
      )
    }
  } else if (mine !== null && mine !== undefined) yield { pointer: at, value: mine, gold: to }
}

/**
 * What became of each leaf of one video that was given with evidence: entries of arrays are paired first, then every leaf counts once. A generated text is right
 * where it holds all facts that any right text holds.
 */
export const scoreRecord = (record: FootageRecord, { result, spans }: GivenResult): RecordScore => {
  const wanted = new Map(Array.from(leavesOf(record.gold), ({ pointer, value }) => [pointer, value]))
  const byPointer = new Map(spans.filter(({ grade }) => grade !== "default").map((span) => [span.pointer, span]))
  const met = new Set<string>()
  const frames = new Map(record.ocr.map((line) => [line.id, line.frame]))
  const numbers = new Map(record.segments.map((line, at) => [line.id, `seg#${String(at).padStart(6, "0")}`]))
  const isRight = (pointer: string, value: unknown): boolean => {
    const facts = record.kinds[pointer] === "generated" ? record.facts[pointer] ?? [] : []
    if (facts.length === 0) return equal(value, wanted.get(pointer))
    const text = ` ${plain(String(value))} `
    return facts.every((fact) => text.includes(` ${plain(fact)} `))
  }
  const standing = Array.from(beside(result, record.gold, "", ""))
  const facts = standing.filter(({ pointer }) => byPointer.has(pointer))
  const given = facts.map(({ gold: beside, pointer, value }): GivenLeaf => {
    const gold = beside !== undefined && wanted.has(beside) ? beside : undefined
    const right = gold !== undefined && isRight(gold, value)
    if (right) met.add(gold)
    const span = byPointer.get(pointer)
    const refs = (right ? record.evidence[gold] ?? [] : []).map((ref) => frames.get(ref) ?? numbers.get(ref))
    return {
      pointer,
      gold,
      kind: gold === undefined ? undefined : record.kinds[gold],
      right,
      grounded: right && refs.includes(span?.source_ref),
      trap: !right && record.traps.some((trap) => trap.pointer === beside && equal(value, trap.value)),
      unanswered: beside !== undefined &&
        record.not_stated.some((one) => beside === one || beside.startsWith(`${one}/`)),
      confidence: span?.confidence ?? null
    }
  })
  const placeholders = standing.length - facts.length
  return {
    given,
    placeholders,
    missed: Array.from(wanted.keys()).filter((pointer) => !met.has(pointer)).map((pointer) => record.kinds[pointer]!)
  }
}

const three = (value: number): number => Math.round(value * 1000) / 1000
const share = (part: number, whole: number): number | null => whole === 0 ? null : three(part / whole)

/** Expected calibration error over ten equal bins (Naeini, M. P. et al., 2015). */
const calibrationError = (given: ReadonlyArray<GivenLeaf>): number | null => {
  const known = given.flatMap(({ confidence, right }) => confidence === null ? [] : [{ confidence, right }])
  const bins = Map.groupBy(known, ({ confidence }) => Math.min(9, Math.floor(confidence * 10)))
  let error = 0
  for (const bin of bins.values()) {
    const said = bin.reduce((sum, { confidence }) => sum + confidence, 0)
    error += Math.abs(said - bin.filter(({ right }) => right).length)
  }
  return share(error, known.length)
}

interface FootageFigures {
  readonly precision: number | null
  readonly recall: number | null
  readonly f1: number | null
  readonly grounded_f1: number | null
  /** Of the right values, those that cite a source which the right result names. */
  readonly evidence_accuracy: number | null
  readonly ece: number | null
  readonly traps_taken: number | null
  readonly unanswered_filled: number | null
  readonly given: number
}

const figures = (
  given: ReadonlyArray<GivenLeaf>,
  missed: number,
  traps: number,
  unanswered: number
): FootageFigures => {
  const right = given.filter((leaf) => leaf.right).length
  const grounded = given.filter((leaf) => leaf.grounded).length
  const filled = new Set(given.filter((leaf) => leaf.unanswered)).size
  return {
    precision: share(right, given.length),
    recall: share(right, right + missed),
    f1: share(2 * right, given.length + right + missed),
    grounded_f1: share(2 * grounded, given.length + right + missed),
    evidence_accuracy: share(grounded, right),
    ece: calibrationError(given),
    traps_taken: share(given.filter((leaf) => leaf.trap).length, traps),
    unanswered_filled: share(filled, unanswered),
    given: given.length
  }
}

/** All videos of a set at one operating point: together and by how the right value comes about. */
export const footageScore = (records: ReadonlyArray<FootageRecord>, scores: ReadonlyArray<RecordScore>) => {
  const given = scores.flatMap((score) => score.given)
  const missed = scores.flatMap((score) => score.missed)
  const traps = records.reduce((sum, record) => sum + record.traps.length, 0)
  const unanswered = records.reduce((sum, record) => sum + record.not_stated.length, 0)
  const by_kind = Object.fromEntries(leafKinds.map((kind) => {
    const { f1, precision, recall } = figures(
      given.filter((leaf) => leaf.kind === kind),
      missed.filter((one) => one === kind).length,
      0,
      0
    )
    return [kind, { precision, recall, f1 }]
  }))
  const placeholders = scores.reduce((sum, score) => sum + score.placeholders, 0)
  return { ...figures(given, missed.length, traps, unanswered), placeholders, by_kind }
}
