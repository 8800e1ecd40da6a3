import { Console, Effect } from "effect"
import { fileURLToPath } from "node:url"
import type { Pool } from "../src/processes/Pools.ts"
import { deployment, finished, submit } from "../test/support/Deployment.ts"
import { descendants } from "../test/support/Processes.ts"
import { processorSeconds } from "./media/ProcessorTime.ts"

const lecture = fileURLToPath(new URL("../samples/lecture.mp4", import.meta.url))
const pools: ReadonlyArray<Pool> = ["media", "speech", "vision", "extraction"]

/** What a process is for, by its command line: `speech-compute`, `worker media`, `API`; null for what is none of the service's own. */
const roleOf = (command: string): string | null => {
  const lane = /([a-z]+-compute)\.ts/u.exec(command)
  if (lane !== null) return lane[1]!
  const worker = /workers\/main\.ts ([a-z ]+)/u.exec(command)
  if (worker !== null) return `worker ${worker[1]!.trim()}`
  if (command.includes("src/main.ts")) return "API"
  return /postgres/u.test(command) ? "PostgreSQL" : null
}

/** Processor seconds of the service's processes by role, as far as each has got. */
const processorByRole = (): ReadonlyMap<string, number> => {
  const used = new Map<string, number>()
  for (const { command, pid } of descendants()) {
    const role = roleOf(command)
    if (role !== null) used.set(role, (used.get(role) ?? 0) + processorSeconds(pid))
  }
  return used
}

export interface ThroughputReport {
  readonly jobs: number
  readonly wall_seconds: number
  /** Hours of footage that the machine turns into results in an hour. */
  readonly times_real_time: number
  /** Role and provider of each model that the last job names. */
  readonly models: ReadonlyArray<string>
  /** Processor seconds by role for an hour of footage, without the first job, which loads the models. */
  readonly processor_seconds_an_hour: Readonly<Record<string, number>>
}

/** `jobs` lectures at once on as many worker processes of each pool as are asked for. Fails when one of them does not succeed. */
export const measure = (
  jobs: number,
  workers: Readonly<Record<string, number>>,
  env: Readonly<Record<string, string>>
): Promise<ThroughputReport> =>
  Effect.runPromise(Effect.scoped(Effect.gen(function*() {
    const worker_groups = [
      ...pools.flatMap((pool) => Array.from({ length: workers[pool] ?? 1 }, () => [pool])),
      ["delivery" as const]
    ]
    const { client } = yield* deployment({ worker_groups, env })
    // The first one loads the models.
    yield* finished(client, (yield* submit(client, lecture, {})).id)
    const before = processorByRole()
    const began = performance.now()
    const ids = yield* Effect.forEach(
      Array.from({ length: jobs }),
      () => submit(client, lecture, {}).pipe(Effect.map(({ id }) => id)),
      { concurrency: 4 }
    )
    const done = yield* Effect.forEach(ids, (id) => finished(client, id), { concurrency: "unbounded" })
    const wall_seconds = (performance.now() - began) / 1000
    const failed = done.filter(({ status }) => status !== "succeeded")
    if (failed.length > 0) return yield* Effect.die(`${failed.length} of ${jobs} jobs did not succeed`)
    const footage = done.reduce((sum, { source }) => sum + (source?.duration_seconds ?? 0), 0)
    const after = processorByRole()
    return {
      jobs,
      wall_seconds,
      times_real_time: footage / wall_seconds,
      models: (done.at(-1)?.provenance?.models ?? []).map(({ execution_provider, name, role }) =>
        `${role} ${name} on ${execution_provider}`
      ),
      processor_seconds_an_hour: Object.fromEntries(
        [...after].map(([role, seconds]) => [role, ((seconds - (before.get(role) ?? 0)) / footage) * 3600])
      )
    }
  })))

/**
 * `--jobs=N` (8) lectures at once; `--media=N --speech=N --vision=N --extraction=N` (1 each) worker processes; `--provider=auto|cpu|webgpu|cuda`:
 * how much footage this machine turns into results, and what each role took for it: the `s` and `m` of docs/deployment.md.
 */
export const run = async (args: ReadonlyArray<string>): Promise<void> => {
  const given = (name: string) => args.find((arg) => arg.startsWith(`--${name}=`))?.split("=")[1]
  const workers = Object.fromEntries(pools.map((pool) => [pool, Number(given(pool) ?? 1)]))
  const provider = given("provider")
  const report = await measure(
    Number(given("jobs") ?? 8),
    workers,
    provider === undefined ? {} : { FOOTNOTE_EXECUTION_PROVIDER: provider }
  )
  const of = pools.map((pool) => `${workers[pool]} ${pool}`).join(", ")
  await Effect.runPromise(Console.log(
    `${report.jobs} lectures, workers: ${of}: ${report.wall_seconds.toFixed(1)} s, ${
      report.times_real_time.toFixed(1)
    } times real time. ${report.models.join(", ")}`
  ))
  for (const [role, seconds] of Object.entries(report.processor_seconds_an_hour)) {
    if (seconds > 1) {
      console.log(`  ${role.padEnd(20)} ${seconds.toFixed(0).padStart(6)} processor seconds an hour of footage`)
    }
  }
}
