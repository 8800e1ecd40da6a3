import { spawn } from "node:child_process"
import { parseArgs } from "node:util"
import { soakService } from "./soak/service.ts"

/**
 * `npm run soak` draws the properties of the tests from new seeds, many times over, in the test files that it is given; `npm
 * run soak -- service --minutes 60` runs the whole service under a mixed load and says whether anything of it grows. Exits
 * with 1 where a property does not hold or a bound is broken; `--write` puts what was counted into docs/reliability.md. The same `--seed` draws the same load.
 */
const [word, ...args] = process.argv.slice(2)

if (word !== "service") {
  const tests = spawn("vitest", ["run", "--mode", "soak", ...process.argv.slice(2)], { stdio: "inherit" })
  tests.once("exit", (code) => process.exitCode = code ?? 1)
} else {
  const { values } = parseArgs({
    args,
    options: {
      minutes: { type: "string", default: "60" },
      "warm-up": { type: "string" },
      "jobs-per-minute": { type: "string", default: "6" },
      "requests-per-second": { type: "string", default: "10" },
      streams: { type: "string", default: "500" },
      "restart-every": { type: "string", default: "60" },
      seed: { type: "string", default: "1" },
      json: { type: "boolean", default: false },
      write: { type: "boolean", default: false }
    }
  })
  const minutes = Number(values.minutes)
  await soakService({
    minutes,
    // A worker loads its models with its first jobs, and heaps find their size within the first collections.
    warm_up_minutes: Number(values["warm-up"] ?? Math.min(10, minutes / 4)),
    jobs_per_minute: Number(values["jobs-per-minute"]),
    requests_per_second: Number(values["requests-per-second"]),
    streams: Number(values.streams),
    restart_seconds: Number(values["restart-every"]),
    seed: Number(values.seed),
    json: values.json,
    write: values.write
  })
}
