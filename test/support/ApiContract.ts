import type { ValidateFunction } from "ajv"
import addFormats from "ajv-formats"
import Ajv2020 from "ajv/dist/2020.js"
import { openApiDocument } from "../../src/api/OpenApiDocument.ts"

interface Route {
  readonly pattern: RegExp
  readonly pointer: string
  readonly operations: Readonly<Record<string, any>>
}

const escaped = (text: string) => text.replaceAll("~", "~0").replaceAll("/", "~1")

const load = () => {
  const document = JSON.parse(openApiDocument())
  const ajv = new Ajv2020.default({ strict: false, allErrors: true })
  addFormats.default(ajv)
  ajv.addFormat("binary", true)
  ajv.addSchema(document, "openapi")
  const routes: ReadonlyArray<Route> = Object.entries<any>(document.paths).map(([path, operations]) => ({
    pattern: new RegExp(`^${path.replaceAll(".", String.raw`\.`).replaceAll(/\{\w+\}/gu, "[^/]+")}$`, "u"),
    pointer: `/paths/${escaped(path)}`,
    operations
  }))
  return { ajv, routes, validators: new Map<string, ValidateFunction>() }
}

let loaded: ReturnType<typeof load> | undefined

const routeOf = (method: string, url: string) => {
  const { routes } = loaded ??= load()
  const path = url.split("?", 1)[0]!
  // A path without parameters is meant by itself.
  const matches = routes.filter(({ pattern }) => pattern.test(path))
  const route = matches.find(({ pointer }) => !pointer.includes("{")) ?? matches[0]
  return { path, route, operation: route?.operations[method.toLowerCase()] }
}

/** What HTTP itself says of any answer, and the headers that tell a browser what it must not do. */
const unspoken =
  /^(date|connection|keep-alive|transfer-encoding|content-(type|length|encoding|security-policy)|cache-control|vary|referrer-policy|x-content-type-options|x-frame-options|cross-origin-resource-policy)$/u

/** What of an answer's status, media type and headers the API document does not say; none where it says all. */
export const untold = (
  method: string,
  url: string,
  status: number,
  headers: Readonly<Record<string, string | undefined>>
): ReadonlyArray<string> => {
  const { operation } = routeOf(method, url)
  const response = operation?.responses[String(status)]
  if (response === undefined) return [`status ${status}`]
  const [type] = (headers["content-type"] ?? "").split(";", 1)
  const types = Object.keys(response.content ?? {}).map((one) => one.split(";", 1)[0]!)
  const told = type === "" ?
    types.length === 0 || status === 304 :
    types.some((one) => one === type || one === `${type!.split("/", 1)[0]}/*`)
  const declared = new Set(Object.keys(response.headers ?? {}).map((name) => name.toLowerCase()))
  return [
    ...(told ? [] : [`content-type ${type}`]),
    ...Object.keys(headers).filter((name) => !unspoken.test(name) && !declared.has(name))
  ]
}

/** What of a JSON answer does not fit the API document; undefined where it does, and for what is not in the document. */
export const contractBreach = (method: string, url: string, status: number, body: unknown): string | undefined => {
  const { ajv, validators } = loaded ??= load()
  const { operation, path, route } = routeOf(method, url)
  if (route === undefined || operation === undefined) return undefined
  // What no route is behind may look like one, and methods are not part of the document.
  const code = (body as { readonly error?: { readonly code?: string } }).error?.code
  if (code === "ROUTE_NOT_FOUND" || code === "METHOD_NOT_ALLOWED") return undefined
  const known = operation.responses[String(status)]?.content?.["application/json"] === undefined
    ? "default"
    : String(status)
  if (status < 400 && known === "default") return `${method} ${path} is not documented to answer ${status} in JSON`
  const pointer = `${route.pointer}/${method.toLowerCase()}/responses/${known}/content/application~1json/schema`
  let validate = validators.get(pointer)
  if (validate === undefined) {
    validate = ajv.compile({ $ref: `openapi#${pointer.split("/").map(encodeURIComponent).join("/")}` })
    validators.set(pointer, validate)
  }
  return validate(body) ? undefined : `${method} ${path} ${status}: ${ajv.errorsText(validate.errors)}`
}
