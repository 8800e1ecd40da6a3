import { camel, type Operation, type Parameter, pascal, type Resource, snake, wordsOf } from "./Operations.ts"

const docOf = ({ description, summary }: Operation): string => {
  const lines = [`${summary}.`, ...(description === "" ? [] : ["", ...description.split("\n")])]
  return ["  /**", ...lines.map((line) => `   * ${line}`.trimEnd()), "   */"].join("\n").replaceAll("*/*", "*\\/*")
}

const propertyOf = (name: string): string => snake(wordsOf(name))

const pathOf = ({ path }: Operation): string =>
  path.includes("{")
    ? `\`${path.replaceAll(/\{(\w+)\}/gu, (_, name: string) => `\${encodeURIComponent(${name})}`)}\``
    : `"${path}"`

const queryType = ({ answer, id, query }: Operation): ReadonlyArray<string> => {
  if (query.length === 0) return []
  const all = `NonNullable<Api.${pascal(wordsOf(id))}Data["query"]>`
  if (answer.kind === "text" && answer.mixed) return [`Text<${all}>`]
  return [answer.mixed ? `Omit<${all}, "format">` : all]
}

const optionsType = (operation: Operation): string => {
  const headers = operation.headers.map(({ name, required }) => `{ ${propertyOf(name)}${required ? "" : "?"}: string }`)
  return [...queryType(operation), ...headers, operation.keyed ? "KeyedOptions" : "CallOptions"].join(" & ")
}

const required = ({ headers, query }: Operation): boolean => [...query, ...headers].some((one) => one.required)

const value = ({ joined, name }: Parameter): string =>
  joined ? `options.${propertyOf(name)}?.join(",")` : `options.${propertyOf(name)}`

/** A type of the document by its name. */
const namedType = (ref: string): string => `Api.${ref.replace(/^.*\//u, "")}`

const responseOf = ({ answer, id }: Operation): string => {
  const name = `Api.${pascal(wordsOf(id))}Response`
  const response = answer.mixed ? `Exclude<${name}, string | void>` : name
  switch (answer.kind) {
    case "json":
      return response
    case "lines": {
      const line = answer.schema?.contentSchema?.$ref
      // Of the body it is said that it is binary, and the generator of the types makes a `Blob` of that, which no line is.
      if (line === undefined) throw new Error(`${id} does not say what its lines are`)
      return namedType(line)
    }
    case "page":
      return `${response}["data"][number]`
    case "text":
      return "string"
    case "bytes":
      return "Blob"
    case "none":
      return "void"
  }
}

const returned = (operation: Operation): string => {
  const response = responseOf(operation)
  switch (operation.answer.kind) {
    case "page":
      return `Pages<${response}>`
    case "lines":
      return `AsyncGenerator<${response}, void, undefined>`
    default:
      return `Promise<${response}>`
  }
}

const methodOf = (operation: Operation): string => {
  const { answer, body, headers, id, keyed, method, path_parameters, query, words } = operation
  const parameters = [
    ...path_parameters.map(({ name }) => `${name}: string`),
    ...(body === undefined
      ? []
      : [
        `body${body.required ? "" : "?"}: ${body.required ? "" : "NonNullable<"}Api.${pascal(wordsOf(id))}Data["body"]${
          body.required ? "" : ">"
        }`
      ]),
    `options: ${optionsType(operation)}${required(operation) ? "" : " = {}"}`
  ]
  const call = [
    `method: "${method}"`,
    `path: ${pathOf(operation)}`,
    ...(query.length === 0 ? [] : [`query: { ${query.map((one) => `"${one.name}": ${value(one)}`).join(", ")} }`]),
    ...(headers.length === 0
      ? []
      : [`headers: { ${headers.map((one) => `"${one.name}": ${value(one)}`).join(", ")} }`]),
    ...(body === undefined ? [] : ["body"]),
    ...(keyed ? ["idempotency_key: options.idempotency_key ?? freshKey()"] : []),
    "options"
  ]
  const generic = answer.kind === "text" || answer.kind === "bytes" || answer.kind === "none"
    ? ""
    : `<${responseOf(operation)}>`
  return [
    docOf(operation),
    `  ${camel(words)}(${parameters.join(", ")}): ${returned(operation)} {`,
    `    return this.transport.${answer.kind}${generic}({ ${call.join(", ")} })`,
    "  }"
  ].join("\n")
}

const className = ({ words }: Resource): string => `${pascal(words)}Operations`

/** The operations of the document as classes, one for each resource, over a transport that is written by hand. */
export const typeScriptOperations = (resources: ReadonlyArray<Resource>): string =>
  [
    "// Generated from docs/openapi.json by tools/write-clients.ts; never edited.",
    "import type { Pages } from \"../pages.ts\"",
    "import { type CallOptions, freshKey, type KeyedOptions, type Transport } from \"../transport.ts\"",
    "import type * as Api from \"./types.ts\"",
    "",
    "/** What is asked for where the answer is text: its `format` has to be named. */",
    "type Text<Query extends { format?: string }> = Omit<Query, \"format\"> & { format: Exclude<Query[\"format\"], \"json\" | undefined> }",
    "",
    "abstract class Operations {",
    "  protected readonly transport: Transport",
    "  constructor(transport: Transport) {",
    "    this.transport = transport",
    "  }",
    "}",
    ...resources.map((resource) =>
      `\nexport class ${className(resource)} extends Operations {\n${resource.operations.map(methodOf).join("\n\n")}\n}`
    ),
    "",
    "/** Every resource of the API. */",
    "export class Resources extends Operations {",
    ...resources.map((resource) =>
      `  readonly ${camel(resource.words)}: ${className(resource)} = new ${className(resource)}(this.transport)`
    ),
    "}",
    ""
  ].join("\n")
