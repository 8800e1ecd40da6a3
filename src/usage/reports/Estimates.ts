import { Context, Effect, Layer, Option, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { Sealing } from "../../crypto/Sealing.ts"
import { rowsOf } from "../../database/Rows.ts"
import { TenantSql } from "../../database/TenantSql.ts"
import { CurrentTenant } from "../../identity/CurrentTenant.ts"
import type { TenantId } from "../../identity/Id.ts"
import type { ModelStackUnknown } from "../../jobs/model/Job.ts"
import { makeSubmissionChecks } from "../../jobs/SubmissionChecks.ts"
import { headerLength } from "../../sources/HeaderLength.ts"
import type { SourceBlocked } from "../../sources/SourceUri.ts"
import { UploadLookup } from "../../sources/UploadLookup.ts"
import type { BlobRef } from "../../storage/BlobRef.ts"
import { Blobs } from "../../storage/Blobs.ts"
import { CostQuota } from "../ledger/CostQuota.ts"
import type { Basis, Estimate, EstimateRequest } from "./Estimate.ts"
import { type EarlierJob, earlierJob, type Pace, paceOf, paceOfTenants } from "./History.ts"

/** Fewer jobs say nothing about the next one. */
const leastJobs = 3

const SlotRow = Schema.Struct({ free: Schema.Boolean })

interface Known {
  readonly value: number | null
  readonly basis: Basis
}
const unknown: Known = { value: null, basis: null }

/** What an earlier job over the same source took, else the tenant's pace, else the median of at least three tenants' paces. */
const told = (
  of: "work" | "tokens" | "cost",
  length: number | null,
  { earlier, everybody, own }: Histories
): Known => {
  const same = earlier === undefined ? null : of === "work" ? earlier.work_seconds : earlier[of]
  if (same !== null) return { value: same, basis: "earlier_job" }
  if (length === null) return unknown
  if (own.jobs >= leastJobs && own[of] !== null) return { value: own[of] * length, basis: "history" }
  return everybody.jobs >= leastJobs && everybody[of] !== null
    ? { value: everybody[of] * length, basis: "deployment" }
    : unknown
}

interface Histories {
  readonly earlier: EarlierJob | undefined
  readonly own: Pace
  readonly everybody: Pace
}

/** Why a number is not known, in words. */
const reasons = {
  duration_seconds: "duration_seconds: the source has not been looked at; send it where you know it.",
  work_seconds: "work_seconds: too few jobs have ended on this stack, or the source's length is not known.",
  tokens: "tokens: too few jobs have ended on this stack, or the source's length is not known.",
  cost: "cost: too few jobs have ended on this stack, or the source's length is not known."
}

/** What a job would take, from what is known without looking at its source: nothing is fetched, decoded or reserved. */
export class Estimates extends Context.Service<Estimates, {
  /** Judges source and stack as a submission would; the schema is not asked for, since it changes little. */
  readonly estimate: (
    request: EstimateRequest
  ) => Effect.Effect<Estimate, SourceBlocked | ModelStackUnknown, CurrentTenant>
}>()("footnote/usage/reports/Estimates") {
  static readonly layer = Layer.effect(Estimates, Effect.suspend(() => make)).pipe(Layer.provide(CostQuota.layer))
}

const make = Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient
  const { inTenant, sql: tenantSql } = yield* TenantSql
  const checks = yield* makeSubmissionChecks
  const sealing = yield* Sealing
  const uploads = yield* UploadLookup
  const quota = yield* CostQuota
  const blobs = yield* Blobs

  const uploaded = Effect.fnUntraced(function*(tenant_id: TenantId, source_uri: string) {
    const id = /^upload:\/\/(.+)$/u.exec(source_uri)?.[1]
    return id === undefined ? undefined : Option.getOrUndefined(yield* uploads.find(tenant_id, id))
  })

  const histories = Effect.fnUntraced(function*(tenant_id: TenantId, source_uri: string | undefined, stack: string) {
    const upload = source_uri === undefined ? undefined : yield* uploaded(tenant_id, source_uri)
    const own = yield* inTenant(tenant_id)(Effect.all({
      earlier: source_uri === undefined
        ? Effect.undefined
        : earlierJob(tenantSql, sealing, tenant_id, { source_uri, sha256: upload?.sha256 ?? null }, stack),
      own: paceOf(tenantSql, tenant_id, stack)
    }))
    return { ...own, everybody: yield* Effect.orDie(paceOfTenants(sql, stack)), upload }
  })

  /** What an upload's own header says, from a few small pieces of it. */
  const claimed = Effect.fnUntraced(function*(upload: BlobRef | undefined) {
    if (upload === undefined) return unknown
    const reading = headerLength(upload.size_bytes)
    let next = reading.next()
    while (next.done !== true) {
      const { from, length } = next.value
      // Bytes that cannot be read now say nothing, as those of a damaged file.
      next = reading.next(yield* Effect.orElseSucceed(blobs.getRange(upload.key, from, length), () => new Uint8Array()))
    }
    return next.value === undefined ? unknown : { value: next.value, basis: "file" } satisfies Known
  })

  /** Whether a job would be let in now, and what it would hold back. */
  const standing = Effect.fnUntraced(function*(tenant_id: TenantId, model_stack: string) {
    const [slots] = yield* rowsOf(SlotRow)(sql`
      SELECT (SELECT count(*) FROM footnote.jobs WHERE tenant_id = t.id AND status IN ('queued', 'running'))
        < t.max_active AS free FROM footnote.tenants t WHERE id = ${tenant_id}`)
    const { ceiling, cost } = yield* quota.expected(tenant_id, model_stack)
    const state = yield* quota.state(tenant_id)
    return {
      admissible: slots!.free && quota.admits(state, cost),
      most_cost: ceiling,
      reserves: state.quota === null ? 0 : cost
    }
  }, Effect.orDie)

  return Estimates.of({
    estimate: Effect.fn("Estimates.estimate")(function*({ duration_seconds, model_stack: asked, source_uri }) {
      const { tenant_id } = yield* CurrentTenant
      const model_stack = yield* checks.chooseStack(asked)
      if (source_uri !== undefined) yield* checks.checkSource(source_uri)
      const found = yield* histories(tenant_id, source_uri, model_stack)
      const length: Known = duration_seconds !== undefined
        ? { value: duration_seconds, basis: "given" }
        : found.earlier === undefined
        ? yield* claimed(found.upload)
        : { value: found.earlier.duration_seconds, basis: "earlier_job" }
      // What the same source took on another stack says nothing about this one.
      const same = found.earlier?.model_stack === model_stack ? found.earlier : undefined
      const known = { ...found, earlier: same }
      const { admissible, most_cost, reserves } = yield* standing(tenant_id, model_stack)
      const nothing: Known = { value: 0, basis: "prices" }
      const priced = (of: "tokens" | "cost") => {
        const estimated = told(of, length.value, known)
        return estimated.value === null && most_cost === null ? nothing : estimated
      }
      const all = {
        duration_seconds: length,
        work_seconds: told("work", length.value, known),
        tokens: priced("tokens"),
        cost: priced("cost")
      }
      const { cost, tokens, work_seconds } = all
      return {
        model_stack,
        duration_seconds: length.value,
        work_seconds: work_seconds.value === null ? null : Math.round(work_seconds.value * 1000) / 1000,
        tokens: tokens.value === null ? null : Math.round(tokens.value),
        cost: cost.value === null ? null : Math.round(cost.value * 1e6) / 1e6,
        most_cost,
        reserves,
        admissible,
        based_on: {
          duration_seconds: length.basis,
          work_seconds: work_seconds.basis,
          tokens: tokens.basis,
          cost: cost.basis
        },
        unknown: (Object.keys(all) as ReadonlyArray<keyof typeof all>).flatMap((name) =>
          all[name].value === null ? [reasons[name]] : []
        )
      }
    })
  })
})
