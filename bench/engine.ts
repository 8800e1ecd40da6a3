import { mkdtemp, rm } from "node:fs/promises"
import { availableParallelism, loadavg, tmpdir } from "node:os"
import { join } from "node:path"
import { type Cost, fewest, measureBacklog } from "./engine/Backlog.ts"
import { measureWorkers } from "./engine/Workers.ts"
import { writeRun } from "./Reliability.ts"

const shown = ({ low, middle }: Cost) => `${low.toFixed(1)} (${middle.toFixed(1)})`

const rounded = (value: number, digits: number) => Number(value.toFixed(digits))

/**
 * What the engine itself costs: with 100,000 jobs of 1,000 tenants in line (`--jobs=N`, 0 leaves it out), and over 1, 2, 4 and 8 worker
 * processes (`--workers=1,2,4`) whose work is a wait (`--task-ms=500`): with short tasks it shows what the machine and PostgreSQL take
 * at most, with longer ones how many workers add up below that. PostgreSQL's limit is a second of all processors by what it takes of
 * them for a task, so it is the machine's when nothing else runs on it.
 */
export const run = async (args: ReadonlyArray<string>) => {
  const option = (name: string) => args.find((arg) => arg.startsWith(`--${name}=`))?.slice(name.length + 3)
  const folder = await mkdtemp(join(tmpdir(), "footnote-engine-"))
  const most = Number(option("jobs") ?? 100_000)
  const backlog = most === 0 ? undefined : await measureBacklog(join(folder, "backlog"), most, 60)
  if (backlog !== undefined) {
    const rows = backlog.costs.map(({ call, deep, shallow }) => ({
      call,
      [`${fewest} in line`]: shown(shallow),
      [`${most} in line`]: shown(deep),
      ratio: Math.round((deep.low / shallow.low) * 100) / 100
    }))
    console.log("milliseconds of a call: the lowest tenth (the middle), and the ratio of the former")
    console.table(rows)
    console.log(
      `fairness (Jain) ${backlog.fairness.toFixed(3)} over the ${backlog.tenants_with_slots} tenants that hold a slot`
    )
  }
  const counts = (option("workers") ?? "1,2,4,8").split(",").map(Number)
  const taskMillis = Number(option("task-ms") ?? 500)
  const scale = await measureWorkers(join(folder, "workers"), counts, taskMillis)
  console.log(`tasks of ${taskMillis} ms, 4 at once in each worker process; idle figures are of one worker in a second`)
  console.table(scale.map((row) => ({
    workers: row.workers,
    "tasks/s": rounded(row.tasks_per_second, 1),
    "of linear": rounded(row.of_linear, 3),
    "filled after s": rounded(row.filled_seconds, 1),
    "worker ms/task": rounded(row.worker_ms_per_task, 1),
    "postgres ms/task": rounded(row.postgres_ms_per_task, 1),
    "WAL KiB/task": rounded(row.wal_kib_per_task, 1),
    "postgres's limit (tasks/s)": Math.round((availableParallelism() * 1000) / row.postgres_ms_per_task),
    connections: row.connections,
    "idle: worker ms": rounded(row.idle_worker_ms, 1),
    "postgres ms": rounded(row.idle_postgres_ms, 1),
    transactions: rounded(row.idle_transactions, 1),
    "WAL bytes": Math.round(row.idle_wal_bytes)
  })))
  console.log(`${availableParallelism()} processors, load ${loadavg()[0]!.toFixed(1)}`)
  if (args.includes("--write")) {
    writeRun({
      title: taskMillis < 1000 ? "The engine with a long line" : "Workers with tasks of seconds",
      command: `npm run bench -- engine --jobs=${most} --workers=${counts.join(",")} --task-ms=${taskMillis}`,
      what: [
        ...(backlog === undefined ? [] : [
          `What a submission, an admission for one free slot and a claim cost with ${most} jobs of 1,000 tenants in line beside ${fewest} jobs, call by `
          + `call in turn (lowest tenth, in ms).`
        ]),
        `How worker processes add up that hold 4 tasks each, whose work is a wait of ${taskMillis} ms, once their slots are no more in step. `
        + `Workers, PostgreSQL and bench share this machine: `
        + `where their processor ms by task times tasks/s come near its processors, it is they that are full, not PostgreSQL alone.`
      ].join(" "),
      figures: {
        ...Object.fromEntries((backlog?.costs ?? []).map(({ call, deep, shallow }) => [
          `${call}: ${fewest} in line, ${most} in line, ratio`,
          `${shallow.low.toFixed(1)}, ${deep.low.toFixed(1)}, ${(deep.low / shallow.low).toFixed(2)}`
        ])),
        ...(backlog === undefined
          ? {}
          : { "fairness (Jain) over the tenants that hold a slot": backlog.fairness.toFixed(3) }),
        ...Object.fromEntries(scale.map((row) => [
          `${row.workers} worker processes: tasks/s and share of linear, seconds until as many were begun as there are slots, processor ms of workers and of PostgreSQL by task, WAL by task, connections`,
          `${row.tasks_per_second.toFixed(1)}, ${row.of_linear.toFixed(2)}, ${row.filled_seconds.toFixed(1)}, ${
            row.worker_ms_per_task.toFixed(1)
          }, ${row.postgres_ms_per_task.toFixed(1)}, ${row.wal_kib_per_task.toFixed(1)} KiB, ${row.connections}`
        ]))
      }
    })
  }
  await rm(folder, { recursive: true, force: true })
  return { backlog, scale }
}
