import { extract, type Extracted, type ExtractInput, type Fitting } from "../../workers/extraction/Extract.ts"
import { videoArtifacts } from "./ExtractionData.ts"
import type { FootageRecord } from "./FootageRecord.ts"
import { textInput } from "./TextInput.ts"

/** Extracts from a video that is text, as from one that was heard and read without a fault. */
export const extractFootage = (
  record: FootageRecord,
  precision: ExtractInput["precision"],
  fitting?: Fitting
): Extracted => extract(textInput(videoArtifacts(record), record.schema, precision), fitting)
