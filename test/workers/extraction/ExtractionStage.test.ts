import { assert, describe, it } from "@effect/vitest"
import { Effect, Schema } from "effect"
import { Evidence } from "../../../src/artifacts/Evidence.ts"
import { Frames } from "../../../src/artifacts/Frames.ts"
import { Graph } from "../../../src/artifacts/Graph.ts"
import { Vision } from "../../../src/artifacts/Vision.ts"
import { findTemplate } from "../../../src/schemas/Templates.ts"
import { extract } from "../../../workers/extraction/Extract.ts"
import { demo, footage, inputOf, meeting } from "./Footage.ts"
import { laneWith, run } from "./StageRun.ts"

const lane = laneWith()

describe("makeExtractionStages", () => {
  it.live("leaves every artifact, in its schema's form, below the attempt's own prefix", () =>
    Effect.gen(function*() {
      const { read } = yield* run(demo)
      assert.deepStrictEqual(yield* read("frames", Frames), demo.frames)
      const vision = yield* read("vision", Vision)
      assert.deepStrictEqual(vision.frames, demo.vision.frames)
      assert.isString(vision.model)
      assert.strictEqual((yield* read("graph", Graph)).view, "canonical")
      assert.strictEqual((yield* read("graph_compact", Graph)).view, "compact")
      assert.isNotEmpty((yield* read("evidence", Evidence)).spans)
    }).pipe(Effect.provide(lane)))

  it.live("gives what the extraction gives in this process", () =>
    Effect.gen(function*() {
      const { output, read } = yield* run(demo)
      const here = extract(inputOf(findTemplate("product-demo")!.json_schema, demo))
      assert.deepStrictEqual(yield* read("result", Schema.Json), here.result)
      assert.deepStrictEqual(yield* read("evidence", Evidence), here.evidence)
      assert.strictEqual(output.result_confidence, here.result_confidence)
    }).pipe(Effect.provide(lane)))

  it.live("says that there are no pictures where there is only sound", () =>
    Effect.gen(function*() {
      const { read } = yield* run(meeting, { pictures: false })
      assert.deepInclude(yield* read("frames", Frames), { visual_branch: "absent", kept: 0 })
      assert.deepInclude(yield* read("vision", Vision), { visual_branch: "absent", model: null })
    }).pipe(Effect.provide(lane)))

  it.live("fails with EXTRACTION_FAILED, for good, where a required leaf is missing and may not be filled", () =>
    Effect.gen(function*() {
      const json_schema = {
        type: "object",
        required: ["isbn"],
        properties: { isbn: { type: "string", minLength: 13 } }
      }
      const failure = yield* Effect.flip(run(footage([]), { json_schema, on_missing: "fail" }))
      assert.deepInclude(failure, { code: "EXTRACTION_FAILED", retryable: false })
    }).pipe(Effect.provide(lane)))
})
