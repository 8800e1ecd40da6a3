import { HttpApi } from "effect/http-api"

/** What a path takes. */
export interface RouteTable {
  /** Whatever the request's own method is. */
  readonly methodsOf: (path: string) => ReadonlyArray<string>
  /** Of a body; none where the route has none. */
  readonly mediaTypesOf: (method: string, path: string) => ReadonlyArray<string>
}

const pattern = (path: string) =>
  new RegExp(`^${path.replaceAll(/[.*+?^${}()|[\]\\]/gu, String.raw`\$&`).replaceAll(/:\w+/gu, "[^/]+")}/?$`, "u")

/** The table of an API and of the plain `GET` pages beside it. `HEAD` is answered wherever `GET` is, `OPTIONS` everywhere. */
export const makeRouteTable = (api: HttpApi.Constraint, pages: ReadonlyArray<string>): RouteTable => {
  const routes: Array<{
    readonly method: string
    readonly pattern: RegExp
    readonly mediaTypes: ReadonlyArray<string>
  }> = []
  HttpApi.reflect(api as HttpApi.Top, {
    onGroup() {},
    onEndpoint({ endpoint }) {
      routes.push({
        method: endpoint.method,
        pattern: pattern(endpoint.path),
        mediaTypes: [...endpoint.payload.keys()]
      })
    }
  })
  for (const page of pages) routes.push({ method: "GET", pattern: pattern(page), mediaTypes: [] })
  return {
    methodsOf: (path) => {
      const methods = new Set(routes.filter((route) => route.pattern.test(path)).map(({ method }) => method))
      if (methods.has("GET")) methods.add("HEAD")
      if (methods.size > 0) methods.add("OPTIONS")
      return [...methods].toSorted()
    },
    mediaTypesOf: (method, path) =>
      routes.find((route) => route.method === method && route.pattern.test(path))?.mediaTypes ?? []
  }
}
