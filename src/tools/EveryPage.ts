import { Effect } from "effect"

interface Page<A> {
  readonly data: ReadonlyArray<A>
  readonly next_cursor: string | null
}

/**
 * A whole list as one page, for tools that take no cursor. `read` is given the id that the page before ended with; what is
 * added meanwhile comes first in the list and is not seen.
 */
export const everyPage = Effect.fnUntraced(function*<A extends { readonly id: string }, E, R>(
  read: (cursor: string | undefined) => Effect.Effect<Page<A>, E, R>
) {
  const data: Array<A> = []
  let more = true
  while (more) {
    const page = yield* read(data.at(-1)?.id)
    data.push(...page.data)
    more = page.next_cursor !== null
  }
  return { data: data as ReadonlyArray<A>, next_cursor: null }
})
