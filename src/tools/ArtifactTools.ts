import { Effect, Schema } from "effect"
import { JobEvidence, JobFrames, JobGraph, JobVision } from "../artifacts/ArtifactViews.ts"
import { GraphView } from "../artifacts/Graph.ts"
import { framesWithin, graphWithin } from "../artifacts/TimeRange.ts"
import { Artifacts } from "../results/Artifacts.ts"
import { Reviews } from "../reviews/Reviews.ts"
import { cutFields, inOrder, PartOf, partOf } from "./AnswerPart.ts"
import { byJob, reviewedField } from "./JobTools.ts"
import { frameLinks } from "./ResourceLinks.ts"
import { reads, tool } from "./Tool.ts"
import { onlySucceeded, transcriptTool } from "./TranscriptTool.ts"

const PartInput = Schema.Struct({ ...byJob.fields, ...PartOf.fields }).check(inOrder)

const FramesInput = Schema.Struct({
  ...byJob.fields,
  ...PartOf.fields,
  include_raw: Schema.Boolean.annotate({
    description: "Also the sampled frames that were not kept.",
    default: false
  }).pipe(Schema.withDecodingDefaultKey(Effect.succeed(false)))
}).check(inOrder)

const GraphInput = Schema.Struct({
  ...byJob.fields,
  ...PartOf.fields,
  view: GraphView.annotate({
    description: "`compact` merges what means the same and drops what nothing refers to; `canonical` has everything.",
    default: "compact"
  }).pipe(Schema.withDecodingDefaultKey(Effect.succeed("compact" as const)))
}).check(inOrder)

const EvidenceInput = Schema.Struct({
  ...byJob.fields,
  ...reviewedField,
  pointer: Schema.optionalKey(
    Schema.String.check(Schema.isMaxCodePoints(2000), Schema.isPattern(/^(?:\/.*)?$/u)).annotate({
      description: "Only of the values at this JSON pointer of the result and below, such as `/chapters/0`."
    })
  )
})

/** What is told of one place of the result; `counts` go on counting all of it. */
const evidenceAt = <A extends typeof JobEvidence.Type>(evidence: A, place: string | undefined): A => {
  if (place === undefined) return evidence
  const here = ({ pointer }: { readonly pointer: string }) => pointer === place || pointer.startsWith(`${place}/`)
  return { ...evidence, spans: evidence.spans.filter(here), unfilled: evidence.unfilled.filter(here) }
}

const momentsOf = (frames: ReadonlyArray<{ readonly timestamp: number }>) => frames.map(({ timestamp }) => timestamp)

/** get_transcript, get_frames, get_vision, get_graph and get_evidence: what a succeeded job left, in full. */
export const artifactTools = Effect.gen(function*() {
  const artifacts = yield* Artifacts
  const reviews = yield* Reviews

  return [
    transcriptTool(artifacts),
    tool("get_frames", {
      title: "Read the frame inventory",
      description:
        "The distinct frames of the picture with their seconds and perceptual hashes, without image bytes: a frame's picture is "
        + "the resource footnote://jobs/{job_id}/frames/{id}, and the first twenty are linked. `source_ref` is what evidence "
        + "spans cite. About 50 tokens a frame; with include_raw there are two frames for each second of video." +
        onlySucceeded,
      hints: reads,
      long: true,
      input: FramesInput,
      output: Schema.Struct({ ...JobFrames.fields, ...cutFields }),
      run: ({ include_raw, job_id, ...part }) =>
        Effect.map(
          artifacts.frames(job_id, include_raw),
          ({ value }) => partOf(part, { moments: momentsOf(value.frames), read: (range) => framesWithin(value, range) })
        ),
      links: ({ frames, job_id }) => frameLinks(job_id, frames)
    }),
    tool("get_vision", {
      title: "Read the frame descriptions",
      description:
        "What is on screen in each kept frame: a description, the text with its place, and labels. A source without picture "
        + "gives `visual_branch: absent` and no frames. A frame with text takes about 200 tokens: for long videos ask for a "
        + "range by from and to, or say max_tokens." + onlySucceeded,
      hints: reads,
      long: true,
      input: PartInput,
      output: Schema.Struct({ ...JobVision.fields, ...cutFields }),
      run: ({ job_id, ...part }) =>
        Effect.map(
          artifacts.vision(job_id),
          ({ value }) => partOf(part, { moments: momentsOf(value.frames), read: (range) => framesWithin(value, range) })
        )
    }),
    tool("get_graph", {
      title: "Read the knowledge graph",
      description:
        "Entities, speakers and claims with their seconds, and how they relate. `compact` takes about 4,000 tokens for a clip of a "
        + "minute or two and 16,000 for half an hour; `canonical` has every mention by itself: hardly more in a clip, more than "
        + "three times as much in half an hour. For long videos ask for a range by from and to, or say max_tokens." +
        onlySucceeded,
      hints: reads,
      long: true,
      input: GraphInput,
      output: Schema.Struct({ ...JobGraph.fields, ...cutFields }),
      run: ({ job_id, view, ...part }) =>
        Effect.map(artifacts.graph(job_id, view), ({ value }) =>
          partOf(part, {
            moments: [...value.nodes, ...value.edges].map(({ t_start }) => t_start),
            read: (range) => graphWithin(value, range)
          }))
    }),
    tool("get_evidence", {
      title: "Read the evidence",
      description:
        "For each value of the result, by its JSON pointer: the seconds it comes from, the words or pixels quoted, and how "
        + "far that supports it. `unfilled` says what was not found and why. Usually all that is needed to cite a result; about "
        + "250 tokens a value, so for a result of more than a hundred ask by `pointer`." + onlySucceeded,
      hints: reads,
      long: true,
      input: EvidenceInput,
      output: JobEvidence,
      run: Effect.fnUntraced(function*({ job_id, pointer, reviewed }) {
        if (!reviewed) return evidenceAt((yield* artifacts.evidence(job_id)).value, pointer)
        const { evidence, revision } = yield* reviews.reviewed(job_id)
        return evidenceAt({ job_id, revision, ...evidence }, pointer)
      })
    })
  ]
})
