import autocannon from "autocannon"
import type { ChildProcess } from "node:child_process"
import { readFileSync } from "node:fs"

/** What one look at a server gave. */
export interface Look {
  readonly per_second: number
  readonly p50_ms: number
  readonly p99_ms: number
  /** Processor time of the server per request: what it costs whatever else the machine does. */
  readonly cpu_ms: number
  /** Answers other than 2xx. */
  readonly other: number
}

/** What is asked, and of whom. */
export interface Target {
  readonly server: ChildProcess
  readonly url: string
  readonly headers?: Readonly<Record<string, string>>
}

/** User and system time of a process so far, in ticks of 10 ms (Linux). */
const processorMillis = (pid: number): number => {
  const stat = readFileSync(`/proc/${pid}/stat`, "utf8")
  const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ")
  return (Number(fields[11]) + Number(fields[12])) * 10
}

/** A look whose processor time is that of all its requests. */
interface Counted extends Look {
  readonly requests: number
}

/** 16 connections, for so many seconds. */
const look = async ({ headers = {}, server, url }: Target, seconds: number): Promise<Counted> => {
  const before = processorMillis(server.pid!)
  const { latency, non2xx, requests } = await autocannon({
    url,
    headers: { ...headers },
    connections: 16,
    duration: seconds
  })
  return {
    per_second: requests.average,
    p50_ms: latency.p50,
    p99_ms: latency.p99,
    cpu_ms: processorMillis(server.pid!) - before,
    requests: requests.total,
    other: non2xx
  }
}

/** All looks at one target as one. */
const together = (looks: ReadonlyArray<Counted>): Look => {
  const middle = (of: (look: Counted) => number) => looks.map(of).toSorted((a, b) => a - b)[looks.length >> 1]!
  const total = (of: (look: Counted) => number) => looks.reduce((sum, look) => sum + of(look), 0)
  return {
    per_second: middle((look) => look.per_second),
    p50_ms: middle((look) => look.p50_ms),
    p99_ms: middle((look) => look.p99_ms),
    cpu_ms: total((look) => look.cpu_ms) / total((look) => look.requests),
    other: total((look) => look.other)
  }
}

/** Asked before anything is counted. After 1,000 a job read still took 0.63 ms, after 10,000 0.45, after 30,000 0.37: V8 was compiling. */
const warmUp = 20_000

/**
 * Processor time per request of each target over all its looks, which are taken in turn: whatever else the machine does comes to all of
 * them alike. Each is asked so often before that its code is compiled: what is told is what a process costs that has run for a minute.
 */
export const lookInTurn = async (
  targets: ReadonlyArray<Target>,
  rounds: number,
  seconds: number
): Promise<ReadonlyArray<Look>> => {
  for (const { headers = {}, url } of targets) {
    await autocannon({ url, headers: { ...headers }, connections: 16, amount: warmUp })
  }
  const looks: ReadonlyArray<Array<Counted>> = targets.map(() => [])
  for (let round = 0; round < rounds; round++) {
    for (const [at, target] of targets.entries()) looks[at]!.push(await look(target, seconds))
  }
  return looks.map(together)
}
