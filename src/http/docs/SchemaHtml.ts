import { escapeHtml, inlineHtml } from "./Markdown.ts"

/** A JSON Schema of the API's own description, or any node of it. */
export type Node = Readonly<Record<string, any>>

const refName = (schema: Node): string | undefined => schema["$ref"]?.split("/").at(-1)

export const schemaAnchor = (name: string): string => `object-${name}`

const alternatives = (schema: Node): ReadonlyArray<Node> | undefined => schema["anyOf"] ?? schema["oneOf"]

const named = (name: string) => `<a href="#${schemaAnchor(name)}">${escapeHtml(name)}</a>`

/** What a value is, in a few words; a named object leads to where it is described. */
export const typeHtml = (schema: Node): string => {
  const name = refName(schema)
  if (name !== undefined) return named(name)
  const options = alternatives(schema)
  if (options !== undefined) return [...new Set(options.map(typeHtml))].join(" or ")
  if (schema["const"] !== undefined) return `<code>${escapeHtml(JSON.stringify(schema["const"]))}</code>`
  if (schema["enum"] !== undefined) return "one of"
  if (schema["type"] === "array") return `array of ${typeHtml(schema["items"] ?? {})}`
  if (Array.isArray(schema["type"])) return schema["type"].join(" or ")
  if (schema["type"] === "object" && typeof schema["additionalProperties"] === "object") {
    return `object of ${typeHtml(schema["additionalProperties"])}`
  }
  return typeof schema["type"] === "string" ? schema["type"] : "any JSON"
}

const range = (least: unknown, most: unknown, unit: string): string | undefined => {
  const [from, to] = [least, most].map((bound) => typeof bound === "number" ? bound.toLocaleString("en") : undefined)
  if (from !== undefined && to !== undefined) return `${from} to ${to}${unit}`
  if (from !== undefined) return `at least ${from}${unit}`
  return to === undefined ? undefined : `at most ${to}${unit}`
}

const limitsOf = (schema: Node): string => {
  const values = schema["enum"] as ReadonlyArray<unknown> | undefined
  return [
    values?.map((value) => `<code>${escapeHtml(String(value))}</code>`).join(", "),
    schema["format"] && escapeHtml(schema["format"]),
    range(schema["minimum"], schema["maximum"], ""),
    range(schema["minLength"], schema["maxLength"], " characters"),
    range(schema["minItems"], schema["maxItems"], " items"),
    schema["pattern"] && `<code>${escapeHtml(schema["pattern"])}</code>`,
    schema["default"] === undefined
      ? undefined
      : `default <code>${escapeHtml(JSON.stringify(schema["default"]))}</code>`
  ].filter(Boolean).join("; ")
}

/** Objects inside of a field that have no name of their own. */
const inner = (schema: Node): Node | undefined => {
  if (schema["properties"] !== undefined) return schema
  if (schema["type"] === "array") return inner(schema["items"] ?? {})
  return alternatives(schema)?.map(inner).find((found) => found !== undefined)
}

/** One field, a line for what it is and one for what it means, and the fields below it. */
export const fieldHtml = (name: string, schema: Node, required: boolean, description?: string): string => {
  const limits = limitsOf(schema)
  const says = description ?? schema["description"]
  const below = inner(schema)
  return `<li><div class="what"><code class="name">${escapeHtml(name)}</code> <span class="type">${
    typeHtml(schema)
  }</span>${required ? ` <span class="must">required</span>` : ""}${
    limits === "" ? "" : ` <span class="limits">${limits}</span>`
  }</div>${typeof says === "string" ? `<div class="says">${inlineHtml(says)}</div>` : ""}${
    below === undefined ? "" : fieldsHtml(below)
  }</li>`
}

const fieldsHtml = (schema: Node): string => {
  const required: ReadonlyArray<string> = schema["required"] ?? []
  const fields = Object.entries<Node>(schema["properties"])
  if (fields.length === 0) return ""
  return `<ul class="fields">${
    fields.map(([name, field]) => fieldHtml(name, field, required.includes(name))).join("")
  }</ul>`
}

/** All that is said about a schema: its fields, or what it is where it has none. */
export const schemaHtml = (schema: Node): string => {
  const body = inner(schema)
  const fields = refName(schema) === undefined && body !== undefined ? fieldsHtml(body) : ""
  return fields === ""
    ? `<p class="type">${typeHtml(schema)} <span class="limits">${limitsOf(schema)}</span></p>`
    : fields
}
