import { pascal, type SchemaNode, snake, wordsOf } from "./Operations.ts"

/** What a schema is called in Python, in the answers that are read and in the bodies that are sent. */
export type Side = "models" | "params"

const keywords = new Set(
  "and as assert async await break class continue def del elif else except finally for from global if import in is lambda nonlocal not or pass raise return try while with yield None True False"
    .split(" ")
)

/** Names that pydantic's own methods have. */
const taken = new Set(
  "construct copy dict fields from_orm json model_config parse_file parse_obj parse_raw schema schema_json update_forward_refs validate"
    .split(" ")
)

/** `Error_JOB_NOT_FOUND` is `ErrorJobNotFound`; what has small letters keeps its large ones. */
export const className = (name: string): string =>
  pascal(name.split(/[^A-Za-z0-9]+/u).map((part) => /^[A-Z0-9]+$/u.test(part) ? part.toLowerCase() : part))

export const refName = (ref: string): string => className(ref.replace(/^.*\//u, ""))

/** Whether Python can say it as a name. */
export const isName = (name: string): boolean => /^[A-Za-z_]\w*$/u.test(name) && !keywords.has(name)

/** A property's name as an attribute; another than its own needs an alias. */
export const attribute = (name: string): string => {
  const plain = isName(name) || keywords.has(name) ? name : snake(wordsOf(name)) || "value"
  return keywords.has(plain) || taken.has(plain) ? `${plain}_` : plain
}

const literal = (value: unknown): string =>
  value === null ? "None" : typeof value === "boolean" ? (value ? "True" : "False") : JSON.stringify(value)

const unique = (parts: ReadonlyArray<string>): ReadonlyArray<string> => [...new Set(parts)]

const union = (parts: ReadonlyArray<string>): string => {
  const all = unique(parts)
  const sorted = [...all.filter((part) => part !== "None"), ...all.filter((part) => part === "None")]
  return sorted.length === 1 ? sorted[0]! : `t.Union[${sorted.join(", ")}]`
}

/** An object whose fields are named; it becomes a class. */
export const isRecord = (node: SchemaNode): boolean =>
  (node.type === "object" || node.type === undefined) && Object.keys(node.properties ?? {}).length > 0

/** Called for every object within another schema, with the name that it gets. */
export type Found = (name: string, node: SchemaNode) => void

/**
 * The annotation of a schema. What is read stays open: an enumeration may have values that this client does not know yet. What is sent is
 * closed, and an instant may be a `datetime`.
 */
export const typeOf = (node: SchemaNode, name: string, side: Side, found: Found): string => {
  const inner = (child: SchemaNode, suffix = "") => typeOf(child, `${name}${suffix}`, side, found)
  if (node.$ref !== undefined) return refName(node.$ref)
  const anyOf = node.anyOf ?? node.oneOf
  if (anyOf !== undefined) {
    const several = anyOf.filter(isRecord).length > 1
    return union(anyOf.map((one, index) => inner(one, several && isRecord(one) ? `${index + 1}` : "")))
  }
  if (node.allOf?.length === 1) return inner(node.allOf[0]!)
  const values = node.const === undefined ? node.enum : [node.const]
  if (values !== undefined) {
    const exact = `t.Literal[${values.map(literal).join(", ")}]`
    return side === "models" && values.every((value) => typeof value === "string") ? `t.Union[${exact}, str]` : exact
  }
  if (Array.isArray(node.type)) return union(node.type.map((type: string) => inner({ ...node, type })))
  switch (node.type) {
    case "string":
      if (node.format !== "date-time") return "str"
      return side === "models" ? "datetime" : "t.Union[datetime, str]"
    case "integer":
      return "int"
    case "number":
      return "float"
    case "boolean":
      return "bool"
    case "null":
      return "None"
    case "array":
      return side === "models"
        ? `t.List[${inner(node.items ?? {}, "Item")}]`
        : `t.Sequence[${inner(node.items ?? {}, "Item")}]`
  }
  if (isRecord(node)) {
    found(name, node)
    return name
  }
  if (node.type === "object") {
    const values = typeof node.additionalProperties === "object" ? inner(node.additionalProperties, "Value") : "t.Any"
    return side === "models" ? `t.Dict[str, ${values}]` : `t.Mapping[str, ${values}]`
  }
  return "t.Any"
}

export const docstring = (text: string | undefined, indent: string): ReadonlyArray<string> => {
  if (text === undefined || text === "") return []
  const safe = text.replaceAll("\\", "\\\\").replaceAll("\"\"\"", "'''")
  const lines = safe.split("\n")
  return lines.length === 1
    ? [`${indent}"""${safe}${safe.endsWith("\"") ? " " : ""}"""`]
    : [
      `${indent}"""${lines[0]}`,
      ...lines.slice(1).map((line) => line === "" ? "" : `${indent}${line}`),
      `${indent}"""`
    ]
}
