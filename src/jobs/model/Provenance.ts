import { Schema } from "effect"

/** Where a model's arithmetic is done. Results of two providers agree to a few millionths, not to the last bit. */
export const ExecutionProvider = Schema.Literals(["cpu", "cuda", "webgpu"]).annotate({
  identifier: "ExecutionProvider"
})
export type ExecutionProvider = typeof ExecutionProvider.Type

/** One model as it ran for a job: what it was for, which one it was, and where it ran: here, or behind an address. */
export const ModelRun = Schema.Struct({
  role: Schema.String.annotate({ description: "What the model was for, such as `asr` or `ocr`.", examples: ["asr"] }),
  name: Schema.String,
  execution_provider: Schema.Literals([...ExecutionProvider.literals, "vulkan", "metal", "remote"])
}).annotate({ identifier: "ModelRun" })
export type ModelRun = typeof ModelRun.Type

/** A file of a model as it was loaded. `revision` is the hub's commit or the package's version, null for a file of this repository. */
const ModelFilePin = Schema.Struct({
  name: Schema.String,
  revision: Schema.NullOr(Schema.String),
  digest: Schema.Struct({ sha256: Schema.String })
})

/** A run as a task tells it, for the manifest: with the model's files, by name. */
export const ModelUse = Schema.Struct({
  ...ModelRun.fields,
  files: Schema.optionalKey(Schema.Array(ModelFilePin))
})
export type ModelUse = typeof ModelUse.Type

/** What made a job's result. */
export const Provenance = Schema.Struct({ models: Schema.Array(ModelRun) }).annotate({ identifier: "Provenance" })
export type Provenance = typeof Provenance.Type

const keyOf = ({ execution_provider, name, role }: ModelRun) => `${role}\n${name}\n${execution_provider}`

/** The names of models, each once and in one order, as an artifact says who wrote it; null where none ran. */
export const namesOf = (runs: ReadonlyArray<ModelRun>): string | null =>
  runs.length === 0 ? null : [...new Set(runs.map(({ name }) => name))].toSorted().join(" + ")

/**
 * Every model that ran, once per provider that it ran on, in one order however the tasks were shared out. A role with two
 * entries was run by different workers.
 */
export const provenanceOf = (runs: ReadonlyArray<ModelRun>): Provenance => {
  const models = new Map(runs.map((run) => [keyOf(run), run]))
  return {
    models: [...models.keys()].toSorted().map((key) => {
      const { execution_provider, name, role } = models.get(key)!
      return { role, name, execution_provider }
    })
  }
}

/** The same with the models' files, which are one more thing that two workers may differ in. */
export const usesOf = (uses: ReadonlyArray<ModelUse>): ReadonlyArray<ModelUse> => {
  const models = new Map(uses.map((use) => [`${keyOf(use)}\n${JSON.stringify(use.files ?? [])}`, use]))
  return [...models.keys()].toSorted().map((key) => {
    const { execution_provider, files = [], name, role } = models.get(key)!
    return { role, name, execution_provider, files }
  })
}
