import { Effect, Schema } from "effect"
import { tenantRowsOf } from "../database/Rows.ts"
import type { TenantSql } from "../database/TenantSql.ts"
import { CurrentTenant } from "../identity/CurrentTenant.ts"
import { SpeakerNamingRow } from "../reviews/model/SpeakerNaming.ts"
import { hintLimits, type JobHints } from "./model/JobSpec.ts"

/** Newest reviews and namings that are looked through. */
const MOST_ROWS = 200
/** Terms that corrections add; the recogniser looks for 300 in all, those of the caller first. */
const MOST_TERMS = 200
/** What is longer is a sentence, and tells nothing of how a word is spelt. */
const MOST_WORDS = 5

const CorrectedRow = Schema.Struct({ value: Schema.String })

const isTerm = (text: string): boolean =>
  /\p{L}{2}/u.test(text) && text.length <= hintLimits.characters && text.split(/\s+/u).length <= MOST_WORDS

const added = (given: ReadonlyArray<string> = [], found: ReadonlyArray<string>, most: number) => {
  const known = new Set(given.map((term) => term.toLowerCase()))
  const fresh = [...new Map(found.map((term) => [term.trim().toLowerCase(), term.trim()]))]
    .filter(([key, term]) => isTerm(term) && !known.has(key)).map(([, term]) => term)
  return [...given, ...fresh.slice(0, Math.max(0, Math.min(MOST_TERMS, most - given.length)))]
}

/**
 * Hints with what the tenant's people wrote into earlier results, the newest first: the words of corrections as vocabulary, names
 * that they gave to speakers as participants. Only where the hints ask for it, and never more than hints may hold.
 */
export const withCorrections = Effect.fn("withCorrections")(function*(
  { inTenant, sql }: TenantSql["Service"],
  hints: JobHints
) {
  if (hints.corrections !== "use") return hints
  const { tenant_id } = yield* CurrentTenant
  const corrected = yield* tenantRowsOf(CorrectedRow)(
    inTenant(tenant_id)(sql`
    SELECT d.value->>'value' AS value FROM (SELECT created_at, decisions FROM footnote.reviews
      WHERE tenant_id = ${tenant_id} ORDER BY created_at DESC LIMIT ${MOST_ROWS}) r,
      json_array_elements(r.decisions) WITH ORDINALITY AS d(value, at)
    WHERE d.value->>'action' = 'correct' AND json_typeof(d.value->'value') = 'string'
    ORDER BY r.created_at DESC, d.at LIMIT 2000`)
  )
  const named = yield* tenantRowsOf(SpeakerNamingRow)(
    inTenant(tenant_id)(sql`
    SELECT speakers FROM footnote.job_speakers WHERE tenant_id = ${tenant_id}
    ORDER BY updated_at DESC, job_id LIMIT ${MOST_ROWS}`)
  )
  const labels = named.flatMap(({ speakers }) => speakers.flatMap(({ label }) => label ?? []))
  const vocabulary = added(hints.vocabulary, corrected.map(({ value }) => value), hintLimits.vocabulary)
  const participants = added(hints.participants, labels, hintLimits.participants)
  return {
    ...hints,
    ...(vocabulary.length === 0 ? {} : { vocabulary }),
    ...(participants.length === 0 ? {} : { participants })
  }
})
