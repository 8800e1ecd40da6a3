import { Config, Context, Effect, Layer, Metric, type Scope } from "effect"
import { RateLimited } from "../errors/RequestErrors.ts"
import type { TenantId } from "../identity/Id.ts"
import { configInvalid } from "../observability/Configuration.ts"
import { setting, whole } from "../observability/Setting.ts"

/** `STREAMS_PER_TENANT`: event streams, streams of the tool server and waits that a tenant may hold in one API process. */
export const streamsPerTenant = setting("STREAMS_PER_TENANT", whole, {
  otherwise: 200,
  meaning: "event streams, streams of the tool server and waits that a tenant may hold open in one API process"
}).pipe(
  Config.mapEffect((value) =>
    value >= 1 && value <= 10_000
      ? Effect.succeed(value)
      : Effect.fail(configInvalid("STREAMS_PER_TENANT must be a number from 1 to 10000"))
  )
)

/** One place for a request, whatever it holds open: each of its own holds is this one, which lasts until its answer has ended. */
export class OpenRequest extends Context.Service<OpenRequest, {
  readonly hold: Effect.Effect<void, RateLimited>
}>()("footnote/rate-limits/OpenStreams/OpenRequest") {}

const open = Metric.gauge("footnote_streams_open", {
  description: "Event streams, streams of the tool server and waits that are open."
})

/**
 * Counts what stays open: a stream costs memory and a look at its job for as long as it lasts, which no limit of requests
 * sees. Each API process counts its own, so that a count never outlives its process.
 */
export class OpenStreams extends Context.Service<OpenStreams, {
  /** Holds one of the tenant's places until the scope closes; `RATE_LIMITED` with `Retry-After` where all are taken. */
  readonly hold: (tenant_id: TenantId) => Effect.Effect<void, RateLimited, Scope.Scope>
  readonly most: number
}>()("footnote/rate-limits/OpenStreams") {
  static readonly layer = Layer.effect(
    OpenStreams,
    Effect.gen(function*() {
      const most = yield* streamsPerTenant
      const counts = new Map<string, number>()
      let all = 0
      const add = (tenant_id: TenantId, change: 1 | -1): Effect.Effect<void> =>
        Effect.suspend(() => {
          const count = (counts.get(tenant_id) ?? 0) + change
          if (count === 0) counts.delete(tenant_id)
          else counts.set(tenant_id, count)
          all += change
          return Metric.update(open, all)
        })
      const refused = new RateLimited({
        message: `${most} event streams and waits of this tenant are open; close one or retry in 5 s.`,
        headers: { "retry-after": "5" }
      })

      return OpenStreams.of({
        most,
        hold: (tenant_id) =>
          Effect.asVoid(Effect.acquireRelease(
            Effect.suspend(() => (counts.get(tenant_id) ?? 0) >= most ? Effect.fail(refused) : add(tenant_id, 1)),
            () => add(tenant_id, -1)
          ))
      })
    })
  )
}
