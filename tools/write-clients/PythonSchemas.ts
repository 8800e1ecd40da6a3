import { type Document, type Operation, pascal, type Resource, type SchemaNode, wordsOf } from "./Operations.ts"
import { attribute, className, docstring, isName, isRecord, refName, type Side, typeOf } from "./PythonTypes.ts"

const head = "# Generated from docs/openapi.json by tools/write-clients.ts; never edited."

/** Names of the schemas that these refer to, over any number of steps. */
const reached = (document: Document, roots: ReadonlyArray<SchemaNode>): ReadonlySet<string> => {
  const names = new Set<string>()
  const visit = (value: unknown): void => {
    if (Array.isArray(value)) return value.forEach(visit)
    if (typeof value !== "object" || value === null) return
    for (const [key, child] of Object.entries(value)) {
      if (key === "examples" || key === "example" || key === "default") continue
      if (key !== "$ref" || typeof child !== "string") visit(child)
      else {
        const name = child.replace(/^.*\//u, "")
        if (names.has(name)) continue
        names.add(name)
        visit(document.components.schemas[name])
      }
    }
  }
  visit(roots)
  return names
}

interface Written {
  /** Classes, then other names for what is none, each after what it is made of. */
  readonly texts: ReadonlyArray<string>
  readonly names: ReadonlyArray<string>
  readonly classes: ReadonlySet<string>
}

type ClassWriter = (name: string, node: SchemaNode, annotate: (child: SchemaNode, suffix: string) => string) => string

/** Every schema as a class where it is an object with fields, else as another name for what it is. */
const written = (
  document: Document,
  side: Side,
  roots: ReadonlyArray<readonly [string, SchemaNode]>,
  write: ClassWriter
): Written => {
  const wanted = reached(document, roots.map(([, node]) => node))
  const named = Object.entries(document.components.schemas).filter(([name]) => wanted.has(name)).map(([name, node]) =>
    [className(name), node] as const
  )
  const classes = new Map<string, string>()
  const aliases = new Map<string, string>()
  const class_ = (name: string, node: SchemaNode): void => {
    if (classes.has(name)) return
    classes.set(name, "")
    classes.set(name, write(name, node, (child, suffix) => typeOf(child, `${name}${suffix}`, side, class_)))
  }
  for (const [name, node] of [...named, ...roots.filter(([, root]) => root.$ref === undefined)]) {
    if (isRecord(node)) class_(name, node)
    else aliases.set(name, `${name} = ${typeOf(node, name, side, class_)}`)
  }
  return {
    texts: [...ordered(classes), ...ordered(aliases)],
    names: [...classes.keys(), ...aliases.keys()].toSorted(),
    classes: new Set(classes.keys())
  }
}

const withoutDocs = (text: string): string => text.replaceAll(/"""[\s\S]*?"""/gu, "")

/**
 * Each text after those whose names it has: an annotation must not find Python's own `Warning` in the place of ours. A class that
 * stands before what it names finds it later, another name for something does not, so these come last.
 */
const ordered = (texts: ReadonlyMap<string, string>): ReadonlyArray<string> => {
  const left = new Map(texts)
  const done: Array<string> = []
  const put = (name: string): void => {
    const text = left.get(name)
    if (text === undefined) return
    left.delete(name)
    for (const other of withoutDocs(text).match(/\b[A-Z]\w+/gu) ?? []) put(other)
    done.push(text)
  }
  for (const name of texts.keys()) put(name)
  return done
}

const pascalOf = (name: string): string => pascal(wordsOf(name))

const model: ClassWriter = (name, node, annotate) => {
  const required = new Set(node.required)
  const fields = Object.entries(node.properties ?? {}).map(([property, child]) => {
    const python = attribute(property)
    const type = annotate(child, pascalOf(property))
    const optional = required.has(property) ? "" : "None"
    const annotation = optional === "" || type.endsWith("None]") || type === "t.Any" ? type : `t.Optional[${type}]`
    const alias = python === property ? "" : `alias="${property}"`
    const value = alias === ""
      ? optional === "" ? "" : ` = ${optional}`
      : ` = Field(${[...(optional === "" ? [] : [`default=${optional}`]), alias].join(", ")})`
    return [`    ${python}: ${annotation}${value}`, ...docstring(child.description, "    ")].join("\n")
  })
  return [`class ${name}(Model):`, ...docstring(node.description, "    "), ...fields].join("\n")
}

const params: ClassWriter = (name, node, annotate) => {
  const required = new Set(node.required)
  const entries = Object.entries(node.properties ?? {})
  const field = ([property, child]: readonly [string, SchemaNode]) => {
    const type = annotate(child, pascalOf(property))
    return required.has(property) ? `Required[${type}]` : type
  }
  if (!entries.every(([property]) => isName(property))) {
    const pairs = entries.map((entry) => `"${entry[0]}": "${field(entry).replaceAll("\"", "'")}"`)
    return `${name} = TypedDict("${name}", {${pairs.join(", ")}}, total=False)`
  }
  const fields = entries.map((entry) =>
    [`    ${entry[0]}: ${field(entry)}`, ...docstring(entry[1].description, "    ")].join("\n")
  )
  return [`class ${name}(TypedDict, total=False):`, ...docstring(node.description, "    "), ...fields].join("\n")
}

const exported = (names: ReadonlyArray<string>): string => `__all__ = [${names.map((name) => `"${name}"`).join(", ")}]`

/** What an answer's inline schema is called. */
export const answerName = (id: string): string => `${pascalOf(id)}Answer`
export const bodyName = (id: string): string => `${pascalOf(id)}Body`

/** The class of what a list holds. */
export const itemClass = (document: Document, { answer, id }: Operation, classes: ReadonlySet<string>): string => {
  const { schema } = answer
  const page = schema?.$ref === undefined ? schema : document.components.schemas[schema.$ref.replace(/^.*\//u, "")]
  const name = schema?.$ref === undefined ? answerName(id) : refName(schema.$ref)
  const item = page?.properties?.["data"]?.items ?? {}
  const type = typeOf(item, `${name}DataItem`, "models", () => undefined)
  return classes.has(type) ? `models.${type}` : "t.Any"
}

export interface PythonModels {
  readonly text: string
  readonly classes: ReadonlySet<string>
}

/** The bodies of webhooks by their `type`. */
const eventsOf = (document: Document): ReadonlyArray<readonly [string, SchemaNode]> =>
  Object.entries(document.webhooks ?? {}).flatMap(([type, { post }]) => {
    const schema = post?.requestBody?.content["application/json"]?.schema
    return schema === undefined ? [] : [[type, schema] as const]
  })

/** Models of what the service answers and sends; more fields than they name are kept. */
export const pythonModels = (document: Document, resources: ReadonlyArray<Resource>): PythonModels => {
  const operations = resources.flatMap((resource) => resource.operations)
  const roots = operations.flatMap(({ answer, id }) =>
    answer.schema === undefined || answer.kind === "text" || answer.kind === "bytes"
      ? []
      : [[answerName(id), answer.schema] as const]
  )
  // Read by hand, so by no operation here.
  const byHand = ["ErrorEnvelope", "JobEvent", "Upload"].filter((name) => name in document.components.schemas).map((
    name
  ) => [name, { $ref: `#/components/schemas/${name}` }] as const)
  const kinds = eventsOf(document)
  const events = kinds.map(([type, schema]) => [`${pascalOf(type)}Event`, schema] as const)
  const { classes, names, texts } = written(document, "models", [...roots, ...byHand, ...events], model)
  const text = [
    head,
    "from __future__ import annotations",
    "",
    "import typing as t",
    "from datetime import datetime",
    "",
    "from pydantic import Field",
    "",
    "from .._model import Model",
    "",
    exported(names),
    "",
    ...texts.flatMap((one) => ["", one, ""]),
    "",
    "EVENTS: t.Dict[str, t.Type[Model]] = {",
    ...kinds.map(([type, schema], index) =>
      `    "${type}": ${schema.$ref === undefined ? events[index]![0] : refName(schema.$ref)},`
    ),
    "}",
    "\"\"\"What webhooks are sent, by `type`.\"\"\"",
    "",
    "for _model in Model.__subclasses__():",
    "    _model.model_rebuild()",
    ""
  ].join("\n")
  return { text, classes }
}

/** The bodies that the service takes, as dictionaries. */
export const pythonParams = (document: Document, resources: ReadonlyArray<Resource>): string => {
  const operations = resources.flatMap((resource) => resource.operations)
  const roots = operations.flatMap(({ body, id }) => body === undefined ? [] : [[bodyName(id), body.schema] as const])
  const { names, texts } = written(document, "params", roots, params)
  return [
    head,
    "from __future__ import annotations",
    "",
    "import typing as t",
    "from datetime import datetime",
    "",
    "from typing_extensions import Required, TypedDict",
    "",
    exported(names),
    "",
    ...texts.flatMap((text) => ["", text, ""])
  ].join("\n")
}
