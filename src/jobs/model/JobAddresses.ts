import { Effect } from "effect"
import type { SealedPlace } from "../../crypto/SealedEnvelope.ts"
import type { Sealing } from "../../crypto/Sealing.ts"

interface Owned {
  readonly id: string
  readonly tenant_id: string
}

/** Where a job's sealed addresses lie. */
export const sourcePlace = ({ id, tenant_id }: Owned): SealedPlace => ({
  tenant_id,
  table: "jobs",
  row_id: id,
  field: "source_sealed",
  key: "source"
})

const webhookPlace = ({ id, tenant_id }: Owned): SealedPlace => ({
  tenant_id,
  table: "jobs",
  row_id: id,
  field: "webhook_sealed"
})

/** An http(s) address without user, password, query and fragment, any of which may be what opens it. Others have nothing secret. */
export const plainSource = (uri: string): string => {
  const url = URL.parse(uri)
  if (url === null || (url.protocol !== "http:" && url.protocol !== "https:")) return uri
  const { hash, password, search, username } = url
  if (`${hash}${password}${search}${username}` === "" && !/[?#@]/u.test(uri)) return uri
  url.username = ""
  url.password = ""
  url.search = ""
  url.hash = ""
  return url.href
}

/** A job's addresses as its row keeps them. */
export interface SealedAddresses {
  readonly source_uri: string
  /** The whole address of the source, where `source_uri` is not; else null. */
  readonly source_sealed: Uint8Array | null
  readonly webhook_sealed: Uint8Array | null
  /** Where deliveries to the webhook go: the same address of the same tenant is one place, which does not tell the address. */
  readonly webhook_endpoint: string | null
}

export const sealAddresses = (
  sealing: Sealing["Service"],
  job: Owned,
  source_uri: string,
  webhook_url: string | null
): SealedAddresses => {
  const plain = plainSource(source_uri)
  const endpoint = (url: string) => sealing.mac("webhook-endpoint", JSON.stringify([job.tenant_id, url]))
  return {
    source_uri: plain,
    source_sealed: plain === source_uri ? null : sealing.seal(source_uri, sourcePlace(job)),
    webhook_sealed: webhook_url === null ? null : sealing.seal(webhook_url, webhookPlace(job)),
    webhook_endpoint: webhook_url === null ? null : `url_${Buffer.from(endpoint(webhook_url)).toString("hex")}`
  }
}

/** A job's addresses by the columns of its row; those of an earlier version lie open. */
export interface AddressRow extends Owned {
  readonly spec: { readonly source_uri: string }
  readonly source_sealed: Uint8Array | null
  readonly webhook_url: string | null
  readonly webhook_sealed: Uint8Array | null
}

/**
 * The addresses as they were submitted. Where the deployment has lost its key, what the row says in plain text is all there
 * is, which is logged: everything else of the job can still be read.
 */
export const openAddresses = Effect.fnUntraced(function*(sealing: Sealing["Service"], row: AddressRow) {
  const open = (sealed: Uint8Array | null, place: SealedPlace, plain: string | null) =>
    sealed === null ? Effect.succeed(plain) : sealing.open(sealed, place).pipe(
      Effect.catchTag("SealBroken", ({ message }) =>
        Effect.logError(message).pipe(
          Effect.annotateLogs({ job_id: row.id, field: place.field }),
          Effect.as(plain)
        ))
    )
  return {
    source_uri: (yield* open(row.source_sealed, sourcePlace(row), row.spec.source_uri))!,
    webhook_url: yield* open(row.webhook_sealed, webhookPlace(row), row.webhook_url)
  }
})
