import { type Artifacts, type Citation, type GraphNode, hasImage, type Span } from "./Artifacts.ts"
import { dayAcross, momentAcross } from "./Calendar.ts"
import { canBeDerived } from "./Derived.ts"
import { madeUp } from "./Generated.ts"
import { leaves, sameJson, tokensOf } from "./Json.ts"
import { givenBySchema, isLabel, wordsAbout } from "./Leaves.ts"
import { readingsOf, saysNumber, withWholeNumbers } from "./Numerals.ts"
import { claimsNothing } from "./Placeholders.ts"
import { fitOf } from "./SchemaFit.ts"
import { openSources, sideOf, type Sources } from "./Sources.ts"
import { distanceInside, followsFrom } from "./Values.ts"

interface Failure {
  readonly pointer: string
  readonly message: string
}

export interface Report {
  readonly spans: number
  /** Spans without a failure: everything that needs no model holds of them. */
  readonly proven: number
  /** What is left to a judge, by how many spans it concerns. */
  readonly open: { readonly answers: number; readonly classified: number; readonly generated: number }
  readonly leaves: number
  readonly unfilled: number
  readonly failures: ReadonlyArray<Failure>
}

/**
 * Derives every span again from the result, the artifacts and the kept frames, by rules written for this purpose alone.
 * Each thing that does not hold is one failure with its pointer; nothing is thrown for a wrong artifact of the right shape.
 */
export const verifyArtifacts = (artifacts: Artifacts): Report => {
  const sources = openSources(artifacts)
  const nodes = new Map(artifacts.graph.nodes.map((node) => [node.id, node]))
  const misfitOf = fitOf(artifacts.schema)
  const result = leaves(artifacts.result)
  const failures: Array<Failure> = []
  const bad = new Set<Span>()

  for (const span of artifacts.evidence.spans) {
    const messages = [
      ...leafFaults(span, result),
      ...citationFaults(span, artifacts, sources),
      ...valueFaults(span, artifacts, sources),
      ...placeFaults(span, nodes, sources)
    ]
    if (messages.length > 0) bad.add(span)
    for (const message of messages) failures.push({ pointer: span.pointer, message })
  }
  failures.push(...coverageFaults(artifacts, result), ...unfilledFaults(artifacts, result, misfitOf))
  const misfit = misfitOf(artifacts.result)
  if (misfit !== undefined) failures.push({ pointer: "", message: `the result does not fit its schema: ${misfit}` })
  if (Object.hasOwn(artifacts.job, "result") && !sameJson(artifacts.job.result, artifacts.result)) {
    failures.push({ pointer: "", message: "job.json holds another result" })
  }
  return {
    spans: artifacts.evidence.spans.length,
    proven: artifacts.evidence.spans.length - bad.size,
    open: {
      answers: artifacts.evidence.spans.filter(({ grade }) => grade !== "default").length,
      classified: artifacts.evidence.spans.filter(({ grade }) => grade === "classified").length,
      generated: artifacts.evidence.spans.filter(({ grade }) => grade === "generated").length
    },
    leaves: result.size,
    unfilled: artifacts.evidence.unfilled.filter(({ pointer }) => result.has(pointer)).length,
    failures
  }
}

const leafFaults = (span: Span, result: ReadonlyMap<string, unknown>): ReadonlyArray<string> => {
  if (!result.has(span.pointer)) return ["no such leaf in the result"]
  if (sameJson(result.get(span.pointer), span.value)) return []
  return [`the result says ${JSON.stringify(result.get(span.pointer))}, the span ${JSON.stringify(span.value)}`]
}

const citationFaults = (span: Span, artifacts: Artifacts, sources: Sources): ReadonlyArray<string> => {
  const faults: Array<string> = []
  const cite = (citation: Citation, channel: string, prefix: string) => {
    const fault = sources.fault(citation, channel)
    if (fault !== undefined) faults.push(prefix + fault)
    const frame = sources.frame(citation.source_ref)
    if (frame?.kept === true && !hasImage(artifacts.folder, frame)) {
      faults.push(`${prefix}frames/${frame.id}.jpg is missing or no JPEG`)
    }
    if (citation.t_end < citation.t_start || citation.t_end > artifacts.transcript.duration_seconds + 0.0015) {
      faults.push(`${prefix}${citation.t_start}–${citation.t_end} s is no moment of the source`)
    }
  }
  if (span.grade === "default") return []
  cite(span, span.origin_channel, "")
  const [first, ...others] = span.citations
  const repeats = first !== undefined &&
    (["source_ref", "t_start", "t_end", "quote", "media_fragment", "origin_channel"] as const)
      .every((member) => first[member] === span[member])
  if (!repeats) faults.push("the first citation is not the span's own place")
  for (const other of others) cite(other, other.origin_channel ?? "", `${other.role}: `)
  for (const other of span.corroborated_by) {
    cite(other, other.origin_channel ?? "", "corroboration: ")
    if (sideOf(other.origin_channel ?? "") === sideOf(span.origin_channel)) {
      faults.push("corroboration: from the same side as the span")
    } else if (!saysTheSame(other.quote, span, artifacts)) {
      faults.push(`corroboration: "${other.quote}" does not say the same`)
    }
  }
  for (const other of span.alternatives) {
    const segment = sources.segment(other.source_ref)
    const onText = sources.fault(other, "ocr") === undefined
    cite(other, segment?.origin ?? (onText ? "ocr" : "vision"), "alternative: ")
  }
  const sides = new Set(
    [span.origin_channel, ...span.corroborated_by.map((other) => other.origin_channel ?? "")].map(sideOf)
  )
  const modality = sides.size === 2 ? "both" : sideOf(span.origin_channel)
  if (span.modality !== modality) faults.push(`the modality is ${modality}, not ${span.modality}`)
  return faults
}

const saysItsNumbers = (quote: string, numbers: ReadonlyArray<ReadonlyArray<number>>): boolean =>
  numbers.length > 0 && numbers.every((ways) => ways.some((number) => saysNumber(quote, number)))

/** Whether another quote carries the span's value, or says nearly what the span's quote says. */
const saysTheSame = (quote: string, { pointer, quote: own, value }: Span, { result, schema }: Artifacts): boolean =>
  followsFrom(
    quote,
    value,
    typeof value === "number" ? "normalised" : "inferred",
    wordsAbout(schema, pointer, result)
  ) ||
  distanceInside(quote, own) <= 0.34 || distanceInside(own, quote) <= 0.34 ||
  saysItsNumbers(quote, readingsOf(own))

/** The picture and the node that a span names have to be those of its quote. */
const placeFaults = (
  { frame_id, node_id, quote, source_ref }: Span,
  nodes: ReadonlyMap<string, GraphNode>,
  sources: Sources
): ReadonlyArray<string> => {
  const faults: Array<string> = []
  if (frame_id !== undefined && frame_id !== sources.frame(source_ref)?.id) {
    faults.push(`${frame_id} is not the picture of ${source_ref}`)
  }
  const node = node_id === null ? undefined : nodes.get(node_id)
  if (node_id !== null && node === undefined) faults.push(`${node_id} is not in the graph`)
  else if (node !== undefined && !holds(node, source_ref, quote)) faults.push(`${node_id} does not hold the quote`)
  return faults
}

const namedAlike = (a: string, b: string): boolean => {
  const [short, long] = [a, b].map((text) => Array.from(text.matchAll(/[\p{L}\p{N}]+/gu), ([word]) => word)).toSorted((
    x,
    y
  ) => x.length - y.length)
  const initials = long!.map((word) => word[0]).join("")
  return short!.some((word) => long!.includes(word)) || short!.join("") === initials || distanceInside(a, b) <= 0.34
}

/** Whether a node is of the source and is called as the quote says, or is a statement that the quote is part of. */
const holds = ({ kind, label, source_refs }: GraphNode, source_ref: string, quote: string): boolean => {
  if (!source_refs.includes(source_ref)) return false
  const [a, b] = [label, quote].map((text) => text.replaceAll(/\s+/gu, " ").trim().toLowerCase()) as [string, string]
  return a.includes(b) || b.includes(a) || (kind === "entity" && namedAlike(a, b))
}

/** What a span says of itself has to agree with its grade and its checks, whatever its value is. */
const claimFaults = ({ checks, citations, confidence, formula, grade, verified }: Span): ReadonlyArray<string> => {
  const faults: Array<string> = []
  const { answers, derivable, judged_by, quoted } = checks
  if (verified && !(quoted && derivable !== false && answers !== null)) faults.push("verified without its checks")
  if ((answers === null) !== (judged_by === null)) faults.push("judged by nobody, or by somebody who says nothing")
  if (grade === "classified" && derivable !== null) faults.push("classified, so no rule derives it")
  if (grade === "computed" && formula === undefined) faults.push("computed by no formula")
  for (const score of [confidence, answers]) {
    if (score !== null && !(score >= 0 && score <= 1)) faults.push(`a confidence of ${score}`)
  }
  if (grade !== "default" && citations.length === 0) faults.push("no citation")
  return faults
}

/** The quote as a value is read from it: of a number with all that the source says of it, at each place where it may stand. */
const quotesOf = (span: Span, sources: Sources): ReadonlyArray<string> => {
  if (typeof span.value !== "number") return [span.quote]
  const places = sources.around(span, span.origin_channel)
  return places.length === 0
    ? [span.quote]
    : places.map(([before, after]) => withWholeNumbers(before, span.quote, after))
}

/** A day whose month another citation tells, or a day with a time of day: no one word of it stands in the value. */
const isMomentOf = ({ citations, quote, support, value }: Span): boolean => {
  const inputs = citations.filter(({ role }) => role === "input").map((one) => one.quote)
  return support === "normalised" && typeof value === "string" &&
    (/^\d{4}-\d{2}-\d{2}$/u.test(value) ? dayAcross(quote, inputs, value) : momentAcross(quote, inputs, value))
}

const graded: Readonly<Record<string, (span: Span, artifacts: Artifacts, sources: Sources) => boolean>> = {
  stated: (span, { result, schema }, sources) =>
    quotesOf(span, sources).some((quote) =>
      followsFrom(quote, span.value, span.support, wordsAbout(schema, span.pointer, result))
    ) || isMomentOf(span),
  // Which label, and whether it is a yes or a no, is what the quote means: no word list proves that.
  classified: ({ pointer, value }, { result, schema }) =>
    typeof value === "boolean" || isLabel(schema, pointer, value, result),
  computed: canBeDerived,
  generated: ({ citations, value }) => madeUp(String(value), citations.map(({ quote }) => quote)).length === 0,
  default: ({ citations, pointer, value, verified }, { result, schema }) =>
    givenBySchema(schema, pointer, value, result) && citations.length === 0 && !verified
}

const valueFaults = (span: Span, artifacts: Artifacts, sources: Sources): ReadonlyArray<string> => {
  const faults = [...claimFaults(span)]
  const said = JSON.stringify(span.value)
  if (!Object.hasOwn(graded, span.grade)) return [...faults, `no such grade: ${span.grade}`]
  // A value that its own evidence does not call derivable claims nothing here.
  if (span.checks.derivable === false || graded[span.grade]!(span, artifacts, sources)) return faults
  const why: Readonly<Record<string, string>> = {
    stated: `${said} does not follow as ${span.support} from "${span.quote}"`,
    classified: `${said} is neither a yes or no nor a label of the schema`,
    computed: `${said} cannot be computed again by ${span.formula ?? "no formula"} from ${span.source_ref}`,
    generated: `nothing cited says ${
      madeUp(String(span.value), span.citations.map(({ quote }) => quote)).join(", ")
    } of ${said}`,
    default: `the schema does not give ${said}`
  }
  return [...faults, why[span.grade]!]
}

/** Every leaf is either cited once or told as unfilled, never both and never neither. */
const coverageFaults = (artifacts: Artifacts, result: ReadonlyMap<string, unknown>): ReadonlyArray<Failure> => {
  const faults: Array<Failure> = []
  const cited = new Set<string>()
  for (const { pointer } of artifacts.evidence.spans) {
    if (cited.has(pointer)) faults.push({ pointer, message: "cited by more than one span" })
    cited.add(pointer)
  }
  const unfilled = new Set<string>()
  for (const { pointer } of artifacts.evidence.unfilled) {
    if (unfilled.has(pointer)) faults.push({ pointer, message: "told as unfilled more than once" })
    if (cited.has(pointer)) faults.push({ pointer, message: "cited and told as unfilled" })
    unfilled.add(pointer)
  }
  for (const pointer of result.keys()) {
    if (!cited.has(pointer) && !unfilled.has(pointer)) {
      faults.push({ pointer, message: "neither cited nor told as unfilled" })
    }
  }
  const filled = artifacts.evidence.spans.filter(({ grade }) => grade !== "default")
  const counts = {
    leaves: artifacts.evidence.spans.length + artifacts.evidence.unfilled.length,
    filled: filled.length,
    verified: filled.filter(({ verified }) => verified).length,
    unfilled: artifacts.evidence.unfilled.length
  }
  if (!sameJson(counts, artifacts.evidence.counts)) {
    faults.push({ pointer: "", message: `the counts are ${JSON.stringify(counts)}` })
  }
  return faults
}

/** Sets the member at a pointer, asks and sets it back: a result is not copied for each of its leaves. */
const withOther = <A>(root: any, pointer: string, other: unknown, ask: (root: unknown) => A): A => {
  const tokens = Array.from(tokensOf(pointer))
  const last = tokens.pop()
  if (last === undefined) return ask(other)
  const holder = tokens.reduce((at, token) => at[token], root)
  const before = holder[last]
  holder[last] = other
  try {
    return ask(root)
  } finally {
    holder[last] = before
  }
}

/** What is told as unfilled may stand in the result only as the schema makes it stand there. */
const unfilledFaults = (
  { evidence, result, schema }: Artifacts,
  leaf: ReadonlyMap<string, unknown>,
  misfitOf: (result: unknown) => string | undefined
): ReadonlyArray<Failure> =>
  evidence.unfilled.flatMap(({ pointer }) => {
    const value = leaf.get(pointer)
    const fits = (other: unknown) => withOther(result, pointer, other, misfitOf) === undefined
    return value === undefined || claimsNothing(value, pointer, { schema, result, fits })
      ? []
      : [{ pointer, message: `told as unfilled, yet the result says ${JSON.stringify(value)}` }]
  })
