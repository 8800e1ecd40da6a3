import type { makeDice } from "../Dice.ts"

/** What one host sends another is lost. */
type Cut = readonly [from: string, to: string]

export interface Partition {
  readonly kind: string
  readonly cuts: ReadonlyArray<Cut>
  /** Hosts whose lines are slow and lose what waits too long. */
  readonly slow: ReadonlyArray<string>
}

interface Hosts {
  readonly apis: ReadonlyArray<string>
  readonly workers: ReadonlyArray<string>
}

const both = (a: string, b: string): ReadonlyArray<Cut> => [[a, b], [b, a]]
const cut = (kind: string, ...cuts: ReadonlyArray<Cut>): Partition => ({ kind, cuts, slow: [] })
const slow = (kind: string, host: string): Partition => ({ kind, cuts: [], slow: [host] })

/** One of every kind, with one API and the worker that is given. */
const kindsOf = (hosts: Hosts, api: string, worker: string) => {
  const users = [...hosts.apis, ...hosts.workers, "delivery"]
  return {
    workerDatabase: cut("worker and database", ...both(worker, "database")),
    workerBlobs: cut("worker and blobs", ...both(worker, "blobs")),
    toDatabase: cut("worker to database, one way", [worker, "database"]),
    fromDatabase: cut("database to worker, one way", ["database", worker]),
    apiDatabase: cut("API and database", ...both(api, "database")),
    apiBlobs: cut("API and blobs", ...both(api, "blobs")),
    deliveryReceiver: cut("deliveries and receiver", ...both("delivery", "receiver")),
    deliveryDatabase: cut("deliveries and database", ...both("delivery", "database")),
    allDatabase: cut("database and everybody", ...users.flatMap((host) => both(host, "database"))),
    allBlobs: cut("blobs and everybody", ...users.flatMap((host) => both(host, "blobs"))),
    slowWorker: slow("a worker's line slow and losing packets", worker),
    slowApi: slow("an API's line slow and losing packets", api)
  }
}

/** One of every kind in turn, between hosts that the dice choose. */
export const partitionAt = (turn: number, hosts: Hosts, { random }: ReturnType<typeof makeDice>): Partition => {
  const one = (names: ReadonlyArray<string>) => names[Math.floor(random() * names.length)]!
  const kinds = Object.values(kindsOf(hosts, one(hosts.apis), one(hosts.workers)))
  return kinds[turn % kinds.length]!
}

/**
 * Every kind once, those at one time that leave an API, a worker, the database and the blobs to each other; what cuts off everybody is
 * alone.
 */
export const longPartitions = (hosts: Hosts): ReadonlyArray<ReadonlyArray<Partition>> => {
  const of = (at: number) => kindsOf(hosts, hosts.apis[1]!, hosts.workers[at]!)
  return [
    [of(0).workerDatabase, of(1).workerBlobs, of(0).deliveryReceiver, of(0).apiBlobs],
    [of(0).toDatabase, of(1).fromDatabase, of(2).slowWorker, of(0).apiDatabase, of(0).deliveryDatabase],
    [of(0).allDatabase],
    [of(0).allBlobs, of(0).slowApi]
  ]
}
