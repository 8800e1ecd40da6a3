import { assert, describe, it } from "@effect/vitest"
import * as fc from "fast-check"
import { canonicalJson } from "../../src/crypto/CanonicalJson.ts"
import type { JobSpec } from "../../src/jobs/model/JobSpec.ts"
import type { Outputs } from "../../src/jobs/model/Pipeline.ts"
import type { ModelUse } from "../../src/jobs/model/Provenance.ts"
import type { StageName } from "../../src/jobs/model/StageIo.ts"
import { predicateOf } from "../../src/manifests/Predicate.ts"
import { imaginedSpec, noopOutput } from "../support/NoopStages.ts"

const spec: JobSpec = { ...imaginedSpec(), hints: { language: "en" }, on_missing: "fail" }

const outputOf = (stage: StageName, index = 0): any => noopOutput({ stage, spec, job_id: "job_1", index })
const { attested } = outputOf("extract")
const use = (role: string, sha256: string): ModelUse => ({
  role,
  name: `model-${role}`,
  execution_provider: "cpu",
  files: [{ name: "weights", revision: "r1", digest: { sha256 } }]
})
const outputsWith = (models: ReadonlyArray<ModelUse>): Outputs => ({
  probe: [outputOf("probe")],
  transcribe: models.map((model, index) => ({ ...outputOf("transcribe", index), models: [model] })),
  extract: [outputOf("extract")]
})

describe("the predicate of a manifest", () => {
  it("tells the source, the schema, the configuration and each model with its files", () => {
    const predicate = predicateOf(spec, outputsWith([use("asr", "1".repeat(64))]), [])!
    assert.deepStrictEqual(predicate.source, { size_bytes: 1, digest: { sha256: "0".repeat(64) } })
    assert.deepStrictEqual(predicate.schema, attested.schema)
    assert.deepStrictEqual(predicate.models, [use("asr", "1".repeat(64))])
    assert.deepStrictEqual(predicate.configuration, {
      model_stack: attested.model_stack,
      decoder: "ffmpeg none",
      extractor: attested.extractor,
      hints: { language: "en" },
      on_missing: "fail"
    })
    assert.deepStrictEqual(predicate.software, attested.software)
  })

  it("is the same however tasks were shared out and in whichever order models were told", () => {
    const uses = fc.array(fc.tuple(fc.constantFrom("asr", "vad", "ocr"), fc.constantFrom("1", "2")), { minLength: 1 })
    fc.assert(
      fc.property(
        uses.chain((all) => fc.tuple(fc.constant(all), fc.shuffledSubarray(all, { minLength: all.length }))),
        ([some, shuffled]) => {
          const of = (all: typeof some) =>
            canonicalJson(predicateOf(
              spec,
              outputsWith(all.map(([role, byte]) => use(role, byte.repeat(64)))),
              []
            ) as never)
          assert.strictEqual(of(shuffled), of(some))
          assert.strictEqual(of([...some, ...shuffled]), of(some))
        }
      )
    )
  })

  it("names a model twice where two workers loaded it from different files", () => {
    const { models } = predicateOf(spec, outputsWith([use("asr", "2".repeat(64)), use("asr", "1".repeat(64))]), [])!
    assert.deepStrictEqual(models, [use("asr", "1".repeat(64)), use("asr", "2".repeat(64))])
  })

  it("is not there where the extraction attested nothing, as workers of an earlier version do", () => {
    const { attested: _, ...earlier } = outputOf("extract")
    assert.isUndefined(predicateOf(spec, { probe: [outputOf("probe")], extract: [earlier] }, []))
    assert.isUndefined(predicateOf(spec, {}, []))
  })
})
