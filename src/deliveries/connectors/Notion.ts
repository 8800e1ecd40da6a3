import { Clock, Effect } from "effect"
import type { Answer, Egress } from "../../egress/Egress.ts"
import type { EgressError } from "../../egress/EgressError.ts"
import type { NotionConfig } from "../model/DestinationConfig.ts"
import type { Connector, DeliveryPayload, Outcome } from "./content/Connector.ts"
import { type DataSource, propertyNamed, readDataSource, readDataSourceIds } from "./DataSource.ts"
import * as Outcomes from "./DeliveryOutcome.ts"
import { jobIdProperty, misfit, notionPage } from "./NotionPage.ts"
import { TtlCache } from "./TtlCache.ts"
import type { VendorAddresses } from "./VendorAddresses.ts"

/** The version with data sources that the vendor's own client speaks by default. */
const notionVersion = "2025-09-03"
/** A page comes back with each text twice, and a page may have 500 KB. */
const mostBytes = 4 * 1024 * 1024
/** A data source's properties are looked at again after this. */
const schemaSeconds = 600
/** Notion tells when a page was made to the minute. */
const minute = 60_000
/** Of a query, by Notion's own limit. */
const mostPages = 100

/** The moment from which on a page may be of an attempt that began then. */
export const pagesSince = (from: Date): Date => new Date(Math.floor(from.getTime() / minute) * minute - minute)

/** Notion's code, and of a request that it found wrong what it says of it: never what it quotes of our request. */
const errorOf = (answer: Answer): string => {
  const { code, message } = Outcomes.jsonOf(answer) ?? {}
  if (typeof code !== "string" || !/^[a-z_]{1,60}$/u.test(code)) return `answered ${answer.status_code}`
  if (code !== "validation_error" || typeof message !== "string") return code
  const words = message.split(/,? instead was/u)[0]!.replaceAll(/\b(?:ntn|secret)_\S+/gu, "…")
  return `${code}: ${Outcomes.quotable(words)}`
}

/** What an answer means; undefined where it is a success in JSON. */
const trouble = (answer: Answer): Outcome | undefined => {
  const { status_code } = answer
  if (status_code === 200) {
    return Outcomes.jsonOf(answer) === undefined ? Outcomes.ambiguous("answered no JSON", answer) : undefined
  }
  const error = errorOf(answer)
  // 404: the integration was never given the data source, or not any more.
  if (status_code === 401 || status_code === 403 || status_code === 404) return Outcomes.authBroken(error, answer)
  // Notion refuses one of two writes that meet: nothing was written.
  if (status_code === 409) return Outcomes.retryable(error, answer)
  return { ...Outcomes.ofStatus(answer), error }
}

const ofLook = (outcome: Outcome): Outcome => outcome.kind === "ambiguous" ? { ...outcome, kind: "retryable" } : outcome

interface NotionOptions {
  readonly egress: Egress["Service"]
  readonly addresses: VendorAddresses
  /** Notion's index lags behind its writes: asked 300 ms after an attempt in doubt it missed 107 of 1,000 pages. */
  readonly settle_seconds: number
}

/** Where pages go: a data source and its properties. `remembered`: as they were some minutes ago. */
interface Place {
  readonly id: string
  readonly source: DataSource
  readonly remembered: boolean
}

const keyOf = (config: NotionConfig) => [config.token, config.data_source_id ?? "", config.database_id ?? ""]

type Found<A> = { readonly failed: Outcome; readonly value?: undefined } | {
  readonly failed?: undefined
  readonly value: A
}

/**
 * A page for each delivery in a data source, with the job's id in the text property `Job ID`. After an attempt in doubt the
 * data source is asked for that id, once its index has had time to settle, and a page is made only where none is found.
 */
export const makeNotion = ({ addresses, egress, settle_seconds }: NotionOptions): Connector<"notion"> => {
  const places = new TtlCache<Omit<Place, "remembered">>(schemaSeconds)

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

  /** The data source that the config names, or the only one of its database. */
  const sourceId = Effect.fnUntraced(function*(config: NotionConfig): Effect.fn.Return<Found<string>, EgressError> {
    if (config.data_source_id !== undefined) return { value: config.data_source_id }
    const answer = yield* call(config, "GET", `databases/${config.database_id}`)
    const failed = trouble(answer)
    if (failed !== undefined) return { failed: ofLook(failed) }
    const ids = readDataSourceIds(answer)
    if (ids === undefined) return { failed: Outcomes.retryable("answered no database", answer) }
    return ids.length === 1
      ? { value: ids[0]! }
      : { failed: Outcomes.authBroken(`the database has ${ids.length} data sources: give the data_source_id of one`) }
  })

  const lookUp = Effect.fnUntraced(function*(config: NotionConfig): Effect.fn.Return<Found<Place>, EgressError> {
    const id = yield* sourceId(config)
    if (id.failed !== undefined) return id
    const answer = yield* call(config, "GET", `data_sources/${id.value}`)
    const failed = trouble(answer)
    if (failed !== undefined) return { failed: ofLook(failed) }
    const source = readDataSource(answer)
    if (source === undefined) return { failed: Outcomes.retryable("answered no data source", answer) }
    const place = { id: id.value, source }
    places.set(keyOf(config), place, yield* Clock.currentTimeMillis)
    return { value: { ...place, remembered: false } }
  })

  /** As it is remembered where the map fits that, else as it is now: whoever mended it should not wait for our memory. */
  const placeOf = Effect.fnUntraced(
    function*(config: NotionConfig): Effect.fn.Return<Found<Place>, EgressError> {
      const known = places.get(keyOf(config), yield* Clock.currentTimeMillis)
      const found: Found<Place> = known !== undefined && misfit(known.source, config.property_map) === undefined
        ? { value: { ...known, remembered: true } }
        : yield* lookUp(config)
      const wrong = found.value && misfit(found.value.source, config.property_map)
      return wrong === undefined ? found : { failed: Outcomes.authBroken(wrong) }
    },
    Effect.catch((error) => Effect.succeed<Found<Place>>({ failed: ofLook(Outcomes.ofEgressError(error)) }))
  )

  /** Undefined: no more pages of this job were made since then than other deliveries of it have. */
  const look = Effect.fnUntraced(
    function*(config: NotionConfig, { id, source }: Place, job_id: string, from: Date, others: number) {
      const answer = yield* call(config, "POST", `data_sources/${id}/query`, {
        filter: { property: propertyNamed(source, jobIdProperty)!.name, rich_text: { equals: job_id } },
        sorts: [{ timestamp: "created_time", direction: "descending" }],
        page_size: Math.min(others + 1, mostPages)
      })
      const failed = trouble(answer)
      if (failed !== undefined) return ofLook(failed)
      const results = Outcomes.jsonOf(answer)?.["results"]
      const since = pagesSince(from).getTime()
      // Made before then is only what says so: a page whose time cannot be read may be this delivery's.
      const made = (Array.isArray(results) ? results : []).filter((page: { readonly created_time?: unknown }) =>
        typeof page?.created_time !== "string" || !(Date.parse(page.created_time) < since)
      )
      return made.length > others ? Outcomes.delivered(answer) : undefined
    },
    Effect.catch((error) => Effect.succeed(ofLook(Outcomes.ofEgressError(error))))
  )

  const inDoubt = (outcome: Outcome): Outcome =>
    outcome.kind === "ambiguous"
      ? { ...outcome, retry_after: Math.max(outcome.retry_after ?? 0, settle_seconds) }
      : outcome

  const write = (config: NotionConfig, { id, source }: Place, payload: DeliveryPayload): Effect.Effect<Outcome> =>
    call(config, "POST", "pages", notionPage(config, id, source, payload)).pipe(
      Effect.map((answer) => inDoubt(trouble(answer) ?? Outcomes.delivered(answer))),
      Effect.catch((error) => Effect.succeed(inDoubt(Outcomes.ofEgressError(error))))
    )

  return {
    deliver: Effect.fnUntraced(function*({ config }, payload, attempt) {
      if (attempt.unsure_from !== null) {
        const settled = (attempt.unsure_until ?? attempt.unsure_from).getTime() + settle_seconds * 1000
        const wait = (settled - (yield* Clock.currentTimeMillis)) / 1000
        if (wait > 0) return Outcomes.held("an attempt is in doubt", wait)
      }
      const found = yield* placeOf(config)
      if (found.failed !== undefined) return found.failed
      const place = found.value
      if (attempt.unsure_from !== null) {
        const seen = yield* look(config, place, payload.job.id, attempt.unsure_from, attempt.others)
        if (seen !== undefined) return seen
      }
      const outcome = yield* write(config, place, payload)
      if (outcome.kind !== "rejected" || !place.remembered) return outcome
      // Refused whole, so nothing was written: the data source may not be the one that is remembered.
      places.forget(keyOf(config))
      const now = yield* placeOf(config)
      return now.failed ?? (yield* write(config, now.value, payload))
    }),
    check: Effect.fnUntraced(
      function*({ config }) {
        const identity = yield* call(config, "GET", "users/me")
        if (trouble(identity) !== undefined) return Outcomes.unhealthyStatus(identity, errorOf(identity))
        const found = yield* lookUp(config)
        if (found.failed !== undefined) return Outcomes.unhealthyOutcome(found.failed)
        const wrong = misfit(found.value.source, config.property_map)
        return wrong === undefined
          ? Outcomes.healthy({ status_code: 200 })
          : Outcomes.unhealthy("invalid_config", true, { status_code: 200 }, wrong)
      },
      Effect.catch((error) => Effect.succeed(Outcomes.unhealthyEgressError(error)))
    )
  }
}
