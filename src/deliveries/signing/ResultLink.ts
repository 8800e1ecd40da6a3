import { Config, Effect } from "effect"
import type { Sealing } from "../../crypto/Sealing.ts"
import { signedPayload, signedToken } from "../../crypto/SignedToken.ts"
import { isId, type JobId, type TenantId } from "../../identity/Id.ts"
import { configInvalid } from "../../observability/Configuration.ts"
import { setting, whole } from "../../observability/Setting.ts"

/** What a link leads to, for whoever has it, until then. */
export interface LinkedResult {
  readonly tenant_id: TenantId
  readonly job_id: JobId
  /** In ms, to the second. */
  readonly until: number
}

/** `FOOTNOTE_RESULT_LINK_DAYS`: how long a link to the page of a result can be opened; 0 makes none. */
export const resultLinkDays = setting("FOOTNOTE_RESULT_LINK_DAYS", whole, {
  otherwise: 7,
  meaning:
    "how many days a link to the page of a result, as it stands in what is delivered to people, can be opened, by whoever "
    + "has it; 0 makes no such links"
}).pipe(
  Config.mapEffect((days) =>
    days >= 0 && days <= 365
      ? Effect.succeed(days)
      : Effect.fail(configInvalid("FOOTNOTE_RESULT_LINK_DAYS must be a number of days from 0 to 365"))
  )
)

const purpose = "result-link"

const payloadOf = ({ job_id, tenant_id, until }: LinkedResult): string =>
  [job_id.slice(4), tenant_id.slice(4), Math.floor(until / 1000).toString(36)].join(".")

/**
 * The token of a link: job, tenant and end in the clear, and their MAC under the deployment's key. It needs no row, opens one
 * job until its end, and is nothing without the key; where the key is taken out of the configuration, its links end too.
 */
export const resultToken = (sealing: Sealing["Service"], linked: LinkedResult): string =>
  signedToken(sealing, purpose, payloadOf(linked))

/** What the token was made for; undefined for every text that this deployment did not make, whatever is wrong with it. */
export const openResultToken = (sealing: Sealing["Service"], token: string): LinkedResult | undefined => {
  const [, job, tenant, until] =
    /^([0-9a-z_-]{1,76})\.([0-9a-z_-]{1,76})\.([0-9a-z]{1,9})$/u.exec(signedPayload(sealing, purpose, token) ?? "") ??
      []
  if (job === undefined) return undefined
  const linked = {
    job_id: `job_${job}`,
    tenant_id: `ten_${tenant}`,
    until: Number.parseInt(until!, 36) * 1000
  } as const
  return isId("job", linked.job_id) && isId("ten", linked.tenant_id) ? linked : undefined
}
