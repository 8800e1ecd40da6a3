/** Something that waits for a model run. `length` is what batches are padded along, in the model's own frames. */
export interface Waiting {
  readonly tenant_id: string
  readonly length: number
}

export interface BatchLimits {
  /** Items per run. */
  readonly items: number
  /** Padded frames per run, `items × padded length`: bounds the memory of a run and how long it cannot be stopped. */
  readonly frames: number
  /** The padded length of an item; items of one padded length may share a run. Never below `length`, never decreasing. */
  readonly pad: (length: number) => number
}

export interface Batch<A> {
  /** The padded length of every item. */
  readonly length: number
  readonly items: ReadonlyArray<A>
}

export interface BatchQueue<A> {
  readonly size: () => number
  readonly add: (item: A) => void
  /** Takes an item out that no run has taken yet; false where there is no such item. */
  readonly remove: (item: A) => boolean
  /** The items of the next run, undefined where none waits. */
  readonly take: () => Batch<A> | undefined
}

/**
 * Decides which items share the next run. Tenants lead in turn: the oldest item of the leading one sets the padded length,
 * and the run is filled with items of that length, one tenant after the other, each tenant's oldest first. So an item with
 * `a` older ones of its own tenant leaves within `(a + 1) × tenants` runs, whatever its length and whatever the others
 * send. An item that is alone too long for `frames` runs alone.
 */
export const makeBatchQueue = <A extends Waiting>(limits: BatchLimits): BatchQueue<A> => {
  /** Insertion order is the turn: the first tenant leads the next run and then goes to the end. */
  const tenants = new Map<string, Set<A>>()
  let size = 0

  const remove = (item: A): boolean => {
    const own = tenants.get(item.tenant_id)
    if (own === undefined || !own.delete(item)) return false
    if (own.size === 0) tenants.delete(item.tenant_id)
    size--
    return true
  }

  return {
    size: () => size,
    add: (item) => {
      const own = tenants.get(item.tenant_id)
      if (own === undefined) tenants.set(item.tenant_id, new Set([item]))
      else own.add(item)
      size++
    },
    remove,
    take: () => {
      const [lead] = tenants
      if (lead === undefined) return undefined
      const [tenant_id, own] = lead
      const [oldest] = own
      const length = limits.pad(oldest!.length)
      const room = Math.max(1, Math.min(limits.items, Math.floor(limits.frames / length)))
      // One line per tenant in turn order; each round takes one item of every line that is not used up.
      const lines = Array.from(
        tenants.values(),
        (waiting) => Array.from(waiting).filter((item) => limits.pad(item.length) === length)
      )
      const items: Array<A> = []
      for (let round = 0; items.length < room; round++) {
        const next = lines.flatMap((line) => line.slice(round, round + 1))
        if (next.length === 0) break
        items.push(...next.slice(0, room - items.length))
      }
      for (const item of items) remove(item)
      const left = tenants.get(tenant_id)
      if (left !== undefined) {
        tenants.delete(tenant_id)
        tenants.set(tenant_id, left)
      }
      return { length, items }
    }
  }
}

/**
 * Padded lengths that grow by a quarter, in multiples of 16 frames: padding adds at most a quarter and 16 frames, and a
 * device sees few shapes, so that what it prepares for one (kernels, memory plans) is used again.
 */
export const padByQuarters = (length: number): number => {
  let padded = 64
  while (padded < length) padded = Math.ceil((padded * 1.25) / 16) * 16
  return padded
}
