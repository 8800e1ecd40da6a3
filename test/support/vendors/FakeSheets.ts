import assert from "node:assert/strict"
import { createPublicKey, verify } from "node:crypto"
import type { Call, FakeVendor, Intent } from "./FakeHttp.ts"

/** The claims of a token that this key signed; throws for any other. */
export const verifiedClaims = (jwt: string, privateKeyPem: string): Record<string, any> => {
  const [head, claims, signature] = jwt.split(".") as [string, string, string]
  assert.deepEqual(JSON.parse(Buffer.from(head, "base64url").toString()), { alg: "RS256", typ: "JWT" })
  const good = verify(
    "RSA-SHA256",
    Buffer.from(`${head}.${claims}`),
    createPublicKey(privateKeyPem),
    Buffer.from(signature, "base64url")
  )
  assert.ok(good, "the signature")
  return JSON.parse(Buffer.from(claims, "base64url").toString())
}

/**
 * Google's token address for one service account: a signed assertion for a token, an hour at most
 * (https://developers.google.com/identity/protocols/oauth2/service-account).
 */
export const fakeGoogleToken = (options: { readonly client_email: string; readonly private_key: string }) => {
  let count = 0
  const vendor: FakeVendor = {
    prefix: "/google",
    key: () => "",
    answer: (call) => {
      assert.equal(`${call.method} ${call.path}`, "POST /token")
      assert.equal(call.headers["content-type"], "application/x-www-form-urlencoded")
      const form = new URLSearchParams(call.body)
      assert.equal(form.get("grant_type"), "urn:ietf:params:oauth:grant-type:jwt-bearer")
      const claims = verifiedClaims(form.get("assertion")!, options.private_key)
      assert.equal(claims["iss"], options.client_email)
      assert.equal(claims["scope"], "https://www.googleapis.com/auth/spreadsheets")
      assert.match(claims["aud"], /\/token$/u)
      assert.ok(claims["exp"] - claims["iat"] <= 3600)
      return {
        commit: () => count++,
        reply: { status: 200, json: { access_token: "ya29.fake", token_type: "Bearer", expires_in: 3600 } }
      }
    },
    tooMany: { status: 429, json: { error: "rate_limited" } }
  }
  return { vendor, issued: () => count }
}

interface SheetRowKept {
  readonly delivery_id: string
  readonly cells: ReadonlyArray<any>
}

const allowed = new Set(["stringValue", "numberValue", "boolValue"])
const formats = new Set(["DATE", "DATE_TIME"])

const badRequest = (message: string) =>
  ({ status: 400, json: { error: { code: 400, status: "INVALID_ARGUMENT", message } } }) as const

const known = new Set([
  "createDeveloperMetadata",
  "appendDimension",
  "updateCells",
  "appendCells",
  "deleteDeveloperMetadata"
])

const nothing = (_batch: any): boolean => false

/**
 * What a cell may be: https://developers.google.com/sheets/api/reference/rest/v4/spreadsheets/cells (a value, its format, a
 * note; dates as serial numbers) and https://developers.google.com/sheets/api/guides/formats. 50,000 characters of a cell:
 * https://support.google.com/drive/answer/37603.
 */
const checkCell = (cell: any) => {
  assert.ok(Object.keys(cell).every((key) => ["userEnteredValue", "userEnteredFormat", "note"].includes(key)))
  const value = cell.userEnteredValue
  if (cell.userEnteredFormat !== undefined) {
    assert.ok(formats.has(cell.userEnteredFormat.numberFormat.type) && typeof value.numberValue === "number")
  }
  if (value === undefined) return
  assert.ok(Object.keys(value).length === 1 && allowed.has(Object.keys(value)[0]!), "values only, no formula")
  if ("stringValue" in value) assert.ok(value.stringValue.length <= 50_000 && !value.stringValue.includes("\0"))
}

/**
 * One spreadsheet. A batch is applied as a whole, and a mark that is there already refuses it
 * (https://developers.google.com/sheets/api/reference/rest/v4/spreadsheets/batchUpdate). What is written beyond a sheet's
 * columns refuses it too; a new sheet has 26.
 */
export const fakeSheets = (options: {
  readonly spreadsheet_id: string
  readonly sheets: Readonly<Record<string, number>>
  readonly first_row?: ReadonlyArray<string>
}) => {
  const rows: Array<SheetRowKept> = []
  const marks = new Map<number, string>()
  const firstRow = [...options.first_row ?? []]
  let columns = 26
  let refuses = nothing
  const batchUpdate = (call: Call): Intent => {
    const batch = JSON.parse(call.body)
    for (const request of batch.requests) {
      assert.ok(Object.keys(request).length === 1 && known.has(Object.keys(request)[0]!))
    }
    const of = (name: string) => batch.requests.flatMap((request: any) => request[name] ?? [])
    const [{ developerMetadata: { location, metadataId, metadataValue, visibility } }] = of("createDeveloperMetadata")
    const [appendCells, ...more] = of("appendCells")
    assert.equal(more.length, 0)
    assert.ok(Number.isInteger(metadataId) && metadataId >= 1 && metadataId < 2 ** 31)
    assert.equal(visibility, "DOCUMENT")
    assert.ok(Object.values(options.sheets).includes(location.sheetId) && appendCells.sheetId === location.sheetId)
    assert.equal(appendCells.fields, "userEnteredValue,userEnteredFormat.numberFormat,note")
    assert.equal(appendCells.rows.length, 1)
    for (const cell of appendCells.rows[0].values) checkCell(cell)
    const [updateCells] = of("updateCells")
    if (updateCells !== undefined) {
      assert.equal(updateCells.fields, "userEnteredValue")
      assert.equal(updateCells.start.rowIndex, 0)
      for (const cell of updateCells.rows[0].values) checkCell(cell)
    }
    const [appendDimension] = of("appendDimension")
    const room = columns + (appendDimension?.length ?? 0)
    const widest = Math.max(
      appendCells.rows[0].values.length,
      updateCells === undefined ? 0 : updateCells.start.columnIndex + updateCells.rows[0].values.length
    )
    const gone = new Set(
      of("deleteDeveloperMetadata").map(({ dataFilter }: any) => dataFilter.developerMetadataLookup.metadataValue)
    )
    return {
      commit: () => {
        if (marks.has(metadataId) || widest > room || refuses(batch)) return
        marks.set(metadataId, metadataValue)
        columns = room
        for (const [at, cell] of updateCells?.rows[0].values.entries() ?? []) {
          firstRow[updateCells.start.columnIndex + at] = cell.userEnteredValue.stringValue
        }
        rows.push({ delivery_id: metadataValue, cells: appendCells.rows[0].values })
        for (const [id, value] of marks) if (gone.has(value)) marks.delete(id)
      },
      reply: () =>
        rows.at(-1)?.delivery_id === metadataValue && marks.get(metadataId) === metadataValue
          ? { status: 200, json: { spreadsheetId: options.spreadsheet_id, replies: [{}, {}] } }
          : badRequest(widest > room ? "Range exceeds grid limits" : "invalid")
    }
  }
  const answer = (call: Call): Intent => {
    if (call.headers.authorization !== "Bearer ya29.fake") {
      return { reply: { status: 401, json: { error: { status: "UNAUTHENTICATED" } } } }
    }
    const base = `/spreadsheets/${options.spreadsheet_id}`
    if (call.method === "POST" && call.path === `${base}:batchUpdate`) {
      // Whether a mark is there is decided before the batch changes it.
      const { metadataId } = JSON.parse(call.body).requests[0].createDeveloperMetadata.developerMetadata
      const intent = batchUpdate(call)
      return marks.has(metadataId)
        ? { reply: { status: 400, json: { error: { code: 400, status: "INVALID_ARGUMENT", message: "in use" } } } }
        : intent
    }
    if (call.method === "GET" && call.path === base) {
      assert.equal(
        call.query.get("fields"),
        "spreadsheetId,sheets.properties(sheetId,title,gridProperties.columnCount)"
      )
      const sheets = Object.entries(options.sheets).map(([title, sheetId]) => ({
        properties: { ...(sheetId === 0 ? {} : { sheetId }), title, gridProperties: { columnCount: columns } }
      }))
      return { reply: { status: 200, json: { spreadsheetId: options.spreadsheet_id, sheets } } }
    }
    // https://developers.google.com/sheets/api/reference/rest/v4/spreadsheets.values/get: no values where all are empty.
    const range = decodeURIComponent(call.path).match(/\/values\/'(.+)'!1:1$/u)
    if (call.method === "GET" && call.path.startsWith(base) && range !== null) {
      if (!(range[1]!.replaceAll("''", "'") in options.sheets)) return { reply: badRequest("Unable to parse range") }
      const values = firstRow.length === 0 ? {} : { values: [[...firstRow]] }
      return { reply: { status: 200, json: { range: `${range[1]}!A1:Z1`, majorDimension: "ROWS", ...values } } }
    }
    const mark = /\/developerMetadata\/(\d+)$/u.exec(call.path)
    if (call.method === "GET" && call.path.startsWith(base) && mark !== null) {
      const metadataId = Number(mark[1])
      return {
        reply: () =>
          marks.has(metadataId)
            ? { status: 200, json: { metadataId, metadataValue: marks.get(metadataId) } }
            : { status: 404, json: { error: { status: "NOT_FOUND" } } }
      }
    }
    return { reply: { status: 404, json: { error: { status: "NOT_FOUND" } } } }
  }
  const vendor: FakeVendor = {
    prefix: "/v4",
    key: (call) => call.headers.authorization ?? "",
    answer,
    tooMany: { status: 429, json: { error: { status: "RESOURCE_EXHAUSTED" } } }
  }
  return {
    vendor,
    rows,
    marks,
    firstRow,
    columns: () => columns,
    /** Batches for which this is true are refused for a reason of their own. */
    refuseWhen: (rule: (batch: any) => boolean) => void (refuses = rule)
  }
}
