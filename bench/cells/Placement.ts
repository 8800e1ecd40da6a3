import { createHash } from "node:crypto"

export interface Cell {
  readonly name: string
  /** How much it can take beside the others, as hours of footage a day. */
  readonly size: number
}

export interface Tenant {
  readonly id: string
  readonly load: number
}

/** From 0 to 1, both exclusive, by the names alone: the same in every router. */
const drawn = (...names: ReadonlyArray<string>): number =>
  (createHash("sha256").update(names.join("\n")).digest().readUIntBE(0, 6) + 1) / (2 ** 48 + 2)

/**
 * Cells in the order in which they would have a tenant: weighted rendezvous hashing (Thaler and Ravishankar 1998; weights as Schindelhauer
 * and Schomaker 2005). A cell that comes or goes changes nothing between the others.
 */
export const ranked = (tenant: string, cells: ReadonlyArray<Cell>): ReadonlyArray<Cell> =>
  cells
    .map((cell) => ({ cell, rank: -cell.size / Math.log(drawn(tenant, cell.name)) }))
    .toSorted((a, b) => b.rank - a.rank)
    .map(({ cell }) => cell)

export type Policy = "first" | "lighter of two" | "lightest"

const share = (cell: Cell, loads: ReadonlyMap<string, number>): number => (loads.get(cell.name) ?? 0) / cell.size

const choices: Readonly<Record<Policy, (order: ReadonlyArray<Cell>) => ReadonlyArray<Cell>>> = {
  first: (order) => order.slice(0, 1),
  // Mitzenmacher 2001: of two that were drawn the lighter one takes most of what is uneven away.
  "lighter of two": (order) => order.slice(0, 2),
  lightest: (order) => order
}

/**
 * Gives tenants their cells, one after the other as they sign up; a tenant stays where it is, so `placed` are kept. The load of a tenant
 * is not known when it comes: a cell's is what its tenants have by then.
 */
export const place = (
  tenants: ReadonlyArray<Tenant>,
  cells: ReadonlyArray<Cell>,
  policy: Policy,
  placed: ReadonlyMap<string, string> = new Map()
): ReadonlyMap<string, string> => {
  const directory = new Map(placed)
  const loads = new Map<string, number>()
  for (const { id, load } of tenants) {
    const cell = directory.get(id)
      ?? choices[policy](ranked(id, cells)).reduce((a, b) => (share(b, loads) < share(a, loads) ? b : a)).name
    directory.set(id, cell)
    loads.set(cell, (loads.get(cell) ?? 0) + load)
  }
  return directory
}

/** The fullest cell's load beside the mean of all, each by its size: 1 is even. */
export const imbalance = (
  tenants: ReadonlyArray<Tenant>,
  cells: ReadonlyArray<Cell>,
  directory: ReadonlyMap<string, string>
): number => {
  const loads = new Map<string, number>()
  for (const { id, load } of tenants) {
    const cell = directory.get(id)!
    loads.set(cell, (loads.get(cell) ?? 0) + load)
  }
  const all = tenants.reduce((sum, { load }) => sum + load, 0)
  const size = cells.reduce((sum, cell) => sum + cell.size, 0)
  return Math.max(...cells.map((cell) => share(cell, loads))) / (all / size)
}
