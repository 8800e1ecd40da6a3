import { Context, type Effect, type Option } from "effect"
import type { TenantId } from "../identity/Id.ts"
import type { BlobRef } from "../storage/BlobRef.ts"

/**
 * Finds the bytes behind `upload://upl_…`. None for an unknown, unfinished or expired upload and for one of another
 * tenant, which cannot be told apart. A database that cannot be reached is a defect, as in every repository.
 */
export class UploadLookup extends Context.Service<UploadLookup, {
  readonly find: (tenant_id: TenantId, upload_id: string) => Effect.Effect<Option.Option<BlobRef>>
}>()("footnote/sources/UploadLookup") {}
