import { ErrorCatalog, type ErrorCode } from "../../errors/ErrorCatalog.ts"
import { describe } from "./OpenApiDescriptions.ts"
import { exampleRequestId, openApiExamples } from "./OpenApiExamples.ts"
import { addResponses, answerHeaders, headersOf } from "./OpenApiResponses.ts"
import { anyObject, discriminate, openAnswers } from "./OpenApiShapes.ts"
import { webhooksDocument, webhooksTag } from "./OpenApiWebhooks.ts"

type Json = Record<string, any>

const ref = (kind: "schemas" | "headers", name: string) => ({ $ref: `#/components/${kind}/${name}` })

const methods = new Set(["get", "post", "put", "patch", "delete", "options", "head"])

/** Headers that come with every answer, or with every answer of a status. */
const headers: Json = {
  ...answerHeaders,
  "X-Request-Id": {
    description: "The caller's own, where it sent one that is fit for logs. Logs and traces carry it.",
    schema: { type: "string", examples: [exampleRequestId] }
  },
  "Retry-After": {
    description: "Seconds after which it is worth trying again.",
    schema: { type: "integer", minimum: 0, examples: [2] }
  },
  "RateLimit-Limit": {
    description: "How many requests of this kind fit into a minute.",
    schema: { type: "integer", examples: [600] }
  },
  "RateLimit-Remaining": {
    description: "How many of them are left.",
    schema: { type: "integer", minimum: 0, examples: [599] }
  },
  "RateLimit-Reset": {
    description: "Seconds until all of them are there again.",
    schema: { type: "integer", minimum: 0, examples: [1] }
  },
  "RateLimit-Policy": {
    description: "The limit and its window in seconds.",
    schema: { type: "string", examples: ["600;w=60"] }
  },
  "WWW-Authenticate": {
    description: "How to authenticate (RFC 9110, 11.6.1).",
    schema: { type: "string", examples: ["Bearer realm=\"footnote\""] }
  },
  ETag: {
    description: "Names these very bytes: sent back as `If-None-Match` it gives 304 and no body.",
    schema: { type: "string", examples: ["\"9f86d081884c7d659a2feaa0c55ad015-json\""] }
  }
}

const common = ["X-Request-Id"]
const limited = ["RateLimit-Limit", "RateLimit-Remaining", "RateLimit-Reset", "RateLimit-Policy"]
const ofStatus: Readonly<Record<string, ReadonlyArray<string>>> = {
  "401": ["WWW-Authenticate"],
  "429": ["Retry-After"],
  "503": ["Retry-After"]
}

/** What an id in a path is the id of, by the collection before it. */
const idOf: Readonly<Record<string, string>> = {
  "jobs": "The job's id, `job_…`.",
  "batches": "The batch's id, `bat_…`.",
  "uploads": "The upload's id, `upl_…`.",
  "schemas": "The schema's id, `sch_…`.",
  "api-keys": "The key's id, `key_…`.",
  "destinations": "The destination's id, `dst_…`.",
  "deliveries": "The delivery's id, `dlv_…`.",
  "exports": "The export's id, `exp_…`.",
  "frames": "The kept frame's id, `frm_…`."
}

/** Filters and views, which mean the same wherever they stand. */
const parameterOf: Readonly<Record<string, string>> = {
  status: "Only what is in this state.",
  batch_id: "Only what came in this batch.",
  job_id: "Only what belongs to this job.",
  destination_id: "Only what goes to this destination.",
  view: "`compact` for reading, `canonical` for everything."
}

const walk = (node: unknown, visit: (schema: Json) => void): void => {
  if (typeof node !== "object" || node === null) return
  if (!Array.isArray(node)) visit(node as Json)
  for (const child of Object.values(node)) walk(child, visit)
}

const isEmpty = (schema: unknown) => typeof schema === "object" && schema !== null && Object.keys(schema).length === 0

/** Says the same in the words that tools know: any value is no alternative to null, and every array tells its items. */
const normalise = (schema: Json) => {
  if (Array.isArray(schema["anyOf"]) && schema["anyOf"].some(isEmpty)) delete schema["anyOf"]
  if (schema["type"] !== "array" || schema["items"] !== undefined) return
  const [first = {}, ...others] = schema["prefixItems"] ?? []
  const alike = others.every((other: unknown) => JSON.stringify(other) === JSON.stringify(first))
  schema["items"] = alike ? first : {}
  if (alike) delete schema["prefixItems"]
}

const exemplify = (schemas: Json) => {
  for (const [name, schema] of Object.entries<Json>(schemas)) {
    const code = /^Error_([A-Z_]+)$/u.exec(name)?.[1] as ErrorCode | undefined
    const example = code === undefined
      ? openApiExamples[name]
      : { error: { code, message: ErrorCatalog[code].message, request_id: exampleRequestId } }
    if (example !== undefined) schema["examples"] = [example]
  }
}

const describeParameters = (path: string, operation: Json) => {
  const segments = path.split("/")
  for (const parameter of operation["parameters"] ?? []) {
    const collection = segments[segments.indexOf(`{${parameter.name}}`) - 1] ?? ""
    parameter.description ??= parameter.in === "path" ? idOf[collection] : parameterOf[parameter.name]
  }
}

/** A placeholder is no element of HTML, which Markdown would take it for. */
const quotePlaceholders = (text: string): string => text.replaceAll(/<[^<>]+>/gu, "`$&`")

const addHeaders = (path: string, operation: Json) => {
  for (const [status, response] of Object.entries<Json>(operation["responses"])) {
    const names = [
      ...common,
      ...(path.startsWith("/v1/") ? limited : []),
      ...(ofStatus[status] ?? []),
      ...headersOf(operation, status)
    ]
    response.description = quotePlaceholders(response.description)
    response["headers"] = {
      ...response["headers"],
      ...Object.fromEntries(names.map((name) => [name, ref("headers", name)]))
    }
  }
}

/**
 * What a definition in code cannot say, or says in words that generators of clients do not know: examples, the headers of
 * every answer, what an event stream carries, the shapes of a destination's config, and the one form of every error.
 */
export const detailed = (spec: Json): Json => {
  const { schemas } = spec["components"]
  spec["info"].contact = { name: "The operator of this deployment" }
  spec["components"].headers = headers
  // Schemes have no case (RFC 9110, 11.1), but tools compare this one with a name in lower case.
  for (const scheme of Object.values<Json>(spec["components"].securitySchemes)) {
    if (scheme.scheme !== undefined) scheme.scheme = scheme.scheme.toLowerCase()
  }
  for (const [path, operations] of Object.entries<Json>(spec["paths"])) {
    for (const [method, operation] of Object.entries<Json>(operations)) {
      if (!methods.has(method)) continue
      // Generators of clients take the first: a program has a key.
      operation["security"]?.sort((one: Json) => "api_key" in one ? -1 : 1)
      // Told where sessions are: no key is answered so, and each client would have it a hundred times.
      if (!path.startsWith("/v1/session")) delete operation["responses"]["403"]
      operation["responses"].default = {
        description: "Any other error, in the one form of all.",
        content: { "application/json": { schema: ref("schemas", "ErrorEnvelope") } }
      }
      // What each event's `data` holds; 3.1 has no word for the events around it.
      const stream = operation["responses"]["200"]?.content?.["text/event-stream"]
      if (stream !== undefined) stream.schema = ref("schemas", "JobEvent")
      // What each line is: only 3.2 has a word for it, `itemSchema`.
      const lines = operation["responses"]["200"]?.content?.["application/x-ndjson"]?.schema
      if (lines !== undefined) lines.contentSchema = ref("schemas", "ExportLine")
      const sent = operation["requestBody"]?.content["application/json"]?.schema
      if (sent !== undefined && sent.$ref === undefined) sent.examples = [openApiExamples[operation["operationId"]]]
      describeParameters(path, operation)
      addResponses(operation)
      addHeaders(path, operation)
    }
  }
  delete schemas.JobEventEncoded
  // Not ready is an answer of its own there, beside the error that every route has.
  const unready = spec["paths"]["/readyz"].get.responses["503"].content["application/json"]
  unready.schema = { anyOf: [ref("schemas", "Readiness"), unready.schema] }
  spec["webhooks"] = structuredClone(webhooksDocument)
  spec["tags"].push(webhooksTag)
  walk(spec, normalise)
  describe(schemas)
  discriminate(schemas)
  anyObject(schemas)
  openAnswers(spec)
  exemplify(schemas)
  return spec
}
