import { Schema } from "effect"
import type { ModelRole } from "./ModelStack.ts"

/** One model with its files on this machine, checked: plain data that a child process can be handed. */
export const ResolvedModel = Schema.Struct({
  driver: Schema.String,
  name: Schema.String,
  /** Absolute paths by the keys of the stack file. */
  files: Schema.Record(Schema.String, Schema.String),
  /** SHA-256 by the same keys, as `models/lock.json` has it; files of this repository are pinned by it and have none. */
  sha256: Schema.Record(Schema.String, Schema.String),
  options: Schema.Record(Schema.String, Schema.Json)
})
export type ResolvedModel = typeof ResolvedModel.Type

/** Roles that not every stack has. */
type OtherRole = "asr_other" | "turns" | "objects" | "qa" | "reader" | "search"

/** A stack whose files are all here and are the ones that were locked. Of optional models those are in it whose files are here. */
export interface ResolvedStack {
  readonly id: string
  readonly roles:
    & { readonly [R in Exclude<ModelRole, OtherRole>]: ResolvedModel }
    & { readonly [R in OtherRole]?: ResolvedModel }
}
