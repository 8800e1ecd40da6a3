interface Ordered {
  /** In how many objects it was, and the sum of its places in them. */
  readonly count: number
  readonly positions: number
  /** The names that came right after it in some object. */
  readonly before: ReadonlySet<string>
}

/**
 * An order of names in which whatever came before another in the examples still does (Kahn's topological sort); names that
 * the examples leave open come by their mean place, then by code unit. Where the examples contradict each other the name
 * with the lowest mean place goes first. The outcome depends on the names' figures alone, not on the map's order.
 */
export const inferredOrder = (members: ReadonlyMap<string, Ordered>): ReadonlyArray<string> => {
  const waiting = new Map<string, number>()
  for (const { before } of members.values()) for (const name of before) waiting.set(name, (waiting.get(name) ?? 0) + 1)
  const left = new Map(
    Array.from(members).toSorted(([a, one], [b, other]) =>
      // Cross-multiplied: the means of integers stay exact.
      one.positions * other.count - other.positions * one.count || (a < b ? -1 : 1)
    )
  )
  const ordered: Array<string> = []
  while (left.size > 0) {
    let next: string | undefined
    for (const name of left.keys()) {
      if ((waiting.get(name) ?? 0) > 0) continue
      next = name
      break
    }
    next ??= left.keys().next().value!
    for (const name of left.get(next)!.before) waiting.set(name, waiting.get(name)! - 1)
    left.delete(next)
    ordered.push(next)
  }
  return ordered
}
