import { parseArgs } from "node:util"
import { killDeliveries } from "./chaos/deliveries.ts"
import { killEverything } from "./chaos/everything.ts"
import { injectFaults } from "./chaos/faults.ts"
import { partHosts } from "./chaos/hosts.ts"
import { killJobs } from "./chaos/jobs.ts"
import { cutPower } from "./chaos/power.ts"

/**
 * Kills the service at random moments and then checks its books: `npm run chaos -- jobs --kills 30` while jobs run,
 * `npm run chaos -- deliveries --kills 200` while their results are delivered, `npm run chaos -- everything --kills 1000
 * --jobs 200` anything of `npm start`, itself and all of it at once too, `npm run chaos -- power --cuts 50` by the power of its
 * disk. `npm run chaos -- hosts` parts hosts, each in a network namespace, and lets them come together again.
 * `npm run chaos -- faults` kills nothing and breaks the network to the database and to S3 instead. The same `--seed`
 * kills in the same order. Exits with 1 where something is wrong.
 */
const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: {
    kills: { type: "string" },
    cuts: { type: "string", default: "50" },
    partitions: { type: "string", default: "14" },
    jobs: { type: "string", default: "20" },
    deliveries: { type: "string", default: "5000" },
    seconds: { type: "string", default: "12" },
    "least-seconds": { type: "string" },
    "long-seconds": { type: "string", default: "0" },
    crashes: { type: "string", default: "5" },
    seed: { type: "string", default: "1" },
    real: { type: "boolean", default: false },
    write: { type: "boolean", default: false }
  }
})
const seed = Number(values.seed)

switch (positionals[0]) {
  case "jobs":
    await killJobs({ kills: Number(values.kills ?? 30), jobs: Number(values.jobs), seed, real: values.real })
    break
  case "deliveries":
    await killDeliveries({
      kills: Number(values.kills ?? 200),
      crashes: Number(values.crashes),
      deliveries: Number(values.deliveries),
      seed
    })
    break
  case "everything":
    await killEverything({ kills: Number(values.kills ?? 100), jobs: Number(values.jobs), seed, write: values.write })
    break
  case "power":
    await cutPower({ cuts: Number(values.cuts), seed, write: values.write })
    break
  case "faults":
    await injectFaults({ seconds: Number(values.seconds) })
    break
  case "hosts":
    await partHosts({
      jobs: Number(values.jobs),
      partitions: Number(values.partitions),
      least_seconds: Number(values["least-seconds"] ?? Math.round(Number(values.seconds) / 3)),
      seconds: Number(values.seconds),
      long_seconds: Number(values["long-seconds"]),
      seed,
      real: values.real,
      write: values.write
    })
    break
  default:
    console.error(
      "Usage: npm run chaos -- jobs [--kills 30] [--jobs 20] [--seed 1] [--real]\n"
        + "       npm run chaos -- deliveries [--kills 200] [--crashes 5] [--deliveries 5000] [--seed 1]\n"
        + "       npm run chaos -- everything [--kills 100] [--jobs 20] [--seed 1] [--write]\n"
        + "       npm run chaos -- power [--cuts 50] [--seed 1] [--write]\n"
        + "       npm run chaos -- faults [--seconds 12]\n"
        + "       npm run chaos -- hosts [--jobs 20] [--partitions 14] [--least-seconds 4] [--seconds 12] [--long-seconds 0]\n"
        + "                         [--seed 1] [--real] [--write]"
    )
    process.exitCode = 2
}
