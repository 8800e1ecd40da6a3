import { Context, Effect, Layer, type Schema } from "effect"
import { toInstant } from "../database/Instant.ts"
import { toPage } from "../database/Page.ts"
import { TenantSql } from "../database/TenantSql.ts"
import type { RateLimited } from "../errors/RequestErrors.ts"
import { remembered } from "../idempotency/KeyedRequests.ts"
import { CurrentTenant } from "../identity/CurrentTenant.ts"
import { isId, newId } from "../identity/Id.ts"
import {
  type ExtractionSchema,
  SchemaInvalid,
  SchemaNotFound,
  type SchemaSummary,
  type SchemaVersion
} from "./ExtractionSchema.ts"
import { inferSchema } from "./InferSchema.ts"
import type { JsonSchema } from "./json-schema/JsonSchema.ts"
import { normaliseDialect } from "./json-schema/JsonSchemaDialect.ts"
import { SchemaChecks } from "./SchemaChecks.ts"
import type { CreateSchema, DeletedSchema, InferredSchema, InferSchema, RegisteredSchema } from "./SchemaRequests.ts"
import { findTemplate, templates } from "./Templates.ts"

interface Row {
  readonly id: string
  readonly name: string
  readonly description: string | null
  readonly version: number
  readonly json_schema: Schema.Json
  readonly written: string
  readonly normalised: Schema.Json | null
  readonly created_at: Date
}

/** A schema in its three forms: parsed, as its owner wrote it, and as the service works with it. */
export interface StoredSchema {
  readonly schema: ExtractionSchema
  /** JSON text, byte for byte. */
  readonly written: string
  /** The copy in 2020-12 that judges and fills. */
  readonly normalised: Schema.Json
}

const shipped: ReadonlyArray<SchemaSummary> = templates.map(({ description, id, name }) => ({
  id,
  name,
  description,
  is_template: true
}))

/** Templates by their id, worked out by the first who asks for one. */
const stored = new Map<string, StoredSchema>()

const shippedTemplate = (template_id: string): StoredSchema | undefined => {
  const template = findTemplate(template_id)
  if (template === undefined || template.id !== template_id) return undefined
  const { description, id, json_schema, name, version } = template
  const known = stored.get(id) ?? {
    schema: {
      id,
      name,
      description,
      is_template: true,
      version,
      json_schema: json_schema as Schema.Json,
      created_at: null
    },
    written: JSON.stringify(json_schema),
    normalised: normaliseDialect(json_schema as JsonSchema) as Schema.Json
  }
  stored.set(id, known)
  return known
}

/** The current tenant's schemas and the shipped templates, which every tenant may read and none may delete. */
export class Schemas extends Context.Service<Schemas, {
  /**
   * Registers a schema that a result can be given for; anything else is `SCHEMA_INVALID`. `written` is the JSON text of
   * `json_schema` as its owner wrote it; without it the parsed value is written out.
   */
  readonly create: (input: CreateSchema, written?: string) => Effect.Effect<
    RegisteredSchema,
    SchemaInvalid | RateLimited,
    CurrentTenant
  >
  /** Makes a schema that `create` accepts and every example fits; saves nothing. `SCHEMA_INVALID` over a schema's limits. */
  readonly infer: (
    input: InferSchema
  ) => Effect.Effect<InferredSchema, SchemaInvalid | RateLimited, CurrentTenant>
  readonly get: (id: string) => Effect.Effect<ExtractionSchema, SchemaNotFound, CurrentTenant>
  /**
   * The same, with the text that was sent and the normalised copy: the newest version, or the one that is named. A version that
   * there is not is as unknown as the schema would be; of a template there is the shipped one alone.
   */
  readonly read: (id: string, version?: number) => Effect.Effect<StoredSchema, SchemaNotFound, CurrentTenant>
  /** One more version of a schema of the tenant's own, checked as at `create`; the ones before stay as they are. */
  readonly addVersion: (id: string, json_schema: Schema.Json, written?: string) => Effect.Effect<
    RegisteredSchema,
    SchemaNotFound | SchemaInvalid | RateLimited,
    CurrentTenant
  >
  /** Newest first, 1,000 at most. */
  readonly versions: (id: string) => Effect.Effect<ReadonlyArray<SchemaVersion>, SchemaNotFound, CurrentTenant>
  /** The tenant's own, newest first, then the templates by name. */
  readonly list: (
    page: { readonly limit: number; readonly cursor?: string | undefined }
  ) => Effect.Effect<
    { readonly data: ReadonlyArray<SchemaSummary>; readonly next_cursor: string | null },
    never,
    CurrentTenant
  >
  /** Soft and idempotent: jobs keep the copy that they run with. */
  readonly remove: (id: string) => Effect.Effect<DeletedSchema, SchemaNotFound, CurrentTenant>
}>()("footnote/schemas/Schemas") {
  static readonly layer = Layer.effect(
    Schemas,
    Effect.gen(function*() {
      const { inTenant, sql } = yield* TenantSql
      const { charged, check } = yield* SchemaChecks

      const read = Effect.fn("Schemas.read")(function*(id: string, asked?: number) {
        const { tenant_id } = yield* CurrentTenant
        const template = shippedTemplate(id)
        if (template !== undefined) {
          return asked === undefined || asked === template.schema.version ? template : yield* new SchemaNotFound()
        }
        const [row] = isId("sch", id)
          ? yield* inTenant(tenant_id)(sql<Row>`
            SELECT s.id, s.name, s.description, coalesce(v.version, 1) AS version,
              coalesce(v.json_schema, s.json_schema) AS json_schema,
              coalesce(v.json_schema, s.json_schema)::text AS written,
              CASE WHEN v.version IS NULL THEN s.normalised ELSE v.normalised END AS normalised,
              coalesce(v.created_at, s.created_at) AS created_at
            FROM footnote.schemas s LEFT JOIN LATERAL (
              SELECT version, json_schema, normalised, created_at FROM footnote.schema_versions
              WHERE schema_id = s.id AND tenant_id = ${tenant_id} ${
            asked === undefined ? sql`` : sql`AND version = ${asked}`
          } ORDER BY version DESC LIMIT 1) v ON true
            WHERE s.id = ${id} AND s.tenant_id = ${tenant_id} AND s.deleted_at IS NULL`)
          : []
        if (row === undefined || (asked ?? row.version) !== row.version) return yield* new SchemaNotFound()
        const { created_at, description, json_schema, name, normalised, version, written } = row
        return {
          schema: {
            id,
            name,
            description,
            is_template: false,
            version,
            json_schema,
            created_at: toInstant(created_at)
          },
          written,
          // Rows of an earlier version have no copy; it is a pure function of the original.
          normalised: normalised ?? normaliseDialect(json_schema as JsonSchema) as Schema.Json
        }
      })

      return Schemas.of({
        create: Effect.fn("Schemas.create")(function*({ description = null, json_schema, name }, written) {
          const { tenant_id } = yield* CurrentTenant
          const { normalised, warnings } = yield* check(json_schema)
          const id = yield* newId("sch")
          const insert = sql<{ created_at: Date }>`
            INSERT INTO footnote.schemas (id, tenant_id, name, description, json_schema, normalised)
            VALUES (${id}, ${tenant_id}, ${name}, ${description}, ${written ?? JSON.stringify(json_schema)}::json,
              ${normalised}::json)
            RETURNING created_at`
          return yield* inTenant(tenant_id)(remembered(
            sql,
            Effect.map(insert, ([row]) => {
              const created_at = toInstant(row!.created_at)
              return { id, name, description, is_template: false, version: 1, json_schema, created_at, warnings }
            })
          ))
        }),

        addVersion: Effect.fn("Schemas.addVersion")(function*(id, json_schema, written) {
          const { tenant_id } = yield* CurrentTenant
          const { schema: { description, is_template, name } } = yield* read(id)
          if (is_template) return yield* new SchemaNotFound()
          const { normalised, warnings } = yield* check(json_schema)
          const insert = Effect.gen(function*() {
            // Of two at one moment the second waits here and counts on from the first.
            const [there] = yield* sql`SELECT id FROM footnote.schemas
              WHERE id = ${id} AND tenant_id = ${tenant_id} AND deleted_at IS NULL FOR UPDATE`
            if (there === undefined) return yield* new SchemaNotFound()
            const [row] = yield* sql<{ version: number; created_at: Date }>`
              INSERT INTO footnote.schema_versions (schema_id, tenant_id, version, json_schema, normalised)
              SELECT ${id}, ${tenant_id}, coalesce(max(version), 1) + 1,
                ${written ?? JSON.stringify(json_schema)}::json, ${normalised}::json
              FROM footnote.schema_versions WHERE schema_id = ${id}
              RETURNING version, created_at`
            const { created_at, version } = row!
            return {
              id,
              name,
              description,
              is_template: false,
              version,
              json_schema,
              created_at: toInstant(created_at),
              warnings
            }
          })
          return yield* inTenant(tenant_id)(remembered(sql, insert))
        }),

        versions: Effect.fn("Schemas.versions")(function*(id) {
          const { tenant_id } = yield* CurrentTenant
          const { schema: { is_template } } = yield* read(id)
          if (is_template) return yield* new SchemaNotFound()
          const rows = yield* inTenant(tenant_id)(sql<{ version: number; created_at: Date }>`
            SELECT version, created_at FROM footnote.schema_versions WHERE schema_id = ${id} AND tenant_id = ${tenant_id}
            UNION ALL SELECT 1, created_at FROM footnote.schemas WHERE id = ${id} AND tenant_id = ${tenant_id}
            ORDER BY version DESC LIMIT 1000`)
          return rows.map(({ created_at, version }) => ({ version, created_at: toInstant(created_at) }))
        }),

        infer: Effect.fn("Schemas.infer")(function*({ description, examples, name }) {
          // 400,000 items in a MiB of examples take 170 ms of the thread that answers everybody.
          const inferred = yield* charged(() => inferSchema(examples, { title: name, description }))
          if (!inferred.ok) {
            const { message, path, reason } = inferred.problem
            return yield* new SchemaInvalid({
              message: `No schema can be made from the examples: ${message}`,
              details: [{ path, message: `${reason}: ${message}` }]
            })
          }
          const { json_schema, warnings } = inferred
          const checked = yield* check(json_schema)
          const others = checked.warnings.filter(({ path }) => warnings.every((warning) => warning.path !== path))
          return { json_schema: json_schema as Schema.Json, warnings: [...warnings, ...others].slice(0, 10) }
        }),

        get: (id) => Effect.map(read(id), ({ schema }) => schema),

        read,

        list: Effect.fn("Schemas.list")(function*({ cursor, limit }) {
          const { tenant_id } = yield* CurrentTenant
          const shown = shipped.findIndex(({ id }) => id === cursor)
          const own = shown >= 0
            ? []
            : yield* inTenant(tenant_id)(sql<Pick<Row, "id" | "name" | "description">>`
              SELECT id, name, description FROM footnote.schemas
              WHERE tenant_id = ${tenant_id} AND deleted_at IS NULL ${
              cursor === undefined ? sql`` : sql`AND id < ${cursor}`
            }
              ORDER BY id DESC LIMIT ${limit + 1}`)
          return toPage(
            [
              ...own.map(({ description, id, name }): SchemaSummary => ({ id, name, description, is_template: false })),
              ...shipped.slice(shown + 1)
            ],
            limit
          )
        }),

        remove: Effect.fn("Schemas.remove")(function*(id) {
          const { tenant_id } = yield* CurrentTenant
          const [row] = isId("sch", id)
            ? yield* inTenant(tenant_id)(sql<{ deleted_at: Date }>`
              UPDATE footnote.schemas SET deleted_at = coalesce(deleted_at, date_trunc('milliseconds', now()))
              WHERE id = ${id} AND tenant_id = ${tenant_id} RETURNING deleted_at`)
            : []
          if (row === undefined) return yield* new SchemaNotFound()
          return { id, deleted_at: toInstant(row.deleted_at) }
        })
      })
    })
  )
}
