import { Context, type Duration, Effect, Layer, PubSub } from "effect"
import { dieOnSqlError } from "../database/Rows.ts"
import { TenantSql } from "../database/TenantSql.ts"
import { retryTransient } from "../database/Transient.ts"
import { RateLimited, ServiceUnavailable } from "../errors/RequestErrors.ts"
import { CurrentTenant } from "../identity/CurrentTenant.ts"
import { RenderTasks } from "../jobs/engine/RenderTasks.ts"
import { JobNotFound, type JobNotSucceeded } from "../jobs/model/Job.ts"
import type { RenderInput } from "../jobs/model/Rendition.ts"
import { Signals } from "../queue/Signals.ts"
import type { BlobRef } from "../storage/BlobRef.ts"
import { Blobs } from "../storage/Blobs.ts"
import { RenditionFailed, RenditionNotReady } from "./Rendition.ts"
import { type KeptSource, type SourceErased, SourceMedia } from "./SourceMedia.ts"

/** What has been made: where it lies, and what it is. */
export interface Made {
  readonly blob: BlobRef
  readonly content_type: string
}

/** How it stands with something that is to be made; `absent` where nobody has asked for it. */
interface Standing {
  readonly status: "absent" | "queued" | "running" | "ready" | "failed"
  readonly fraction: number
  readonly error: string | null
  readonly made: Made | null
}

interface Row {
  readonly status: "waiting" | "ready" | "failed"
  readonly error: string | null
  readonly content_type: string | null
  readonly key: string | null
  readonly size: string | null
  readonly sha256: string | null
  readonly running: boolean
  readonly fraction: number
  readonly tried_lately: boolean
}

/** As many as keep a media worker of the usual three slots busy for the time of one request. */
const mostWaiting = 8

/** How long a request waits, of the 30 s that it has; what is made goes on, and the next request finds it. */
export const RenditionWait = Context.Reference<Duration.Input>("footnote/media/Renditions/RenditionWait", {
  defaultValue: () => "20 seconds"
})

type Unfound = JobNotFound | JobNotSucceeded | SourceErased

/**
 * What is made of a job's source for people to look at, when somebody asks: in the media pool behind the decoders' sandbox, kept
 * as a blob of the job whose source it is, counted in the tenant's storage, and gone with that job or source.
 */
export class Renditions extends Context.Service<Renditions, {
  /** How the preview stands, and the source that it is of. */
  readonly preview: (id: string) => Effect.Effect<Standing & { readonly source: KeptSource }, Unfound, CurrentTenant>
  /** Asks for it. `RATE_LIMITED` where as many things of the tenant are waiting as may. */
  readonly requestPreview: (id: string) => Effect.Effect<void, Unfound | RateLimited, CurrentTenant>
  readonly playPreview: (id: string) => Effect.Effect<Made, Unfound | RenditionNotReady, CurrentTenant>
  /**
   * A clip or a frame, waited for. Fails with `SERVICE_UNAVAILABLE` and `Retry-After` where it takes longer than a request may,
   * and with `RENDITION_FAILED` where it cannot be made: for a minute nobody tries again then.
   */
  readonly make: (
    source: KeptSource,
    part: Omit<RenderInput, "source" | "name">
  ) => Effect.Effect<Made, JobNotFound | RateLimited | RenditionFailed | ServiceUnavailable, CurrentTenant>
  /** Forgets what was made where its bytes are lost, so that it is made anew. */
  readonly lost: (blob: BlobRef) => Effect.Effect<void>
}>()("footnote/media/Renditions") {
  static readonly layer = Layer.effect(Renditions, Effect.suspend(() => make)).pipe(Layer.provide(SourceMedia.layer))
}

const preview = "preview.mp4"

const milliseconds = (seconds: number) => Math.round(seconds * 1000)

const nameOf = ({ format, kind, t_end, t_start }: Omit<RenderInput, "source" | "name">): string =>
  [kind, milliseconds(t_start), ...(t_end === null ? [] : [milliseconds(t_end)])].join("-") + `.${format}`

const nobody: Standing = { status: "absent", fraction: 0, error: null, made: null }

const standingOf = (row: Row | undefined): Standing => {
  if (row === undefined) return nobody
  const { content_type, error, fraction, key, running, sha256, size, status } = row
  if (status === "waiting") return { ...nobody, status: running ? "running" : "queued", fraction }
  if (status === "failed") return { ...nobody, status, error }
  const blob = { key: key!, size_bytes: Number(size), sha256: sha256! }
  return { status, fraction: 1, error: null, made: { blob, content_type: content_type! } }
}

const previewInput = ({ blob }: KeptSource): RenderInput => ({
  name: preview,
  kind: "preview",
  format: "mp4",
  source: blob,
  t_start: 0,
  t_end: null
})

const make = Effect.gen(function*() {
  const { inTenant, sql } = yield* TenantSql
  const wait = yield* RenditionWait
  const sources = yield* SourceMedia
  const renders = yield* RenderTasks
  const signals = yield* Signals
  const blobs = yield* Blobs

  const rowOf = Effect.fnUntraced(function*(job_id: string, name: string) {
    const { tenant_id } = yield* CurrentTenant
    const [row] = yield* inTenant(tenant_id)(sql<Row>`
      SELECT r.status, r.error, r.content_type, r.key, r.size_bytes::text AS size, r.sha256,
        r.finished_at > now() - interval '1 minute' AS tried_lately, coalesce(t.worker IS NOT NULL, false) AS running,
        coalesce(t.processed_seconds / nullif(t.total_seconds, 0), 0)::float8 AS fraction
      FROM footnote.renditions r
      LEFT JOIN footnote.tasks t ON t.job_id = r.job_id AND t.stage = 'render' AND t.idx = r.turn
      WHERE r.job_id = ${job_id} AND r.name = ${name} AND r.tenant_id = ${tenant_id}`)
    return row
  })

  const request = Effect.fnUntraced(function*(job_id: string, input: RenderInput) {
    yield* Effect.orDie(blobs.roomForMore)
    const outcome = yield* retryTransient(renders.request(job_id, input, mostWaiting)).pipe(dieOnSqlError)
    if (outcome === "gone") return yield* new JobNotFound()
    if (outcome === "busy") {
      return yield* new RateLimited({
        message: `${mostWaiting} previews, clips and frames of this tenant are waiting to be made; retry in 5 s.`,
        headers: { "retry-after": "5" }
      })
    }
  })

  return Renditions.of({
    preview: Effect.fn("Renditions.preview")(function*(id) {
      const source = yield* sources.find(id)
      return { ...standingOf(yield* rowOf(source.job_id, preview)), source }
    }),

    requestPreview: Effect.fn("Renditions.requestPreview")(function*(id) {
      const source = yield* sources.find(id)
      yield* request(source.job_id, previewInput(source))
    }),

    playPreview: Effect.fn("Renditions.playPreview")(function*(id) {
      const { job_id } = yield* sources.find(id)
      const { made } = standingOf(yield* rowOf(job_id, preview))
      return made ?? (yield* new RenditionNotReady())
    }),

    make: Effect.fn("Renditions.make")(function*(source, part) {
      const input = { ...part, source: source.blob, name: nameOf(part) }
      const { job_id } = source
      const look = rowOf(job_id, input.name)
      const before = yield* look
      if (before === undefined || (before.status === "failed" && !before.tried_lately)) yield* request(job_id, input)
      const made = Effect.gen(function*() {
        const heard = yield* signals.subscribe
        const changed = PubSub.take(heard).pipe(
          Effect.repeat({
            until: (signal) =>
              signal.kind === "reconnected" || (signal.kind === "changed" && signal.job_ids.has(job_id))
          }),
          Effect.timeoutOption("1 second")
        )
        for (;;) {
          const { error, made, status } = standingOf(yield* look)
          if (made !== null) return made
          if (status === "failed") return yield* new RenditionFailed({ message: error ?? "It cannot be made." })
          // Erased meanwhile.
          if (status === "absent") return yield* new JobNotFound()
          yield* changed
        }
      })
      return yield* Effect.scoped(made).pipe(
        Effect.timeoutOrElse({
          duration: wait,
          orElse: () =>
            new ServiceUnavailable({
              message: "It is still being made; ask again for the same, and it goes on from where it is.",
              headers: { "retry-after": "3" }
            })
        })
      )
    }),

    lost: ({ key }) => dieOnSqlError(renders.forget(key))
  })
})
