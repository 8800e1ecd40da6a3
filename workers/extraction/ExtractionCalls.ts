import { Schema } from "effect"
import { Evidence, EvidenceCounts } from "../../src/artifacts/Evidence.ts"
import { Frames } from "../../src/artifacts/Frames.ts"
import { Graph } from "../../src/artifacts/Graph.ts"
import { Vision } from "../../src/artifacts/Vision.ts"
import { TenantId } from "../../src/identity/Id.ts"
import { Attested, Subject } from "../../src/jobs/model/Attested.ts"
import { JobSpec } from "../../src/jobs/model/JobSpec.ts"
import { Precision } from "../../src/jobs/model/Precision.ts"
import { ModelRun } from "../../src/jobs/model/Provenance.ts"
import { SourceFacts, Warning } from "../../src/jobs/model/StageIo.ts"
import { ResolvedModel } from "../../src/model-stacks/ResolvedStack.ts"
import { isSchema } from "../../src/schemas/json-schema/JsonSchema.ts"
import { computeCalls } from "../compute/ComputeCall.ts"
import type { ExtractorChoice } from "./ExtractorChoice.ts"
import type { LlmDefaults } from "./proposers/llm/LlmConfig.ts"
import type { LlmEndpoint } from "./proposers/llm/LlmEndpoint.ts"
import type { KeptPicture } from "./proposers/Proposer.ts"

const Path = Schema.String
const JsonSchema = Schema.declare(isSchema)

const settings = {
  timeout_seconds: Schema.Finite,
  concurrency: Schema.Finite,
  chunk_tokens: Schema.Finite,
  most_tokens: Schema.Finite,
  input_price: Schema.Finite,
  output_price: Schema.Finite,
  fallback: Schema.Literals(["builtin", "fail"]),
  judge: Schema.optionalKey(Schema.Boolean),
  pictures: Schema.optionalKey(Schema.Literals(["auto", "true", "false"])),
  graph: Schema.optionalKey(Schema.Boolean)
}

const Settings: Schema.Codec<LlmDefaults, any> = Schema.Struct(settings)

const Endpoint: Schema.Codec<LlmEndpoint, any> = Schema.Struct({
  url: Schema.String,
  model: Schema.String,
  key: Schema.NullOr(Schema.String),
  ...settings,
  record: Schema.optionalKey(Path),
  replay: Schema.optionalKey(Path),
  guard: Schema.optionalKey(Schema.Struct({ allow_private: Schema.String, allow_ports: Schema.String }))
})

const FramePicture: Schema.Codec<KeptPicture, any> = Schema.Struct({
  source_ref: Schema.String,
  file: Path,
  sha256: Schema.String,
  size_bytes: Schema.Finite,
  width: Schema.Finite,
  height: Schema.Finite
})

const search = Schema.optionalKey(ResolvedModel)

const Extractor: Schema.Codec<ExtractorChoice, any> = Schema.Union([
  Schema.Struct({ kind: Schema.Literal("builtin") }),
  Schema.Struct({ kind: Schema.Literal("onnx"), qa: ResolvedModel }),
  Schema.Struct({ kind: Schema.Literal("reader"), reader: ResolvedModel, settings: Settings, search }),
  Schema.Struct({ kind: Schema.Literal("llm"), endpoint: Endpoint, search })
])

/** What the stage asks of the lane's child process: artifacts by local path, and everything that is extracted from them. */
export const extractionCalls = computeCalls({
  extract: {
    input: Schema.Struct({
      /** Models are shared out fairly between tenants. */
      tenant_id: Schema.optionalKey(TenantId),
      transcript: Path,
      inventory: Schema.NullOr(Path),
      /** The list of kept images. */
      images: Schema.NullOr(Path),
      /** Those that a language model may be shown, as local files. */
      pictures: Schema.optionalKey(Schema.Array(FramePicture)),
      descriptions: Schema.Array(Path),
      /** The vision artifact of an earlier job: then transcript and inventory are stored artifacts too. */
      vision: Schema.NullOr(Path),
      vision_model: Schema.NullOr(Schema.String),
      json_schema: JsonSchema,
      /** As it was stored with the job. */
      normalised_schema: Schema.optional(JsonSchema),
      facts: SourceFacts,
      hints: JobSpec.fields.hints,
      on_missing: JobSpec.fields.on_missing,
      precision: Precision,
      instructions: Schema.optional(Schema.String),
      extractor: Extractor
    }),
    /** What was spent so far, after each call of a remote model. */
    news: Schema.Struct({ tokens: Schema.Finite, cost: Schema.Finite }),
    output: Schema.Struct({
      result: Schema.Json,
      evidence: Evidence,
      graph: Graph,
      graph_compact: Graph,
      result_confidence: Schema.NullOr(Schema.Finite),
      counts: EvidenceCounts,
      warnings: Schema.Array(Warning),
      models: Schema.Array(ModelRun),
      /** Seconds that models of this process computed. */
      model_seconds: Schema.Finite,
      tokens: Schema.Finite,
      cost: Schema.Finite,
      /** What was asked of a remote model and who answered. */
      asked: Schema.optionalKey(Attested.fields.extractor),
      frames: Frames,
      vision: Vision,
      /** What the manifest says of it all. */
      subjects: Schema.Array(Subject),
      attested: Schema.Struct({ schema: Attested.fields.schema, software: Attested.fields.software })
    })
  }
})
