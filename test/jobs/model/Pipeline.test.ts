import { assert, describe, it } from "@effect/vitest"
import { Result, Schema } from "effect"
import * as fc from "fast-check"
import { followers, outcome, type Outputs, pipeline, stageNames } from "../../../src/jobs/model/Pipeline.ts"
import { StageIo, type StageName } from "../../../src/jobs/model/StageIo.ts"
import { imaginedSpec, noopOutput } from "../../support/NoopStages.ts"

const source = fc.record({
  audio: fc.boolean(),
  video: fc.boolean(),
  captions: fc.boolean(),
  chunks: fc.nat(200),
  images: fc.nat(60)
})

/** Runs the whole plan without an engine, in one of the orders that the graph allows, and gives what each stage was given. */
const unroll = (
  imagined: Parameters<typeof imaginedSpec>[0],
  order: (ready: ReadonlyArray<StageName>) => StageName
) => {
  const spec = imaginedSpec(imagined)
  const inputs = new Map<StageName, ReadonlyArray<unknown>>()
  const outputs: Record<string, ReadonlyArray<unknown>> = {}
  for (;;) {
    const ready = stageNames.filter((name) =>
      !inputs.has(name) && pipeline[name].needs.every((need) => inputs.has(need))
    )
    if (ready.length === 0) return { inputs, outputs: outputs as Outputs }
    const stage = order(ready)
    const planned = pipeline[stage].plan(spec, outputs as Outputs)
    inputs.set(stage, planned)
    if (planned.length === 0) continue
    const made = planned.map((_, index) => noopOutput({ stage, spec, job_id: "job_1", index }))
    outputs[stage] = made
  }
}

describe("pipeline", () => {
  it("has one beginning and one end, and every stage lies between them", () => {
    assert.deepStrictEqual(stageNames.filter((name) => pipeline[name].needs.length === 0), ["fetch"])
    assert.deepStrictEqual(stageNames.filter((name) => followers(name).length === 0), ["extract"])
    const upstream = (name: StageName): ReadonlySet<StageName> =>
      new Set(pipeline[name].needs.flatMap((need) => [need, ...upstream(need)]))
    for (const name of stageNames) {
      assert.isFalse(upstream(name).has(name), `${name} waits for itself`)
      assert.includeMembers([...upstream(name)], [...pipeline[name].reads], `${name} reads what may not be done`)
    }
    assert.strictEqual(upstream("extract").size, stageNames.length - 1)
  })

  it("plans inputs that fit their stage, whatever the source holds and in whatever order its stages end", () => {
    fc.assert(
      fc.property(source, fc.infiniteStream(fc.nat()), (imagined, picks) => {
        const pick = (ready: ReadonlyArray<StageName>) => ready[picks.next().value! % ready.length]!
        const { inputs } = unroll(imagined, pick)
        assert.strictEqual(inputs.size, stageNames.length)
        for (const [stage, planned] of inputs) {
          const decode = Schema.decodeUnknownResult(StageIo[stage].input as Schema.Codec<unknown>)
          for (const input of planned) assert.isTrue(Result.isSuccess(decode(input)), `${stage}`)
        }
        const first = unroll(imagined, (ready) => ready[0]!)
        const last = unroll(imagined, (ready) => ready.at(-1)!)
        assert.deepStrictEqual(last.inputs.get("extract"), first.inputs.get("extract"))
        assert.deepStrictEqual(outcome(last.outputs), outcome(first.outputs))
      }),
      { numRuns: 60 }
    )
  })

  it("hands who is heard when from the detection of speech to whoever puts words and voices together, where a stack tells it", () => {
    const { outputs } = unroll(
      { audio: true, video: false, captions: false, chunks: 2, images: 0 },
      (ready) => ready[0]!
    )
    const planned = (detect_speech: Outputs["detect_speech"]) =>
      pipeline.diarize.plan(imaginedSpec({}), {
        ...outputs,
        ...(detect_speech === undefined ? {} : { detect_speech })
      })[0]
    assert.notProperty(planned(outputs.detect_speech), "turns")
    const turns = { key: "jobs/job_1/detect_speech/0/0/turns.json", size: 2, sha256: "0".repeat(64) } as never
    const told = [{ ...outputs.detect_speech![0]!, turns, model_seconds: 3 }]
    assert.strictEqual(planned(told)?.turns, turns)
    const before = outcome(outputs).usage.model_seconds
    assert.closeTo(outcome({ ...outputs, detect_speech: told }).usage.model_seconds, before + 3, 1e-9)
  })

  it("covers every chunk once and every kept image once, in order", () => {
    fc.assert(fc.property(source, (imagined) => {
      const { inputs } = unroll({ ...imagined, audio: true, video: true }, (ready) => ready[0]!)
      const chunks = inputs.get("transcribe")!.map((input) => (input as { readonly chunk: number }).chunk)
      assert.deepStrictEqual(chunks, Array.from({ length: imagined.chunks }, (_, at) => at))
      const batches = inputs.get("describe") as ReadonlyArray<{ readonly from: number; readonly to: number }>
      const images = batches.flatMap(({ from, to }) => Array.from({ length: to - from }, (_, at) => from + at))
      assert.deepStrictEqual(images, Array.from({ length: imagined.images }, (_, at) => at))
    }))
  })

  it("always diarizes and extracts once, so that silence and darkness are results too", () => {
    fc.assert(fc.property(source, (imagined) => {
      const { inputs } = unroll(imagined, (ready) => ready[0]!)
      assert.lengthOf(inputs.get("diarize")!, 1)
      assert.lengthOf(inputs.get("extract")!, 1)
      assert.strictEqual(inputs.get("frames")!.length, imagined.video ? 1 : 0)
      assert.strictEqual(inputs.get("audio")!.length, imagined.audio ? 1 : 0)
    }))
  })

  it("ignores embedded captions where the caller says so", () => {
    const { outputs } = unroll({ captions: true }, (ready) => ready[0]!)
    const spec = imaginedSpec({ captions: true })
    assert.lengthOf(pipeline.captions.plan(spec, outputs), 1)
    assert.lengthOf(pipeline.captions.plan({ ...spec, hints: { captions: "ignore" } }, outputs), 0)
  })
})
