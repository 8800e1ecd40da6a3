import { Schema } from "effect"
import { Frames } from "../../src/artifacts/Frames.ts"
import { StoredFrames, StoredTranscript, StoredVision } from "../../src/artifacts/StoredArtifacts.ts"
import type { StoredShape } from "../../src/artifacts/StoredShape.ts"
import { Transcript } from "../../src/artifacts/Transcript.ts"
import { FrameDescription, type Vision } from "../../src/artifacts/Vision.ts"
import { KeptImages } from "../../src/jobs/model/StageIo.ts"
import { jsonDigest } from "../../src/manifests/JsonDigest.ts"
import { software } from "../../src/manifests/Software.ts"
import { normaliseDialect } from "../../src/schemas/json-schema/JsonSchemaDialect.ts"
import { readJsonAs } from "../compute/JsonFile.ts"
import { serve } from "../compute/serve.ts"
import { extractBy } from "./Extract.ts"
import { extractionCalls } from "./ExtractionCalls.ts"
import type { ExtractorChoice } from "./ExtractorChoice.ts"
import { kindsSeen } from "./objects/SeenThings.ts"
import { proposeBuiltin, type Proposer } from "./proposers/Proposer.ts"
import { subjectsOf } from "./result/Subjects.ts"
import { asMostRead } from "./text/LineVotes.ts"

const Descriptions = Schema.Array(FrameDescription)

const noFrames: Frames = { visual_branch: "absent", sampled: 0, kept: 0, frames: [] }

/** Proposers by their choice: an endpoint's bounds hold over all jobs of the process. */
const proposers = new Map<string, Promise<Proposer>>()
/** Tenants may have set many endpoints; a bound that is forgotten is opened anew. */
const MOST_PROPOSERS = 64

/** What a proposer needs is loaded by the first job that asks for it: the built-in one needs no model runtime. */
const open = async (choice: ExtractorChoice): Promise<Proposer> => {
  switch (choice.kind) {
    case "builtin":
      return async (task) => proposeBuiltin(task)
    case "llm":
      return (await import("./proposers/llm/LlmProposer.ts")).makeLlmProposer(choice.endpoint)
    case "reader":
      return (await import("./proposers/reader/ReaderProposer.ts")).makeReaderProposer(choice.reader, choice.settings)
    case "onnx":
      return (await import("./proposers/qa/QaProposer.ts")).makeQaProposer(choice.qa)
  }
}

/** The same where the stack has a model that finds passages: each job searches its own source. */
const withSearch = async (choice: ExtractorChoice): Promise<Proposer> => {
  const propose = await open(choice)
  if (choice.kind === "builtin" || choice.kind === "onnx" || choice.search === undefined) return propose
  const { search } = choice
  const { makeSearch } = await import("./proposers/search/Search.ts")
  return (task, signal, onSpent) =>
    propose({ ...task, search: makeSearch(search, { signal, tenant_id: task.tenant_id }) }, signal, onSpent)
}

const proposerOf = (choice: ExtractorChoice): Promise<Proposer> => {
  const key = JSON.stringify(choice)
  const kept = proposers.get(key) ?? withSearch(choice)
  proposers.delete(key)
  proposers.set(key, kept)
  if (proposers.size > MOST_PROPOSERS) proposers.delete(proposers.keys().next().value!)
  return kept
}

interface Seen {
  readonly transcript: Transcript
  readonly frames: Frames
  readonly vision: Vision
}

/** What the stages before have left. */
const fromStages = async (input: {
  readonly transcript: string
  readonly inventory: string | null
  readonly descriptions: ReadonlyArray<string>
  readonly vision_model: string | null
}): Promise<Seen> => {
  const transcript = await readJsonAs(Transcript, input.transcript)
  const frames = input.inventory === null ? noFrames : await readJsonAs(Frames, input.inventory)
  const parts = await Promise.all(input.descriptions.map((path) => readJsonAs(Descriptions, path)))
  const present = frames.visual_branch === "present"
  const read = present ? parts.flat().toSorted((a, b) => a.timestamp - b.timestamp) : []
  const described = asMostRead(read, transcript.segments.flatMap(({ words }) => words))
  const kinds = kindsSeen({ frames: described })
  return {
    transcript,
    frames,
    vision: {
      visual_branch: frames.visual_branch,
      frames: described,
      ...(kinds.length === 0 ? {} : { kinds }),
      model: present ? input.vision_model : null
    }
  }
}

/** What an earlier job has stored, in whatever shape its version wrote. */
const stored = async <A>({ codec }: StoredShape<A>, path: string): Promise<A> =>
  Schema.decodePromise(codec)(await readJsonAs(Schema.Unknown, path))

serve(extractionCalls, {
  extract: async (input, signal, tell) => {
    const { frames, transcript, vision } = input.vision === null ? await fromStages(input) : {
      transcript: await stored(StoredTranscript, input.transcript),
      frames: await stored(StoredFrames, input.inventory!),
      vision: await stored(StoredVision, input.vision)
    }
    const { evidence, graph, graph_compact, result, ...rest } = await extractBy(
      await proposerOf(input.extractor),
      { ...input, transcript, frames, vision },
      signal,
      tell
    )
    const images = input.images === null ? [] : await readJsonAs(KeptImages, input.images)
    const artifacts = { transcript, frames, vision, graph, graph_compact, evidence }
    return {
      ...rest,
      evidence,
      graph,
      graph_compact,
      result,
      frames,
      vision,
      subjects: subjectsOf({ result, artifacts, images }),
      attested: {
        schema: {
          original: jsonDigest(input.json_schema),
          // The stored copy, which is what the caller can read; a job of an earlier version has none.
          normalised: jsonDigest(input.normalised_schema ?? normaliseDialect(input.json_schema))
        },
        software: await software()
      }
    }
  }
})
