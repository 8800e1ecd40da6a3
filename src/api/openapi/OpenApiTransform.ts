import { Schema } from "effect"
import { HttpApi, type OpenApi } from "effect/http-api"
import { detailed } from "./OpenApiDetails.ts"

const bodyErrors = ["413", "415"]

/**
 * Documents query, path and header parameters by their decoded types. `OpenApi.fromApi` shows the strings that they are on
 * the wire (`limit` as a string with a number pattern), which generators of clients take at their word. Leaves out the errors that only a body can cause where there is none.
 */
export const asServed = (api: HttpApi.Constraint) => (spec: Record<string, any>): Record<string, any> => {
  HttpApi.reflect(api as HttpApi.Top, {
    onGroup() {},
    onEndpoint({ endpoint }) {
      const path = endpoint.path.replaceAll(/:(\w+)/gu, "{$1}")
      const operation: OpenApi.OpenAPISpecOperation | undefined = spec["paths"][path]?.[endpoint.method.toLowerCase()]
      if (operation === undefined) return
      // One middleware declares these for every route, but only a route that takes a body can give them.
      if (operation.requestBody === undefined) {
        for (const status of bodyErrors) delete (operation.responses as Record<string, unknown>)[status]
      }
      const slots: Record<string, Schema.Top | undefined> = {
        query: endpoint.query,
        path: endpoint.params,
        header: endpoint.headers
      }
      for (const parameter of operation.parameters) {
        const slot = slots[parameter.in]
        if (slot === undefined) continue
        const root = Schema.toJsonSchemaDocument(Schema.toType(slot), { referencePolicy: () => undefined })
          .schema as { readonly properties?: Record<string, Record<string, unknown>> }
        const property = root.properties?.[parameter.name]
        if (property === undefined) continue
        const { description, ...schema } = property
        parameter.schema = schema
        if (typeof description === "string") parameter.description = description
      }
    }
  })
  return detailed(spec)
}
