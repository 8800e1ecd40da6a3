import { readdirSync, readFileSync } from "node:fs"

/** A schema that ships with the service. `id` never changes; `version` counts its revisions from 1. */
export interface Template {
  readonly id: string
  readonly name: string
  readonly description: string
  readonly version: number
  readonly json_schema: { readonly [keyword: string]: unknown }
}

const folder = new URL("./templates/", import.meta.url)

/** Every shipped template in order of name. A file that is not JSON stops the process at start. */
export const templates: ReadonlyArray<Template> = readdirSync(folder)
  .filter((file) => file.endsWith(".json"))
  .toSorted()
  .map((file) => JSON.parse(readFileSync(new URL(file, folder), "utf8")) as Template)

/** The template of this id or name (`sch_template_lecture_notes`, `lecture-notes`), or undefined. */
export const findTemplate = (idOrName: string): Template | undefined =>
  templates.find((template) => template.id === idOrName || template.name === idOrName)

/** What applies when a job names no schema: summary, chapters, key claims, people and organisations. */
export const defaultTemplate: Template = templates.find((template) => template.name === "default")!

export const defaultSchemaId: string = defaultTemplate.id
