import { Schema } from "effect"
import type { Sealing } from "../crypto/Sealing.ts"
import { signedPayload, signedToken } from "../crypto/SignedToken.ts"
import { Instant } from "../database/Instant.ts"
import { isId, type TenantId } from "../identity/Id.ts"

/** What can be played: the bytes as they came, or what was made of them for browsers. */
const Rendition = Schema.Literals(["source", "preview"]).annotate({
  identifier: "Rendition",
  description: "The bytes as they came, or what was made of them for browsers."
})
type Rendition = typeof Rendition.Type

/** An hour: as long as a person watches without loading the page again. */
export const mostLinkSeconds = 3600

/** The body of `POST /v1/jobs/{id}/media-links`. */
export const CreateMediaLink = Schema.Struct({
  rendition: Schema.optionalKey(Rendition.annotate({ default: "source" })),
  expires_in_seconds: Schema.optionalKey(
    Schema.Int.annotate({ description: "From now on; an hour at most.", default: mostLinkSeconds })
      .check(Schema.isBetween({ minimum: 1, maximum: mostLinkSeconds }))
  )
}).annotate({ identifier: "CreateMediaLink", description: "What a link is to open, and for how long." })

export const MediaLink = Schema.Struct({
  url: Schema.String.annotate({
    description: "Opens the media for whoever has it, without a key, with `Range`.",
    format: "uri"
  }),
  expires_at: Instant
}).annotate({ identifier: "MediaLink", description: "An address that opens a job's media by itself." })

/** What a link opens, for whoever has it, until then. */
export interface LinkedMedia {
  readonly tenant_id: TenantId
  readonly job_id: string
  readonly rendition: Rendition
  /** In ms, to the second. */
  readonly until: number
}

const purpose = "media-link"

/**
 * The token of a link: what it opens and until when in the clear, and their MAC under the deployment's key. It needs no row; one
 * whose job or source is gone opens nothing.
 */
export const mediaToken = (
  sealing: Sealing["Service"],
  { job_id, rendition, tenant_id, until }: LinkedMedia
): string => {
  const payload = [job_id.slice(4), tenant_id.slice(4), rendition, Math.floor(until / 1000).toString(36)].join(".")
  return signedToken(sealing, purpose, payload)
}

/** What the token was made for; undefined for every text that this deployment did not make, whatever is wrong with it. */
export const openMediaToken = (sealing: Sealing["Service"], token: string): LinkedMedia | undefined => {
  const payload = signedPayload(sealing, purpose, token) ?? ""
  const [, job, tenant, rendition, until] =
    /^([0-9a-z_-]{1,76})\.([0-9a-z_-]{1,76})\.(source|preview)\.([0-9a-z]{1,9})$/u.exec(payload) ?? []
  if (job === undefined) return undefined
  const ids = { job_id: `job_${job}`, tenant_id: `ten_${tenant}` } as const
  return isId("job", ids.job_id) && isId("ten", ids.tenant_id)
    ? { ...ids, rendition: rendition as Rendition, until: Number.parseInt(until!, 36) * 1000 }
    : undefined
}
