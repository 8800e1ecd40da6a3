import { assert, describe, it } from "@effect/vitest"
import { Context, Effect, Layer } from "effect"
import { Connectors } from "../../../src/deliveries/connectors/Connectors.ts"
import type { AttemptState, DeliveryPayload } from "../../../src/deliveries/connectors/content/Connector.ts"
import type { DestinationTarget, SheetsConfig } from "../../../src/deliveries/model/DestinationConfig.ts"
import { openVendors, payloadOf } from "../../support/vendors/Vendors.ts"

const first: AttemptState = { number: 1, unsure_from: null, unsure_until: null, settled: [], begun_after: 0, others: 0 }

const spreadsheet = Effect.fnUntraced(function*(first_row: ReadonlyArray<string> = []) {
  const all = yield* Effect.acquireRelease(
    Effect.promise(() => openVendors({ first_row })),
    ({ close }) => Effect.promise(close)
  )
  const { deliver } = Context.get(yield* Layer.build(all.connectors), Connectors)
  const row = Effect.fnUntraced(function*(payload: DeliveryPayload, columns?: SheetsConfig["columns"]) {
    const config = { ...all.target.sheets.config, ...(columns === undefined ? {} : { columns }) }
    const target: DestinationTarget = { type: "sheets", secrets: [], config }
    const outcome = yield* deliver(target, payload, first)
    assert.strictEqual(outcome.kind, "delivered", JSON.stringify(outcome))
    assert.deepStrictEqual(all.violations, [])
    return all.sheets.rows.at(-1)!.cells.map((cell) => Object.values(cell.userEnteredValue ?? {})[0] ?? null)
  })
  return { all, row }
})

const columns = [{ column: "Title", path: "/title" }, { column: "Price", path: "/price" }]

describe("the first row of a sheet", () => {
  it.live("is written with the names of the columns where it is empty, once", () =>
    Effect.gen(function*() {
      const { all, row } = yield* spreadsheet()
      assert.deepStrictEqual(yield* row(payloadOf(1), columns), ["Orbits", 12.5])
      yield* row(payloadOf(2), columns)
      assert.deepStrictEqual(all.sheets.firstRow, ["Title", "Price"])
      assert.lengthOf(all.sheets.rows, 2)
    }).pipe(Effect.scoped))

  it.live("names what is always written where no columns are given, with the page and the evidence at its end", () =>
    Effect.gen(function*() {
      const { all, row } = yield* spreadsheet()
      const cells = yield* row(payloadOf(1))
      assert.deepStrictEqual(all.sheets.firstRow.slice(0, 2), ["job_id", "delivery_id"])
      assert.deepStrictEqual(all.sheets.firstRow.slice(-2), ["page_url", "evidence"])
      assert.strictEqual(cells.at(-1), "title: “Orbits” 02:14")
      assert.strictEqual(cells.at(-2), payloadOf(1).links.page)
    }).pipe(Effect.scoped))

  it.live("says where each value goes, whoever moved the columns", () =>
    Effect.gen(function*() {
      const { all, row } = yield* spreadsheet(["Checked by", "price", "", "TITLE "])
      assert.deepStrictEqual(yield* row(payloadOf(1), columns), [null, 12.5, null, "Orbits"])
      assert.deepStrictEqual(all.sheets.firstRow, ["Checked by", "price", "", "TITLE "])
    }).pipe(Effect.scoped))

  it.live("is given the names that it lacks, at its end", () =>
    Effect.gen(function*() {
      const { all, row } = yield* spreadsheet(["Title", "Notes"])
      assert.deepStrictEqual(yield* row(payloadOf(1), columns), ["Orbits", null, 12.5])
      assert.deepStrictEqual(all.sheets.firstRow, ["Title", "Notes", "Price"])
    }).pipe(Effect.scoped))

  it.live("that is no header stays as it is, and cells go from left to right", () =>
    Effect.gen(function*() {
      const { all, row } = yield* spreadsheet(["Sputnik", "3"])
      assert.deepStrictEqual(yield* row(payloadOf(1), columns), ["Orbits", 12.5])
      assert.deepStrictEqual(all.sheets.firstRow, ["Sputnik", "3"])
    }).pipe(Effect.scoped))

  it.live("grows beyond the columns that a new sheet has", () =>
    Effect.gen(function*() {
      const { all, row } = yield* spreadsheet()
      const many = Array.from({ length: 40 }, (_, at) => ({ column: `c${at}`, path: "/title" }))
      assert.lengthOf(yield* row(payloadOf(1), many), 40)
      yield* row(payloadOf(2), many)
      assert.strictEqual(all.sheets.columns(), 40)
    }).pipe(Effect.scoped))
})

describe("a cell of a sheet", () => {
  it.live("holds dates and moments as such, in UTC, and everything that only looks like one as text", () =>
    Effect.gen(function*() {
      const { all, row } = yield* spreadsheet()
      const values = [
        "2026-11-20",
        "2026-11-20T12:00:00+02:00",
        "1899-12-31",
        "2026-02-30",
        "2026-11-20 or so",
        "20/11/2026"
      ]
      const result = Object.fromEntries(values.map((value, at) => [`v${at}`, value]))
      const paths = values.map((_, at) => ({ column: `v${at}`, path: `/v${at}` }))
      const cells = yield* row(payloadOf(1, { result }), paths)
      // https://developers.google.com/sheets/api/guides/formats: days since 30 December 1899.
      assert.deepStrictEqual(cells, [46_346, 46_346 + 10 / 24, ...values.slice(2)])
      const formats = all.sheets.rows[0]!.cells.map((cell) => cell.userEnteredFormat?.numberFormat.type)
      assert.deepStrictEqual(formats, ["DATE", "DATE_TIME", undefined, undefined, undefined, undefined])
    }).pipe(Effect.scoped))

  it.live("has the words and the second of its value as its note", () =>
    Effect.gen(function*() {
      const { all, row } = yield* spreadsheet()
      yield* row(payloadOf(1), columns)
      assert.deepStrictEqual(all.sheets.rows[0]!.cells.map(({ note }) => note), ["“Orbits” 02:14", undefined])
    }).pipe(Effect.scoped))
})
