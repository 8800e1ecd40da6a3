import { Clock, Effect } from "effect"
import type { NotionConfig } from "../destinations/DestinationConfig.ts"
import type { Answer, Egress } from "../egress/Egress.ts"
import type { Connector, Outcome } from "./Connector.ts"
import { type DataSource, readDataSource } from "./DataSource.ts"
import { jobIdProperty, misfit, notionPage } from "./NotionPage.ts"
import * as Outcomes from "./Outcomes.ts"
import { Remembered } from "./Remembered.ts"
import type { VendorAddresses } from "./VendorAddresses.ts"

/** The version with data sources that the vendor's own client speaks by default. */
const notionVersion = "2025-09-03"
/** A page comes back with each text twice, and a page may have 500 KB. */
const mostBytes = 4 * 1024 * 1024
/** A data source's properties are looked at again after this. */
const schemaSeconds = 600
/** Notion tells when a page was made to the minute. */
const minute = 60_000

const codeOf = (answer: Answer): string => {
  const code = Outcomes.jsonOf(answer)?.["code"]
  return typeof code === "string" && /^[a-z_]{1,60}$/u.test(code) ? code : `answered ${answer.status_code}`
}

/** What an answer means; undefined where it is a success in JSON. */
const trouble = (answer: Answer): Outcome | undefined => {
  const { status_code } = answer
  if (status_code === 200) {
    return Outcomes.jsonOf(answer) === undefined ? Outcomes.ambiguous("answered no JSON", answer) : undefined
  }
  const code = codeOf(answer)
  // 404: the integration was never given the data source, or not any more.
  if (status_code === 401 || status_code === 403 || status_code === 404) return Outcomes.authBroken(code, answer)
  // Notion refuses one of two writes that meet: nothing was written.
  if (status_code === 409) return Outcomes.retryable(code, answer)
  return { ...Outcomes.ofStatus(answer), error: code }
}

const ofLook = (outcome: Outcome): Outcome => outcome.kind === "ambiguous" ? { ...outcome, kind: "retryable" } : outcome

interface NotionOptions {
  readonly egress: Egress["Service"]
  readonly addresses: VendorAddresses
  /** Notion's index lags behind its writes: asked 300 ms after an attempt in doubt it missed 107 of 1,000 pages. */
  readonly settle_seconds: number
}

/**
 * A page for each delivery in a data source, with the job's id in the text property `Job ID`. After an attempt in doubt the
 * data source is asked for that id, once its index has had time to settle, and a page is made only where none is found.
 */
export const makeNotion = ({ addresses, egress, settle_seconds }: NotionOptions): Connector<"notion"> => {
  const sources = new Remembered<DataSource>(schemaSeconds)

  const call = (config: NotionConfig, method: "GET" | "POST", path: string, body?: object) =>
    egress.send({
      method,
      url: `${addresses.notion}/v1/${path}`,
      headers: {
        authorization: `Bearer ${config.token}`,
        "notion-version": notionVersion,
        ...(body === undefined ? {} : { "content-type": "application/json" })
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      most_bytes: mostBytes
    })

  const sourceOf = Effect.fnUntraced(function*(config: NotionConfig) {
    const now = yield* Clock.currentTimeMillis
    const known = sources.get([config.token, config.data_source_id], now)
    if (known !== undefined) return { source: known }
    const answer = yield* call(config, "GET", `data_sources/${config.data_source_id}`)
    const failed = trouble(answer)
    const source = failed === undefined ? readDataSource(answer) : undefined
    if (source === undefined) return { failed: ofLook(failed ?? Outcomes.retryable("answered no data source", answer)) }
    sources.set([config.token, config.data_source_id], source, now)
    return { source }
  })

  /** Undefined: no page of this job was made since then. */
  const look = Effect.fnUntraced(function*(config: NotionConfig, job_id: string, from: Date) {
    const answer = yield* call(config, "POST", `data_sources/${config.data_source_id}/query`, {
      filter: { property: jobIdProperty, rich_text: { equals: job_id } },
      sorts: [{ timestamp: "created_time", direction: "descending" }],
      page_size: 1
    })
    const failed = trouble(answer)
    if (failed !== undefined) return ofLook(failed)
    const results = Outcomes.jsonOf(answer)?.["results"]
    const newest = Array.isArray(results) ? (results[0] as { readonly created_time?: unknown } | undefined) : undefined
    if (newest === undefined) return undefined
    const since = Math.floor(from.getTime() / minute) * minute - minute
    const made = typeof newest.created_time === "string" ? Date.parse(newest.created_time) : Number.NaN
    return made < since ? undefined : Outcomes.delivered(answer)
  })

  const inDoubt = (outcome: Outcome): Outcome =>
    outcome.kind === "ambiguous"
      ? { ...outcome, retry_after: Math.max(outcome.retry_after ?? 0, settle_seconds) }
      : outcome

  return {
    deliver: Effect.fnUntraced(function*({ config }, parcel, attempt) {
      if (attempt.unsure_from !== null) {
        const settled = (attempt.unsure_until ?? attempt.unsure_from).getTime() + settle_seconds * 1000
        const wait = (settled - (yield* Clock.currentTimeMillis)) / 1000
        if (wait > 0) return Outcomes.held("an attempt is in doubt", wait)
        const found = yield* look(config, parcel.job.id, attempt.unsure_from).pipe(
          Effect.catch((error) => Effect.succeed(ofLook(Outcomes.ofUnanswered(error))))
        )
        if (found !== undefined) return found
      }
      const known = yield* sourceOf(config).pipe(
        Effect.catch((error) => Effect.succeed({ failed: ofLook(Outcomes.ofUnanswered(error)) }))
      )
      if (known.failed !== undefined) return known.failed
      const wrong = misfit(known.source, config.property_map)
      if (wrong !== undefined) {
        // Whoever mends the data source should not wait for what we remember of it.
        sources.forget([config.token, config.data_source_id])
        return Outcomes.authBroken(wrong)
      }
      return yield* call(config, "POST", "pages", notionPage(config, known.source, parcel)).pipe(
        Effect.map((answer) => {
          const failed = trouble(answer)
          if (failed?.kind === "rejected") sources.forget([config.token, config.data_source_id])
          return failed === undefined ? Outcomes.delivered(answer) : inDoubt(failed)
        }),
        Effect.catch((error) => Effect.succeed(inDoubt(Outcomes.ofUnanswered(error))))
      )
    }),
    check: Effect.fnUntraced(
      function*({ config }) {
        const identity = yield* call(config, "GET", "users/me")
        if (trouble(identity) !== undefined) return Outcomes.unhealthyStatus(identity)
        const answer = yield* call(config, "GET", `data_sources/${config.data_source_id}`)
        if (trouble(answer) !== undefined) return Outcomes.unhealthyStatus(answer)
        const source = readDataSource(answer)
        return source === undefined || misfit(source, config.property_map) !== undefined
          ? Outcomes.unhealthy("invalid_config", true, answer)
          : Outcomes.healthy(answer)
      },
      Effect.catch((error) => Effect.succeed(Outcomes.unhealthyUnanswered(error)))
    )
  }
}
