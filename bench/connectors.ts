import { Effect } from "effect"
import { deliverJobs } from "../test/support/vendors/DeliveryRun.ts"
import type { Fault } from "../test/support/vendors/FakeHttp.ts"
import { type FaultOf, kinds, openVendors } from "../test/support/vendors/Vendors.ts"
import { makeDice } from "./chaos/Dice.ts"

/** One call in four goes wrong, one in seven of all with the work done. */
const mix: ReadonlyArray<readonly [share: number, fault: Fault]> = [
  [0.1, { kind: "close_after" }],
  [0.025, { kind: "500_before" }],
  [0.025, { kind: "500_after" }],
  [0.05, { kind: "429", retry_after: 1 }],
  [0.02, { kind: "close_before" }],
  [0.01, { kind: "html_before" }],
  [0.005, { kind: "html_after" }],
  [0.005, { kind: "redirect" }],
  [0.002, { kind: "huge" }],
  [0.0005, { kind: "hang_before" }],
  [0.0005, { kind: "hang_after" }],
  [0.0005, { kind: "drip" }]
]

const mixed = (seed: number): FaultOf => {
  const { random } = makeDice(seed)
  return () => {
    let draw = random()
    return mix.find(([share]) => (draw -= share) < 0)?.[1]
  }
}

const option = (args: ReadonlyArray<string>, name: string, otherwise: number) =>
  Number(args.find((arg) => arg.startsWith(`--${name}=`))?.split("=")[1] ?? otherwise)

/**
 * Delivers the results of 1,000 jobs to each kind of destination, through the real connectors and a real worker, to local
 * vendors that verify every request and of which one call in four goes wrong: `--jobs=1000 --seed=1`. Exits with 1 where
 * a delivery is lost, a kind that is delivered once holds one twice, or a vendor is called before its Retry-After.
 */
export const run = async (args: ReadonlyArray<string>) => {
  const jobs = option(args, "jobs", 1000)
  const seed = option(args, "seed", 1)
  const vendors = await openVendors({ faultOf: mixed(seed), lag_ms: 200 })
  const began = performance.now()
  const counts = await Effect.runPromise(deliverJobs({
    vendors,
    kinds,
    jobs,
    schedule: Array.from({ length: 30 }, (_, at) => Math.min(2, at * 0.2).toFixed(1)).join(","),
    settle: { notion: 0.5, slack: 0.2 }
  }))
  await vendors.close()
  console.table(counts.map(({ kind, too_early, ...count }) => ({
    kind,
    ...count,
    "calls under way when told to wait": vendors.early.filter(({ key }) => key.startsWith(prefixOf[kind])).length,
    "calls before Retry-After": too_early
  })))
  console.log(
    `${
      Math.round((performance.now() - began) / 1000)
    } s, ${vendors.calls.length} calls, ${vendors.violations.length} that a vendor objects to`
  )
  for (const violation of new Set(vendors.violations)) console.log(violation)
  const bad = counts.some((count) =>
    count.lost > 0 || count.unfinished > 0 || count.too_early > 0 || (count.exactly_once && count.again > 0)
  )
  if (bad || vendors.violations.length > 0) process.exitCode = 1
  return counts
}

const prefixOf = {
  webhook: "/webhook ",
  slack: "/slack ",
  slack_incoming: "/hooks ",
  notion: "/notion ",
  sheets: "/v4 ",
  snowflake: "/snowflake "
} as const
