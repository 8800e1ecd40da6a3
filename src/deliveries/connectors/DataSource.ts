import type { Answer } from "../../egress/Egress.ts"
import { jsonOf } from "./DeliveryOutcome.ts"

/** A property of a data source. `options`: of a status, which takes no other. */
export interface Property {
  readonly name: string
  readonly type: string
  readonly options: ReadonlySet<string>
}

/** The properties of a Notion data source, by their names. */
export type DataSource = ReadonlyMap<string, Property>

const optionsOf = (value: unknown): ReadonlySet<string> => {
  const options = (value as { readonly options?: unknown } | null | undefined)?.options
  return new Set(
    (Array.isArray(options) ? options : []).flatMap((option: { readonly name?: unknown } | null) =>
      typeof option?.name === "string" ? [option.name] : []
    )
  )
}

/** Reads what `GET /v1/data_sources/{id}` answered; undefined where it is something else. */
export const readDataSource = (answer: Answer): DataSource | undefined => {
  const properties = jsonOf(answer)?.["properties"]
  if (typeof properties !== "object" || properties === null) return undefined
  return new Map(
    Object.entries(properties as Readonly<Record<string, Readonly<Record<string, unknown>> | null>>).flatMap((
      [name, property]
    ) => {
      const type = property?.["type"]
      return typeof type === "string" ? [[name, { name, type, options: optionsOf(property![type]) }] as const] : []
    })
  )
}

/** Reads of what `GET /v1/databases/{id}` answered the ids of its data sources; undefined where it is something else. */
export const readDataSourceIds = (answer: Answer): ReadonlyArray<string> | undefined => {
  const sources = jsonOf(answer)?.["data_sources"]
  return Array.isArray(sources)
    ? sources.flatMap((source: { readonly id?: unknown } | null) =>
      typeof source?.id === "string" && /^[0-9a-f-]{32,36}$/iu.test(source.id) ? [source.id] : []
    )
    : undefined
}

const alike = (name: string): string => name.normalize("NFKC").trim().replaceAll(/\s+/gu, " ").toLowerCase()

/**
 * The property that a person means by a name: the one of exactly that name, else the only one that differs from it in case
 * and spaces alone. Undefined where there is none or more than one.
 */
export const propertyNamed = (source: DataSource, name: string): Property | undefined => {
  const exact = source.get(name)
  if (exact !== undefined) return exact
  const like = [...source.values()].filter((property) => alike(property.name) === alike(name))
  return like.length === 1 ? like[0] : undefined
}
