import { makeZip } from "client-zip"
import { Context, Effect, Layer, Stream } from "effect"
import { createHash } from "node:crypto"
import { frameId } from "../artifacts/Frames.ts"
import { transcriptFormats } from "../artifacts/TranscriptFormat.ts"
import { Signing } from "../crypto/Signing.ts"
import { CurrentTenant } from "../identity/CurrentTenant.ts"
import { Jobs } from "../jobs/Jobs.ts"
import type { ArtifactDamaged, JobNotFound, JobNotSucceeded } from "../jobs/model/Job.ts"
import { KeptImages } from "../jobs/model/StageIo.ts"
import { artifactDamaged, Artifacts } from "../results/Artifacts.ts"
import { Manifests } from "../results/Manifests.ts"
import type { Review } from "../reviews/model/Review.ts"
import type { SpeakerNaming } from "../reviews/model/SpeakerNaming.ts"
import { Reviews } from "../reviews/Reviews.ts"
import { Blobs } from "../storage/Blobs.ts"
import { readBlob } from "../storage/CheckedBlobs.ts"

export interface Archive {
  /** The same for the same bytes. */
  readonly sha256: string
  /** Breaks off where a frame cannot be read: what has no directory at its end is no zip file. */
  readonly bytes: Stream.Stream<Uint8Array>
}

/** The first day that a zip file can name, so that two archives of one job do not differ. Its times are local ones. */
const noTime = new Date(1980, 0, 1)

const json = (value: unknown) => Buffer.from(`${JSON.stringify(value, null, 2)}\n`)

/**
 * A succeeded job as one zip file, by the names that `footnote verify` looks for: the job, its schema and result, every artifact, the
 * transcript in every format, the kept frames, what people decided on it and the result as they left it, the manifest and the keys to
 * check it with. Only a frame is in memory at a time
 * beside the texts. Fails with `ARTIFACT_DAMAGED` before the first byte where a text cannot be read.
 */
export class JobArchive extends Context.Service<JobArchive, {
  readonly read: (
    id: string
  ) => Effect.Effect<Archive, JobNotFound | JobNotSucceeded | ArtifactDamaged, CurrentTenant>
}>()("footnote/exports/JobArchive") {
  static readonly layer = Layer.effect(JobArchive, Effect.suspend(() => make))
}

const make = Effect.gen(function*() {
  const jobs = yield* Jobs
  const artifacts = yield* Artifacts
  const manifests = yield* Manifests
  const blobs = yield* Blobs
  const reviews = yield* Reviews
  const { keys } = yield* Signing

  /** Every revision, the first one first. */
  const allReviews = Effect.fnUntraced(function*(id: string) {
    const found: Array<Review> = []
    for (let left = true; left;) {
      const { data, next_cursor } = yield* reviews.list(id, { limit: 100, cursor: found.at(-1)?.id })
      found.push(...data)
      left = next_cursor !== null
    }
    return found.toReversed()
  })

  /** Every text of the job by the name of its file. */
  const textsOf = Effect.fnUntraced(function*(id: string) {
    const { tenant_id } = yield* CurrentTenant
    const transcript = (yield* artifacts.transcript(id, "as_heard")).value
    const { result, ...job } = yield* artifacts.withResult(yield* jobs.get(tenant_id, id), "as_heard")
    const { written } = yield* jobs.schema(tenant_id, id)
    const files = new Map<string, Buffer>()
    // Where the job ended before there were manifests, the rest is what there is.
    const manifest = yield* Effect.catchTag(manifests.read(id), "MANIFEST_NOT_FOUND", () => Effect.undefined)
    if (manifest !== undefined) {
      files.set("manifest.json", json(manifest.value)).set("signing-keys.json", json({ keys }))
    }
    files.set("job.json", json(job)).set("schema.json", Buffer.from(written)).set("result.json", json(result))
    files.set("transcript.json", json(transcript))
    for (const [format, { render }] of Object.entries(transcriptFormats)) {
      files.set(`transcript.${format}`, Buffer.from(render(transcript, id)))
    }
    files.set("frames.json", json((yield* artifacts.frames(id, true)).value))
    files.set("vision.json", json((yield* artifacts.vision(id)).value))
    files.set("graph.json", json((yield* artifacts.graph(id, "canonical", "as_heard")).value))
    files.set("graph_compact.json", json((yield* artifacts.graph(id, "compact", "as_heard")).value))
    files.set("evidence.json", json((yield* artifacts.evidence(id, "as_heard")).value))
    const revisions = yield* allReviews(id)
    if (revisions.length > 0) {
      const { evidence, result } = yield* reviews.reviewed(id)
      files.set("reviews.json", json(revisions))
      files.set("result.reviewed.json", json(result)).set("evidence.reviewed.json", json(evidence))
    }
    const naming = yield* artifacts.naming(id)
    if (naming.length > 0) yield* addNamed(files, id, naming)
    return files
  })

  /** What the manifest vouches for stays as it was signed; what people's names make of it stands beside it. */
  const addNamed = Effect.fnUntraced(function*(files: Map<string, Buffer>, id: string, naming: SpeakerNaming) {
    const transcript = (yield* artifacts.transcript(id)).value
    files.set("speakers.json", json({ job_id: id, speakers: naming }))
    files.set("transcript.named.json", json(transcript))
    for (const [format, { render }] of Object.entries(transcriptFormats)) {
      files.set(`transcript.named.${format}`, Buffer.from(render(transcript, id)))
    }
    files.set("result.named.json", json((yield* artifacts.result(id)).value))
    files.set("evidence.named.json", json((yield* artifacts.evidence(id)).value))
    files.set("graph.named.json", json((yield* artifacts.graph(id, "canonical")).value))
  })

  const imagesOf = Effect.fnUntraced(function*(id: string) {
    const { tenant_id } = yield* CurrentTenant
    const images = yield* jobs.artifact(tenant_id, id, "images")
    return images === undefined ? [] : (yield* artifacts.read(id, "images", KeptImages)).value
  })

  return JobArchive.of({
    read: Effect.fn("JobArchive.read")(function*(id) {
      const texts = yield* textsOf(id)
      const images = yield* imagesOf(id)
      const hash = createHash("sha256")
      for (const [name, bytes] of texts) hash.update(`${name}\n${bytes.length}\n`).update(bytes)
      for (const { image, index } of images) hash.update(`${frameId(index)}\n${image.sha256}\n`)

      const frames = Stream.fromIterable(images).pipe(
        Stream.mapEffect(({ image, index }) =>
          artifactDamaged(id, frameId(index))(readBlob(blobs, image)).pipe(
            Effect.map((bytes) => [`frames/${frameId(index)}.jpg`, bytes] as const)
          )
        )
      )
      const files = Stream.concat(Stream.fromIterable(texts), frames).pipe(
        Stream.map(([name, input]) => ({ name, input, lastModified: noTime })),
        Stream.orDie
      )
      return {
        sha256: hash.digest("hex"),
        bytes: Stream.suspend(() =>
          Stream.fromReadableStream({
            evaluate: () => makeZip(Stream.toAsyncIterable(files)),
            onError: (error) => error
          }).pipe(Stream.orDie)
        )
      }
    })
  })
})
