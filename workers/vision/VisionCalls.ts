import type { FrameDescription } from "../../src/artifacts/Vision.ts"
import type { ModelRun } from "../../src/jobs/Provenance.ts"

/** What is on one picture, before it is known which frame it is. */
export type PictureDescription = Pick<FrameDescription, "description" | "text" | "labels">

/** What the lane's child process is asked and answers: one image file by absolute path. */
export interface DescribeCall {
  readonly input: { readonly path: string }
  readonly output: {
    readonly picture: PictureDescription
    readonly model_seconds: number
    readonly models: ReadonlyArray<ModelRun>
  }
}
