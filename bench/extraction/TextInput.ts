import type { JsonSchema } from "../../src/schemas/json-schema/JsonSchema.ts"
import type { ExtractInput } from "../../workers/extraction/Extract.ts"

/** What extraction is asked of footage that is text: no file lies behind it, so of the source only its length is known. */
export const textInput = (
  artifacts: Pick<ExtractInput, "transcript" | "frames" | "vision">,
  schema: unknown,
  precision: ExtractInput["precision"]
): ExtractInput => ({
  ...artifacts,
  json_schema: schema as JsonSchema,
  facts: {
    container: "mp4",
    duration_seconds: artifacts.transcript.duration_seconds,
    width: null,
    height: null,
    frame_rate: null,
    audio: null,
    video: null,
    size_bytes: 0,
    sha256: "0".repeat(64)
  },
  hints: {},
  on_missing: "fill",
  precision
})
