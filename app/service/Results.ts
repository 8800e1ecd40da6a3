import type {
  Job,
  JobEvidence,
  JobFrames,
  JobGraph,
  JobResult,
  JobSchema,
  JobTranscript,
  JobVision,
  Manifest,
  ReviewPage
} from "../../clients/typescript/src/generated/types.ts"
import type { Footage, Json, JsonObject, ManifestSubjects, ResultData } from "../footnotes/ResultData.ts"
import { keep } from "../parts/Keep.ts"
import { clipOf } from "./Downloads.ts"
import { previewOf } from "./Previews.ts"
import { at, bytesOf, get, Refused } from "./Service.ts"

/** Jobs of before there were manifests have none. */
const manifestOf = async (path: string): Promise<Manifest | null> => {
  try {
    return await get<Manifest>(`${path}/manifest`)
  } catch (error) {
    if (error instanceof Refused) return null
    throw error
  }
}

/** Where the footage is not kept any more, frames and words stand in: asked by its head, before a player would ask. */
const mediaOf = async (path: string): Promise<Pick<Footage, "media_url" | "absent">> => {
  const { ok, status } = await fetch(at(`${path}/media`), { method: "HEAD" })
  return {
    media_url: ok ? at(`${path}/media`) : null,
    absent: status === 410 ? "The footage is not kept any more" : "The footage cannot be had at the moment"
  }
}

/** A revision holds all of its decisions: more of them than these are seldom, and looked at elsewhere. */
const reviewsRead = 20

export interface LoadedResult {
  readonly data: ResultData
  readonly footage: Footage
  readonly subjects: ManifestSubjects
  /** The last revision that people made of it; 0 where nobody has. */
  readonly revision: number
}

/** Everything that the result screen shows of a job that succeeded. */
export const loadResult = async (id: string): Promise<LoadedResult> => {
  const path = `/v1/jobs/${encodeURIComponent(id)}`
  const [job, schema, evidence, transcript, frames, vision, graph, manifest, signing_keys, media] = await Promise
    .all([
      get<Job>(path),
      get<JobSchema>(`${path}/schema`),
      get<JobEvidence>(`${path}/evidence`),
      get<JobTranscript>(`${path}/transcript?format=json`),
      get<JobFrames>(`${path}/frames`),
      get<JobVision>(`${path}/vision`),
      get<JobGraph>(`${path}/graph`),
      manifestOf(path),
      get<JsonObject>("/.well-known/footnote-signing-keys"),
      mediaOf(path)
    ])
  const reviews = (await get<ReviewPage>(`${path}/reviews?limit=${reviewsRead}`)).data
  const [last] = reviews
  const reviewed = last === undefined ? { result: job.result, evidence } : {
    result: (await get<JobResult>(`${path}/result?reviewed=true`)).result,
    evidence: await get<JobEvidence>(`${path}/evidence?reviewed=true`)
  }
  const image = (frame_id: string) => `${path}/frames/${encodeURIComponent(frame_id)}/image`
  const text = (format: string) =>
    [`transcript.${format}`, () => bytesOf(`${path}/transcript?format=${format}&speakers=as_heard`)] as const
  return {
    data: {
      job,
      revision: last?.revision ?? 0,
      result: reviewed.result as Json,
      json_schema: schema.json_schema as Json,
      evidence: reviewed.evidence,
      reviews,
      transcript,
      frames: frames.frames,
      vision: vision.frames,
      graph,
      manifest,
      signing_keys
    },
    revision: last?.revision ?? 0,
    footage: {
      ...media,
      preview: (tell, signal) => previewOf(path, tell, signal),
      frame_url: (frame_id) => at(image(frame_id)),
      clip: async (span, format) => {
        const bytes = await clipOf(path, span, format)
        keep(bytes, format === "gif" ? "image/gif" : "video/mp4", `${id}-${span.t_start.toFixed(1)}.${format}`)
      }
    },
    subjects: new Map<string, () => Promise<unknown>>([
      // Names that people gave to the speakers since are not what was signed.
      ["result.json", async () => (await get<JobResult>(`${path}/result?speakers=as_heard`)).result],
      ["evidence.json", () => get(`${path}/evidence?speakers=as_heard`)],
      ["transcript.json", () => get(`${path}/transcript?format=json&speakers=as_heard`)],
      ["vision.json", async () => vision],
      ["frames.json", () => get(`${path}/frames?include_raw=true`)],
      ["graph.json", () => get(`${path}/graph?view=canonical&speakers=as_heard`)],
      ["graph_compact.json", () => get(`${path}/graph?speakers=as_heard`)],
      text("srt"),
      text("vtt"),
      text("txt"),
      // More than these would be the tenant's share of reads for a minute.
      ...frames.frames.slice(0, 40).map(({ id }) => [`frames/${id}.jpg`, () => bytesOf(image(id))] as const)
    ])
  }
}
