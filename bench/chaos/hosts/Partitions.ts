import type { makeDice } from "../Dice.ts"

/** What one host sends another is lost. */
type Cut = readonly [from: string, to: string]

export interface Partition {
  readonly kind: string
  readonly cuts: ReadonlyArray<Cut>
}

const both = (a: string, b: string): ReadonlyArray<Cut> => [[a, b], [b, a]]

/** One of every kind in turn, between hosts that the dice choose. */
export const partitionAt = (
  turn: number,
  hosts: { readonly apis: ReadonlyArray<string>; readonly workers: ReadonlyArray<string> },
  { random }: ReturnType<typeof makeDice>
): Partition => {
  const one = (names: ReadonlyArray<string>) => names[Math.floor(random() * names.length)]!
  const [api, worker] = [one(hosts.apis), one(hosts.workers)]
  const all = [...hosts.apis, ...hosts.workers]
  const kinds: ReadonlyArray<Partition> = [
    { kind: "worker and database", cuts: both(worker, "database") },
    { kind: "worker and blobs", cuts: both(worker, "blobs") },
    { kind: "worker to database, one way", cuts: [[worker, "database"]] },
    { kind: "database to worker, one way", cuts: [["database", worker]] },
    { kind: "API and database", cuts: both(api, "database") },
    { kind: "deliveries and receiver", cuts: both("delivery", "receiver") },
    { kind: "database and everybody", cuts: all.flatMap((host) => both(host, "database")) }
  ]
  return kinds[turn % kinds.length]!
}
