import type { Schema } from "effect"
import type { Attested, Software } from "../jobs/model/Attested.ts"
import type { JobSpec } from "../jobs/model/JobSpec.ts"
import { type Outputs, readByOf, usesIn } from "../jobs/model/Pipeline.ts"
import { type ModelUse, usesOf } from "../jobs/model/Provenance.ts"
import type { Warning } from "../jobs/model/StageIo.ts"

/** The type of our statements (in-toto, `predicateType`); another shape gets another number. */
export const predicateType = "urn:footnote:extraction:v1"

/** What a succeeded job was made from and by, without anything that another run over the same would have differently. */
export interface Predicate {
  readonly source: { readonly size_bytes: number; readonly digest: { readonly sha256: string } }
  readonly schema: Attested["schema"]
  readonly models: ReadonlyArray<ModelUse>
  readonly configuration: {
    readonly model_stack: Attested["model_stack"]
    /** The decoder of the worker that probed the source. */
    readonly decoder: string | null
    readonly extractor: Readonly<Record<string, Schema.Json>>
    readonly hints: JobSpec["hints"]
    readonly on_missing: JobSpec["on_missing"]
    readonly precision?: JobSpec["precision"]
    readonly instructions?: JobSpec["instructions"]
  }
  readonly software: Software
  readonly result_confidence: number | null
  readonly warnings: ReadonlyArray<Warning>
}

/**
 * The predicate of a job whose stages left these outputs; undefined where the extraction was settled by a worker of a
 * version that attested nothing.
 */
export const predicateOf = (
  spec: JobSpec,
  outputs: Outputs,
  warnings: ReadonlyArray<Warning>
): Predicate | undefined => {
  const facts = spec.extracted_from?.facts ?? outputs.probe?.[0]?.probe.facts
  const extracted = outputs.extract?.[0]
  if (facts === undefined || extracted?.attested === undefined) return undefined
  const { extractor, model_stack, schema, software } = extracted.attested
  const { extracted_from, hints, instructions, on_missing, precision } = spec
  const { decoder, models } = readByOf(outputs, extracted_from)
  return {
    source: { size_bytes: facts.size_bytes, digest: { sha256: facts.sha256 } },
    schema,
    models: usesOf([...models, ...usesIn(outputs, ["extract"])]),
    configuration: {
      model_stack,
      decoder,
      extractor,
      hints,
      on_missing,
      ...(precision === undefined ? {} : { precision }),
      ...(instructions === undefined ? {} : { instructions })
    },
    software,
    result_confidence: extracted.result_confidence,
    warnings
  }
}
