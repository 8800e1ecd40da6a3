import { type HttpApi, OpenApi } from "effect/http-api"
import { Api } from "../../src/api/Api.ts"

/** A place in a request where an id may stand: in the path, in a parameter, or somewhere in the body. */
export interface IdPlace {
  readonly method: string
  readonly path: string
  /** Such as `path.id`, `query.cursor`, `body.destination_id`, `body.jobs[].schema_id`. */
  readonly where: string
}

/** What a name looks like that may hold an id: all of ours do, and whatever is added later. */
const looksLikeId = /(?:^|_)ids?$|_uri$|^cursor$/u

type Node = Readonly<Record<string, any>>

const inSchema = (spec: Node, node: Node | undefined, at: string, seen: ReadonlySet<Node>): ReadonlyArray<string> => {
  if (node === undefined || seen.has(node)) return []
  if (typeof node["$ref"] === "string") {
    return inSchema(spec, spec["components"].schemas[node["$ref"].split("/").at(-1)!], at, seen)
  }
  const below = (child: Node, name: string) => inSchema(spec, child, name, new Set([...seen, node]))
  return [
    ...["anyOf", "oneOf", "allOf"].flatMap((union) => (node[union] ?? []) as Array<Node>).flatMap((one) =>
      below(one, at)
    ),
    ...(node["items"] === undefined ? [] : below(node["items"], `${at}[]`)),
    ...Object.entries((node["properties"] ?? {}) as Record<string, Node>).flatMap(([name, child]) =>
      (looksLikeId.test(name) ? [`${at}.${name}`] : []).concat(below(child, `${at}.${name}`))
    )
  ]
}

/** Every place for an id in every route, read from the API's own description, so that none can be forgotten. */
export const idPlaces: ReadonlyArray<IdPlace> = (() => {
  const spec = OpenApi.fromApi(Api as unknown as HttpApi.HttpApi<string, never>) as Node
  return Object.entries(spec["paths"] as Record<string, Record<string, Node>>).flatMap(([path, operations]) =>
    Object.entries(operations).flatMap(([method, operation]) => {
      const parameters = ((operation["parameters"] ?? []) as Array<Node>)
        .filter((parameter) => parameter["in"] === "path" || looksLikeId.test(parameter["name"]))
        .map((parameter) => `${parameter["in"]}.${parameter["name"]}`)
      const contents = Object.values((operation["requestBody"]?.content ?? {}) as Record<string, Node>)
      const body = contents.flatMap((content) => inSchema(spec, content["schema"], "body", new Set()))
      return [...new Set([...parameters, ...body])].map((where) => ({ method: method.toUpperCase(), path, where }))
    })
  )
})()
