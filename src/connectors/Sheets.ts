import { Clock, Effect } from "effect"
import type { SheetsConfig } from "../destinations/DestinationConfig.ts"
import type { Answer, Egress } from "../egress/Egress.ts"
import type { Connector, Outcome } from "./Connector.ts"
import { makeGoogleTokens } from "./GoogleToken.ts"
import * as Outcomes from "./Outcomes.ts"
import { Remembered } from "./Remembered.ts"
import { appendBatch, type Cell, fenceId, sheetRow } from "./SheetRow.ts"
import type { VendorAddresses } from "./VendorAddresses.ts"

const mostBytes = 1024 * 1024
/** A sheet's number is looked up again after this; it changes only where the sheet is made anew. */
const sheetSeconds = 600
/** Two deliveries share a 31-bit mark about once in 65,000 rows; five in a row never do. */
const mostSalts = 5

/** What an answer means; undefined where it is a success in JSON. */
const trouble = (answer: Answer): Outcome | undefined => {
  if (answer.status_code === 200) {
    return Outcomes.jsonOf(answer) === undefined ? Outcomes.ambiguous("answered no JSON", answer) : undefined
  }
  return answer.status_code === 404 ? Outcomes.authBroken("no such spreadsheet", answer) : Outcomes.ofStatus(answer)
}

const noSheet = Outcomes.authBroken("the spreadsheet has no such sheet")

/**
 * A row for each delivery, values only. Row and mark are written in one batch, so an attempt after one in doubt is refused
 * by the mark that is there already, and a look at the mark tells whose it is.
 */
export const makeSheets = (egress: Egress["Service"], addresses: VendorAddresses): Connector<"sheets"> => {
  const tokens = makeGoogleTokens(egress, addresses)
  const sheetIds = new Remembered<number>(sheetSeconds)

  const call = Effect.fnUntraced(
    function*(config: SheetsConfig, method: "GET" | "POST", path: string, body?: object) {
      const attempt = Effect.fnUntraced(function*() {
        const access = yield* tokens.of(config)
        if (access.failed !== undefined) return { failed: access.failed }
        const answer = yield* egress.send({
          method,
          url: `${addresses.sheets}/v4/spreadsheets/${encodeURIComponent(config.spreadsheet_id)}${path}`,
          headers: {
            authorization: `Bearer ${access.token}`,
            ...(body === undefined ? {} : { "content-type": "application/json" })
          },
          ...(body === undefined ? {} : { body: JSON.stringify(body) }),
          most_bytes: mostBytes
        })
        return { answer }
      })
      const first = yield* attempt()
      if (first.answer?.status_code !== 401) return first
      // A token that was good a moment ago may have been revoked; a new one settles whether the account is.
      tokens.forget(config)
      return yield* attempt()
    }
  )

  const sheetIdOf = Effect.fnUntraced(function*(config: SheetsConfig) {
    const key = [config.spreadsheet_id, config.sheet]
    const now = yield* Clock.currentTimeMillis
    const known = sheetIds.get(key, now)
    if (known !== undefined) return { sheetId: known, remembered: true }
    const { answer, failed } = yield* call(config, "GET", "?fields=spreadsheetId,sheets.properties(sheetId,title)")
    if (failed !== undefined) return { failed }
    const wrong = trouble(answer)
    if (wrong !== undefined) {
      return { failed: wrong.kind === "ambiguous" ? { ...wrong, kind: "retryable" as const } : wrong }
    }
    const sheets = Outcomes.jsonOf(answer)?.["sheets"]
    const sheet = (Array.isArray(sheets) ? sheets : []).find((sheet: any) => sheet?.properties?.title === config.sheet)
    // The first sheet's number is 0, which protocol buffers leave out.
    const sheetId: unknown = sheet === undefined ? undefined : sheet.properties.sheetId ?? 0
    if (typeof sheetId !== "number") return { failed: noSheet }
    sheetIds.set(key, sheetId, now)
    return { sheetId, remembered: false }
  })

  type Write = {
    readonly config: SheetsConfig
    readonly delivery_id: string
    readonly cells: ReadonlyArray<Cell>
    readonly settled: ReadonlyArray<string>
    readonly salt: number
  }

  const write: (options: Write) => Effect.Effect<Outcome, Effect.Error<ReturnType<typeof call>>> = Effect.fnUntraced(
    function*(options) {
      const { cells, config, delivery_id, salt, settled } = options
      const sheet = yield* sheetIdOf(config)
      if (sheet.failed !== undefined) return sheet.failed
      const metadataId = fenceId(delivery_id, salt)
      const batch = appendBatch({ sheetId: sheet.sheetId, metadataId, delivery_id, cells, settled })
      const { answer, failed } = yield* call(config, "POST", ":batchUpdate", batch)
      if (failed !== undefined) return failed
      const wrong = trouble(answer)
      if (wrong === undefined) return Outcomes.delivered(answer)
      if (answer.status_code !== 400) return wrong
      const look = yield* call(config, "GET", `/developerMetadata/${metadataId}`)
      if (look.failed !== undefined) return look.failed
      if (look.answer.status_code === 200) {
        const owner = Outcomes.jsonOf(look.answer)?.["metadataValue"]
        if (owner === delivery_id) return Outcomes.delivered(look.answer)
        if (typeof owner !== "string") return Outcomes.retryable("answered no mark", look.answer)
        return salt + 1 < mostSalts ? yield* write({ ...options, salt: salt + 1 }) : wrong
      }
      if (look.answer.status_code !== 404) return Outcomes.retryable(`answered ${look.answer.status_code}`, look.answer)
      // Refused for another reason: a mark that went already, or a sheet that is not the one it was.
      if (settled.length > 0) return yield* write({ ...options, settled: [] })
      if (!sheet.remembered) return wrong
      sheetIds.forget([config.spreadsheet_id, config.sheet])
      return yield* write(options)
    }
  )

  return {
    deliver: ({ config }, parcel, { settled }) =>
      write({
        config,
        delivery_id: parcel.delivery_id,
        cells: sheetRow(config.columns, parcel),
        settled,
        salt: 0
      }).pipe(Effect.catch((error) => Effect.succeed(Outcomes.ofUnsent(error)))),
    check: Effect.fnUntraced(
      function*({ config }) {
        sheetIds.forget([config.spreadsheet_id, config.sheet])
        const sheet = yield* sheetIdOf(config)
        if (sheet.failed === undefined) return Outcomes.healthy({ status_code: 200 })
        const { kind, status_code } = sheet.failed
        if (sheet.failed === noSheet) return Outcomes.unhealthy("invalid_config", true)
        if (status_code === 404) return Outcomes.unhealthy("not_found", true, { status_code })
        if (kind === "auth_broken") return Outcomes.unhealthy("auth_failed", true, { status_code })
        return Outcomes.unhealthy(
          status_code === 429 ? "rate_limited" : status_code === null ? "unreachable" : `http_${status_code}`,
          false,
          { status_code }
        )
      },
      Effect.catch((error) => Effect.succeed(Outcomes.unhealthyUnsent(error)))
    )
  }
}
