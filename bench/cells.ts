import { simulateMove } from "./cells/Move.ts"
import { type Cell, imbalance, place, type Policy, type Tenant } from "./cells/Placement.ts"

/** Numerical Recipes' generator: the same seed, the same run. */
const seeded = (seed: number) => () => (seed = (Math.imul(seed, 1_664_525) + 1_013_904_223) >>> 0) / 2 ** 32

/** Few tenants have most of the footage: the k-th largest has 1/k of the largest (Zipf), in the order of a lottery. */
const tenantsOf = (count: number, random: () => number): ReadonlyArray<Tenant> =>
  Array.from({ length: count }, (_, at) => ({ id: `ten_${at}`, load: 1 / (at + 1), lot: random() }))
    .toSorted((a, b) => a.lot - b.lot)

const cellsOf = (sizes: ReadonlyArray<number>): ReadonlyArray<Cell> =>
  sizes.map((size, at) => ({ name: `cell-${at + 1}`, size }))

const policies: ReadonlyArray<Policy> = ["first", "lighter of two", "lightest"]
const two = (value: number): number => Math.round(100 * value) / 100

/** How even three ways of giving tenants a cell are over ten lotteries, and how many tenants stand elsewhere when a cell is added. */
const placements = (count: number, seed: number) =>
  policies.map((policy) => {
    const cells = cellsOf([1, 1, 1, 1, 2, 2])
    const more = [...cells, { name: "cell-7", size: 1 }]
    const runs = Array.from({ length: 10 }, (_, at) => {
      const tenants = tenantsOf(count, seeded(seed + at))
      const half = tenants.slice(0, count / 2)
      const first = place(half, cells, policy)
      const kept = place(tenants, more, policy, first)
      const anew = place(half, more, policy)
      return {
        uneven: imbalance(tenants, cells, place(tenants, cells, policy)),
        after: imbalance(tenants, more, kept),
        moved: half.filter(({ id }) => first.get(id) !== kept.get(id)).length / half.length,
        moved_without_directory: half.filter(({ id }) => first.get(id) !== anew.get(id)).length / half.length
      }
    })
    const mean = (of: (run: (typeof runs)[number]) => number) =>
      two(runs.reduce((sum, run) => sum + of(run), 0) / runs.length)
    return {
      "a new tenant goes to": policy,
      "fullest / mean": mean(({ uneven }) => uneven),
      "… a seventh added half way": mean(({ after }) => after),
      "tenants moved by it": mean(({ moved }) => moved),
      "… if each router only hashed": mean((run) => run.moved_without_directory)
    }
  })

const moves = (seed: number) =>
  [0, 15, 29, 30, 45].map((wait) => {
    const random = seeded(seed)
    const books = Array.from({ length: 200 }, () =>
      simulateMove({ routers: 8, ttl: 30, wait, copy: 60, writes: 2, random }))
    const sum = (of: (one: (typeof books)[number]) => number) =>
      books.reduce((all, one) => all + of(one), 0)
    return {
      "waited before the copy, s": wait,
      "writes taken": sum(({ taken }) => taken),
      "taken by the old cell after its copy": sum(({ lost }) => lost),
      "refused with 503": sum(({ refused }) => refused),
      "s in which a move refuses": two(sum(({ ticks_refused }) => ticks_refused) / books.length)
    }
  })

/**
 * A simulation of what stands before several installations (cells): which cell a new tenant is given, what a further cell moves, and
 * how long a tenant that moves has to be refused so that no write is lost, with routers that believe the directory for 30 s.
 * `--tenants=N` (5000), `--seed=N`.
 */
export const run = async (args: ReadonlyArray<string>): Promise<void> => {
  const option = (name: string) => args.find((arg) => arg.startsWith(`--${name}=`))?.slice(name.length + 3)
  const seed = Number(option("seed") ?? 1)
  console.log(
    "six cells, two of them of twice the size; the k-th largest tenant has 1/k of the largest; mean of ten lotteries"
  )
  console.table(placements(Number(option("tenants") ?? 5000), seed))
  console.log("200 moves, 8 routers, 2 writes a second to each, a copy of 60 s")
  console.table(moves(seed))
}
