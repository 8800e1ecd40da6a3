import { Clock, Effect } from "effect"
import { createHash, createPublicKey, randomUUID } from "node:crypto"
import { openRsaKey, signJwt } from "../../crypto/RsaKey.ts"
import type { Answer, Egress } from "../../egress/Egress.ts"
import type { SnowflakeConfig } from "../model/DestinationConfig.ts"
import type { Connector, DeliveryPayload, Health, Outcome } from "./content/Connector.ts"
import * as Outcomes from "./DeliveryOutcome.ts"
import {
  createStatement,
  growStatement,
  mergeStatement,
  rehearsalStatement,
  requestId,
  schemaStatement,
  type Statement,
  tableColumnsStatement
} from "./SnowflakeStatement.ts"
import type { VendorAddresses } from "./VendorAddresses.ts"

/** A warehouse that sleeps takes seconds to wake. */
const statementSeconds = 30
const requestSeconds = 40
const pollMillis = 1000
const mostPolls = 10
const tokenSeconds = 600

/** An object that is not there, or not for this role. */
const noSuchObject = "002003"
/** A column that the table does not have. */
const noSuchColumn = "000904"
const notAllowed = new Set(["003001", "390201", "000606"])

const codeOf = (answer: Answer): string => {
  const code = Outcomes.jsonOf(answer)?.["code"]
  return typeof code === "string" && /^\d{1,10}$/u.test(code) ? code : ""
}

/**
 * Whether a statement was refused for what it says, by the class of its SQLSTATE (ISO/IEC 9075-2, 24.1): data (22), constraints (23),
 * syntax and access (42), a missing object (02). Any other, such as a lock (57) or a warehouse without credits, may be taken later.
 */
const isRefusal = (answer: Answer): boolean => {
  const state = Outcomes.jsonOf(answer)?.["sqlState"]
  return typeof state !== "string" || /^(?:02|22|23|42)/u.test(state)
}

type KeyPair = Extract<SnowflakeConfig, { readonly private_key: string }>

/**
 * The token of key-pair authentication: the account's name without its region, the user, and the fingerprint of the public
 * key, as Snowflake's own client writes them.
 */
const snowflakeJwt = Effect.fnUntraced(function*({ account, private_key, user }: KeyPair) {
  const key = yield* openRsaKey(private_key)
  const der = createPublicKey(key).export({ type: "spki", format: "der" })
  const fingerprint = createHash("sha256").update(der).digest("base64")
  const sub = `${account.split(".")[0]!.toUpperCase()}.${user.toUpperCase()}`
  const iat = Math.floor((yield* Clock.currentTimeMillis) / 1000)
  return yield* signJwt({ iss: `${sub}.SHA256:${fingerprint}`, sub, iat, exp: iat + tokenSeconds }, key)
})

/** By https://docs.snowflake.com/en/developer-guide/sql-api/authenticating. */
const headersOf = (config: SnowflakeConfig) =>
  Effect.map(
    "token" in config ? Effect.succeed(config.token) : snowflakeJwt(config),
    (token) => ({
      authorization: `Bearer ${token}`,
      "x-snowflake-authorization-token-type": "token" in config ? "PROGRAMMATIC_ACCESS_TOKEN" : "KEYPAIR_JWT",
      accept: "application/json"
    })
  )

/** What Snowflake says is wrong with a statement, in which every value is a bind. */
const errorOf = (answer: Answer): string => {
  const code = codeOf(answer)
  const error = `answered ${answer.status_code}${code === "" ? "" : ` (${code})`}`
  const message = Outcomes.jsonOf(answer)?.["message"]
  return answer.status_code === 422 && typeof message === "string" ? `${error}: ${Outcomes.quotable(message)}` : error
}

/** The first cells of the rows that a query answered. */
const firstCells = (answer: Answer): ReadonlyArray<string> => {
  const data = Outcomes.jsonOf(answer)?.["data"]
  return (Array.isArray(data) ? data : []).flatMap((row: unknown) =>
    Array.isArray(row) && typeof row[0] === "string" ? [row[0]] : []
  )
}

/** What an answer means; undefined where the statement has run. */
const trouble = (answer: Answer): Outcome | undefined => {
  if (answer.status_code === 200) {
    return Outcomes.jsonOf(answer) === undefined ? Outcomes.ambiguous("answered no JSON", answer) : undefined
  }
  if (answer.status_code === 202) return Outcomes.ambiguous("still at work", answer)
  const code = codeOf(answer)
  const error = errorOf(answer)
  if (answer.status_code === 422) {
    if (code === noSuchObject || notAllowed.has(code)) return Outcomes.authBroken(error, answer)
    return isRefusal(answer) ? Outcomes.rejected(error, answer) : Outcomes.ambiguous(error, answer)
  }
  return { ...Outcomes.ofStatus(answer), error }
}

const willGrow =
  "the table lacks columns of this destination: the next delivery adds them, for which the role needs OWNERSHIP of the table"
const willCreate =
  "there is no such table: the first delivery makes it, for which the role needs CREATE TABLE on the schema"

/** What a check says of a table that the next delivery makes as it has to be: not true of it any more once that has arrived. */
export const untilDelivered: ReadonlySet<string> = new Set([willGrow, willCreate])

/** The statement itself was refused: for a right, or for a name that is nobody's or not this role's. */
const refusedFor = ({ error, status_code }: Outcome): Health =>
  Outcomes.unhealthy(
    error?.includes("(003001)") === true ? "auth_failed" : "invalid_config",
    true,
    { status_code },
    error
  )

/**
 * A row for each job by one `MERGE` over the SQL API, under a request id that the attempts of a delivery share until its owner has it begun again. A table
 * that is missing is created once, and columns that it lacks are added. Running it again after an attempt in doubt changes nothing.
 */
export const makeSnowflake = (egress: Egress["Service"], addresses: VendorAddresses): Connector<"snowflake"> => {
  // A host has no underscores; Snowflake answers to the name with hyphens.
  const baseOf = ({ account }: SnowflakeConfig) =>
    addresses.snowflake || `https://${account.toLowerCase().replaceAll("_", "-")}.snowflakecomputing.com`

  const run = Effect.fnUntraced(
    function*(config: SnowflakeConfig, request: string, again: boolean, statement: Statement) {
      let answer = yield* egress.send({
        method: "POST",
        url: `${baseOf(config)}/api/v2/statements?${new URLSearchParams({
          requestId: request,
          ...(again ? { retry: "true" } : {})
        })}`,
        headers: { ...(yield* headersOf(config)), "content-type": "application/json" },
        body: JSON.stringify({
          ...statement,
          timeout: statementSeconds,
          database: config.database,
          schema: config.schema,
          warehouse: config.warehouse,
          ...(config.role === undefined ? {} : { role: config.role })
        }),
        seconds: requestSeconds
      })
      for (let poll = 0; answer.status_code === 202 && poll < mostPolls; poll++) {
        const handle = Outcomes.jsonOf(answer)?.["statementHandle"]
        if (typeof handle !== "string" || !/^[\w-]{1,100}$/u.test(handle)) break
        yield* Effect.sleep(pollMillis)
        answer = yield* egress.send({
          method: "GET",
          url: `${baseOf(config)}/api/v2/statements/${handle}`,
          headers: yield* headersOf(config)
        })
      }
      return answer
    }
  )

  /** The columns that the table lacks are added; of two that do it at once one is refused, and finds them there. */
  const grow = Effect.fnUntraced(function*(config: SnowflakeConfig, delivery_id: string) {
    const there = yield* run(config, randomUUID(), false, tableColumnsStatement(config))
    const failed = trouble(there)
    if (failed !== undefined) return failed
    const statement = growStatement(config, new Set(firstCells(there)))
    return statement === undefined
      ? undefined
      : trouble(yield* run(config, requestId(delivery_id, statement.statement), false, statement))
  })

  const again = Effect.fnUntraced(function*(config: SnowflakeConfig, payload: DeliveryPayload, purpose: string) {
    const request = requestId(payload.delivery_id, purpose)
    const answer = yield* run(config, request, false, mergeStatement(config, payload))
    return trouble(answer) ?? Outcomes.delivered(answer)
  })

  return {
    deliver: Effect.fnUntraced(
      function*({ config }, payload, attempt) {
        const { begun_after, number } = attempt
        // Snowflake answers a request id that it has run as it did: begun again by its owner, maybe for a table that is empty now, it runs.
        const request = requestId(
          payload.delivery_id,
          begun_after === 0 ? "merge" : `merge after attempt ${begun_after}`
        )
        const answer = yield* run(config, request, number > begun_after + 1, mergeStatement(config, payload))
        const failed = trouble(answer)
        if (failed === undefined) return Outcomes.delivered(answer)
        if (answer.status_code !== 422) return failed
        if (codeOf(answer) === noSuchColumn) {
          const grown = yield* grow(config, payload.delivery_id)
          const outcome = yield* again(config, payload, `merge into a grown table, attempt ${attempt.number}`)
          // Its owner has to add the column, or to let the role do it.
          return outcome.kind === "rejected" && grown !== undefined
            ? { ...grown, kind: "auth_broken" as const }
            : outcome
        }
        if (codeOf(answer) !== noSuchObject) return failed
        const created = trouble(
          yield* run(config, requestId(payload.delivery_id, "create"), false, createStatement(config))
        )
        // Refused too: the schema is missing, or the role may not.
        if (created !== undefined) return created.kind === "rejected" ? failed : created
        return yield* again(config, payload, "merge into a new table")
      },
      Effect.catch((error) => Effect.succeed(Outcomes.ofUnsent(error)))
    ),
    check: Effect.fnUntraced(
      function*({ config }) {
        const answer = yield* run(config, randomUUID(), false, rehearsalStatement(config))
        const failed = trouble(answer)
        if (failed === undefined) return Outcomes.healthy(answer)
        if (answer.status_code !== 422) return Outcomes.unhealthyStatus(answer, errorOf(answer))
        if (codeOf(answer) === noSuchColumn) return Outcomes.healthy(answer, willGrow)
        if (codeOf(answer) !== noSuchObject) return refusedFor(failed)
        const schema = yield* run(config, randomUUID(), false, schemaStatement(config))
        if (trouble(schema) !== undefined) return refusedFor(failed)
        return firstCells(schema).includes(config.schema) ? Outcomes.healthy(schema, willCreate) : refusedFor(failed)
      },
      Effect.catch((error) => Effect.succeed(Outcomes.unhealthyUnsent(error)))
    )
  }
}
