import { Schema } from "effect"
import { isOfCalendar } from "../../database/Instant.ts"
import { BlobRef } from "../../storage/BlobRef.ts"
import { Precision } from "./Precision.ts"
import { ModelUse } from "./Provenance.ts"
import { SourceFacts, Warning } from "./StageIo.ts"

export const hintLimits = { speakers: 32, participants: 50, vocabulary: 500, characters: 100 } as const

const SpeakerCount = Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: hintLimits.speakers }))
const Term = Schema.String.check(Schema.isMinLength(1), Schema.isMaxCodePoints(hintLimits.characters))

/** ISO 8601 with a day that the month has: what is said as "next Friday" is counted from it. */
const isDate = (text: string): boolean => /^\d{4}-\d{2}-\d{2}$/u.test(text) && isOfCalendar(text)

const hintFields = {
  num_speakers: Schema.optionalKey(SpeakerCount),
  min_speakers: Schema.optionalKey(SpeakerCount),
  max_speakers: Schema.optionalKey(SpeakerCount),
  participants: Schema.optionalKey(Schema.Array(Term).check(Schema.isMaxLength(hintLimits.participants))),
  vocabulary: Schema.optionalKey(Schema.Array(Term).check(Schema.isMaxLength(hintLimits.vocabulary))),
  language: Schema.optionalKey(
    Schema.String.check(
      Schema.isPattern(/^[a-z]{2,3}(-[A-Za-z0-9]{2,8})*$/u, { message: "Expected a language tag such as en or pt-BR" })
    )
  ),
  recorded_at: Schema.optionalKey(
    Schema.String.check(
      Schema.makeFilter((text) => isDate(text) ? undefined : "Expected a date that there is, such as 2026-11-20")
    )
  ),
  captions: Schema.optionalKey(Schema.Literals(["prefer", "ignore"])),
  corrections: Schema.optionalKey(Schema.Literals(["use", "ignore"]))
}

/** The hints of a job as they were given; read back, they may have grown by a field. */
export const GivenHints = Schema.Struct(hintFields).annotate({ identifier: "GivenHints" })

/** What the caller knows beforehand. A hint may sharpen a result, it never adds a fact. */
export const JobHints = Schema.Struct(hintFields).check(
  Schema.makeFilter(({ max_speakers, min_speakers, num_speakers }) => {
    if (min_speakers !== undefined && max_speakers !== undefined && min_speakers > max_speakers) {
      return { path: ["min_speakers"], issue: "More than max_speakers" }
    }
    if (num_speakers !== undefined && num_speakers < (min_speakers ?? 0)) {
      return { path: ["num_speakers"], issue: "Fewer than min_speakers" }
    }
    return num_speakers !== undefined && num_speakers > (max_speakers ?? Infinity)
      ? { path: ["num_speakers"], issue: "More than max_speakers" }
      : undefined
  })
).annotate({ identifier: "JobHints" })
export type JobHints = typeof JobHints.Type

/** Who read a source and with what troubles: every stage but the extraction. */
export const ReadBy = Schema.Struct({
  decoder: Schema.NullOr(Schema.String),
  models: Schema.Array(ModelUse),
  warnings: Schema.Array(Warning)
})
export type ReadBy = typeof ReadBy.Type

/** What an extraction works from in place of a source: what a job that succeeded has read of it, or what was given (null). */
export const ExtractedFrom = Schema.Struct({
  job_id: Schema.NullOr(Schema.String),
  facts: SourceFacts,
  transcript: BlobRef,
  frames: BlobRef,
  vision: BlobRef,
  /** JSON `KeptImages`; null where the source has no picture. */
  images: Schema.NullOr(BlobRef),
  read_by: ReadBy
})
export type ExtractedFrom = typeof ExtractedFrom.Type

/** Everything that decides a job's outcome besides the source's bytes. Copied at creation, never changed. */
export const JobSpec = Schema.Struct({
  source_uri: Schema.String,
  /** What the footage is called. */
  title: Schema.optionalKey(Schema.String),
  /** What its file is called: an upload's name, or the last part of an address. */
  source_name: Schema.optionalKey(Schema.String),
  json_schema: Schema.Json,
  /** The copy of it in 2020-12 that judges and fills; jobs of an earlier version have none. */
  normalised_schema: Schema.optionalKey(Schema.Json),
  schema_id: Schema.NullOr(Schema.String),
  /** Of a job that names its schema by id; jobs of an earlier version do not say. */
  schema_version: Schema.optionalKey(Schema.Int),
  hints: JobHints,
  on_missing: Schema.Literals(["fill", "fail"]),
  /** Jobs of an earlier version have none, and are strict. */
  precision: Schema.optionalKey(Precision),
  /** How to read this footage, in the caller's words. */
  instructions: Schema.optionalKey(Schema.String),
  model_stack: Schema.String,
  /** The job that this one runs again. */
  retry_of: Schema.optionalKey(Schema.String),
  /** The bytes that it was made of, in place of what `source_uri` leads to now. */
  kept_source: Schema.optionalKey(BlobRef),
  /** The job whose artifacts it works from: nothing is fetched, decoded or recognised. */
  extracted_from: Schema.optionalKey(ExtractedFrom)
})
export type JobSpec = typeof JobSpec.Type

/** What stands in a JSON column is JSON: a schema of 128 KiB is not walked through again with every task of its job. */
const FromJsonColumn = Schema.declare((value): value is Schema.Json => value !== undefined)

/** The spec as a job's row has it. */
export const StoredSpec = Schema.Struct({
  ...JobSpec.fields,
  json_schema: FromJsonColumn,
  normalised_schema: Schema.optionalKey(FromJsonColumn)
})
