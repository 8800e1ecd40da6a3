import { randomBytes, randomUUID } from "node:crypto"
import { setTimeout as delay } from "node:timers/promises"
import type { openReceiver } from "../chaos/CheckedReceiver.ts"
import { makeDice } from "../chaos/Dice.ts"
import type { Caller } from "./Caller.ts"
import type { openSlowSource } from "./SlowSource.ts"
import { followEvents } from "./Streams.ts"

export interface LoadOptions {
  readonly jobs_per_minute: number
  readonly requests_per_second: number
  readonly streams: number
}

/** So many ended jobs of a tenant stay; older ones are deleted. */
const keptJobs = 10
/** More are not begun while so many are at work, so that a slow machine is not buried. */
const mostActive = 6
const cancelled = 0.15
const sentTwice = 0.1

const reads = [
  "",
  "/transcript",
  "/transcript?format=srt",
  "/frames?include_raw=true",
  "/vision",
  "/graph",
  "/evidence",
  "/manifest",
  "/deliveries",
  "/schema"
]
const lists = ["/v1/jobs?limit=20", "/v1/usage", "/v1/limits", "/v1/destinations", "/v1/deliveries", "/v1/schemas"]

const isOver = (status: string) => status !== "queued" && status !== "running"

/** Again and again, at moments as independent callers have them. */
const repeat = async (
  seed: number,
  mean_seconds: number,
  stop: AbortSignal,
  work: (random: () => number) => Promise<unknown>
) => {
  const { random } = makeDice(seed)
  const under = new Set<Promise<unknown>>()
  while (!stop.aborted) {
    await delay(-Math.log(1 - random()) * mean_seconds * 1000, undefined, { signal: stop }).catch(() => undefined)
    if (stop.aborted) break
    const one = work(random)
    under.add(one)
    void one.finally(() => under.delete(one))
  }
  await Promise.all(under)
}

/** All that one tenant does at a time, until told to stop; what it has begun it brings to an end. */
export const makeTenantLoad = (
  name: string,
  caller: Caller,
  clips: ReadonlyArray<Uint8Array>,
  receiver: Awaited<ReturnType<typeof openReceiver>>,
  slow: Awaited<ReturnType<typeof openSlowSource>>,
  seed: number
) => {
  const { call } = caller
  const active = new Set<string>()
  const ended: Array<string> = []
  const counts = { submitted: 0, succeeded: 0, cancelled: 0, failed: 0, deleted: 0, uploads: 0, destinations: 0 }
  const failures: Array<string> = []
  let slowJob: string | undefined

  const submit = async (body: object) => {
    const headers = { "idempotency-key": randomUUID() }
    const { json } = await call("/v1/jobs", { method: "POST", body, headers })
    return { id: json.id as string, secret: json.webhook_signing_secret as string, headers }
  }
  const upload = async (bytes: Uint8Array) => {
    const { json } = await call("/v1/uploads", { method: "POST", body: bytes })
    counts.uploads++
    return json as { readonly id: string; readonly uri: string }
  }
  const wait = async (id: string) => {
    for (;;) {
      const { json } = await call(`/v1/jobs/${id}?wait=20`)
      if (isOver(json.status)) return json as { readonly status: string; readonly error: unknown }
    }
  }

  const runJob = async (random: () => number, destination: string) => {
    const source = await upload(clips[Math.floor(random() * clips.length)]!)
    const path = `/job/${randomUUID()}`
    const body = {
      source_uri: source.uri,
      webhook_url: receiver.url(path),
      metadata: { tenant: name },
      ...(random() < 0.5 ? { destination_ids: [destination] } : {})
    }
    const job = await submit(body)
    receiver.trust(path, job.secret)
    active.add(job.id)
    counts.submitted++
    if (random() < sentTwice) {
      const again = await call("/v1/jobs", { method: "POST", body, headers: job.headers })
      if (again.json.id !== job.id) failures.push(`One idempotency key, two jobs: ${job.id}, ${again.json.id}`)
    }
    if (random() < cancelled) {
      await delay(random() * 10_000)
      await call(`/v1/jobs/${job.id}/cancel`, { method: "POST", may: [409] })
    }
    const { error, status } = await wait(job.id)
    active.delete(job.id)
    counts[status as "succeeded" | "cancelled" | "failed"]++
    if (status === "failed") failures.push(`${job.id}: ${JSON.stringify(error)}`)
    await call(`/v1/uploads/${source.id}`, { method: "DELETE" })
    ended.push(job.id)
    while (ended.length > keptJobs) {
      counts.deleted++
      await call(`/v1/jobs/${ended.shift()}`, { method: "DELETE" })
    }
  }

  /** An upload in two parts, of which one in three is left as it is and deleted. */
  const resume = async (random: () => number) => {
    const bytes = randomBytes(Math.ceil(random() * 2_000_000) + 2)
    const half = bytes.length >> 1
    const tus = { "tus-resumable": "1.0.0" }
    const patch = (id: string, offset: number, body: Uint8Array) =>
      call(`/v1/uploads/${id}`, {
        method: "PATCH",
        body,
        headers: { ...tus, "content-type": "application/offset+octet-stream", "upload-offset": String(offset) },
        // The same part again after an answer that was cut.
        may: [409]
      })
    const { json } = await call("/v1/uploads", {
      method: "POST",
      headers: { ...tus, "upload-length": String(bytes.length) }
    })
    counts.uploads++
    await patch(json.id, 0, bytes.subarray(0, half))
    if (random() < 0.67) await patch(json.id, half, bytes.subarray(half))
    await call(`/v1/uploads/${json.id}`, { method: "DELETE", may: [404] })
  }

  const useDestination = async () => {
    const path = `/destination/${randomUUID()}`
    const { json } = await call("/v1/destinations", {
      method: "POST",
      body: { name: "short-lived", type: "webhook", config: { url: receiver.url(path) } }
    })
    receiver.trust(path, json.signing_secret)
    counts.destinations++
    await call(`/v1/destinations/${json.id}/test`, { method: "POST" })
    await call(`/v1/destinations/${json.id}`, { method: "PATCH", body: { status: "paused" } })
    if (ended.length > 0) {
      const body = { destination_id: json.id }
      await call(`/v1/jobs/${ended[0]}/deliveries`, { method: "POST", body, may: [404, 409] })
    }
    await call(`/v1/destinations/${json.id}`, { method: "PATCH", body: { status: "active" } })
    await call(`/v1/destinations/${json.id}`, { method: "DELETE", may: [404] })
    const { json: schema } = await call("/v1/schemas", {
      method: "POST",
      body: { name: "short-lived", json_schema: { type: "object", properties: { topic: { type: "string" } } } }
    })
    await call(`/v1/schemas/${schema.id}`, { method: "DELETE", may: [404] })
  }

  const followed = (random: () => number) => {
    const jobs = [...active]
    return jobs.length === 0 || random() < 0.7 ? slowJob : jobs[Math.floor(random() * jobs.length)]
  }

  return {
    counts,
    failures,
    /** Until `stop`, and then until all that was begun is over. */
    run: async (options: LoadOptions, stop: AbortSignal) => {
      const path = `/destination/${randomUUID()}`
      const { json } = await call("/v1/destinations", {
        method: "POST",
        body: { name: "lasting", type: "webhook", config: { url: receiver.url(path) } }
      })
      receiver.trust(path, json.signing_secret)
      const keepSlow = async () => {
        while (!stop.aborted) {
          const { id } = await submit({ source_uri: slow.url(randomUUID()) })
          slowJob = id
          while (!stop.aborted && !isOver((await call(`/v1/jobs/${id}?wait=2`)).json.status));
          slowJob = undefined
          await call(`/v1/jobs/${id}/cancel`, { method: "POST", may: [409] })
        }
      }
      const readAny = (random: () => number) => {
        const id = ended[Math.floor(random() * ended.length)]
        const path = id === undefined || random() < 0.3
          ? lists[Math.floor(random() * lists.length)]!
          : `/v1/jobs/${id}${reads[Math.floor(random() * reads.length)]}`
        // Erased since it was chosen, or ended without a result.
        return call(path, { may: [404, 409] })
      }
      const dice = Array.from({ length: options.streams }, (_, n) => makeDice(seed + 1000 + n))
      await Promise.all([
        keepSlow(),
        repeat(seed + 1, 60 / options.jobs_per_minute, stop, async (random) => {
          if (active.size < mostActive) await runJob(random, json.id)
        }),
        repeat(seed + 2, 1 / options.requests_per_second, stop, readAny),
        repeat(seed + 3, 10, stop, resume),
        repeat(seed + 4, 15, stop, useDestination),
        ...dice.map((one) => followEvents(caller, () => followed(one.random), one, stop))
      ])
    }
  }
}
