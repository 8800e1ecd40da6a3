import { Schema } from "effect"

/**
 * What a model does in the pipeline. `asr_other` hears the languages that `asr` does not list, `turns` hears who of several
 * speaks when, also at once, `objects` finds things on pictures, `qa` answers questions about a text, `reader` proposes values as a language model behind an address does,
 * and `search` finds the passages that either reads of a long source.
 */
export const ModelRole = Schema.Literals([
  "vad",
  "asr",
  "asr_other",
  "speaker",
  "turns",
  "ocr",
  "describe",
  "objects",
  "qa",
  "reader",
  "search"
])
export type ModelRole = typeof ModelRole.Type

/** Plain relative names only: nothing in a stack can point outside of the folder that it is looked up in. */
const RelativePath = Schema.String.check(
  Schema.isPattern(/^[A-Za-z0-9_-][A-Za-z0-9_.-]*(\/[A-Za-z0-9_-][A-Za-z0-9_.-]*)*$/u, {
    message: "Expected a relative path of plain names"
  })
)

const HubRepository = Schema.String.check(
  Schema.isPattern(/^[A-Za-z0-9][A-Za-z0-9_.-]*\/[A-Za-z0-9][A-Za-z0-9_.-]*$/u, {
    message: "Expected owner/name of a repository on the hub"
  })
)

const PackageName = Schema.String.check(
  Schema.isPattern(/^(@[a-z0-9-][a-z0-9._-]*\/)?[a-z0-9-][a-z0-9._-]*$/u, { message: "Expected a package name" })
)

/**
 * Where a file of a model comes from: a repository on the hub, a package in `node_modules`, or this repository itself
 * (a path from its root). Revision and hash are not here but in `models/lock.json`.
 */
export const ModelFile = Schema.Union([
  Schema.Struct({ hub: HubRepository, path: RelativePath }),
  Schema.Struct({ npm: PackageName, path: RelativePath }),
  Schema.Struct({ repository: RelativePath })
])
export type ModelFile = typeof ModelFile.Type

/**
 * The model of one role. `driver` names the code that runs it, `note` says where it falls short of the stack's aim, `working_mb`
 * what it holds beside its weights where that is much. Without an `optional` one the stack is ready all the same, and jobs do
 * without its role.
 */
export const StackModel = Schema.Struct({
  driver: Schema.String.check(Schema.isMinLength(1)),
  name: Schema.String.check(Schema.isMinLength(1)),
  licence: Schema.String.check(Schema.isMinLength(1)),
  note: Schema.optionalKey(Schema.String),
  optional: Schema.optionalKey(Schema.Boolean),
  working_mb: Schema.optionalKey(Schema.Int.check(Schema.isGreaterThan(0))),
  files: Schema.Record(Schema.String, ModelFile),
  options: Schema.Record(Schema.String, Schema.Json)
})
export type StackModel = typeof StackModel.Type

/** A set of models that a job runs on. Of the stacks whose files are present, `auto` takes the highest `rank`. */
export const ModelStack = Schema.Struct({
  id: Schema.String.check(
    Schema.isPattern(/^(?!auto$)[a-z][a-z0-9-]{0,49}$/u, {
      message: "Expected lower case letters, digits and hyphens, and not auto"
    })
  ),
  description: Schema.String,
  rank: Schema.Int,
  roles: Schema.Struct({
    vad: StackModel,
    asr: StackModel,
    asr_other: Schema.optionalKey(StackModel),
    speaker: StackModel,
    turns: Schema.optionalKey(StackModel),
    ocr: StackModel,
    describe: StackModel,
    objects: Schema.optionalKey(StackModel),
    qa: Schema.optionalKey(StackModel),
    reader: Schema.optionalKey(StackModel),
    search: Schema.optionalKey(StackModel)
  })
})
export type ModelStack = typeof ModelStack.Type
