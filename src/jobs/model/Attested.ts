import { Schema } from "effect"
import { BlobRef } from "../../storage/BlobRef.ts"

const Hex = Schema.String.check(Schema.isPattern(/^[0-9a-f]{64}$/u))

/** SHA-256 of bytes. */
const BytesDigest = Schema.Struct({ sha256: Hex })

/** SHA-256 of the RFC 8785 form of a JSON value: spacing and the order of members do not matter. */
const JsonDigest = Schema.Struct({ jcs_sha256: Hex })

/**
 * One thing that a job made, named as the file that holds it. What differs from job to job is not hashed: the members of
 * the file's object in `annotations.omitted`, and in text, where `annotations.job_id` is, the job's id, in whose place that
 * stands.
 */
export const Subject = Schema.Struct({
  name: Schema.String,
  digest: Schema.Union([BytesDigest, JsonDigest]),
  annotations: Schema.optionalKey(
    Schema.Struct({
      omitted: Schema.optionalKey(Schema.Array(Schema.String)),
      job_id: Schema.optionalKey(Schema.String)
    })
  )
})
export type Subject = typeof Subject.Type

/** The program that ran: `dirHash` is over its own sources and the models of its repository. */
export const Software = Schema.Struct({
  name: Schema.String,
  version: Schema.String,
  digest: Schema.Struct({ dirHash: Hex }),
  node: Schema.String,
  platform: Schema.String
})
export type Software = typeof Software.Type

/** What the extraction stage knows of a manifest beside what the engine knows: `subjects` refers to JSON `Subject`s. */
export const Attested = Schema.Struct({
  subjects: BlobRef,
  schema: Schema.Struct({ original: JsonDigest, normalised: JsonDigest }),
  model_stack: Schema.Struct({ id: Schema.String, digest: JsonDigest }),
  extractor: Schema.Record(Schema.String, Schema.Json),
  software: Software
})
export type Attested = typeof Attested.Type
