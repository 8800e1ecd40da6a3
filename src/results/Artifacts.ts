import { Context, Effect, Layer, Schema } from "effect"
import { createHash } from "node:crypto"
import {
  FrameNotFound,
  type JobEvidence,
  type JobFrames,
  type JobGraph,
  type JobTranscript,
  type JobVision
} from "../artifacts/ArtifactViews.ts"
import type { Evidence } from "../artifacts/Evidence.ts"
import { frameId, frameRef } from "../artifacts/Frames.ts"
import type { GraphView } from "../artifacts/Graph.ts"
import {
  StoredEvidence,
  StoredFrames,
  StoredGraph,
  StoredTranscript,
  StoredVision
} from "../artifacts/StoredArtifacts.ts"
import type { Transcript } from "../artifacts/Transcript.ts"
import { TenantSql } from "../database/TenantSql.ts"
import { CurrentTenant } from "../identity/CurrentTenant.ts"
import { type ArtifactKind, Jobs } from "../jobs/Jobs.ts"
import { ArtifactDamaged, type Job, type JobNotFound, type JobNotSucceeded, type JobRecord } from "../jobs/model/Job.ts"
import { KeptImages } from "../jobs/model/StageIo.ts"
import { nameGraph, nameTranscript, type SpeakerNaming, type SpeakersAs } from "../reviews/model/SpeakerNaming.ts"
import type { BlobRef } from "../storage/BlobRef.ts"
import { type BlobError, Blobs } from "../storage/Blobs.ts"
import { type BlobDamaged, readBlob } from "../storage/CheckedBlobs.ts"
import { nameResult } from "./NamedResult.ts"

/** What a blob holds, in today's shape; `sha256` is that of the bytes as they were written, and of the speakers' names if any. */
export interface Artifact<A> {
  readonly value: A
  readonly sha256: string
}

type ReadFailure = JobNotFound | JobNotSucceeded | ArtifactDamaged

type Reads<A, E = never> = Effect.Effect<Artifact<A>, ReadFailure | E, CurrentTenant>

/**
 * What is told of a blob that cannot be served: the name of the artifact and what makes it anew. The other artifacts of the job
 * are not concerned. A store that is away stays a defect.
 */
export const artifactDamaged =
  (id: string, name: string) =>
  <A, R>(read: Effect.Effect<A, BlobError | BlobDamaged, R>): Effect.Effect<A, ArtifactDamaged, R> =>
    read.pipe(
      Effect.annotateLogs({ job_id: id, artifact: name }),
      Effect.catchTags({
        BlobError: Effect.die,
        BlobDamaged: ({ found_sha256 }) =>
          Effect.fail(
            new ArtifactDamaged({
              message: `The ${name} of job ${id} is ${
                found_sha256 === null ? "lost" : "not what was written"
              }, so it is not served. POST /v1/jobs/${id}/retry makes a job that computes it anew from the same source.`,
              details: [{ path: name, message: found_sha256 === null ? "lost" : "changed" }]
            })
          )
      })
    )

/** Result and evidence are named together: the one says which values of the other are names. */
const nameBoth = (
  result: Effect.Effect<Artifact<Schema.Json>, ReadFailure, CurrentTenant>,
  evidence: Effect.Effect<Artifact<Evidence>, ReadFailure, CurrentTenant>,
  given: SpeakerNaming,
  heard: Transcript
) =>
  Effect.gen(function*() {
    return nameResult({ result: (yield* result).value, evidence: (yield* evidence).value }, given, heard)
  })

/**
 * What a succeeded job of the current tenant left, held against its hash as it is read. A job that has not succeeded fails with
 * `JOB_NOT_SUCCEEDED`, bytes that are gone or were changed with `ARTIFACT_DAMAGED`; bytes as they were written that do not
 * fit their schema are a defect.
 */
export class Artifacts extends Context.Service<Artifacts, {
  readonly read: <A>(id: string, kind: ArtifactKind, schema: Schema.Codec<A, any>) => Reads<A>
  readonly transcript: (id: string, speakers?: SpeakersAs) => Reads<typeof JobTranscript.Type>
  /** The kept frames, or with `include_raw` every sampled one. */
  readonly frames: (id: string, include_raw: boolean) => Reads<typeof JobFrames.Type>
  readonly vision: (id: string) => Reads<typeof JobVision.Type>
  readonly graph: (id: string, view: GraphView, speakers?: SpeakersAs) => Reads<typeof JobGraph.Type>
  readonly evidence: (id: string, speakers?: SpeakersAs) => Reads<typeof JobEvidence.Type>
  /** The typed result by itself. */
  readonly result: (id: string, speakers?: SpeakersAs) => Reads<Schema.Json>
  /** How people named the job's speakers; nobody where they did not. */
  readonly naming: (id: string) => Effect.Effect<SpeakerNaming, never, CurrentTenant>
  /** The record with the typed result: null before the job has succeeded, and where it was erased meanwhile. */
  readonly withResult: <R extends Pick<JobRecord, "id" | "status">>(
    record: R,
    speakers?: SpeakersAs
  ) => Effect.Effect<R & Pick<Job, "result">, ArtifactDamaged, CurrentTenant>
  /** The JPEG of a kept frame, by its id (`frm_000123`) or as evidence names it (`frame#000123`). */
  readonly image: (id: string, frame_id: string) => Reads<Uint8Array, FrameNotFound>
  /** The kept frame whose moment is nearest to this one, and its moment. */
  readonly nearestImage: (
    id: string,
    t: number
  ) => Effect.Effect<
    Artifact<Uint8Array> & { readonly timestamp: number },
    JobNotFound | JobNotSucceeded | ArtifactDamaged | FrameNotFound,
    CurrentTenant
  >
}>()("footnote/results/Artifacts") {
  static readonly layer = Layer.effect(
    Artifacts,
    Effect.gen(function*() {
      const jobs = yield* Jobs
      const blobs = yield* Blobs
      const { inTenant, sql } = yield* TenantSql

      const naming = Effect.fnUntraced(function*(id: string) {
        const { tenant_id } = yield* CurrentTenant
        const [row] = yield* inTenant(tenant_id)(sql<{ readonly speakers: SpeakerNaming }>`
          SELECT speakers FROM footnote.job_speakers WHERE job_id = ${id} AND tenant_id = ${tenant_id}`)
        return row?.speakers ?? []
      })

      const bytesOf = (id: string, name: string, ref: BlobRef) => artifactDamaged(id, name)(readBlob(blobs, ref))

      const read = Effect.fn("Artifacts.read")(
        function*<A>(id: string, kind: ArtifactKind, schema: Schema.Codec<A, any>) {
          const { tenant_id } = yield* CurrentTenant
          const ref = yield* jobs.artifact(tenant_id, id, kind)
          if (ref === undefined) return yield* Effect.die(new Error(`Job ${id} has no ${kind}`))
          const bytes = yield* bytesOf(id, kind, ref)
          const value = yield* Effect.orDie(
            Schema.decodeEffect(Schema.fromJsonString(schema))(new TextDecoder().decode(bytes))
          )
          return { value, sha256: ref.sha256 }
        }
      )

      /** An artifact with the id of the job that it belongs to. */
      const view = <A extends object, B = A>(
        id: string,
        kind: ArtifactKind,
        schema: Schema.Codec<A, any>,
        show: (value: A) => B = (value) => value as unknown as B
      ) =>
        Effect.map(
          read(id, kind, schema),
          ({ sha256, value }) => ({ sha256, value: { job_id: id, ...show(value) } })
        )

      /** What was read, with the job's speakers as people named them. A job whose speakers nobody named costs one query. */
      const named = Effect.fnUntraced(function*<A>(
        id: string,
        speakers: SpeakersAs | undefined,
        artifact: Artifact<A>,
        name: (value: A, given: SpeakerNaming, heard: Transcript) => A | Effect.Effect<A, ReadFailure, CurrentTenant>
      ) {
        const given = speakers === "as_heard" ? [] : yield* naming(id)
        if (given.length === 0) return artifact
        const { sha256: of, value: heard } = yield* read(id, "transcript", StoredTranscript.codec)
        const value = name(artifact.value, given, heard)
        return {
          value: Effect.isEffect(value) ? yield* value : value,
          sha256: createHash("sha256").update(`${artifact.sha256} ${of} ${JSON.stringify(given)}`).digest("hex")
        }
      })

      const ownResult = (id: string) => read(id, "result", Schema.Json)
      const ownEvidence = (id: string) => read(id, "evidence", StoredEvidence.codec)

      const result = Effect.fnUntraced(function*(id: string, speakers?: SpeakersAs) {
        const own = yield* ownResult(id)
        return yield* named(
          id,
          speakers,
          own,
          (_, given, heard) =>
            Effect.map(nameBoth(Effect.succeed(own), ownEvidence(id), given, heard), (both) => both.result)
        )
      })

      const evidence = Effect.fnUntraced(function*(id: string, speakers?: SpeakersAs) {
        const own = yield* ownEvidence(id)
        const { sha256, value } = yield* named(
          id,
          speakers,
          own,
          (_, given, heard) =>
            Effect.map(nameBoth(ownResult(id), Effect.succeed(own), given, heard), (both) => both.evidence)
        )
        return { sha256, value: { job_id: id, ...value } }
      })

      /** None where the job has no pictures. */
      const keptImages = Effect.fnUntraced(function*(id: string) {
        const { tenant_id } = yield* CurrentTenant
        const images = yield* jobs.artifact(tenant_id, id, "images")
        return images === undefined ? [] : (yield* read(id, "images", KeptImages)).value
      })

      const imageOf = (id: string, { image, index }: KeptImages[number]) =>
        Effect.map(bytesOf(id, frameId(index), image), (value) => ({ value, sha256: image.sha256 }))

      return Artifacts.of({
        read,
        naming,
        result,
        evidence,
        transcript: Effect.fnUntraced(function*(id, speakers) {
          const { sha256, value } = yield* named(
            id,
            speakers,
            yield* read(id, "transcript", StoredTranscript.codec),
            nameTranscript
          )
          return { sha256, value: { job_id: id, ...value } }
        }),
        frames: (id, include_raw) =>
          view(
            id,
            "frames",
            StoredFrames.codec,
            (inventory) =>
              include_raw ? inventory : { ...inventory, frames: inventory.frames.filter(({ kept }) => kept) }
          ),
        vision: (id) => view(id, "vision", StoredVision.codec),
        graph: Effect.fnUntraced(function*(id, graphView, speakers) {
          const kind = graphView === "compact" ? "graph_compact" : "graph"
          const { sha256, value } = yield* named(id, speakers, yield* read(id, kind, StoredGraph.codec), nameGraph)
          return { sha256, value: { job_id: id, ...value } }
        }),
        withResult: Effect.fnUntraced(function*(record, speakers) {
          const shown = record.status === "succeeded"
            ? (yield* result(record.id, speakers).pipe(
              // Erased between the two reads: then there is no result to show any more.
              Effect.catchTags({
                JOB_NOT_FOUND: () => Effect.succeed({ value: null }),
                JOB_NOT_SUCCEEDED: () => Effect.succeed({ value: null })
              })
            )).value
            : null
          return { ...record, result: shown }
        }),
        image: Effect.fn("Artifacts.image")(function*(id, frame_id) {
          const images = yield* keptImages(id)
          const kept = images.find(({ index }) => frameId(index) === frame_id || frameRef(index) === frame_id)
          return kept === undefined ? yield* new FrameNotFound() : yield* imageOf(id, kept)
        }),
        nearestImage: Effect.fn("Artifacts.nearestImage")(function*(id, t) {
          const [first, ...rest] = yield* keptImages(id)
          if (first === undefined) return yield* new FrameNotFound()
          const near = (one: KeptImages[number]) => Math.abs(one.timestamp - t)
          const kept = rest.reduce((best, one) => near(one) < near(best) ? one : best, first)
          return { ...yield* imageOf(id, kept), timestamp: kept.timestamp }
        })
      })
    })
  )
}
