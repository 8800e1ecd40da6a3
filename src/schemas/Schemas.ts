import { PgClient } from "@effect/sql-pg"
import { Context, Effect, Layer, type Schema } from "effect"
import { isId, newId } from "../crypto/Id.ts"
import { toInstant } from "../database/Instant.ts"
import { toPage } from "../database/Page.ts"
import { CurrentTenant } from "../tenants/CurrentTenant.ts"
import { type ExtractionSchema, type SchemaInvalid, SchemaNotFound, type SchemaSummary } from "./ExtractionSchema.ts"
import { checkSchemaSafely } from "./SchemaCheck.ts"
import type { CreateSchema, DeletedSchema } from "./SchemaRequests.ts"
import { findTemplate, templates } from "./Templates.ts"

interface Row {
  readonly id: string
  readonly name: string
  readonly description: string | null
  readonly json_schema: Schema.Json
  readonly created_at: Date
}

const shipped: ReadonlyArray<SchemaSummary> = templates.map(({ description, id, name }) => ({
  id,
  name,
  description,
  is_template: true
}))

/** The current tenant's schemas and the shipped templates, which every tenant may read and none may delete. */
export class Schemas extends Context.Service<Schemas, {
  /** Registers a schema that a result can be given for; anything else is `SCHEMA_INVALID`. */
  readonly create: (input: CreateSchema) => Effect.Effect<ExtractionSchema, SchemaInvalid, CurrentTenant>
  readonly get: (id: string) => Effect.Effect<ExtractionSchema, SchemaNotFound, CurrentTenant>
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
      const sql = yield* PgClient.PgClient

      return Schemas.of({
        create: Effect.fn("Schemas.create")(function*({ description = null, json_schema, name }) {
          const { tenant_id } = yield* CurrentTenant
          yield* checkSchemaSafely(json_schema)
          const id = yield* newId("sch")
          const [row] = yield* sql<{ created_at: Date }>`
            INSERT INTO footnote.schemas (id, tenant_id, name, description, json_schema)
            VALUES (${id}, ${tenant_id}, ${name}, ${description}, ${JSON.stringify(json_schema)}::json)
            RETURNING created_at`.pipe(Effect.orDie)
          return { id, name, description, is_template: false, json_schema, created_at: toInstant(row!.created_at) }
        }),

        get: Effect.fn("Schemas.get")(function*(id) {
          const { tenant_id } = yield* CurrentTenant
          const template = findTemplate(id)
          if (template !== undefined && template.id === id) {
            const { description, json_schema, name } = template
            return {
              id,
              name,
              description,
              is_template: true,
              json_schema: json_schema as Schema.Json,
              created_at: null
            }
          }
          const [row] = isId("sch", id)
            ? yield* sql<Row>`
              SELECT id, name, description, json_schema, created_at FROM footnote.schemas
              WHERE id = ${id} AND tenant_id = ${tenant_id} AND deleted_at IS NULL`.pipe(Effect.orDie)
            : []
          if (row === undefined) return yield* new SchemaNotFound()
          return { ...row, is_template: false, created_at: toInstant(row.created_at) }
        }),

        list: Effect.fn("Schemas.list")(function*({ cursor, limit }) {
          const { tenant_id } = yield* CurrentTenant
          const shown = shipped.findIndex(({ id }) => id === cursor)
          const own = shown >= 0
            ? []
            : yield* sql<Omit<Row, "json_schema" | "created_at">>`
              SELECT id, name, description FROM footnote.schemas
              WHERE tenant_id = ${tenant_id} AND deleted_at IS NULL ${
              cursor === undefined ? sql`` : sql`AND id < ${cursor}`
            }
              ORDER BY id DESC LIMIT ${limit + 1}`.pipe(Effect.orDie)
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
            ? yield* sql<{ deleted_at: Date }>`
              UPDATE footnote.schemas SET deleted_at = coalesce(deleted_at, date_trunc('milliseconds', now()))
              WHERE id = ${id} AND tenant_id = ${tenant_id} RETURNING deleted_at`.pipe(Effect.orDie)
            : []
          if (row === undefined) return yield* new SchemaNotFound()
          return { id, deleted_at: toInstant(row.deleted_at) }
        })
      })
    })
  )
}
