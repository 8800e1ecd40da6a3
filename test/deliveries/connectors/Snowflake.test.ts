import { assert, describe, it } from "@effect/vitest"
import { Context, Effect, Layer } from "effect"
import { Connectors } from "../../../src/deliveries/connectors/Connectors.ts"
import type { AttemptState } from "../../../src/deliveries/connectors/content/Connector.ts"
import {
  checkConfig,
  type DestinationTarget,
  type SnowflakeConfig
} from "../../../src/deliveries/model/DestinationConfig.ts"
import { openVendors, payloadOf } from "../../support/vendors/Vendors.ts"

const first: AttemptState = { number: 1, unsure_from: null, unsure_until: null, settled: [], begun_after: 0, others: 0 }

type Options = NonNullable<NonNullable<Parameters<typeof openVendors>[0]>["snowflake"]>

/** A destination whose names are typed so, as the API takes them. */
const account = Effect.fnUntraced(function*(
  snowflake: Options,
  typed: Readonly<Record<string, unknown>> = {},
  missing_table = false
) {
  const all = yield* Effect.acquireRelease(
    Effect.promise(() => openVendors({ snowflake, missing_table })),
    ({ close }) => Effect.promise(close)
  )
  const { check, deliver } = Context.get(yield* Layer.build(all.connectors), Connectors)
  const config = yield* checkConfig("snowflake", { ...all.target.snowflake.config, ...typed })
  const target: DestinationTarget = { type: "snowflake", secrets: [], config: config as SnowflakeConfig }
  const attempt = (number: number, state: Partial<AttemptState> = {}) =>
    deliver(target, payloadOf(number), { ...first, ...state })
  return { all, check: check(target), deliver: attempt }
})

const fixed = [
  "JOB_ID",
  "DELIVERY_ID",
  "STATUS",
  "SOURCE_URI",
  "SCHEMA_ID",
  "CREATED_AT",
  "FINISHED_AT",
  "DURATION_S",
  "RESULT",
  "EVIDENCE",
  "EVIDENCE_COUNT",
  "EVIDENCE_URL",
  "RESULT_URL"
]
const named = {
  database: "analytics",
  schema: "public",
  table: "footnote",
  columns: [{ column: "title", path: "/title" }]
}
const stored = { database: "ANALYTICS", schema: "PUBLIC", table: "FOOTNOTE" }

describe("names in Snowflake", () => {
  it.live("typed without quotes are the upper-case ones that Snowflake keeps", () =>
    Effect.gen(function*() {
      const { all, check, deliver } = yield* account({ ...stored, columns: [...fixed, "TITLE"] }, named)
      assert.deepInclude(yield* check, { ok: true, status: "ok", message: null })
      assert.strictEqual((yield* deliver(1)).kind, "delivered")
      assert.strictEqual([...all.snowflake.rows.values()][0]!["TITLE"], `"Orbits"`)
      assert.deepStrictEqual(all.violations, [])
    }).pipe(Effect.scoped))

  it.live("typed between double quotes are what they are", () =>
    Effect.gen(function*() {
      const typed = {
        database: `"My Data"`,
        schema: `"public"`,
        table: `"Jobs.2026"`,
        columns: [{ column: `"é ?"`, path: "/title" }]
      }
      const place = { database: "My Data", schema: "public", table: "Jobs.2026" }
      const { all, check, deliver } = yield* account({ ...place, columns: [...fixed, "é ?"] }, typed)
      assert.deepInclude(yield* check, { ok: true, message: null })
      assert.strictEqual((yield* deliver(1)).kind, "delivered")
      assert.strictEqual([...all.snowflake.rows.values()][0]!["é ?"], `"Orbits"`)
    }).pipe(Effect.scoped))
})

describe("the health of a Snowflake destination", () => {
  for (
    const [what, place] of [
      ["database", { ...stored, database: "OTHER" }],
      ["schema", { ...stored, schema: "OTHER" }]
    ] as const
  ) {
    it.live(`tells a ${what} that is not there`, () =>
      Effect.gen(function*() {
        const { all, check } = yield* account(place, named)
        const health = yield* check
        assert.deepInclude(health, { ok: false, final: true, status: "invalid_config" })
        assert.match(health.message!, /\(002003\): SQL compilation error: Object .* does not exist or not authorized/u)
        assert.strictEqual(all.snowflake.rows.size, 0)
      }).pipe(Effect.scoped))
  }

  it.live("says that the table is made with the first delivery where its schema is there", () =>
    Effect.gen(function*() {
      const { all, check, deliver } = yield* account(stored, named, true)
      const health = yield* check
      assert.deepInclude(health, { ok: true, status: "ok" })
      assert.match(health.message!, /first delivery makes it, for which the role needs CREATE TABLE/u)
      assert.lengthOf(all.snowflake.created, 0)
      assert.strictEqual((yield* deliver(1)).kind, "delivered")
      assert.lengthOf(all.snowflake.created, 1)
    }).pipe(Effect.scoped))

  it.live("tells a right that the role lacks, and changes nothing", () =>
    Effect.gen(function*() {
      const { all, check, deliver } = yield* account({ ...stored, rights: ["SELECT", "INSERT"] }, named)
      const health = yield* check
      assert.deepInclude(health, { ok: false, final: true, status: "auth_failed" })
      assert.match(health.message!, /Insufficient privileges to operate on table/u)
      assert.deepInclude(yield* deliver(1), { kind: "auth_broken" })
      assert.strictEqual(all.snowflake.rows.size, 0)
    }).pipe(Effect.scoped))
})

describe("a programmatic access token of Snowflake", () => {
  const place = { account: "myorg-account", warehouse: "LOAD", database: "FOOTAGE", schema: "PUBLIC", table: "JOBS" }
  const refused = (config: object) =>
    Effect.map(
      Effect.flip(checkConfig("snowflake", { ...place, ...config })),
      ({ details }) => details!.map(({ path }) => path)
    )
  const withToken = Effect.fnUntraced(function*(token: string) {
    const all = yield* Effect.acquireRelease(
      Effect.promise(() => openVendors({ snowflake: { token: "pat-1" } })),
      ({ close }) => Effect.promise(close)
    )
    const { check, deliver } = Context.get(yield* Layer.build(all.connectors), Connectors)
    const config = yield* checkConfig("snowflake", { ...place, token })
    const to: DestinationTarget = { type: "snowflake", secrets: [], config: config as SnowflakeConfig }
    return { all, check: check(to), deliver: deliver(to, payloadOf(1), first) }
  })

  it.live("takes the place of user and key", () =>
    Effect.gen(function*() {
      const { all, check, deliver } = yield* withToken("pat-1")
      assert.deepInclude(yield* check, { ok: true, status: "ok" })
      assert.strictEqual((yield* deliver).kind, "delivered")
      assert.strictEqual(all.snowflake.rows.size, 1)
      assert.deepStrictEqual(all.violations, [])
    }).pipe(Effect.scoped))

  it.live("that is over or another's is for its owner to mend, and is quoted nowhere", () =>
    Effect.gen(function*() {
      const { check, deliver } = yield* withToken("pat-2")
      const health = yield* check
      assert.deepInclude(health, { ok: false, final: true, status: "auth_failed" })
      const outcome = yield* deliver
      assert.deepInclude(outcome, { kind: "auth_broken" })
      assert.notInclude(JSON.stringify([health, outcome]), "pat-2")
    }).pipe(Effect.scoped))

  it.effect("stands alone, and so does a key with its user", () =>
    Effect.gen(function*() {
      assert.deepStrictEqual(yield* refused({}), ["/config/user", "/config/private_key"])
      assert.deepStrictEqual(yield* refused({ token: "pat-1", user: "loader" }), ["/config/user"])
      const both = yield* refused({ token: "pat-1", user: "loader", private_key: "x" })
      assert.deepStrictEqual(both.toSorted(), ["/config/private_key", "/config/token"])
      assert.deepStrictEqual(yield* refused({ user: "loader" }), ["/config/private_key"])
      assert.deepStrictEqual(yield* refused({ token: "a b" }), ["/config/token"])
    }))
})

describe("a table in Snowflake that lacks columns of its destination", () => {
  it.live("is given them by the same attempt", () =>
    Effect.gen(function*() {
      const { all, check, deliver } = yield* account({ ...stored, columns: fixed }, named)
      assert.match((yield* check).message!, /lacks columns/u)
      assert.strictEqual((yield* deliver(1)).kind, "delivered")
      assert.strictEqual((yield* deliver(2)).kind, "delivered")
      assert.deepStrictEqual(all.snowflake.altered, [
        `ALTER TABLE "ANALYTICS"."PUBLIC"."FOOTNOTE" ADD COLUMN "TITLE" VARIANT`
      ])
      assert.strictEqual(all.snowflake.rows.size, 2)
    }).pipe(Effect.scoped))

  it.live("that the role may not alter is for its owner to mend", () =>
    Effect.gen(function*() {
      const { deliver } = yield* account(
        { ...stored, columns: fixed, rights: ["SELECT", "INSERT", "UPDATE"] },
        named
      )
      const outcome = yield* deliver(1)
      assert.deepInclude(outcome, { kind: "auth_broken" })
      assert.match(outcome.error!, /\(003001\)/u)
    }).pipe(Effect.scoped))
})

describe("a delivery to Snowflake", () => {
  it.live("that its owner has begun again writes its row anew, whatever answered its request before", () =>
    Effect.gen(function*() {
      const { all, deliver } = yield* account({})
      assert.strictEqual((yield* deliver(1)).kind, "delivered")
      all.snowflake.rows.clear()
      assert.strictEqual((yield* deliver(1, { number: 2, begun_after: 1 })).kind, "delivered")
      assert.strictEqual(all.snowflake.rows.size, 1)
    }).pipe(Effect.scoped))

  it.live("is given up for what its row holds, and tried again after what passes", () =>
    Effect.gen(function*() {
      const { all, deliver } = yield* account({})
      all.snowflake.fail(["100078", "22000", "String is too long and would be truncated"])
      assert.strictEqual((yield* deliver(1)).kind, "rejected")
      all.snowflake.fail(["000625", "57014", "Statement was locked out by another transaction"])
      assert.strictEqual((yield* deliver(1)).kind, "ambiguous")
      all.snowflake.fail(undefined)
      assert.strictEqual((yield* deliver(1, { number: 3 })).kind, "delivered")
    }).pipe(Effect.scoped))
})
