import type { Claimable } from "./LastSlot.ts"

/** What a tenant's tasks want of a machine: those that it computes there now, and those that wait at the head of a line. */
export interface Demand {
  readonly held: number
  readonly waiting: number
  readonly weight: number
  /** Whose tasks these are: how many jobs. */
  readonly jobs: number
}

/** What a machine's tenants want of it. */
export interface MachineStanding {
  readonly processors: number
  readonly demands: ReadonlyMap<string, Demand>
}

const wanted = ({ held, waiting }: Demand): number => held + waiting

/**
 * How many tasks each tenant may have computed on a machine at the same moment: its max-min fair share of the processors by
 * weight (Bertsekas and Gallager, Data Networks, 2nd edition, 1992, section 6.5.2), rounded up and never less than one. What
 * one does not want is the others'; where nobody else wants anything there is no bound.
 */
export const mostTasks = ({ demands, processors }: MachineStanding): ReadonlyMap<string, number> => {
  const wanting = [...demands].filter(([, demand]) => wanted(demand) > 0)
    .toSorted(([, a], [, b]) => wanted(a) / a.weight - wanted(b) / b.weight)
  const all = wanting.reduce((sum, [, { weight }]) => sum + weight, 0)
  return new Map(wanting.map(([tenant, { weight }]) => {
    let [left, weights] = [processors, all]
    for (const [other, demand] of wanting) {
      if (other === tenant) continue
      if (wanted(demand) * weights > left * demand.weight) break
      left -= wanted(demand)
      weights -= demand.weight
    }
    // Only the sum of the weights is not exact.
    return [tenant, wanting.length === 1 ? Infinity : Math.max(1, Math.ceil(left * weight / weights - 1e-9))]
  }))
}

/** What may be taken at one go: nobody is given more than its share, and whoever has its share already is given nothing. */
export const withinShares = (count: number, standing: MachineStanding): Claimable => {
  const room = Array.from(mostTasks(standing), ([tenant, most]) => ({
    tenant,
    tasks: most - standing.demands.get(tenant)!.held
  }))
  const without = room.filter(({ tasks }) => tasks <= 0).map(({ tenant }) => tenant)
  return { count: Math.min(count, ...room.flatMap(({ tasks }) => tasks > 0 ? [tasks] : [])), without }
}

/**
 * Those whose line is long while another's is short: they ask for more than their share, of twice as many jobs or more as another
 * tenant does, by weight. What of their line is computed at once decides little for them, and much for whoever waits for one job;
 * shares count tasks, whole and until their end, and the kernel counts what each really uses.
 */
export const backlogged = ({ demands, processors }: MachineStanding): ReadonlySet<string> => {
  const wanting = [...demands].filter(([, demand]) => wanted(demand) > 0)
  const all = wanting.reduce((sum, [, { weight }]) => sum + weight, 0)
  const fewest = Math.min(...wanting.map(([, { jobs, weight }]) => jobs / weight))
  return new Set(
    wanting.filter(([, demand]) =>
      demand.jobs >= 2 * fewest * demand.weight && wanted(demand) * all > processors * demand.weight
    ).map(([tenant]) => tenant)
  )
}
