/** How a pool stands: its slots over all live workers, where each of them tells, and the tasks that each tenant holds. */
export interface PoolStanding {
  readonly slots: number | null
  readonly held: ReadonlyMap<string, number>
}

/** What may be taken at one go: so many tasks, none of these tenants. */
export interface Claimable {
  readonly count: number
  readonly without: ReadonlyArray<string>
}

/**
 * No tenant is given the last slot of a pool that has two or more: whoever holds all others takes no further task, however
 * long its tasks are, so that another tenant's first task always finds a place. A pool of one slot, or one with a worker of an
 * earlier version, which does not tell its slots, is given in the order of the line alone.
 */
export const claimable = (count: number, { held, slots }: PoolStanding): Claimable => {
  if (slots === null || slots < 2) return { count, without: [] }
  const most = slots - 1
  const without = [...held].filter(([, tasks]) => tasks >= most).map(([tenant]) => tenant)
  const busiest = Math.max(0, ...[...held.values()].filter((tasks) => tasks < most))
  return { count: Math.min(count, most - busiest), without }
}
