import { createHash } from "node:crypto"
import { frameId } from "../../../src/artifacts/Frames.ts"
import type { Transcript } from "../../../src/artifacts/Transcript.ts"
import { transcriptFormats } from "../../../src/artifacts/TranscriptFormat.ts"
import type { Subject } from "../../../src/jobs/model/Attested.ts"
import type { KeptImages } from "../../../src/jobs/model/StageIo.ts"
import { jsonDigest } from "../../../src/manifests/JsonDigest.ts"

/** Stands for the job's id, which the formats for scoring call the recording by; their words are in lower case. */
const anyJob = "JOB_ID"

/** The transcript in every other format than JSON. */
const writings = (transcript: Transcript): ReadonlyArray<Subject> =>
  Object.entries(transcriptFormats).map(([format, { render }]): Subject => {
    const text = render(transcript, anyJob)
    const name = `transcript.${format}`
    const digest = { sha256: createHash("sha256").update(text).digest("hex") }
    return text.includes(anyJob) ? { name, digest, annotations: { job_id: anyJob } } : { name, digest }
  })

/**
 * Everything that a job made with its hash, by name. An artifact is served with the id of its job, which is not hashed:
 * so two jobs over the same have the same subjects. Throws where a text holds half of a surrogate pair.
 */
export const subjectsOf = (made: {
  readonly result: unknown
  readonly artifacts: { readonly transcript: Transcript } & Readonly<Record<string, unknown>>
  readonly images: KeptImages
}): ReadonlyArray<Subject> => {
  const artifacts = Object.entries(made.artifacts).map(([name, value]): Subject => ({
    name: `${name}.json`,
    digest: jsonDigest(value),
    annotations: { omitted: ["job_id"] }
  }))
  const images = made.images.map(({ image: { sha256 }, index }): Subject => ({
    name: `frames/${frameId(index)}.jpg`,
    digest: { sha256 }
  }))
  const result: Subject = { name: "result.json", digest: jsonDigest(made.result) }
  return [result, ...artifacts, ...writings(made.artifacts.transcript), ...images].toSorted((a, b) =>
    a.name < b.name ? -1 : 1
  )
}
