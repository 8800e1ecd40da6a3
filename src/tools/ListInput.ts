import { Effect, Schema } from "effect"
import { pageQueryOf } from "../database/Page.ts"
import type { IdPrefix } from "../identity/Id.ts"

/** What a list of things takes: how many of them, and where to go on. */
export const listInput = (prefix: IdPrefix, { each, most, usual }: {
  readonly usual: number
  readonly most: number
  readonly each: string
}) => ({
  limit: Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: most })).annotate({
    description: `How many at most, 1 to ${most}; ${each}.`,
    default: usual
  }).pipe(Schema.withDecodingDefaultKey(Effect.succeed(usual))),
  cursor: pageQueryOf(prefix).cursor
})
