import { Effect, Schema } from "effect"
import { JobEvidence, JobFrames, JobGraph, JobTranscript, JobVision } from "../artifacts/ArtifactViews.ts"
import { GraphView } from "../artifacts/Graph.ts"
import { framesWithin, TimeRange, transcriptWithin, withoutWords } from "../artifacts/TimeRange.ts"
import { transcriptFormats } from "../artifacts/TranscriptFormat.ts"
import { Artifacts } from "../results/Artifacts.ts"
import { Reviews } from "../reviews/Reviews.ts"
import { byJob, reviewedField } from "./JobTools.ts"
import { frameLinks, transcriptLink } from "./ResourceLinks.ts"
import { reads, tool } from "./Tool.ts"

const onlySucceeded = " Only a succeeded job has it: JOB_NOT_SUCCEEDED otherwise."

const inOrder = Schema.makeFilter(({ from = 0, to = Number.POSITIVE_INFINITY }: TimeRange) =>
  from < to ? undefined : { path: ["to"], issue: "Must be after from" }
)

const TranscriptInput = Schema.Struct({
  ...byJob.fields,
  ...TimeRange.fields,
  words: Schema.Boolean.annotate({
    description: "false: segments without their single words and the seconds of these, in about a quarter of the size.",
    default: true
  }).pipe(Schema.withDecodingDefaultKey(Effect.succeed(true))),
  format: Schema.Literals(["json", "txt", "srt", "vtt"]).annotate({
    description: "`txt`: one line for each segment with who speaks, the smallest; `srt` or `vtt`: with seconds.",
    default: "json"
  }).pipe(Schema.withDecodingDefaultKey(Effect.succeed("json" as const)))
}).check(inOrder)

/** A transcript in a format of its own; `content` is the file. */
const WrittenTranscript = Schema.Struct({
  job_id: Schema.String,
  format: Schema.Literals(["txt", "srt", "vtt"]),
  content: Schema.String
})

const RangeInput = Schema.Struct({ ...byJob.fields, ...TimeRange.fields }).check(inOrder)

const FramesInput = Schema.Struct({
  ...byJob.fields,
  ...TimeRange.fields,
  include_raw: Schema.Boolean.annotate({
    description: "Also the sampled frames that were not kept.",
    default: false
  }).pipe(Schema.withDecodingDefaultKey(Effect.succeed(false)))
}).check(inOrder)

const GraphInput = Schema.Struct({
  ...byJob.fields,
  view: GraphView.annotate({
    description: "`compact` merges what means the same and drops what nothing refers to; `canonical` has everything.",
    default: "compact"
  }).pipe(Schema.withDecodingDefaultKey(Effect.succeed("compact" as const)))
})

const EvidenceInput = Schema.Struct({ ...byJob.fields, ...reviewedField })

/** get_transcript, get_frames, get_vision, get_graph and get_evidence: what a succeeded job left, in full. */
export const artifactTools = Effect.gen(function*() {
  const artifacts = yield* Artifacts
  const reviews = yield* Reviews

  return [
    tool("get_transcript", {
      title: "Read the transcript",
      description:
        "Everything that was said: the full text, segments and words with their seconds, and who spoke. In full it takes about "
        + "3,500 tokens for a minute of speech, so for more than a few minutes ask for format `txt` (200 a minute), for words "
        + "false, or for a range by from and to; get_evidence has the quotes behind the result already. Silence gives "
        + "`audio_branch: absent` and no segments." + onlySucceeded,
      hints: reads,
      input: TranscriptInput,
      output: Schema.Union([JobTranscript, WrittenTranscript]),
      run: Effect.fnUntraced(function*({ format, job_id, words, ...range }) {
        const { value } = yield* artifacts.transcript(job_id)
        const part = transcriptWithin(value, range)
        if (format === "json") return { ...(words ? part : withoutWords(part)), job_id }
        return { job_id, format, content: transcriptFormats[format].render(part, job_id) }
      }),
      links: ({ job_id }) => [transcriptLink(job_id)]
    }),
    tool("get_frames", {
      title: "Read the frame inventory",
      description:
        "The distinct frames of the picture with their seconds and perceptual hashes, without image bytes: a frame's picture is "
        + "the resource footnote://jobs/{job_id}/frames/{id}, and the first twenty are linked. `source_ref` is what evidence "
        + "spans cite. About 40 tokens a frame; with include_raw there are two frames for each second of video." +
        onlySucceeded,
      hints: reads,
      input: FramesInput,
      output: JobFrames,
      run: ({ include_raw, job_id, ...range }) =>
        Effect.map(artifacts.frames(job_id, include_raw), ({ value }) => framesWithin(value, range)),
      links: ({ frames, job_id }) => frameLinks(job_id, frames)
    }),
    tool("get_vision", {
      title: "Read the frame descriptions",
      description:
        "What is on screen in each kept frame: a description, the text with its place, and labels. A source without picture "
        + "gives `visual_branch: absent` and no frames. For long videos ask for a range by from and to." +
        onlySucceeded,
      hints: reads,
      input: RangeInput,
      output: JobVision,
      run: ({ job_id, ...range }) => Effect.map(artifacts.vision(job_id), ({ value }) => framesWithin(value, range))
    }),
    tool("get_graph", {
      title: "Read the knowledge graph",
      description:
        "Entities, speakers and claims with their seconds, and how they relate. `canonical` is about three times `compact`." +
        onlySucceeded,
      hints: reads,
      input: GraphInput,
      output: JobGraph,
      run: ({ job_id, view }) => Effect.map(artifacts.graph(job_id, view), ({ value }) => value)
    }),
    tool("get_evidence", {
      title: "Read the evidence",
      description:
        "For each value of the result, by its JSON pointer: the seconds it comes from, the words or pixels quoted, and how "
        + "far that supports it. `unfilled` says what was not found and why. Usually all that is needed to cite a result; about "
        + "150 tokens a value." + onlySucceeded,
      hints: reads,
      input: EvidenceInput,
      output: JobEvidence,
      run: Effect.fnUntraced(function*({ job_id, reviewed }) {
        if (!reviewed) return (yield* artifacts.evidence(job_id)).value
        const { evidence, revision } = yield* reviews.reviewed(job_id)
        return { job_id, revision, ...evidence }
      })
    })
  ]
})
