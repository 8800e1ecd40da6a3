import { Schema } from "effect"
import type { Graph, GraphNode } from "../../artifacts/Graph.ts"
import type { Transcript } from "../../artifacts/Transcript.ts"

export const namingLimits = { speakers: 100, characters: 100 } as const

const SpeakerId = Schema.String.check(
  Schema.isPattern(/^S\d{1,4}$/u, { message: "Expected the id of a speaker, such as S1" })
)

const oneLine = /^[^\p{C}\p{Z}](?:[^\p{Cc}\p{Zl}\p{Zp}]*[^\p{C}\p{Z}])?$/u

/** One line: with another one a name could put words into somebody's mouth in subtitles and texts. */
const SpeakerLabel = Schema.String.annotate({ description: "How it is called, on one line." }).check(
  Schema.isMinLength(1),
  Schema.isMaxCodePoints(namingLimits.characters),
  Schema.makeFilter((text) => oneLine.test(text) ? undefined : "Expected one line without spaces around it")
)

/** What a person says of one voice: how it is called, or which other voice it is. */
export const NamedSpeaker = Schema.Struct({
  id: SpeakerId.annotate({ description: "The voice, as the transcript's `speakers` have it." }),
  label: Schema.optionalKey(SpeakerLabel),
  same_as: Schema.optionalKey(
    SpeakerId.annotate({ description: "The voice that this one is too: what it says is then told as that one's." })
  )
}).check(
  Schema.makeFilter(({ label, same_as }: { readonly label?: string; readonly same_as?: string }) =>
    label === undefined && same_as === undefined
      ? { path: ["label"], issue: "Is required where same_as is not given" }
      : label !== undefined && same_as !== undefined
      ? { path: ["label"], issue: "Is for a speaker who is not same_as another; name that one" }
      : undefined
  )
).annotate({ identifier: "NamedSpeaker" })
type NamedSpeaker = typeof NamedSpeaker.Type

/** How the speakers of a job are named; whom it does not mention keeps the label of the job. */
export const SpeakerNaming = Schema.Array(NamedSpeaker)
export type SpeakerNaming = typeof SpeakerNaming.Type

/** How speakers are named, as `footnote.job_speakers` has it. */
export const SpeakerNamingRow = Schema.Struct({ speakers: SpeakerNaming })

/** Which labels to read: people's, or those that the job wrote and its manifest vouches for. */
export const SpeakersAs = Schema.Literals(["named", "as_heard"])
export type SpeakersAs = typeof SpeakersAs.Type

/** Every fault of a naming with its path: ids that the transcript does not have, and voices that are the same in a circle. */
export const namingFaults = (
  naming: SpeakerNaming,
  { speakers }: Pick<Transcript, "speakers">
): ReadonlyArray<{ readonly path: string; readonly message: string }> => {
  const known = new Set(speakers.map(({ id }) => id))
  const list = known.size === 0 ? "nobody" : [...known].slice(0, 32).join(", ")
  const merged = new Set(naming.flatMap(({ id, same_as }) => same_as === undefined ? [] : [id]))
  return naming.flatMap(({ id, same_as }, at) => [
    ...(known.has(id) ? [] : [{ path: `/speakers/${at}/id`, message: `The transcript has ${list}` }]),
    ...(naming.findIndex((other) => other.id === id) === at
      ? []
      : [{ path: `/speakers/${at}/id`, message: "Stands here twice" }]),
    ...(same_as === undefined || known.has(same_as)
      ? []
      : [{ path: `/speakers/${at}/same_as`, message: `The transcript has ${list}` }]),
    ...(same_as !== undefined && merged.has(same_as)
      ? [{ path: `/speakers/${at}/same_as`, message: `${same_as} is itself the same as another one` }]
      : [])
  ])
}

/** Who a voice is told as, and how that one is called. */
export const namesOf = (naming: SpeakerNaming) => {
  const labels = new Map(naming.flatMap(({ id, label }) => label === undefined ? [] : [[id, label] as const]))
  const same = new Map(naming.flatMap(({ id, same_as }) => same_as === undefined ? [] : [[id, same_as] as const]))
  const toldAs = (id: string) => same.get(id) ?? id
  return { toldAs, labelOf: (id: string): string | undefined => labels.get(toldAs(id)) }
}

const milliseconds = (seconds: number) => Math.round(seconds * 1000) / 1000

/**
 * The transcript with its speakers named and merged. Segments, words and moments stay what they are, so that everything that
 * cites them still does.
 */
export const nameTranscript = <T extends Transcript>(transcript: T, naming: SpeakerNaming): T => {
  if (naming.length === 0) return transcript
  const { labelOf, toldAs } = namesOf(naming)
  const speakers = transcript.speakers.filter(({ id }) => toldAs(id) === id).map(({ id, label }) => ({
    id,
    label: labelOf(id) ?? label,
    speaking_seconds: milliseconds(
      transcript.speakers.reduce((sum, one) => toldAs(one.id) === id ? sum + one.speaking_seconds : sum, 0)
    )
  }))
  const turns: Array<T["turns"][number]> = []
  for (const turn of transcript.turns) {
    const speaker = toldAs(turn.speaker)
    const last = turns.at(-1)
    if (last?.speaker === speaker && last.t_end === turn.t_start) {
      turns[turns.length - 1] = { ...last, t_end: turn.t_end }
    } else turns.push({ ...turn, speaker })
  }
  const overlaps = transcript.overlaps?.flatMap((overlap) => {
    const together = [...new Set(overlap.speakers.map(toldAs))]
    return together.length < 2 ? [] : [{ ...overlap, speakers: together }]
  })
  return {
    ...transcript,
    speakers,
    turns,
    ...(overlaps === undefined ? {} : { overlaps }),
    segments: transcript.segments.map((segment) =>
      segment.speaker === null ? segment : { ...segment, speaker: toldAs(segment.speaker) }
    )
  }
}

/** Who speaks in a segment, as it was heard. */
export const speakersBySegment = ({ segments }: Pick<Transcript, "segments">) =>
  new Map(segments.flatMap(({ id, speaker }) => speaker === null ? [] : [[id, speaker] as const]))

const joined = (one: GraphNode, other: GraphNode): GraphNode => ({
  ...one,
  t_start: Math.min(one.t_start, other.t_start),
  t_end: Math.max(one.t_end, other.t_end),
  source_refs: [...new Set([...one.source_refs, ...other.source_refs])].toSorted(),
  mentions: one.mentions + other.mentions
})

/**
 * The graph with its speakers named; those who are one are one node, with the edges of all. Every other id stays. `heard` is
 * the transcript as the job wrote it.
 */
export const nameGraph = <G extends Graph>(graph: G, naming: SpeakerNaming, heard: Transcript): G => {
  if (naming.length === 0) return graph
  const { labelOf, toldAs } = namesOf(naming)
  const speakers = speakersBySegment(heard)
  const nodes = new Map<string, GraphNode>()
  /** The node that stands for a voice, and what became part of it. */
  const standing = new Map<string, string>()
  const replaced = new Map<string, string>()
  for (const node of graph.nodes) {
    const voice = node.kind === "speaker" ? node.source_refs.flatMap((ref) => speakers.get(ref) ?? [])[0] : undefined
    if (voice === undefined) {
      nodes.set(node.id, node)
      continue
    }
    const first = standing.get(toldAs(voice))
    if (first === undefined) {
      standing.set(toldAs(voice), node.id)
      nodes.set(node.id, { ...node, label: labelOf(voice) ?? node.label })
    } else {
      const label = labelOf(voice) ?? (toldAs(voice) === voice ? node.label : nodes.get(first)!.label)
      replaced.set(node.id, first)
      nodes.set(first, { ...joined(nodes.get(first)!, node), label })
    }
  }
  const at = (id: string) => replaced.get(id) ?? id
  return {
    ...graph,
    nodes: [...nodes.values()],
    edges: graph.edges.map((edge) => ({ ...edge, source: at(edge.source), target: at(edge.target) }))
  }
}
