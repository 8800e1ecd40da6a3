import type { TenantId } from "../../src/identity/Id.ts"
import type { ModelRun } from "../../src/jobs/model/Provenance.ts"
import type { PictureDescription } from "./description/Describe.ts"
import type { VisionRoles } from "./VisionRoles.ts"

/** What the lane's child process is asked and answers: one image file by absolute path. */
export interface DescribeCall {
  readonly input: {
    /** Models are shared out fairly between tenants. */
    readonly tenant_id: TenantId
    readonly path: string
    readonly roles: VisionRoles
  }
  readonly output: {
    readonly picture: PictureDescription
    /** Why the stack's describer gave no sentence; null where it did, or where the rules are all that was asked. */
    readonly refusal: string | null
    readonly model_seconds: number
    readonly models: ReadonlyArray<ModelRun>
  }
}
