import { Schema } from "effect"
import { TenantId } from "../../src/identity/Id.ts"
import { ModelRun } from "../../src/jobs/model/Provenance.ts"
import { computeCalls } from "../compute/ComputeCall.ts"
import { PictureDescription } from "./description/Describe.ts"
import { VisionRoles } from "./VisionRoles.ts"

/** What the lane's child process is asked and answers: one image file by absolute path. */
export const visionCalls = computeCalls({
  describe: {
    input: Schema.Struct({
      /** Models are shared out fairly between tenants. */
      tenant_id: TenantId,
      path: Schema.String,
      roles: VisionRoles
    }),
    output: Schema.Struct({
      picture: PictureDescription,
      /** Why the stack's describer gave no sentence; null where it did, or where the rules are all that was asked. */
      refusal: Schema.NullOr(Schema.String),
      model_seconds: Schema.Finite,
      models: Schema.Array(ModelRun)
    })
  }
})
