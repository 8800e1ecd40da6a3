/** What the directory says of a tenant. `frozen`: its writes are refused with 503 and `Retry-After`, its reads go on. */
interface Entry {
  readonly cell: string
  readonly frozen: boolean
}

export interface MoveOptions {
  readonly routers: number
  /** For so many ticks a router believes what it has read of the directory. */
  readonly ttl: number
  /** For so many ticks the mover waits after it froze the tenant and before it copies. */
  readonly wait: number
  readonly copy: number
  /** Writes that each router is sent in a tick. */
  readonly writes: number
  /** From 0 to 1; the same draws, the same run. */
  readonly random: () => number
}

export interface MoveBooks {
  readonly taken: number
  readonly refused: number
  /** Taken by the old cell after its rows were copied: nobody would ever see them again. */
  readonly lost: number
  readonly ticks_refused: number
}

/**
 * A tenant's move from one cell to another while routers that remember the directory send its writes: frozen, waited for whoever has
 * not heard of it, copied, switched, opened. With `wait` of at least `ttl` no write is lost, and the tenant is refused for the wait and the
 * copy; with less, some are.
 */
export const simulateMove = ({ copy, random, routers, ttl, wait, writes }: MoveOptions): MoveBooks => {
  const from = 2 * ttl
  const copied = from + wait
  const opened = copied + copy
  const directory = (tick: number): Entry => ({
    cell: tick < opened ? "old" : "new",
    frozen: tick >= from && tick < opened
  })
  const known = Array.from({ length: routers }, () => ({ entry: directory(0), read: -Math.floor(random() * ttl) }))
  let [taken, refused, lost] = [0, 0, 0]
  const refusing = new Set<number>()
  for (let tick = 0; tick < opened + 2 * ttl; tick++) {
    for (const router of known) {
      if (tick - router.read >= ttl) Object.assign(router, { entry: directory(tick), read: tick })
      for (let write = 0; write < writes; write++) {
        if (router.entry.frozen) {
          refused++
          refusing.add(tick)
          continue
        }
        taken++
        if (router.entry.cell === "old" && tick >= copied) lost++
      }
    }
  }
  return { taken, refused, lost, ticks_refused: refusing.size }
}
