import { setTimeout as delay } from "node:timers/promises"
import { openService } from "./ChaosService.ts"
import { openReceiver } from "./CheckedReceiver.ts"
import { makeDice } from "./Dice.ts"

/** Deliveries of one job: to so many destinations, and one to its own webhook. */
const destinationCount = 19

const schedule = ["0", "0.2", "0.5", "1", ...Array.from({ length: 26 }, () => "2")].join(",")

const sum = (numbers: Iterable<number>) => [...numbers].reduce((total, n) => total + n, 0)

/**
 * Kills the service again and again while it delivers, and then compares what the receiver has taken with what was to be
 * delivered. API, stage workers and delivery workers get SIGKILL, PostgreSQL immediate shutdowns. Exits with 1 where an
 * event is missing at its receiver, an id came with two bodies, a signature did not verify with two libraries, or more
 * came twice than kills, crashes and the receiver's own drops explain.
 */
export const killDeliveries = async (options: {
  readonly kills: number
  readonly crashes: number
  readonly deliveries: number
  readonly seed: number
}) => {
  const { crashes, kills } = options
  const jobCount = Math.ceil(options.deliveries / (destinationCount + 1))
  const dice = makeDice(options.seed)
  const receiver = await openReceiver(makeDice(options.seed + 1))
  const service = await openService({
    SOURCE_ALLOW_PRIVATE: "127.0.0.0/8",
    FOOTNOTE_DELIVERY_SCHEDULE: schedule,
    DELIVERY_SLOTS: "2"
  })
  const { api, call, count, database, query } = service
  await query("UPDATE footnote.tenants SET max_active = 10000, max_running = 1000, writes_per_minute = 0")

  const destination_ids: Array<string> = []
  for (let number = 0; number < destinationCount; number++) {
    const path = `/destination/${number}`
    const { json } = await call("/v1/destinations", {
      method: "POST",
      body: JSON.stringify({ name: `Receiver ${number}`, type: "webhook", config: { url: receiver.url(path) } }),
      headers: { "content-type": "application/json" }
    })
    receiver.trust(path, json.signing_secret)
    destination_ids.push(json.id)
  }

  const stages = { at_least: 0, at_most: 20, results: true }
  const workers = [
    service.noopWorker("stages 1", { ...stages, pools: ["fetch", "media", "speech", "vision", "extraction"] }),
    service.noopWorker("stages 2", { ...stages, pools: ["fetch", "media", "speech", "vision", "extraction"] }),
    ...[1, 2, 3, 4].map((number) => service.worker(`delivery ${number}`, ["delivery"]))
  ]

  const submit = async (number: number) => {
    const path = `/job/${number}`
    const { json } = await call("/v1/jobs", {
      method: "POST",
      body: JSON.stringify({
        source_uri: "https://example.com/chunks=1&images=1",
        destination_ids,
        webhook_url: receiver.url(path)
      }),
      headers: { "content-type": "application/json", "idempotency-key": `chaos ${number}` }
    })
    if (json.id === undefined) throw new Error(`A submission was refused: ${JSON.stringify(json)}`)
    receiver.trust(path, json.webhook_signing_secret)
    return { number, id: json.id as string }
  }

  const began = performance.now()
  const killed: Record<string, number> = { API: 0, stages: 0, delivery: 0, PostgreSQL: 0 }
  const submissions: Array<ReturnType<typeof submit>> = []
  const total = kills + crashes
  const wantedCount = jobCount * (destinationCount + 1)
  const jobsBy = (kill: number) => Math.min(jobCount, Math.ceil(((kill + 10) * jobCount) / total))
  for (let kill = 0; kill < total; kill++) {
    while (submissions.length < jobsBy(kill)) submissions.push(submit(submissions.length))
    // Spread over the deliveries, however fast the machine is; but a standstill is no refuge either.
    const reached = (kill / total) * wantedCount
    for (const since = performance.now(); receiver.taken.size < reached && performance.now() - since < 20_000;) {
      await delay(20)
    }
    await delay(dice.between(0, 300))
    if (Math.floor(((kill + 1) * crashes) / total) > Math.floor((kill * crashes) / total)) {
      killed["PostgreSQL"]!++
      await database.crash()
      continue
    }
    const draw = dice.random()
    const victim = draw < 0.1 ? api : workers[Math.floor(dice.random() * workers.length)]!
    // One that is still starting has nothing to lose.
    await victim.ready()
    killed[victim.name.replace(/ \d+$/u, "")]!++
    await victim.kill()
  }
  const jobs = await Promise.all(submissions)

  const open = `(SELECT 1 FROM footnote.jobs WHERE status IN ('queued', 'running')
    UNION ALL SELECT 1 FROM footnote.deliveries WHERE finished_at IS NULL) open`
  for (const killedAt = performance.now(); performance.now() - killedAt < 300_000;) {
    await delay(250)
    if (await count(open) === 0) break
  }

  const paths = destination_ids.map((_, at) => `/destination/${at}`)
  const wanted = jobs.flatMap(({ id, number }) =>
    [`/job/${number}`, ...paths].map((path) => `${path} evt_${id.slice("job_".length)}`)
  )
  const known = new Set(wanted)
  const { bodies, counts, taken } = receiver
  const extras = sum(taken.values()) - taken.size
  const allowed = kills + crashes + counts.dropped
  const wrong = {
    lost: wanted.filter((key) => !taken.has(key)).length,
    "ids with two bodies": [...bodies.values()].filter((seen) => seen.size > 1).length,
    "unknown ids": [...taken.keys()].filter((key) => !known.has(key)).length,
    "not verified by both libraries": counts.unverifiable + receiver.untrusted(),
    "deliveries that did not succeed": await count("footnote.deliveries WHERE status <> 'succeeded'"),
    "deliveries too few or too many": Math.abs(await count("footnote.deliveries") - wanted.length),
    "extras beyond kills, crashes and drops": Math.max(0, extras - allowed)
  }
  console.table({
    ...killed,
    deliveries: wanted.length,
    requests: counts.requests,
    "verified by standardwebhooks and svix": counts.verified,
    "refused by the receiver": counts.refused,
    "dropped by the receiver after taking": counts.dropped,
    "came again after being taken": extras,
    allowed
  })
  console.log(`${Math.round((performance.now() - began) / 1000)} s`)
  console.table(wrong)
  receiver.close()
  await service.close(Object.values(wrong).some((n) => n !== 0))
}
