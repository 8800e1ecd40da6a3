import { Config, Effect, Option } from "effect"
import type { TenantId } from "../identity/Id.ts"
import { configInvalid } from "../observability/Configuration.ts"
import { list, setting } from "../observability/Setting.ts"
import { blobBucket, type S3Connection, s3Connection } from "../storage/S3.ts"

/** Which objects jobs may be made of, and how they are reached. */
export interface S3Policy {
  readonly connection: S3Connection
  /** `bucket` or `bucket/start of the key`, in which `{tenant}` stands for the tenant's id; `*` for every bucket. */
  readonly places: ReadonlyArray<string>
  /** The bucket that this deployment keeps everybody's blobs in: never a source. */
  readonly own_bucket: string | undefined
}

const place = /^(\*|[a-z0-9][a-z0-9.-]{1,61}[a-z0-9](\/.+)?)$/u

/** Held to its form by itself: what else is wrong is told beside it. */
const places = setting("SOURCE_S3_BUCKETS", list, {
  otherwise: "",
  meaning:
    "what `s3://` sources may name: `bucket`, `bucket/prefix` (`{tenant}` stands for the tenant's id) or `*` (every bucket "
    + "that the credentials read, for every tenant)"
}).pipe(Config.mapEffect((text) => {
  const named = text.split(",").map((item) => item.trim()).filter((item) => item !== "")
  return named.every((item) => place.test(item))
    ? Effect.succeed(named)
    : Effect.fail(configInvalid("SOURCE_S3_BUCKETS must list buckets: bucket, bucket/prefix or *"))
}))

/**
 * `SOURCE_S3_BUCKETS` (comma-separated) and `SOURCE_S3_*`. None where no bucket is named: then no job reads from S3.
 * Fails with the variable's name for what cannot be read.
 */
export const s3PolicyConfig: Config.Config<Option.Option<S3Policy>> = Config.map(
  Config.all({ places, own_bucket: blobBucket, connection: s3Connection("SOURCE_S3", "sources") }),
  ({ connection, own_bucket, places }) =>
    places.length === 0
      ? Option.none()
      : Option.some({ connection, places, own_bucket: own_bucket === "" ? undefined : own_bucket })
)

const covers = (place: string, tenant_id: TenantId, bucket: string, key: string): boolean => {
  if (place === "*") return true
  const slash = place.indexOf("/")
  if (slash === -1) return place === bucket
  return place.slice(0, slash) === bucket && key.startsWith(place.slice(slash + 1).replaceAll("{tenant}", tenant_id))
}

/** Why a tenant's job may not read this object; undefined where it may be tried. */
export const forbiddenObject = (
  policy: Option.Option<S3Policy>,
  tenant_id: TenantId,
  { bucket, key }: { readonly bucket: string; readonly key: string }
): string | undefined => {
  if (Option.isNone(policy)) {
    return "This deployment takes no s3:// sources. Its operator allows them by SOURCE_S3_BUCKETS and SOURCE_S3_*."
  }
  const { own_bucket, places } = policy.value
  return bucket !== own_bucket && places.some((place) => covers(place, tenant_id, bucket, key))
    ? undefined
    : "The object is in no place that jobs may read from."
}
