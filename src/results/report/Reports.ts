import { Context, Effect, Layer, type Schema } from "effect"
import { createHash } from "node:crypto"
import type { Evidence } from "../../artifacts/Evidence.ts"
import { Signing } from "../../crypto/Signing.ts"
import { CurrentTenant } from "../../identity/CurrentTenant.ts"
import { Jobs } from "../../jobs/Jobs.ts"
import type { ArtifactDamaged, JobNotFound, JobNotSucceeded } from "../../jobs/model/Job.ts"
import { shownUri } from "../../sources/ShownUri.ts"
import { type Artifact, Artifacts } from "../Artifacts.ts"
import { Manifests } from "../Manifests.ts"
import { framesByNeed } from "./FramesWithin.ts"
import { reportHtml } from "./ReportHtml.ts"

/** About 300 frames of a slide show: with a third more for base64 the page still goes by mail. */
const imageBytes = 12 * 1024 * 1024

/**
 * A succeeded job of the current tenant as one page that opens without a service: the result with its evidence, the transcript,
 * and the kept frames as far as 12 MiB hold them, cited ones first. Nothing of the job that is not of the result is in it: no
 * webhook, no metadata, no right that its address carried. Where people named its speakers or reviewed it, what the job signed is beside
 * what is shown, so that its manifest is verified by that. A frame that cannot be read fails with `ARTIFACT_DAMAGED`.
 */
export class Reports extends Context.Service<Reports, {
  readonly read: (
    id: string,
    /** The name of the footage in the folder of the page; without one it is where this service serves it. */
    media: string | undefined,
    /** What stands after the last review, where that is to be shown in place of the job's own. */
    reviewed?: Reviewed
  ) => Effect.Effect<Artifact<string>, JobNotFound | JobNotSucceeded | ArtifactDamaged, CurrentTenant>
}>()("footnote/results/report/Reports") {
  static readonly layer = Layer.effect(Reports, Effect.suspend(() => make))
}

/** A result as reviews left it; revision 0 is the job's own. */
interface Reviewed {
  readonly result: Schema.Json
  readonly evidence: Evidence
  readonly revision: number
}

const shownEvidence = ({ counts, spans, unfilled }: Evidence) => ({ spans, unfilled, counts })

const make = Effect.gen(function*() {
  const jobs = yield* Jobs
  const artifacts = yield* Artifacts
  const manifests = yield* Manifests
  const { keys } = yield* Signing

  /** What was signed, where other names or values are shown. */
  const signedOf = Effect.fnUntraced(function*(id: string, revision: number) {
    if (revision === 0 && (yield* artifacts.naming(id)).length === 0) return {}
    const { job_id: _, ...transcript } = (yield* artifacts.transcript(id, "as_heard")).value
    return {
      signed: {
        result: (yield* artifacts.result(id, "as_heard")).value,
        evidence: shownEvidence((yield* artifacts.evidence(id, "as_heard")).value),
        transcript
      }
    }
  })

  const dataOf = Effect.fnUntraced(function*(id: string, media: string | undefined, reviewed: Reviewed | undefined) {
    const { tenant_id } = yield* CurrentTenant
    const evidence = reviewed?.evidence ?? (yield* artifacts.evidence(id)).value
    const revision = reviewed?.revision ?? 0
    const record = yield* artifacts.withResult(yield* jobs.get(tenant_id, id))
    const { written } = yield* jobs.schema(tenant_id, id)
    const manifest = yield* Effect.catchTag(manifests.read(id), "MANIFEST_NOT_FOUND", () => Effect.undefined)
    const { job_id: _, ...transcript } = (yield* artifacts.transcript(id)).value
    const frames = (yield* artifacts.frames(id, false)).value.frames
    const vision = (yield* artifacts.vision(id)).value.frames
    const { edges, nodes } = (yield* artifacts.graph(id, "compact")).value

    const cited = new Set(evidence.spans.flatMap(({ citations }) => citations.map(({ source_ref }) => source_ref)))
    const images: Record<string, string> = {}
    let left = imageBytes
    for (const { id: frame_id } of framesByNeed(frames, cited)) {
      const image = yield* Effect.catchTag(artifacts.image(id, frame_id), "FRAME_NOT_FOUND", () => Effect.undefined)
      if (image === undefined) continue
      left -= image.value.length
      if (left < 0) break
      images[frame_id] = `data:image/jpeg;base64,${Buffer.from(image.value).toString("base64")}`
    }
    const { created_at, model_stack, precision, provenance, result_confidence, source, source_uri, title, warnings } =
      record
    return {
      job: {
        id,
        title,
        source_uri: shownUri(source_uri),
        created_at,
        precision,
        model_stack,
        source,
        result_confidence,
        warnings,
        provenance
      },
      revision,
      result: reviewed === undefined ? record.result : reviewed.result,
      json_schema: JSON.parse(written) as Schema.Json,
      evidence: shownEvidence(evidence),
      transcript,
      ...yield* signedOf(id, revision),
      frames: frames.map(({ height, id, source_ref, timestamp, width }) => ({
        id,
        source_ref,
        timestamp,
        width,
        height
      })),
      vision,
      graph: { nodes, edges },
      manifest: manifest?.value ?? null,
      signing_keys: manifest === undefined ? null : { keys },
      media: media ?? "media",
      frame_address: media === undefined ? "frames/{id}/image" : "frames/{id}.jpg",
      images
    }
  })

  return Reports.of({
    read: Effect.fn("Reports.read")(function*(id, media, reviewed) {
      const value = reportHtml(yield* dataOf(id, media, reviewed))
      return { value, sha256: createHash("sha256").update(value).digest("hex") }
    })
  })
})
