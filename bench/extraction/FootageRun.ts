import { extract, type Extracted, type ExtractInput, type Observe } from "../../workers/extraction/Extract.ts"
import { videoArtifacts } from "./ExtractionData.ts"
import type { FootageRecord } from "./FootageRecord.ts"

/** Extracts from a video that is text, as from one that was heard and read without a fault. */
export const extractFootage = (
  record: FootageRecord,
  precision: ExtractInput["precision"],
  observe?: Observe
): Extracted => {
  const artifacts = videoArtifacts(record)
  return extract({
    ...artifacts,
    json_schema: record.schema,
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
  }, observe)
}
