import assert from "node:assert/strict"
import { createHash, createPublicKey } from "node:crypto"
import type { Call, FakeVendor, Intent } from "./FakeHttp.ts"
import { verifiedClaims } from "./FakeSheets.ts"

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/u
/** https://docs.snowflake.com/en/sql-reference/identifiers-syntax: between double quotes a name is what it is. */
const identifier = `"[^"]{1,255}"`
const table = `(${identifier}\\.${identifier}\\.${identifier})`

/** What a statement of the SQL API is refused with: 422, a code and a SQL state. */
const refused = (code: string, sqlState: string, message: string) =>
  ({ status: 422, json: { code, sqlState, message } }) as const

const answered = (data: ReadonlyArray<ReadonlyArray<string>>) =>
  ({ status: 200, json: { code: "090001", message: "Statement executed successfully.", data } }) as const

const missing = (name: string) =>
  refused("002003", "42S02", `SQL compilation error: Object '${name}' does not exist or not authorized.`)
const forbidden = (what: string) =>
  refused("003001", "42501", `SQL access control error: Insufficient privileges to operate on ${what}`)

/**
 * The SQL API of one account (https://docs.snowflake.com/en/developer-guide/sql-api/reference) with one table, which holds a
 * row for each `JOB_ID`. A request id that has run already is not run again. Names are compared as they are stored
 * (https://docs.snowflake.com/en/sql-reference/identifiers-syntax); what is not there and what the role may not see are one
 * error. Writing needs SELECT, INSERT and UPDATE on the table, adding columns its OWNERSHIP
 * (https://docs.snowflake.com/en/sql-reference/sql/alter-table), making it CREATE TABLE on the schema
 * (https://docs.snowflake.com/en/user-guide/security-access-control-privileges). With `missing` the table has to be created
 * first; with `slow` a statement is answered after a poll.
 */
export const fakeSnowflake = (options: {
  readonly account: string
  readonly user: string
  readonly private_key: string
  /** Taken in place of what the key signs: https://docs.snowflake.com/en/user-guide/programmatic-access-tokens. */
  readonly token?: string
  readonly missing?: boolean
  readonly slow?: boolean
  readonly database?: string
  readonly schema?: string
  readonly table?: string
  /** Those that the table has; by default it has every column that is asked of it. */
  readonly columns?: ReadonlyArray<string>
  readonly rights?: ReadonlyArray<"SELECT" | "INSERT" | "UPDATE" | "OWNERSHIP" | "CREATE TABLE">
}) => {
  const { database = "FOOTAGE", schema = "PUBLIC" } = options
  const place = `"${database}"."${schema}"."${options.table ?? "JOBS"}"`
  const rights = new Set<string>(options.rights ?? ["OWNERSHIP", "CREATE TABLE"])
  const may = (...needed: ReadonlyArray<string>) =>
    needed.every((right) => rights.has(right) || (right !== "CREATE TABLE" && rights.has("OWNERSHIP")))
  const rows = new Map<string, Readonly<Record<string, string | null>>>()
  const runs = new Map<string, number>()
  const created: Array<string> = []
  const altered: Array<string> = []
  const columns = options.columns === undefined ? undefined : new Set(options.columns)
  let exists = options.missing !== true
  let handle = 0

  const authorised = (call: Call) => {
    const kind = call.headers["x-snowflake-authorization-token-type"]
    const bearer = call.headers.authorization!.replace(/^Bearer /u, "")
    assert.match(call.headers["user-agent"] ?? "", /^Footnote\//u)
    assert.equal(call.headers.accept, "application/json")
    if (kind === "PROGRAMMATIC_ACCESS_TOKEN") return bearer === options.token
    assert.equal(kind, "KEYPAIR_JWT")
    const claims = verifiedClaims(bearer, options.private_key)
    const der = createPublicKey(options.private_key).export({ type: "spki", format: "der" })
    const subject = `${options.account.split(".")[0]!.toUpperCase()}.${options.user.toUpperCase()}`
    assert.equal(claims["sub"], subject)
    assert.equal(claims["iss"], `${subject}.SHA256:${createHash("sha256").update(der).digest("base64")}`)
    assert.ok(claims["exp"] - claims["iat"] <= 3600)
    return true
  }

  const done = answered([["1"]])
  let failing: readonly [code: string, state: string, message: string] | undefined

  const merge = (requestId: string, body: any): Intent => {
    const form = new RegExp(
      `^MERGE INTO ${table} AS t USING \\((?:SELECT \\* FROM \\(SELECT (.+)\\) WHERE FALSE|SELECT (.+))\\) AS s ON t\\."JOB_ID" = s\\."JOB_ID" WHEN MATCHED THEN UPDATE SET .+ WHEN NOT MATCHED THEN INSERT \\(.+\\) VALUES \\(.+\\)$`,
      "u"
    ).exec(body.statement)
    assert.ok(form !== null, "the statement")
    const selected = form[2] ?? form[3]!
    const named = [
      ...selected.matchAll(new RegExp(`(?:\\?|PARSE_JSON\\(\\?\\)|\\?::[A-Z_]+) AS (${identifier})(?:, |$)`, "gu"))
    ]
    assert.equal(named.map(([whole]) => whole).join(""), selected, "nothing but binds")
    assert.deepEqual(Object.keys(body.bindings), named.map((_, at) => String(at + 1)))
    const row = Object.fromEntries(named.map(([whole, name], at) => {
      const { type, value } = body.bindings[String(at + 1)]
      assert.equal(type, "TEXT")
      if (value !== null && whole.startsWith("PARSE_JSON")) JSON.parse(value)
      assert.ok(value === null || !/\0|\\u0000/u.test(value), "U+0000")
      return [name!.slice(1, -1), value]
    }))
    if (!exists || form[1] !== place || rights.size === 0) return { reply: missing(form[1]!.replaceAll(`"`, "")) }
    if (!may("SELECT", "INSERT", "UPDATE")) return { reply: forbidden("table 'JOBS'") }
    const unknown = columns && Object.keys(row).find((name) => !columns.has(name))
    if (unknown !== undefined) {
      return { reply: refused("000904", "42000", `SQL compilation error: invalid identifier '"${unknown}"'`) }
    }
    if (form[2] !== undefined) return { reply: answered([["0", "0"]]) }
    if (failing !== undefined) return { reply: refused(...failing) }
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

  const create = ({ statement }: any): Intent => {
    const [, named] = new RegExp(`^CREATE TABLE IF NOT EXISTS ${table} \\(`, "u").exec(statement)!
    if (!named!.startsWith(`"${database}"."${schema}".`)) return { reply: missing(named!.replaceAll(`"`, "")) }
    if (!may("CREATE TABLE")) return { reply: forbidden("schema 'PUBLIC'") }
    return {
      commit: () => {
        exists = true
        created.push(statement)
      },
      reply: done
    }
  }

  const alter = ({ statement }: any): Intent => {
    const [, , added] = new RegExp(`^ALTER TABLE ${table} ADD COLUMN (.+)$`, "u").exec(statement)!
    if (!may("OWNERSHIP")) return { reply: forbidden("table 'JOBS'") }
    return {
      commit: () => {
        altered.push(statement)
        for (const [, name] of added!.matchAll(/"([^"]+)" [A-Z_]+/gu)) columns!.add(name!)
      },
      reply: done
    }
  }

  const statement = (call: Call): Intent => {
    const requestId = call.query.get("requestId")!
    assert.match(requestId, uuid)
    const body = JSON.parse(call.body)
    assert.equal(body.parameters?.MULTI_STATEMENT_COUNT ?? 1, 1)
    // These fields are case-sensitive: https://docs.snowflake.com/en/developer-guide/sql-api/reference
    for (const name of ["warehouse", "database", "schema"]) assert.match(body[name], /^[^"]+$/u)
    if (call.query.get("retry") === "true" && runs.has(requestId)) return { reply: done }
    if (body.statement.startsWith("MERGE ")) return merge(requestId, body)
    if (body.statement.startsWith("CREATE TABLE IF NOT EXISTS ")) return create(body)
    if (body.statement.startsWith("ALTER TABLE ")) return alter(body)
    // https://docs.snowflake.com/en/sql-reference/info-schema: what the role may not see has no row.
    const [, from, view] = /^SELECT \w+ FROM "([^"]+)"\.INFORMATION_SCHEMA\.(SCHEMATA|COLUMNS) WHERE /u.exec(
      body.statement
    )!
    if (from !== database) {
      return { reply: refused("002003", "02000", `Database '${from}' does not exist or not authorized.`) }
    }
    const bindings = Object.values<any>(body.bindings).map(({ value }) => value)
    if (view === "SCHEMATA") return { reply: answered(bindings[0] === schema ? [[schema]] : []) }
    return { reply: answered([...columns ?? []].map((name) => [name])) }
  }

  const vendor: FakeVendor = {
    prefix: "/snowflake",
    key: () => "",
    answer: (call) => {
      if (!authorised(call)) {
        return { reply: { status: 401, json: { code: "390303", message: "Invalid OAuth access token." } } }
      }
      if (call.method === "POST" && call.path === "/api/v2/statements") return statement(call)
      assert.match(`${call.method} ${call.path}`, /^GET \/api\/v2\/statements\/h-\d+$/u)
      return { reply: done }
    },
    tooMany: { status: 429, json: { code: "390000", message: "Too many requests" } }
  }
  /** What the next merges are refused for; undefined takes them again. */
  const fail = (error: typeof failing) => void (failing = error)
  return { vendor, rows, created, altered, fail }
}
