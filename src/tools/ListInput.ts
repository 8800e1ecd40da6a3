import { Effect, Schema } from "effect"
import { pageQueryOf } from "../database/Page.ts"
import type { IdPrefix } from "../identity/Id.ts"

const most = 100

/** What a list takes that is given whole unless a page of it is asked for. */
export const listInput = (prefix: IdPrefix, each: string) =>
  Schema.Struct({
    limit: Schema.optionalKey(
      Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: most })).annotate({
        description: `How many at most, 1 to ${most}; ${each}. Left out, all of them.`
      })
    ),
    cursor: pageQueryOf(prefix).cursor
  })

interface Page<A> {
  readonly data: ReadonlyArray<A>
  readonly next_cursor: string | null
}

/** The page that is asked for, or the whole list as one; what is added while it is read comes first in it and is not seen. */
export const pageOrAll = Effect.fnUntraced(function*<A extends { readonly id: string }, E, R>(
  { cursor, limit }: { readonly cursor?: string | undefined; readonly limit?: number },
  read: (page: { readonly limit: number; readonly cursor: string | undefined }) => Effect.Effect<Page<A>, E, R>
): Effect.fn.Return<Page<A>, E, R> {
  let page = yield* read({ limit: limit ?? most, cursor })
  if (limit !== undefined) return page
  const data = [...page.data]
  while (page.next_cursor !== null) {
    page = yield* read({ limit: most, cursor: data.at(-1)!.id })
    data.push(...page.data)
  }
  return { data, next_cursor: null }
})
