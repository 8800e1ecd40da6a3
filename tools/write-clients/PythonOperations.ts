import { type Operation, type Parameter, pascal, type Resource, snake, wordsOf } from "./Operations.ts"
import { answerName, bodyName } from "./PythonSchemas.ts"
import { attribute, docstring, refName, typeOf } from "./PythonTypes.ts"

type Names = (schemaName: string) => boolean

const nothing = () => undefined

const parameterType = ({ required, schema }: Parameter): string => {
  const type = typeOf(schema, "Parameter", "params", nothing)
  return required ? type : `t.Optional[${type}]`
}

const argument = (parameter: Parameter): string =>
  `${attribute(snake(wordsOf(parameter.name)))}: ${parameterType(parameter)}${parameter.required ? "" : " = None"}`

const pathOf = ({ path }: Operation): string =>
  path.includes("{")
    ? `f"${path.replaceAll(/\{(\w+)\}/gu, (_, name: string) => `{quote(${attribute(name)})}`)}"`
    : `"${path}"`

const entries = (parameters: ReadonlyArray<Parameter>): string =>
  parameters.map(({ joined, name }) => {
    const value = attribute(snake(wordsOf(name)))
    return `"${name}": ${joined ? `joined(${value})` : value}`
  }).join(", ")

/** The class of what comes back; `t.Any` where that is no object with a name. */
const answerOf = ({ answer, id }: Operation, isClass: Names): string => {
  const { schema } = answer
  if (schema === undefined) return "t.Any"
  const name = schema.$ref === undefined ? answerName(id) : refName(schema.$ref)
  return isClass(name) ? `models.${name}` : "t.Any"
}

const bodyOf = ({ body, id }: Operation): string =>
  `params.${body?.schema.$ref === undefined ? bodyName(id) : refName(body.schema.$ref)}`

interface Shape {
  readonly returned: string
  readonly call: string
  /** Whether an asynchronous client has to await it. */
  readonly awaited: boolean
}

const shapeOf = (
  operation: Operation,
  items: (operation: Operation) => string,
  isClass: Names,
  asynchronous: boolean
): Shape => {
  const model = answerOf(operation, isClass)
  switch (operation.answer.kind) {
    case "json":
      return model === "t.Any"
        ? { returned: model, call: "value(", awaited: true }
        : { returned: model, call: `json(${model}, `, awaited: true }
    case "page": {
      const item = items(operation)
      return { returned: `${asynchronous ? "AsyncPages" : "Pages"}[${item}]`, call: `page(${item}, `, awaited: false }
    }
    case "lines":
      return { returned: asynchronous ? "t.AsyncIterator[t.Any]" : "t.Iterator[t.Any]", call: "lines(", awaited: false }
    case "text":
      return { returned: "str", call: "text(", awaited: true }
    case "bytes":
      return { returned: "bytes", call: "bytes(", awaited: true }
    case "none":
      return { returned: "None", call: "none(", awaited: true }
  }
}

const methodOf = (operation: Operation, shape: Shape, asynchronous: boolean): string => {
  const { body, description, headers, keyed, method, path_parameters, query, summary, words } = operation
  const named = [...query, ...headers]
  const positional = [
    "self",
    ...path_parameters.map(({ name }) => `${attribute(name)}: str`),
    ...(body === undefined
      ? []
      : [body.required ? `body: ${bodyOf(operation)}` : `body: t.Optional[${bodyOf(operation)}] = None`])
  ]
  const keywords = [
    ...named.filter(({ required }) => required).map(argument),
    ...named.filter(({ required }) => !required).map(argument),
    ...(keyed ? ["idempotency_key: t.Optional[str] = None"] : []),
    "timeout: t.Optional[float] = None"
  ]
  const call = [
    `"${method}"`,
    pathOf(operation),
    ...(query.length === 0 ? [] : [`query={${entries(query)}}`]),
    ...(headers.length === 0 ? [] : [`headers={${entries(headers)}}`]),
    ...(body === undefined ? [] : ["body=body"]),
    ...(keyed ? ["idempotency_key=idempotency_key or fresh_key()"] : []),
    "timeout=timeout"
  ]
  const awaits = asynchronous && shape.awaited
  return [
    `    ${awaits ? "async " : ""}def ${attribute(snake(words))}(${
      [...positional, "*", ...keywords].join(", ")
    }) -> ${shape.returned}:`,
    ...docstring(description === "" ? `${summary}.` : `${summary}.\n\n${description}`, "        "),
    `        return ${awaits ? "await " : ""}self._transport.${shape.call}Call(${call.join(", ")}))`
  ].join("\n")
}

/** The operations of the document as classes, one for each resource, over a transport that is written by hand. */
export const pythonOperations = (
  resources: ReadonlyArray<Resource>,
  items: (operation: Operation) => string,
  isClass: Names,
  asynchronous: boolean
): string => {
  const prefix = asynchronous ? "Async" : ""
  const className = ({ words }: Resource) => `${prefix}${pascal(words)}Operations`
  return [
    "# Generated from docs/openapi.json by tools/write-clients.ts; never edited.",
    "from __future__ import annotations",
    "",
    "import typing as t",
    "from datetime import datetime",
    "",
    "from .._call import Call, fresh_key, joined, quote",
    `from .._pages import ${prefix}Pages`,
    `from .._${asynchronous ? "async_" : ""}transport import ${prefix}Transport`,
    "from . import models, params",
    "",
    `__all__ = [${[...resources.map(className), `${prefix}Resources`].map((name) => `"${name}"`).join(", ")}]`,
    "",
    "",
    `class ${prefix}Operations:`,
    `    def __init__(self, transport: ${prefix}Transport) -> None:`,
    "        self._transport = transport",
    ...resources.flatMap((resource) => [
      "",
      "",
      `class ${className(resource)}(${prefix}Operations):`,
      resource.operations.map((operation) =>
        methodOf(operation, shapeOf(operation, items, isClass, asynchronous), asynchronous)
      ).join(
        "\n\n"
      )
    ]),
    "",
    "",
    `class ${prefix}Resources(${prefix}Operations):`,
    "    \"\"\"Every resource of the API.\"\"\"",
    "",
    `    def __init__(self, transport: ${prefix}Transport) -> None:`,
    "        super().__init__(transport)",
    ...resources.map((resource) => `        self.${snake(resource.words)} = ${className(resource)}(transport)`),
    ""
  ].join("\n")
}
