import type { Answer } from "../egress/Egress.ts"
import { jsonOf } from "./Outcomes.ts"

/** The properties of a Notion data source: from a name to its type. */
export type DataSource = ReadonlyMap<string, string>

/** Reads what `GET /v1/data_sources/{id}` answered; undefined where it is something else. */
export const readDataSource = (answer: Answer): DataSource | undefined => {
  const properties = jsonOf(answer)?.["properties"]
  if (typeof properties !== "object" || properties === null) return undefined
  return new Map(
    Object.entries(properties as Readonly<Record<string, { readonly type?: unknown } | null>>).flatMap((
      [name, property]
    ) => typeof property?.type === "string" ? [[name, property.type] as const] : [])
  )
}
