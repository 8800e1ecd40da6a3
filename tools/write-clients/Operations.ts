/** A schema of the document, as far as the generators read it. */
export interface SchemaNode {
  readonly $ref?: string
  readonly type?: string | ReadonlyArray<string>
  readonly format?: string
  /** What a string holds, where it is written out: each line of a body that goes on line by line. */
  readonly contentSchema?: SchemaNode
  readonly description?: string
  readonly enum?: ReadonlyArray<unknown>
  readonly const?: unknown
  readonly properties?: Readonly<Record<string, SchemaNode>>
  readonly required?: ReadonlyArray<string>
  readonly additionalProperties?: boolean | SchemaNode
  readonly items?: SchemaNode
  readonly anyOf?: ReadonlyArray<SchemaNode>
  readonly oneOf?: ReadonlyArray<SchemaNode>
  readonly allOf?: ReadonlyArray<SchemaNode>
}

interface ParameterNode {
  readonly name: string
  readonly in: string
  readonly required?: boolean
  readonly explode?: boolean
  readonly description?: string
  readonly schema?: SchemaNode
}

interface OperationNode {
  readonly operationId?: string
  readonly summary?: string
  readonly description?: string
  readonly parameters?: ReadonlyArray<ParameterNode>
  readonly requestBody?: {
    readonly required?: boolean
    readonly content: Readonly<Record<string, { readonly schema?: SchemaNode }>>
  }
  readonly responses: Readonly<
    Record<string, { readonly content?: Readonly<Record<string, { readonly schema?: SchemaNode }>> }>
  >
}

export interface Document {
  readonly paths: Readonly<Record<string, Readonly<Record<string, OperationNode>>>>
  readonly webhooks?: Readonly<Record<string, Readonly<Record<string, OperationNode>>>>
  readonly components: { readonly schemas: Readonly<Record<string, SchemaNode>> }
}

export interface Parameter {
  readonly name: string
  readonly required: boolean
  /** Several values go into one, with commas, rather than one by one. */
  readonly joined: boolean
  readonly description: string | undefined
  readonly schema: SchemaNode
}

/** `page` is a list that goes on at `next_cursor`, `lines` is JSON line by line, `bytes` anything that is no text. */
type AnswerKind = "json" | "page" | "text" | "lines" | "bytes" | "none"

interface Answer {
  readonly kind: AnswerKind
  readonly schema: SchemaNode | undefined
  /** Whether the operation has answers of another kind beside it. */
  readonly mixed: boolean
}

/** One method of both clients: what is asked, how, and what comes back. */
export interface Operation {
  readonly id: string
  /** The method's name in words, such as `list`, `deliveries`. */
  readonly words: ReadonlyArray<string>
  readonly method: string
  readonly path: string
  readonly summary: string
  readonly description: string
  readonly path_parameters: ReadonlyArray<Parameter>
  readonly query: ReadonlyArray<Parameter>
  readonly headers: ReadonlyArray<Parameter>
  /** Whether the service takes an `Idempotency-Key`, so that it may be sent twice and is done once. */
  readonly keyed: boolean
  readonly body: { readonly schema: SchemaNode; readonly required: boolean } | undefined
  readonly answer: Answer
}

export interface Resource {
  readonly words: ReadonlyArray<string>
  readonly operations: ReadonlyArray<Operation>
}

const methods = new Set(["get", "put", "post", "delete", "patch"])

export const wordsOf = (name: string): ReadonlyArray<string> =>
  name.replaceAll(/([a-z0-9])([A-Z])/gu, "$1 $2").split(/[^A-Za-z0-9]+/u).filter((word) => word !== "").map((word) =>
    word.toLowerCase()
  )

export const pascal = (words: ReadonlyArray<string>): string =>
  words.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join("")

export const camel = (words: ReadonlyArray<string>): string => {
  const whole = pascal(words)
  return whole.charAt(0).toLowerCase() + whole.slice(1)
}

export const snake = (words: ReadonlyArray<string>): string => words.join("_")

const singular = (word: string): string =>
  word.endsWith("ies")
    ? `${word.slice(0, -3)}y`
    : /(?:ch|sh|s|x)es$/u.test(word)
    ? word.slice(0, -2)
    : word.endsWith("s")
    ? word.slice(0, -1)
    : word

/** What stands outside of `/v1` tells of the service itself. */
const resourceOf = (path: string): ReadonlyArray<string> => {
  const [, version, first] = path.split("/")
  return version === "v1" && first !== undefined ? wordsOf(first) : ["service"]
}

const starts = (words: ReadonlyArray<string>, beginning: ReadonlyArray<string>): boolean =>
  beginning.every((word, index) => words[index] === word)

/**
 * `createJob` of `/v1/jobs` is `jobs.create`, `listJobs` is `jobs.list`, `getJobSchema` is `jobs.getSchema`; `createJobs` stays whole
 * where there is a `createJob`.
 */
const methodWords = (id: string, resource: ReadonlyArray<string>, ids: ReadonlySet<string>): ReadonlyArray<string> => {
  const [verb = "", ...rest] = wordsOf(id)
  const one = [...resource.slice(0, -1), ...resource.slice(-1).map(singular)]
  if (starts(rest, one)) return [verb, ...rest.slice(one.length)]
  if (rest.length === resource.length && starts(rest, resource) && !ids.has(camel([verb, ...one]))) return [verb]
  return [verb, ...rest]
}

const deref = (document: Document, schema: SchemaNode | undefined): SchemaNode | undefined =>
  schema?.$ref === undefined ? schema : document.components.schemas[schema.$ref.replace(/^.*\//u, "")]

const isPage = (document: Document, schema: SchemaNode | undefined): boolean => {
  const { properties = {} } = deref(document, schema) ?? {}
  return "data" in properties && "next_cursor" in properties
}

const textual = /^text\/(?!event-stream)|^application\/(x-subrip|xml)$/u

const parametersIn = (operation: OperationNode, place: string): ReadonlyArray<Parameter> =>
  (operation.parameters ?? []).filter((parameter) => parameter.in === place).map((
    { description, explode, name, required, schema }
  ) => ({ name, required: required === true, joined: explode === false, description, schema: schema ?? {} }))

const answersOf = (document: Document, operation: OperationNode): ReadonlyArray<Answer> => {
  const successes = Object.entries(operation.responses).filter(([status]) => Number(status) < 300)
  const contents = successes.flatMap(([, { content = {} }]) => Object.entries(content))
  const found = new Map<AnswerKind, SchemaNode | undefined>()
  for (const [type, { schema }] of contents) {
    if (type === "text/event-stream") continue
    const kind: AnswerKind = /ndjson|jsonl/u.test(type)
      ? "lines"
      : type.includes("json")
      ? isPage(document, schema) ? "page" : "json"
      : textual.test(type)
      ? "text"
      : "bytes"
    if (!found.has(kind)) found.set(kind, schema)
  }
  if (contents.length === 0) return [{ kind: "none", schema: undefined, mixed: false }]
  const mixed = found.size > 1 || successes.some(([, { content }]) => content === undefined)
  return [...found].map(([kind, schema]) => ({ kind, schema, mixed }))
}

const withoutJson = (parameter: Parameter): Parameter =>
  parameter.schema.enum === undefined
    ? parameter
    : {
      ...parameter,
      required: true,
      schema: { ...parameter.schema, enum: parameter.schema.enum.filter((value) => value !== "json") }
    }

/**
 * Every operation that asks and answers in whole bodies, by the resource whose path it has. Left out is what a client writes by hand:
 * the tus protocol and server-sent events. An operation that answers with JSON or with text becomes two methods, the second with
 * `_text` and the `format` that it needs.
 */
export const resourcesOf = (document: Document): ReadonlyArray<Resource> => {
  const nodes = Object.entries(document.paths).flatMap(([path, item]) =>
    Object.entries(item).flatMap(([method, node]) => methods.has(method) ? [{ path, method, node }] : [])
  )
  const ids = new Set(nodes.map(({ node }) => node.operationId ?? ""))
  const resources = new Map<string, { words: ReadonlyArray<string>; operations: Array<Operation> }>()
  for (const { method, node, path } of nodes) {
    const id = node.operationId
    if (id === undefined) throw new Error(`${method} ${path} has no operationId`)
    const json = node.requestBody?.content["application/json"]
    const headers = parametersIn(node, "header")
    const answers = answersOf(document, node)
    if (node.requestBody !== undefined && json === undefined) continue
    if (answers.length === 0) continue
    const resource = resourceOf(path)
    const key = snake(resource)
    if (!resources.has(key)) resources.set(key, { words: resource, operations: [] })
    const operation: Omit<Operation, "answer"> = {
      id,
      words: methodWords(id, resource, ids),
      method: method.toUpperCase(),
      path,
      summary: node.summary ?? id,
      description: node.description ?? "",
      path_parameters: parametersIn(node, "path"),
      query: parametersIn(node, "query"),
      headers: headers.filter(({ name }) => !/^(idempotency-key|tus-resumable|last-event-id)$/iu.test(name)),
      keyed: headers.some(({ name }) => name.toLowerCase() === "idempotency-key"),
      body: json === undefined
        ? undefined
        : { schema: json.schema ?? {}, required: node.requestBody?.required === true }
    }
    const whole = answers.find(({ kind }) => kind === "json" || kind === "page")
    const text = answers.find(({ kind }) => kind === "text")
    const { operations } = resources.get(key)!
    if (whole !== undefined && text !== undefined) {
      operations.push({ ...operation, query: operation.query.filter(({ name }) => name !== "format"), answer: whole })
      operations.push({
        ...operation,
        words: [...operation.words, "text"],
        query: operation.query.map((parameter) => parameter.name === "format" ? withoutJson(parameter) : parameter),
        answer: text
      })
    } else {
      operations.push({ ...operation, answer: whole ?? answers[0]! })
    }
  }
  return [...resources.values()]
}
