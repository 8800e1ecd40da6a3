import { Schema } from "effect"
import { readdirSync, readFileSync } from "node:fs"

/** A schema that ships with the service. `id` never changes; `version` counts its revisions from 1. */
const Template = Schema.Struct({
  id: Schema.String,
  name: Schema.String,
  description: Schema.String,
  version: Schema.Int,
  json_schema: Schema.Record(Schema.String, Schema.Unknown)
})
export type Template = typeof Template.Type

const folder = new URL("./templates/", import.meta.url)

const decode = Schema.decodeUnknownSync(Schema.fromJsonString(Template))

/** Every shipped template in order of name. A file that is no template stops the process at start. */
export const templates: ReadonlyArray<Template> = readdirSync(folder)
  .filter((file) => file.endsWith(".json"))
  .toSorted()
  .map((file) => decode(readFileSync(new URL(file, folder), "utf8")))

/** The template of this id or name (`sch_template_lecture_notes`, `lecture-notes`), or undefined. */
export const findTemplate = (idOrName: string): Template | undefined =>
  templates.find((template) => template.id === idOrName || template.name === idOrName)

/** What applies when a job names no schema: summary, chapters, key claims, people and organisations. */
export const defaultTemplate: Template = templates.find((template) => template.name === "default")!

export const defaultSchemaId: string = defaultTemplate.id
