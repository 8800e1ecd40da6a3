import assert from "node:assert/strict"
import { createHash, createPublicKey } from "node:crypto"
import type { Call, FakeVendor, Intent } from "./FakeHttp.ts"
import { verifiedClaims } from "./FakeSheets.ts"

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/u
const identifier = `"[A-Za-z_][A-Za-z0-9_$]{0,254}"`
const table = `${identifier}\\.${identifier}\\.${identifier}`

/**
 * The SQL API of one account with one table, which holds a row for each `JOB_ID`. A request id that has run already is not
 * run again. With `missing` the table has to be created first; with `slow` a statement is answered after a poll.
 */
export const fakeSnowflake = (options: {
  readonly account: string
  readonly user: string
  readonly private_key: string
  readonly missing?: boolean
  readonly slow?: boolean
}) => {
  const rows = new Map<string, Readonly<Record<string, string | null>>>()
  const runs = new Map<string, number>()
  const created: Array<string> = []
  let exists = options.missing !== true
  let handle = 0

  const authorised = (call: Call) => {
    assert.equal(call.headers["x-snowflake-authorization-token-type"], "KEYPAIR_JWT")
    assert.match(call.headers["user-agent"] ?? "", /^Footnote\//u)
    assert.equal(call.headers.accept, "application/json")
    const claims = verifiedClaims(call.headers.authorization!.replace(/^Bearer /u, ""), options.private_key)
    const der = createPublicKey(options.private_key).export({ type: "spki", format: "der" })
    const subject = `${options.account.split(".")[0]!.toUpperCase()}.${options.user.toUpperCase()}`
    assert.equal(claims["sub"], subject)
    assert.equal(claims["iss"], `${subject}.SHA256:${createHash("sha256").update(der).digest("base64")}`)
    assert.ok(claims["exp"] - claims["iat"] <= 3600)
  }

  const done = { status: 200, json: { code: "090001", message: "Statement executed successfully.", data: [["1"]] } }

  const merge = (requestId: string, body: any): Intent => {
    const form = new RegExp(
      `^MERGE INTO ${table} AS t USING \\(SELECT (.+)\\) AS s ON t\\."JOB_ID" = s\\."JOB_ID" WHEN MATCHED THEN UPDATE SET .+ WHEN NOT MATCHED THEN INSERT \\(.+\\) VALUES \\(.+\\)$`,
      "u"
    ).exec(body.statement)
    assert.ok(form !== null, "the statement")
    const columns = [
      ...form[1]!.matchAll(new RegExp(`(?:\\?|PARSE_JSON\\(\\?\\)|\\?::[A-Z_]+) AS (${identifier})(?:, |$)`, "gu"))
    ]
    assert.equal(columns.map(([whole]) => whole).join(""), form[1], "nothing but binds")
    assert.deepEqual(Object.keys(body.bindings), columns.map((_, at) => String(at + 1)))
    const row = Object.fromEntries(columns.map(([whole, name], at) => {
      const { type, value } = body.bindings[String(at + 1)]
      assert.equal(type, "TEXT")
      if (value !== null && whole.startsWith("PARSE_JSON")) JSON.parse(value)
      assert.ok(value === null || !/\0|\\u0000/u.test(value), "U+0000")
      return [name!.slice(1, -1), value]
    }))
    if (!exists) {
      return { reply: { status: 422, json: { code: "002003", sqlState: "42S02", message: "does not exist" } } }
    }
    return {
      commit: () => {
        runs.set(requestId, (runs.get(requestId) ?? 0) + 1)
        rows.set(row["JOB_ID"]!, row)
      },
      reply: options.slow === true
        ? { status: 202, json: { code: "333334", statementHandle: `h-${++handle}` } }
        : done
    }
  }

  const statement = (call: Call): Intent => {
    const requestId = call.query.get("requestId")!
    assert.match(requestId, uuid)
    const body = JSON.parse(call.body)
    assert.equal(body.parameters?.MULTI_STATEMENT_COUNT ?? 1, 1)
    for (const name of ["warehouse", "database", "schema"]) assert.match(body[name], /^[A-Za-z_][A-Za-z0-9_$]*$/u)
    if (call.query.get("retry") === "true" && runs.has(requestId)) return { reply: done }
    if (body.statement.startsWith("MERGE ")) return merge(requestId, body)
    if (body.statement.startsWith("CREATE TABLE IF NOT EXISTS ")) {
      return {
        commit: () => {
          exists = true
          created.push(body.statement)
        },
        reply: done
      }
    }
    assert.equal(body.statement, "SELECT CURRENT_ROLE(), CURRENT_WAREHOUSE()")
    return { reply: done }
  }

  const vendor: FakeVendor = {
    prefix: "/snowflake",
    key: () => "",
    answer: (call) => {
      authorised(call)
      if (call.method === "POST" && call.path === "/api/v2/statements") return statement(call)
      assert.match(`${call.method} ${call.path}`, /^GET \/api\/v2\/statements\/h-\d+$/u)
      return { reply: done }
    },
    tooMany: { status: 429, json: { code: "390000", message: "Too many requests" } }
  }
  return { vendor, rows, created }
}
