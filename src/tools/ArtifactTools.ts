import { Effect, Schema } from "effect"
import { Artifacts } from "../artifacts/Artifacts.ts"
import { JobEvidence, JobFrames, JobGraph, JobTranscript, JobVision } from "../artifacts/ArtifactViews.ts"
import { GraphView } from "../artifacts/Graph.ts"
import { byJob } from "./JobTools.ts"
import { reads, tool } from "./Tool.ts"

const onlySucceeded = " Only a succeeded job has it: JOB_NOT_SUCCEEDED otherwise."

const FramesInput = Schema.Struct({
  ...byJob.fields,
  include_raw: Schema.Boolean.annotate({
    description: "Also the sampled frames that were not kept.",
    default: false
  }).pipe(Schema.withDecodingDefaultKey(Effect.succeed(false)))
})

const GraphInput = Schema.Struct({
  ...byJob.fields,
  view: GraphView.annotate({
    description: "`compact` merges what means the same and drops what nothing refers to; `canonical` has everything.",
    default: "compact"
  }).pipe(Schema.withDecodingDefaultKey(Effect.succeed("compact" as const)))
})

/** get_transcript, get_frames, get_vision, get_graph and get_evidence: what a succeeded job left, in full. */
export const artifactTools = Effect.gen(function*() {
  const artifacts = yield* Artifacts

  return [
    tool("get_transcript", {
      title: "Read the transcript",
      description:
        "Everything that was said: the full text, segments and words with their seconds, and who spoke. Silence gives "
        + "`audio_branch: absent` and no segments." + onlySucceeded,
      hints: reads,
      input: byJob,
      output: JobTranscript,
      run: ({ job_id }) => Effect.map(artifacts.transcript(job_id), ({ value }) => value)
    }),
    tool("get_frames", {
      title: "Read the frame inventory",
      description:
        "The distinct frames of the picture with their seconds and perceptual hashes, without image bytes. `source_ref` is "
        + "what evidence spans cite." + onlySucceeded,
      hints: reads,
      input: FramesInput,
      output: JobFrames,
      run: ({ include_raw, job_id }) => Effect.map(artifacts.frames(job_id, include_raw), ({ value }) => value)
    }),
    tool("get_vision", {
      title: "Read the frame descriptions",
      description:
        "What is on screen in each kept frame: a description, the text with its place, and labels. A source without picture "
        + "gives `visual_branch: absent` and no frames." + onlySucceeded,
      hints: reads,
      input: byJob,
      output: JobVision,
      run: ({ job_id }) => Effect.map(artifacts.vision(job_id), ({ value }) => value)
    }),
    tool("get_graph", {
      title: "Read the knowledge graph",
      description: "Entities, speakers and claims with their seconds, and how they relate." + onlySucceeded,
      hints: reads,
      input: GraphInput,
      output: JobGraph,
      run: ({ job_id, view }) => Effect.map(artifacts.graph(job_id, view), ({ value }) => value)
    }),
    tool("get_evidence", {
      title: "Read the evidence",
      description:
        "For each value of the result, by its JSON pointer: the seconds it comes from, the words or pixels quoted, and how "
        + "far that supports it. `unfilled` says what was not found and why." + onlySucceeded,
      hints: reads,
      input: byJob,
      output: JobEvidence,
      run: ({ job_id }) => Effect.map(artifacts.evidence(job_id), ({ value }) => value)
    })
  ]
})
