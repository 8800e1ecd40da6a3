import { Clock, Effect } from "effect"
import { createHash, createPublicKey, randomUUID } from "node:crypto"
import { openRsaKey } from "../crypto/RsaKey.ts"
import type { SnowflakeConfig } from "../destinations/DestinationConfig.ts"
import type { Answer, Egress } from "../egress/Egress.ts"
import type { Connector, Outcome } from "./Connector.ts"
import * as Outcomes from "./Outcomes.ts"
import { signJwt } from "./RsaJwt.ts"
import { createStatement, mergeStatement, requestId, type Statement } from "./SnowflakeStatement.ts"
import type { VendorAddresses } from "./VendorAddresses.ts"

/** A warehouse that sleeps takes seconds to wake. */
const statementSeconds = 30
const requestSeconds = 40
const pollMillis = 1000
const mostPolls = 10
const tokenSeconds = 600

/** An object that is not there, or not for this role. */
const noSuchObject = "002003"
const notAllowed = new Set(["003001", "390201", "000606"])

const codeOf = (answer: Answer): string => {
  const code = Outcomes.jsonOf(answer)?.["code"]
  return typeof code === "string" && /^\d{1,10}$/u.test(code) ? code : ""
}

/**
 * The token of key-pair authentication: the account's name without its region, the user, and the fingerprint of the public
 * key, as Snowflake's own client writes them.
 */
const snowflakeJwt = Effect.fnUntraced(function*(config: SnowflakeConfig) {
  const key = yield* openRsaKey(config.private_key)
  const der = createPublicKey(key).export({ type: "spki", format: "der" })
  const fingerprint = createHash("sha256").update(der).digest("base64")
  const sub = `${config.account.split(".")[0]!.toUpperCase()}.${config.user.toUpperCase()}`
  const iat = Math.floor((yield* Clock.currentTimeMillis) / 1000)
  return yield* signJwt({ iss: `${sub}.SHA256:${fingerprint}`, sub, iat, exp: iat + tokenSeconds }, key)
})

const headersOf = (config: SnowflakeConfig) =>
  Effect.map(snowflakeJwt(config), (token) => ({
    authorization: `Bearer ${token}`,
    "x-snowflake-authorization-token-type": "KEYPAIR_JWT",
    accept: "application/json"
  }))

/** What an answer means; undefined where the statement has run. */
const trouble = (answer: Answer): Outcome | undefined => {
  if (answer.status_code === 200) {
    return Outcomes.jsonOf(answer) === undefined ? Outcomes.ambiguous("answered no JSON", answer) : undefined
  }
  if (answer.status_code === 202) return Outcomes.ambiguous("still at work", answer)
  const code = codeOf(answer)
  const error = `answered ${answer.status_code}${code === "" ? "" : ` (${code})`}`
  if (answer.status_code === 422) {
    return code === noSuchObject || notAllowed.has(code)
      ? Outcomes.authBroken(error, answer)
      : Outcomes.rejected(error, answer)
  }
  return { ...Outcomes.ofStatus(answer), error }
}

/**
 * A row for each job by one `MERGE` over the SQL API, under a request id that every attempt of a delivery shares. A table
 * that is missing is created once. Running it again after an attempt in doubt changes nothing.
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

  return {
    deliver: Effect.fnUntraced(
      function*({ config }, parcel, attempt) {
        const merge = mergeStatement(config, parcel)
        const answer = yield* run(config, requestId(parcel.delivery_id, "merge"), attempt.number > 1, merge)
        const failed = trouble(answer)
        if (failed === undefined) return Outcomes.delivered(answer)
        if (answer.status_code !== 422 || codeOf(answer) !== noSuchObject) return failed
        const create = createStatement(config, parcel)
        const created = trouble(yield* run(config, requestId(parcel.delivery_id, "create"), false, create))
        // Refused too: the schema is missing, or the role may not.
        if (created !== undefined) return created.kind === "rejected" ? failed : created
        const second = yield* run(config, requestId(parcel.delivery_id, "merge into a new table"), false, merge)
        return trouble(second) ?? Outcomes.delivered(second)
      },
      Effect.catch((error) => Effect.succeed(Outcomes.ofUnsent(error)))
    ),
    check: Effect.fnUntraced(
      function*({ config }) {
        const answer = yield* run(config, randomUUID(), false, {
          statement: "SELECT CURRENT_ROLE(), CURRENT_WAREHOUSE()"
        })
        const failed = trouble(answer)
        if (failed === undefined) return Outcomes.healthy(answer)
        if (failed.kind === "auth_broken") return Outcomes.unhealthy("auth_failed", true, answer)
        return answer.status_code === 422
          ? Outcomes.unhealthy("invalid_config", true, answer)
          : Outcomes.unhealthyStatus(answer)
      },
      Effect.catch((error) => Effect.succeed(Outcomes.unhealthyUnsent(error)))
    )
  }
}
