import { Clock, Effect } from "effect"
import type { Answer, Egress } from "../../egress/Egress.ts"
import { vendorLookRetries } from "../../retries/RetryPolicy.ts"
import type { SheetsConfig } from "../model/DestinationConfig.ts"
import type { Connector, DeliveryPayload, Outcome } from "./content/Connector.ts"
import * as Outcomes from "./DeliveryOutcome.ts"
import { makeGoogleTokens } from "./GoogleToken.ts"
import { appendBatch, fenceId, sheetRow } from "./SheetRow.ts"
import { TtlCache } from "./TtlCache.ts"
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
  switch (answer.status_code) {
    case 403:
      return Outcomes.authBroken("answered 403: share the spreadsheet with the service account as editor", answer)
    case 404:
      return Outcomes.authBroken("no such spreadsheet", answer)
    default:
      return Outcomes.ofStatus(answer)
  }
}

const sheetFields = "spreadsheetId,sheets.properties(sheetId,title,gridProperties.columnCount)"

/** A sheet's title as it stands in an address of cells. */
const quotedTitle = (title: string): string => `'${title.replaceAll("'", "''")}'`

const noSheet = Outcomes.authBroken("the spreadsheet has no such sheet")

/**
 * A row for each delivery, values only. Row and mark are written in one batch, so an attempt after one in doubt is refused
 * by the mark that is there already, and a look at the mark tells whose it is.
 */
export const makeSheets = (egress: Egress["Service"], addresses: VendorAddresses): Connector<"sheets"> => {
  const tokens = makeGoogleTokens(egress, addresses)
  const sheetIds = new TtlCache<{ readonly sheetId: number; readonly columns: number }>(sheetSeconds)

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

  /** Asks again at once where the answer broke off: it changes nothing, and an attempt has several of them. */
  const read = (config: SheetsConfig, path: string) =>
    call(config, "GET", path).pipe(
      Effect.filterOrFail(
        ({ answer }) => answer === undefined || trouble(answer)?.kind !== "ambiguous",
        (found) => ({ _tag: "BrokenAnswer" as const, found })
      ),
      Effect.retry({
        times: vendorLookRetries.times,
        while: (error) =>
          error._tag === "BrokenAnswer" || (error._tag === "EgressError" && error.reason === "broken_off")
      }),
      Effect.catchTag("BrokenAnswer", ({ found }) => Effect.succeed(found))
    )

  const sheetIdOf = Effect.fnUntraced(function*(config: SheetsConfig) {
    const key = [config.spreadsheet_id, config.sheet]
    const now = yield* Clock.currentTimeMillis
    const known = sheetIds.get(key, now)
    if (known !== undefined) return { ...known, remembered: true }
    const { answer, failed } = yield* read(config, `?fields=${sheetFields}`)
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
    const columns: unknown = sheet.properties.gridProperties?.columnCount
    const found = { sheetId, columns: typeof columns === "number" ? columns : 26 }
    sheetIds.set(key, found, now)
    return { ...found, remembered: false }
  })

  /** The texts of the first row as it is now. */
  const firstRowOf = Effect.fnUntraced(function*(config: SheetsConfig) {
    const range = encodeURIComponent(`${quotedTitle(config.sheet)}!1:1`)
    const { answer, failed } = yield* read(config, `/values/${range}`)
    if (failed !== undefined) return { failed }
    const wrong = trouble(answer)
    if (wrong !== undefined) {
      return { failed: wrong.kind === "ambiguous" ? { ...wrong, kind: "retryable" as const } : wrong }
    }
    const values = Outcomes.jsonOf(answer)?.["values"]
    const row: unknown = Array.isArray(values) ? values[0] : undefined
    return { row: (Array.isArray(row) ? row : []).map((value: unknown) => typeof value === "string" ? value : "?") }
  })

  type Write = {
    readonly config: SheetsConfig
    readonly payload: DeliveryPayload
    readonly settled: ReadonlyArray<string>
    readonly salt: number
  }

  const write: (options: Write) => Effect.Effect<Outcome, Effect.Error<ReturnType<typeof call>>> = Effect.fnUntraced(
    function*(options) {
      const { config, payload, salt, settled } = options
      const { delivery_id } = payload
      const sheet = yield* sheetIdOf(config)
      if (sheet.failed !== undefined) return sheet.failed
      const first = yield* firstRowOf(config)
      // The title may have gone to another sheet since it was looked up.
      if (first.failed?.status_code === 400 && sheet.remembered) {
        sheetIds.forget([config.spreadsheet_id, config.sheet])
        return yield* write(options)
      }
      if (first.failed !== undefined) return first.failed
      const metadataId = fenceId(delivery_id, salt)
      const row = sheetRow(config.columns, payload, first.row)
      const { columns, sheetId } = sheet
      const batch = appendBatch({ sheetId, columns, metadataId, delivery_id, row, settled })
      const { answer, failed } = yield* call(config, "POST", ":batchUpdate", batch)
      if (failed !== undefined) return failed
      const wrong = trouble(answer)
      if (row.cells.length > columns) sheetIds.forget([config.spreadsheet_id, config.sheet])
      if (wrong === undefined) return Outcomes.delivered(answer)
      if (answer.status_code !== 400) return wrong
      const look = yield* read(config, `/developerMetadata/${metadataId}`)
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
    deliver: ({ config }, payload, { settled }) =>
      write({ config, payload, settled, salt: 0 }).pipe(
        Effect.catch((error) => Effect.succeed(Outcomes.ofUnsent(error)))
      ),
    check: Effect.fnUntraced(
      function*({ config }) {
        sheetIds.forget([config.spreadsheet_id, config.sheet])
        const sheet = yield* sheetIdOf(config)
        if (sheet.failed === undefined) return Outcomes.healthy({ status_code: 200 })
        const { error, kind, status_code } = sheet.failed
        if (sheet.failed === noSheet) return Outcomes.unhealthy("invalid_config", true, undefined, error)
        if (status_code === 404) return Outcomes.unhealthy("not_found", true, { status_code }, error)
        if (kind === "auth_broken") {
          return Outcomes.unhealthy("auth_failed", true, { status_code }, error)
        }
        return Outcomes.unhealthy(
          status_code === 429 ? "rate_limited" : status_code === null ? "unreachable" : `http_${status_code}`,
          false,
          { status_code },
          error
        )
      },
      Effect.catch((error) => Effect.succeed(Outcomes.unhealthyUnsent(error)))
    )
  }
}
