import { Context, Effect, Layer, Schema } from "effect"
import type { JobNotFound, JobNotSucceeded } from "../jobs/Job.ts"
import { type ArtifactKind, Jobs } from "../jobs/Jobs.ts"
import { KeptImages } from "../jobs/StageIo.ts"
import { Blobs } from "../storage/Blobs.ts"
import { CurrentTenant } from "../tenants/CurrentTenant.ts"
import { FrameNotFound } from "./ArtifactViews.ts"
import { frameId } from "./Frames.ts"

/** A blob as it was written; `sha256` never changes, so it serves as the entity's tag. */
export interface Artifact<A> {
  readonly value: A
  readonly sha256: string
}

type Reads<A, E = never> = Effect.Effect<Artifact<A>, JobNotFound | JobNotSucceeded | E, CurrentTenant>

/**
 * What a succeeded job of the current tenant left. A job that has not succeeded fails with `JOB_NOT_SUCCEEDED`; bytes that
 * are gone or do not fit their schema are a defect.
 */
export class Artifacts extends Context.Service<Artifacts, {
  readonly read: <A>(id: string, kind: ArtifactKind, schema: Schema.Codec<A, any>) => Reads<A>
  /** The JPEG of a kept frame (`frm_000123`). */
  readonly image: (id: string, frame_id: string) => Reads<Uint8Array, FrameNotFound>
}>()("footnote/artifacts/Artifacts") {
  static readonly layer = Layer.effect(
    Artifacts,
    Effect.gen(function*() {
      const jobs = yield* Jobs
      const blobs = yield* Blobs

      const read = Effect.fn("Artifacts.read")(
        function*<A>(id: string, kind: ArtifactKind, schema: Schema.Codec<A, any>) {
          const { tenant_id } = yield* CurrentTenant
          const ref = yield* jobs.artifact(tenant_id, id, kind)
          if (ref === undefined) return yield* Effect.die(new Error(`Job ${id} has no ${kind}`))
          const bytes = yield* Effect.orDie(blobs.get(ref.key))
          const value = yield* Effect.orDie(
            Schema.decodeEffect(Schema.fromJsonString(schema))(new TextDecoder().decode(bytes))
          )
          return { value, sha256: ref.sha256 }
        }
      )

      return Artifacts.of({
        read,
        image: Effect.fn("Artifacts.image")(function*(id, frame_id) {
          const { tenant_id } = yield* CurrentTenant
          const images = yield* jobs.artifact(tenant_id, id, "images")
          if (images === undefined) return yield* new FrameNotFound()
          const { value } = yield* read(id, "images", KeptImages)
          const kept = value.find(({ index }) => frameId(index) === frame_id)
          if (kept === undefined) return yield* new FrameNotFound()
          return { value: yield* Effect.orDie(blobs.get(kept.image.key)), sha256: kept.image.sha256 }
        })
      })
    })
  )
}
