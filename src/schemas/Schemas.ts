import { PgClient } from "@effect/sql-pg"
import { Context, Effect, Layer, type Schema } from "effect"
import { isId, newId } from "../crypto/Id.ts"
import { toInstant } from "../database/Instant.ts"
import { toPage } from "../database/Page.ts"
import { CurrentTenant } from "../tenants/CurrentTenant.ts"
import { type ExtractionSchema, SchemaInvalid, SchemaNotFound, type SchemaSummary } from "./ExtractionSchema.ts"
import { inferSchema } from "./InferSchema.ts"
import { checkSchemaSafely } from "./SchemaCheck.ts"
import type { CreateSchema, DeletedSchema, InferredSchema, InferSchema, RegisteredSchema } from "./SchemaRequests.ts"
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
  readonly create: (input: CreateSchema) => Effect.Effect<RegisteredSchema, SchemaInvalid, CurrentTenant>
  /** Makes a schema that `create` accepts and every example fits; saves nothing. `SCHEMA_INVALID` over a schema's limits. */
  readonly infer: (input: InferSchema) => Effect.Effect<InferredSchema, SchemaInvalid>
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
          const { warnings } = yield* checkSchemaSafely(json_schema)
          const id = yield* newId("sch")
          const [row] = yield* sql<{ created_at: Date }>`
            INSERT INTO footnote.schemas (id, tenant_id, name, description, json_schema)
            VALUES (${id}, ${tenant_id}, ${name}, ${description}, ${JSON.stringify(json_schema)}::json)
            RETURNING created_at`.pipe(Effect.orDie)
          const created_at = toInstant(row!.created_at)
          return { id, name, description, is_template: false, json_schema, created_at, warnings }
        }),

        infer: Effect.fn("Schemas.infer")(function*({ description, examples, name }) {
          const inferred = inferSchema(examples, { title: name, description })
          if (!inferred.ok) {
            const { message, path, reason } = inferred.problem
            return yield* new SchemaInvalid({
              message: `No schema can be made from the examples: ${message}`,
              details: [{ path, message: `${reason}: ${message}` }]
            })
          }
          const { json_schema, warnings } = inferred
          const checked = yield* checkSchemaSafely(json_schema)
          const others = checked.warnings.filter(({ path }) => warnings.every((warning) => warning.path !== path))
          return { json_schema: json_schema as Schema.Json, warnings: [...warnings, ...others].slice(0, 10) }
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
