import type { EvidenceSpan } from "../../src/artifacts/Evidence.ts"
import { leavesOf, templateOf } from "../../workers/extraction/text/InstanceLeaves.ts"
import { equal } from "./Equality.ts"
import { type FootageRecord, type LeafKind, leafKinds } from "./FootageRecord.ts"
import { beside, type IsRight, type StandingLeaf } from "./Pairing.ts"

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
  readonly confidence: number | null
}

interface RecordScore {
  readonly given: ReadonlyArray<GivenLeaf>
  /** Leaves that stand for nothing because the schema demands them: no facts, and told as `PLACEHOLDERS`. */
  readonly placeholders: number
  readonly missed: ReadonlyArray<LeafKind>
  /** How many of the wrong values that the video says were taken. */
  readonly traps_taken: number
  /** How many of the fields that nobody answers were filled. */
  readonly unanswered_filled: number
}

const plain = (text: string): string => text.toLowerCase().normalize("NFKD").replaceAll(/[^\p{L}\p{N}]+/gu, " ").trim()

/**
 * Whether a text holds a fact as the format means it, somewhere within: "sign" in "has to be signed". By whole words 41 of the 390 right texts of our sets
 * did not hold their own facts. A number is no part of a longer one.
 */
const holds = (text: string, fact: string): boolean => {
  for (let at = text.indexOf(fact); at >= 0; at = text.indexOf(fact, at + 1)) {
    const around = [text.slice(Math.max(0, at - 1), at + 1), text.slice(at + fact.length - 1, at + fact.length + 1)]
    if (!around.some((edge) => /^\p{N}{2}$/u.test(edge))) return true
  }
  return false
}

/** What follows the entry in the pointer of a leaf below an array. */
const within = (whole: string, array: string): string => whole.slice(array.length + 1).replace(/^[^/]+/u, "")

/** The leaf counts as the trap's: the same leaf, or, where an entry stands for none of the right result, the same place in any entry of the array. */
const isTrapped = ({ gold, array, pointer }: StandingLeaf, trap: string): boolean => {
  if (gold !== undefined) return trap === gold
  if (array === undefined || !trap.startsWith(`${array.gold}/`)) return false
  return templateOf(within(trap, array.gold)) === templateOf(within(pointer, array.given))
}

/**
 * What became of each leaf of one video that was given with evidence: entries of arrays are paired first, then every leaf counts once. A generated text is right
 * where it holds all facts that any right text holds.
 */
export const scoreRecord = (record: FootageRecord, { result, spans }: GivenResult): RecordScore => {
  const wanted = new Map(Array.from(leavesOf(record.gold), ({ pointer, value }) => [pointer, value]))
  const byPointer = new Map(spans.filter(({ grade }) => grade !== "default").map((span) => [span.pointer, span]))
  const met = new Set<string>()
  const trapped = new Set<number>()
  const filled = new Set<string>()
  const frames = new Map(record.ocr.map((line) => [line.id, line.frame]))
  const numbers = new Map(record.segments.map((line, at) => [line.id, `seg#${String(at).padStart(6, "0")}`]))
  const isRight: IsRight = (pointer, value) => {
    const facts = record.kinds[pointer] === "generated" ? record.facts[pointer] ?? [] : []
    if (facts.length === 0) return equal(value, wanted.get(pointer))
    return facts.every((fact) => holds(plain(String(value)), plain(fact)))
  }
  const standing = Array.from(beside(result, record.gold, isRight))
  const facts = standing.filter(({ pointer }) => byPointer.has(pointer))
  const given = facts.map((leaf): GivenLeaf => {
    const { pointer, value } = leaf
    const gold = leaf.gold !== undefined && wanted.has(leaf.gold) ? leaf.gold : undefined
    const right = gold !== undefined && isRight(gold, value)
    if (right) met.add(gold)
    const span = byPointer.get(pointer)
    const refs = (right ? record.evidence[gold] ?? [] : []).map((ref) => frames.get(ref) ?? numbers.get(ref))
    const taken = right ?
      -1 :
      record.traps.findIndex((trap, at) =>
        !trapped.has(at) && isTrapped(leaf, trap.pointer) && equal(value, trap.value)
      )
    if (taken >= 0) trapped.add(taken)
    const place = leaf.gold ?? leaf.array?.gold
    const unasked = place === undefined
      ? []
      : record.not_stated.filter((one) => place === one || place.startsWith(`${one}/`))
    for (const one of unasked) filled.add(one)
    return {
      pointer,
      gold,
      kind: gold === undefined ? undefined : record.kinds[gold],
      right,
      grounded: right && refs.includes(span?.source_ref),
      confidence: span?.confidence ?? null
    }
  })
  return {
    given,
    placeholders: standing.length - facts.length,
    missed: Array.from(wanted.keys()).filter((pointer) => !met.has(pointer)).map((pointer) => record.kinds[pointer]!),
    traps_taken: trapped.size,
    unanswered_filled: filled.size
  }
}

const three = (value: number): number => Math.round(value * 1000) / 1000
const share = (part: number, whole: number): number | null => whole === 0 ? null : three(part / whole)

/** Expected calibration error over ten equal bins (Naeini, M. P. et al., 2015). */
export const calibrationError = (
  given: ReadonlyArray<Pick<GivenLeaf, "confidence" | "right">>
): number | null => {
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
  missed: number
): Omit<FootageFigures, "traps_taken" | "unanswered_filled"> => {
  const right = given.filter((leaf) => leaf.right).length
  const grounded = given.filter((leaf) => leaf.grounded).length
  return {
    precision: share(right, given.length),
    recall: share(right, right + missed),
    f1: share(2 * right, given.length + right + missed),
    grounded_f1: share(2 * grounded, given.length + right + missed),
    evidence_accuracy: share(grounded, right),
    ece: calibrationError(given),
    given: given.length
  }
}

const total = <T>(all: ReadonlyArray<T>, count: (one: T) => number): number =>
  all.reduce((sum, one) => sum + count(one), 0)

/** All videos of a set at one operating point: together and by how the right value comes about. */
export const footageScore = (records: ReadonlyArray<FootageRecord>, scores: ReadonlyArray<RecordScore>) => {
  const given = scores.flatMap((score) => score.given)
  const missed = scores.flatMap((score) => score.missed)
  const by_kind = Object.fromEntries(leafKinds.map((kind) => {
    const { f1, precision, recall } = figures(
      given.filter((leaf) => leaf.kind === kind),
      missed.filter((one) => one === kind).length
    )
    return [kind, { precision, recall, f1 }]
  }))
  const { given: count, ...rates } = figures(given, missed.length)
  const whole: FootageFigures = {
    ...rates,
    traps_taken: share(total(scores, (score) => score.traps_taken), total(records, ({ traps }) => traps.length)),
    unanswered_filled: share(
      total(scores, (score) => score.unanswered_filled),
      total(records, ({ not_stated }) => new Set(not_stated).size)
    ),
    given: count
  }
  return { ...whole, placeholders: total(scores, (score) => score.placeholders), by_kind }
}
