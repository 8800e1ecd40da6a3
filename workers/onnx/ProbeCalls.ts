import { Schema } from "effect"
import { ExecutionProvider } from "../../src/jobs/model/Provenance.ts"
import { computeCalls } from "../compute/ComputeCall.ts"

/** What the throwaway process is asked and answers: why the device cannot be used, null when it can. */
export const probeCalls = computeCalls({
  probe: {
    input: Schema.Struct({ execution_provider: ExecutionProvider, device_id: Schema.Int }),
    output: Schema.Struct({ refusal: Schema.NullOr(Schema.String) })
  }
})
