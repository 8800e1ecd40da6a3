import type { Limits, Quota, UsageReport } from "../../clients/typescript/src/generated/types.ts"
import { spokenClock } from "../footnotes/Moments.ts"
import { percent } from "../footnotes/Wording.ts"
import { dateOf } from "../parts/Dates.ts"
import { NotHere, useLoaded } from "../parts/Loading.tsx"
import { get } from "../service/Service.ts"
import { Shell } from "../shell/Shell.tsx"

const size = (bytes: number): string =>
  bytes >= 1e9 ? `${(bytes / 1e9).toFixed(1)} GB` : `${(bytes / 1e6).toFixed(1)} MB`

function Share(
  { limit, name, says, used }: {
    readonly name: string
    readonly used: number
    readonly limit: number | null
    readonly says: (amount: number) => string
  }
) {
  return (
    <div class="share">
      <p>
        <strong>{name}</strong>{" "}
        <span class="muted">{says(used)}{limit === null ? ", no limit" : ` of ${says(limit)}`}</span>
      </p>
      {limit === null ? null : (
        <div
          class="meter large"
          role="meter"
          aria-label={name}
          aria-valuenow={Math.min(100, Math.round((used / limit) * 100))}
          aria-valuemin={0}
          aria-valuemax={100}
          aria-valuetext={percent(used / limit)}
        >
          <span style={{ width: `${Math.min(100, (used / limit) * 100)}%` }} />
        </div>
      )}
    </div>
  )
}

const cost = ({ limit, reserved, used }: Quota) => (
  <Share name="Cost this month" used={used + reserved} limit={limit} says={(amount) => amount.toFixed(2)} />
)

/** What the month's jobs took, and how the tenant stands with its limits. */
export function UsageScreen() {
  const { loaded } = useLoaded(
    () => Promise.all([get<UsageReport>("/v1/usage"), get<Limits>("/v1/limits")]),
    []
  )
  if (loaded.kind !== "here") {
    return (
      <Shell title="Usage">
        <NotHere loaded={loaded} />
      </Shell>
    )
  }
  const [usage, limits] = loaded.value
  const figures: ReadonlyArray<readonly [string, string]> = [
    ["Jobs that succeeded", String(usage.jobs.succeeded)],
    ["Jobs that failed", String(usage.jobs.failed)],
    ["Sound", spokenClock(usage.audio_seconds)],
    ["Picture", spokenClock(usage.video_seconds)],
    ["Frames kept", `${usage.frames_kept} of ${usage.frames_sampled}`],
    ["Time of the models", spokenClock(usage.model_seconds)],
    ["Tokens", String(usage.tokens)]
  ]
  return (
    <Shell title="Usage">
      <section class="step">
        <h2>{usage.period}</h2>
        <dl class="figures">
          {figures.map(([name, value]) => (
            <div key={name}>
              <dt>{name}</dt>
              <dd>{value}</dd>
            </div>
          ))}
        </dl>
      </section>
      <section class="step">
        <h2>Limits</h2>
        {cost(limits.cost)}
        <Share name="Storage" used={limits.storage.used} limit={limits.storage.limit} says={size} />
        <Share name="Jobs at once" used={limits.jobs.active} limit={limits.jobs.concurrent} says={String} />
        <p class="small muted">
          A file has at most {size(limits.sources.bytes)} and lasts at most{" "}
          {spokenClock(limits.sources.duration_seconds)}. The month's cost begins anew {dateOf(limits.cost.resets_at)}.
        </p>
      </section>
    </Shell>
  )
}
