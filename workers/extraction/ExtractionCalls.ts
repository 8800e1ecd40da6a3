import type { Frames } from "../../src/artifacts/Frames.ts"
import type { Vision } from "../../src/artifacts/Vision.ts"
import type { Attested, Subject } from "../../src/jobs/model/Attested.ts"
import type { JobSpec } from "../../src/jobs/model/JobSpec.ts"
import type { Precision } from "../../src/jobs/model/Precision.ts"
import type { SourceFacts } from "../../src/jobs/model/StageIo.ts"
import type { JsonSchema } from "../../src/schemas/json-schema/JsonSchema.ts"
import type { Spent } from "../engine/Stage.ts"
import type { Extracted } from "./Extract.ts"
import type { ExtractorChoice } from "./ExtractorChoice.ts"
import type { Effort } from "./proposers/Proposer.ts"

/** What the stage asks of the lane's child process: artifacts by local path, and everything that is extracted from them. */
export interface ExtractCall {
  readonly input: {
    readonly transcript: string
    readonly inventory: string | null
    /** The list of kept images. */
    readonly images: string | null
    readonly descriptions: ReadonlyArray<string>
    /** The vision artifact of an earlier job: then transcript and inventory are stored artifacts too. */
    readonly vision: string | null
    readonly vision_model: string | null
    readonly json_schema: JsonSchema
    /** As it was stored with the job. */
    readonly normalised_schema?: JsonSchema | undefined
    readonly facts: SourceFacts
    readonly hints: JobSpec["hints"]
    readonly on_missing: JobSpec["on_missing"]
    readonly precision: Precision
    readonly instructions?: string | undefined
    readonly extractor: ExtractorChoice
  }
  /** What was spent so far, after each call of a remote model. */
  readonly news: Spent
  readonly output: Extracted & Effort & {
    readonly frames: Frames
    readonly vision: Vision
    /** What the manifest says of it all. */
    readonly subjects: ReadonlyArray<Subject>
    readonly attested: Pick<Attested, "schema" | "software">
  }
}
