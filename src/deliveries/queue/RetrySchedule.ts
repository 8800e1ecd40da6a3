import { Config, Context, Effect } from "effect"
import { configInvalid } from "../../observability/Configuration.ts"
import { list, setting } from "../../observability/Setting.ts"
import { deliveryRetries } from "../../retries/RetryPolicy.ts"

/** Seconds before each attempt, counted from the one before it. */
export const retrySchedule: ReadonlyArray<number> = deliveryRetries.schedule_seconds

/** The schedule of this process. */
export const DeliverySchedule = Context.Reference<ReadonlyArray<number>>(
  "footnote/deliveries/queue/RetrySchedule/DeliverySchedule",
  { defaultValue: () => retrySchedule }
)

/** `FOOTNOTE_DELIVERY_SCHEDULE`: the seconds before each attempt, separated by commas; one attempt at least. */
export const deliverySchedule: Config.Config<ReadonlyArray<number>> = setting("FOOTNOTE_DELIVERY_SCHEDULE", list, {
  otherwise: retrySchedule.join(","),
  meaning: "seconds before each attempt of a delivery, counted from the one before"
}).pipe(
  Config.mapEffect((text) => {
    const parts = text.split(",").map((part) => part.trim())
    return parts.every((part) => /^\d{1,7}(?:\.\d{1,3})?$/u.test(part))
      ? Effect.succeed(parts.map(Number))
      : Effect.fail(configInvalid("FOOTNOTE_DELIVERY_SCHEDULE must be seconds separated by commas"))
  })
)

const { jitter, longest_retry_after_seconds } = deliveryRetries

/**
 * Seconds until the attempt after `made` failed ones, or undefined where they were the last. Spread by ±20 % (`random` from
 * 0 to 1), so that receivers that went down together are not called together; never before `retry_after`, up to a day.
 */
export const nextDelay = (
  made: number,
  random: number,
  retry_after: number | undefined,
  schedule: ReadonlyArray<number> = retrySchedule
): number | undefined => {
  const base = schedule[made]
  if (base === undefined) return undefined
  return Math.max(base * (1 - jitter + 2 * jitter * random), Math.min(retry_after ?? 0, longest_retry_after_seconds))
}
