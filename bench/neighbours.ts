import { fork } from "node:child_process"
import { once } from "node:events"
import { fileURLToPath } from "node:url"
import { parseArgs, styleText } from "node:util"
import { openOutside, openService } from "./neighbours/AttackedService.ts"
import type { Answers, Orders } from "./neighbours/attacker.ts"
import { attacks } from "./neighbours/Attacks.ts"
import { type Caller, callerOf, cancelAll, uploaded } from "./neighbours/Caller.ts"
import { firstSeconds, lecture } from "./neighbours/Footage.ts"
import { machineTime, sharesBetween } from "./neighbours/MachineTime.ts"

const defaultSeconds = 60
const defaultRounds = 2

const doors = ["read", "submission", "job"] as const

/** Milliseconds of each request by what was asked. */
type Samples = Readonly<Record<typeof doors[number], ReadonlyArray<number>>>

/** The middle, and what one in a hundred is slower than; of fewer than a hundred the slowest. */
const shares = { p50: 0.5, p99: 0.99 } as const
const at = (samples: ReadonlyArray<number>, share: number): number => {
  const sorted = samples.toSorted((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? Number.NaN
}

/** A tenant's day for so many seconds: reads and submissions all along, and a short job after the other. */
const measure = async (tenant: Caller, clip: string, seconds: number): Promise<Samples> => {
  const until = performance.now() + seconds * 1000
  const schema_inline = { type: "object", properties: { topic: { type: "string" } } }
  const repeat = async (work: () => Promise<unknown>, pause: number): Promise<ReadonlyArray<number>> => {
    const samples: Array<number> = []
    do {
      const from = performance.now()
      await work()
      samples.push(performance.now() - from)
      await new Promise((resolve) => setTimeout(resolve, pause))
    } while (performance.now() < until)
    return samples
  }
  const job = async () => {
    const { json } = await tenant.call("/v1/jobs", { source_uri: clip, schema_inline })
    let { status } = json
    while (status === "queued" || status === "running") {
      status = (await tenant.call(`/v1/jobs/${json.id}?wait=60`)).json.status
    }
    if (status !== "succeeded") throw new Error(`The neighbour's job is ${status}`)
  }
  // What is measured is the submission; what it asks for is not to be worked on.
  const submitted: Array<string> = []
  const submit = async () => {
    submitted.push((await tenant.call("/v1/jobs", { source_uri: clip, schema_inline })).json.id)
  }
  const cancelling = setInterval(() => {
    const id = submitted.shift()
    if (id !== undefined) void tenant.call(`/v1/jobs/${id}/cancel`, {})
  }, 100)
  try {
    const [read, submission, jobs] = await Promise.all([
      repeat(() => tenant.call("/v1/jobs?limit=1"), 20),
      repeat(submit, 400),
      repeat(job, 0)
    ])
    return { read, submission, job: jobs }
  } finally {
    clearInterval(cancelling)
    await cancelAll(tenant)
  }
}

/** Another process: what it takes to ask so often is not taken from whoever measures. */
const attackBy = (orders: Orders) => {
  const process = fork(fileURLToPath(new URL("neighbours/attacker.ts", import.meta.url)), { execArgv: [] })
  process.send(orders)
  const begun = once(process, "message")
  const answered = begun.then(() => once(process, "message"))
  const ended = once(process, "exit").then(([code, signal]) => {
    throw new Error(`The attacker ended by itself (${signal ?? code})`)
  })
  // It may end before anybody asks.
  ended.catch(() => {})
  return {
    begun: () => Promise.race([begun, ended]),
    end: async (): Promise<Answers> => {
      process.send("stop", () => {})
      const [answers] = await Promise.race([answered, ended])
      return answers
    }
  }
}

const merged = (some: ReadonlyArray<Samples>): Samples => ({
  read: some.flatMap(({ read }) => read),
  submission: some.flatMap(({ submission }) => submission),
  job: some.flatMap(({ job }) => job)
})

const seconds = (milliseconds: number): string =>
  milliseconds < 10_000 ? `${milliseconds.toFixed(0)} ms` : `${(milliseconds / 1000).toFixed(1)} s`

const said = (answers: Answers): string => {
  const counts = new Map<number, number>()
  for (const [status, count] of answers) counts.set(status, (counts.get(status) ?? 0) + count)
  return Array.from(counts, ([status, count]) => `${count} × ${status === 0 ? "cut" : status}`).join(", ")
}

/** What took the machine's processors in the mean of some phases, the most first. */
const usedBy = (phases: ReadonlyArray<{ readonly used: ReadonlyMap<string, number> }>): string => {
  const means = new Map<string, number>()
  for (const { used } of phases) {
    for (const [kind, part] of used) means.set(kind, (means.get(kind) ?? 0) + part / phases.length)
  }
  return [...means].filter(([, part]) => part >= 0.5).toSorted(([, a], [, b]) => b - a)
    .map(([kind, part]) => `${kind} ${part.toFixed(0)} %`).join(", ")
}

/** Prints what each attack of one tenant does to another's requests, and which are more than twice as slow. */
export const run = async (args: ReadonlyArray<string>): Promise<void> => {
  const { values } = parseArgs({
    args: [...args],
    options: {
      attack: { type: "string", default: Object.keys(attacks).join(",") },
      seconds: { type: "string", default: String(defaultSeconds) },
      rounds: { type: "string", default: String(defaultRounds) },
      video: { type: "string", default: lecture }
    }
  })
  const names = values.attack.split(",")
  for (const name of names) {
    if (!Object.hasOwn(attacks, name)) {
      throw new Error(`No attack ${name}. There is: ${Object.keys(attacks).join(", ")}.`)
    }
  }
  const footage = await firstSeconds(values.video)
  const outside = await openOutside()
  const service = await openService(outside.base)
  const over: Array<string> = []
  try {
    const neighbour = callerOf(service.base, service.key)
    const clip = await uploaded(neighbour, footage)
    const phase = async () => {
      const from = machineTime()
      const samples = await measure(neighbour, clip, Number(values.seconds))
      return { samples, used: sharesBetween(from, machineTime()) }
    }
    // The first jobs load the models.
    await measure(neighbour, clip, 1)
    for (const name of names) {
      const key = await service.tenant(name)
      const means = { clip: await uploaded(callerOf(service.base, key), footage), slow: outside.base }
      const [quiet, attacked, answers] = [[], [], []] as [
        Array<Awaited<ReturnType<typeof phase>>>,
        Array<Awaited<ReturnType<typeof phase>>>,
        Array<Answers[number]>
      ]
      for (let round = 0; round < Number(values.rounds); round++) {
        quiet.push(await phase())
        const attack = attackBy({ attack: name, base: service.base, key, means })
        await attack.begun()
        attacked.push(await phase())
        answers.push(...await attack.end())
      }
      console.log(`${name}: attacker was answered ${said(answers)}`)
      console.log(`  of the machine before: ${usedBy(quiet)}`)
      console.log(`  of the machine during: ${usedBy(attacked)}`)
      const [before, during] = [merged(quiet.map((one) => one.samples)), merged(attacked.map((one) => one.samples))]
      for (const door of doors) {
        for (const [part, share] of Object.entries(shares)) {
          const [was, is] = [at(before[door], share), at(during[door], share)]
          const ratio = is / was
          const text = `  ${door} ${part} (${before[door].length}, ${during[door].length} of them): ${
            seconds(was)
          } before, ${seconds(is)} during, × ${ratio.toFixed(2)}`
          console.log(ratio > 2 ? styleText("red", text) : text)
          if (ratio > 2) over.push(`${name} ${door} ${part} × ${ratio.toFixed(2)}`)
        }
      }
    }
  } finally {
    outside.close()
    await service.close()
  }
  console.log(over.length === 0 ? "None is more than twice as slow." : `More than twice as slow: ${over.join("; ")}.`)
}
