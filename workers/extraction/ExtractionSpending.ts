import type { Spent } from "../engine/Stage.ts"

export const nothing: Spent = { tokens: 0, cost: 0 }

const plus = (one: Spent, other: Spent): Spent => ({
  tokens: one.tokens + other.tokens,
  cost: Math.round((one.cost + other.cost) * 1e6) / 1e6
})

/**
 * What a call has spent over all its starts: each start counts from nothing, and what an earlier one paid stays paid.
 */
export const spendingOfCall = () => {
  let [before, last, sum, start] = [nothing, nothing, nothing, 0]
  return {
    /** Takes what a start has spent so far. */
    heard: (news: Spent, of: number): void => {
      if (of !== start) [before, start] = [plus(before, last), of]
      last = news
      sum = plus(before, last)
    },
    spent: (): Spent => sum,
    /** The whole, of an answer that tells what its own start has spent. */
    spentWith: ({ cost, tokens }: Spent): Spent => plus(before, { tokens, cost })
  }
}
