import { Schema } from "effect"

/** Where a model's arithmetic is done. Results of two providers agree to a few millionths, not to the last bit. */
export const ExecutionProvider = Schema.Literals(["cpu", "cuda", "webgpu"]).annotate({
  identifier: "ExecutionProvider"
})
export type ExecutionProvider = typeof ExecutionProvider.Type

/** One model as it ran for a job: what it was for, which one it was, and where it ran. */
export const ModelRun = Schema.Struct({
  role: Schema.String.annotate({ description: "What the model was for, such as `asr` or `ocr`.", examples: ["asr"] }),
  name: Schema.String,
  execution_provider: ExecutionProvider
}).annotate({ identifier: "ModelRun" })
export type ModelRun = typeof ModelRun.Type

/** What made a job's result. */
export const Provenance = Schema.Struct({ models: Schema.Array(ModelRun) }).annotate({ identifier: "Provenance" })
export type Provenance = typeof Provenance.Type

const keyOf = ({ execution_provider, name, role }: ModelRun) => `${role}\n${name}\n${execution_provider}`

/**
 * Every model that ran, once per provider that it ran on, in one order however the tasks were shared out. A role with two
 * entries was run by different workers.
 */
export const provenanceOf = (runs: ReadonlyArray<ModelRun>): Provenance => {
  const models = new Map(runs.map((run) => [keyOf(run), run]))
  return { models: [...models.keys()].toSorted().map((key) => models.get(key)!) }
}
