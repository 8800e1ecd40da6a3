import { assert, it } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { Statement } from "effect/sql"
import { TenantSql } from "../../src/database/TenantSql.ts"
import * as TestDatabase from "../support/TestDatabase.ts"
import * as Server from "../support/TestServer.ts"
import { isolationSuite } from "./isolationSuite.ts"

/**
 * Takes the first wall away: in every statement that answers a tenant, `tenant_id = $n` becomes a comparison that holds for
 * every row. What is still kept apart is kept apart by PostgreSQL.
 */
let forgotten = 0

const careless: Statement.Transformer = (statement, sql) =>
  Effect.sync(() => {
    const segments = statement.segments.map((segment) => {
      if (segment._tag !== "Literal" || !segment.value.endsWith("tenant_id = ")) return segment
      forgotten++
      return Statement.literal(segment.value.replace(/tenant_id = $/u, "tenant_id <> '-' || "), segment.params)
    })
    return sql`${Statement.fragment(segments)}`
  })

const Careless = Layer.effect(
  TenantSql,
  Effect.map(TenantSql, ({ inTenant, sql }) =>
    TenantSql.of({
      sql,
      inTenant: (tenant_id) => (work) =>
        Effect.provideService(inTenant(tenant_id)(work), Statement.CurrentTransformer, careless)
    }))
).pipe(Layer.provideMerge(TestDatabase.layer))

isolationSuite("tenant isolation by row security alone, every tenant_id = … forgotten", Server.layerOn(Careless))

it("really was row security alone: hundreds of statements went without their condition", () => {
  assert.isAbove(forgotten, 500)
})
