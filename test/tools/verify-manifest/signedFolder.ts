import { createHash } from "node:crypto"
import { mkdirSync, mkdtempSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import type { Transcript } from "../../../src/artifacts/Transcript.ts"
import { transcriptFormats } from "../../../src/artifacts/TranscriptFormat.ts"
import { canonicalJson } from "../../../src/crypto/CanonicalJson.ts"
import { jsonDigest } from "../../../src/manifests/JsonDigest.ts"
import { subjectsOf } from "../../../workers/extraction/result/Subjects.ts"
import { signed } from "../../manifests/SignedEnvelope.ts"
import { goodArtifacts } from "../verify-evidence/goodFolder.ts"

export const jobId = "job_01kaj3e5h8z9q0w1x2y3z4a5b6"
const jpeg = (index: number) => Buffer.from(`ffd8ffe000104a4649460${index}ffd9`, "hex")
const sha256 = (bytes: Uint8Array) => createHash("sha256").update(bytes).digest("hex")

/** What a job left, as the service's own code states it: the files of its folder, and the statement about them. */
export const leftBy = (job_id = jobId) => {
  const { evidence, frames, graph, result, schema, transcript: heard, vision } = goodArtifacts()
  const transcript = { ...heard, turns: [{ speaker: "S1", t_start: 0.5, t_end: 9 }] } as unknown as Transcript
  const artifacts = { transcript, frames, vision, graph, graph_compact: { ...graph, view: "compact" }, evidence }
  const kept = frames.frames.filter(({ kept }) => kept).map(({ id }) => Number(id.slice(4)))
  const images = kept.map((index, at) => ({
    index,
    timestamp: index / 10,
    width: 640,
    height: 360,
    image: { key: `jobs/${job_id}/frames/0/0/${index}.jpg`, size_bytes: 12, sha256: sha256(jpeg(at)) }
  }))
  const job = { id: job_id, status: "succeeded", warnings: [] }
  const files: Record<string, string | Uint8Array> = {
    "job.json": JSON.stringify(job, null, 2),
    "schema.json": JSON.stringify(schema, null, 2),
    "result.json": JSON.stringify(result, null, 2)
  }
  for (const [name, value] of Object.entries(artifacts)) {
    files[`${name}.json`] = `${JSON.stringify({ job_id, ...value }, null, 2)}\n`
  }
  for (const [format, { render }] of Object.entries(transcriptFormats)) {
    files[`transcript.${format}`] = render(transcript, job_id)
  }
  for (const [at, index] of kept.entries()) files[`frames/frm_${String(index).padStart(6, "0")}.jpg`] = jpeg(at)
  const source = Buffer.from("the source")
  const statement = {
    _type: "https://in-toto.io/Statement/v1",
    subject: subjectsOf({ result, artifacts, images }),
    predicateType: "urn:footnote:extraction:v1",
    predicate: {
      source: { size_bytes: source.length, digest: { sha256: sha256(source) } },
      schema: { original: jsonDigest(schema), normalised: jsonDigest(schema) },
      job: { id: job_id, digest: jsonDigest(job) }
    }
  }
  return { files, source, statement }
}

/** Writes such a folder with a manifest signed by a key of 32 such bytes, and gives its path. */
export const writeSigned = (
  { files, statement }: { readonly files: Readonly<Record<string, string | Uint8Array>>; readonly statement: object } =
    leftBy(),
  byte = 9
): string => {
  const folder = mkdtempSync(join(tmpdir(), "footnote-manifest-"))
  const { envelope, keys } = signed(canonicalJson(JSON.parse(JSON.stringify(statement))), byte)
  const all = {
    ...files,
    "manifest.json": JSON.stringify(envelope, null, 2),
    "signing-keys.json": JSON.stringify(keys)
  }
  for (const [name, content] of Object.entries(all)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true })
    writeFileSync(join(folder, name), content)
  }
  return folder
}
