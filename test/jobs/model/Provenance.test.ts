import { assert, describe, it } from "@effect/vitest"
import * as fc from "fast-check"
import { outcome, type Outputs } from "../../../src/jobs/model/Pipeline.ts"
import { ExecutionProvider, type ModelRun, namesOf, provenanceOf } from "../../../src/jobs/model/Provenance.ts"

const run: fc.Arbitrary<ModelRun> = fc.record({
  role: fc.constantFrom("vad", "asr", "speaker", "ocr"),
  name: fc.constantFrom("small", "large"),
  execution_provider: fc.constantFrom(...ExecutionProvider.literals)
})

const ran = (role: string, name: string): ModelRun => ({ role, name, execution_provider: "cpu" })
const asr = (execution_provider: ExecutionProvider): ModelRun => ({ role: "asr", name: "m", execution_provider })

describe("provenanceOf", () => {
  it("names every model that ran, once for each provider that it ran on", () => {
    fc.assert(fc.property(fc.array(run), (runs) => {
      const { models } = provenanceOf(runs)
      for (const one of runs) assert.deepInclude(models, one)
      for (const one of models) assert.deepInclude(runs, one)
      assert.lengthOf(new Set(models.map((one) => JSON.stringify(Object.values(one)))), models.length)
    }))
  })

  it("does not depend on which task ended first", () => {
    const shuffled = fc.array(run).chain((runs) =>
      fc.tuple(fc.constant(runs), fc.shuffledSubarray(runs, { minLength: runs.length }))
    )
    fc.assert(fc.property(shuffled, ([runs, others]) => {
      assert.deepStrictEqual(provenanceOf(runs), provenanceOf(others))
    }))
  })
})

describe("a job's outcome", () => {
  const blob = { key: "k", size_bytes: 1, sha256: "0".repeat(64) }

  it("says so where chunks of one job ran on different devices", () => {
    const outputs: Outputs = {
      transcribe: [
        { words: blob, model_seconds: 1, models: [asr("cuda")] },
        { words: blob, model_seconds: 1, models: [asr("cpu")] },
        { words: blob, model_seconds: 1, models: [asr("cuda")] }
      ]
    }
    assert.deepStrictEqual(outcome(outputs).provenance, { models: [asr("cpu"), asr("cuda")] })
  })

  it("counts tasks that a worker of an earlier version settled without telling its models", () => {
    const { models: _, ...told } = { words: blob, model_seconds: 1, models: [] }
    const { provenance, usage } = outcome({ transcribe: [told], extract: [{ warnings: [] }] } as unknown as Outputs)
    assert.deepStrictEqual(provenance, { models: [] })
    assert.deepInclude(usage, { model_seconds: 1, video_seconds: 0 })
  })
})

describe("namesOf", () => {
  it("names every model once, in one order however the tasks were shared out, and is null where none ran", () => {
    const [rules, model, reader] = [ran("describe", "rules"), ran("describe", "a-model@0123"), ran("ocr", "reader")]
    assert.strictEqual(namesOf([reader, rules, model, rules]), "a-model@0123 + reader + rules")
    assert.strictEqual(namesOf([model, rules, reader]), namesOf([reader, rules, model, rules]))
    assert.isNull(namesOf([]))
  })
})
