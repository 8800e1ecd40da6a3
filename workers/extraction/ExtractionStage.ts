import { Effect } from "effect"
import { StageFailure } from "../../src/jobs/JobFailure.ts"
import type { JsonSchema } from "../../src/schemas/JsonSchema.ts"
import { type BlobError, Blobs } from "../../src/storage/Blobs.ts"
import { Compute, type StageHandler } from "../Stage.ts"
import type { ExtractCall } from "./ExtractionCalls.ts"

/** What the vision artifact names as its model: descriptions are sentences from measurements, text is PP-OCRv4's. */
const VISION_MODEL = "footnote-vision-builtin (PP-OCRv4)"

/** A lost blob may be on a file system that comes back; another attempt can help. */
const fromStore = <A, R>(effect: Effect.Effect<A, BlobError, R>): Effect.Effect<A, StageFailure, R> =>
  Effect.mapError(
    effect,
    ({ message }) => new StageFailure({ code: "INTERNAL", message: `Blob store: ${message}`, retryable: true })
  )

/**
 * The extraction lane: transcript and descriptions become the typed result, its evidence and the graph, and every artifact
 * of the job lies below the task's own prefix. The work is done in the lane's child process. Fails with
 * `EXTRACTION_FAILED` where no result fits the schema or, with `on_missing: "fail"`, where a required leaf was not
 * found, and with `INTERNAL` when the blob store is away.
 */
export const makeExtractionStages = Effect.gen(function*() {
  const blobs = yield* Blobs
  const compute = yield* Compute
  const path = (key: string) => fromStore(blobs.localPath(key))
  const call = (input: ExtractCall["input"]) =>
    compute.call("extract", input) as Effect.Effect<ExtractCall["output"], StageFailure>

  const extract: StageHandler<"extract"> = Effect.fn("extract")(function*({ blobPrefix, input, progress, spec }) {
    const { facts, inventory } = input
    const keep = (name: string, value: unknown) =>
      fromStore(blobs.put(`${blobPrefix}/${name}.json`, Buffer.from(JSON.stringify(value))))
    const extracted = yield* call({
      transcript: yield* path(input.transcript.key),
      inventory: inventory === null ? null : yield* path(inventory.key),
      descriptions: yield* Effect.forEach(input.descriptions, ({ key }) => path(key)),
      vision_model: VISION_MODEL,
      json_schema: spec.json_schema as JsonSchema,
      facts,
      hints: spec.hints,
      on_missing: spec.on_missing
    })
    const transcript = yield* fromStore(blobs.get(input.transcript.key))
    yield* progress(facts.duration_seconds, facts.duration_seconds)
    return {
      transcript: yield* fromStore(blobs.put(`${blobPrefix}/transcript.json`, transcript)),
      frames: yield* keep("frames", extracted.frames),
      vision: yield* keep("vision", extracted.vision),
      graph: yield* keep("graph", extracted.graph),
      graph_compact: yield* keep("graph_compact", extracted.graph_compact),
      evidence: yield* keep("evidence", extracted.evidence),
      result: yield* keep("result", extracted.result),
      result_confidence: extracted.result_confidence,
      warnings: extracted.warnings
    }
  })

  return { extract }
})
