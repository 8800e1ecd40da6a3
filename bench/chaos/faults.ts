import { Context, Effect, Layer, type Scope } from "effect"
import { setTimeout as delay } from "node:timers/promises"
import { type Fault, type FaultyProxy, faultyProxy, slowDown } from "../../test/support/FaultyProxy.ts"
import { S3Server } from "../../test/support/S3Server.ts"
import { openService } from "./ChaosService.ts"

type Place = "database" | "blobs"

const faults: ReadonlyArray<readonly [Place, string, Fault]> = [
  ["database", "never answers", { kind: "silent" }],
  ["database", "answers 1 s late", { kind: "delayed", millis: 1000 }],
  ["database", "half-closes", { kind: "half-closed" }],
  ["database", "resets", { kind: "reset" }],
  ["blobs", "never answers", { kind: "silent" }],
  ["blobs", "503 SlowDown", { kind: "answered", bytes: slowDown }],
  ["blobs", "drips", { kind: "dripping", millis: 250 }],
  ["blobs", "half-closes", { kind: "half-closed" }],
  ["blobs", "resets", { kind: "reset" }]
]

interface Asked {
  readonly status: number
  readonly ms: number
  readonly again: boolean
}

/** After a fault every request has to be good again within this. */
const recoverySeconds = 90

const measure = async (
  service: Awaited<ReturnType<typeof openService>>,
  set: (place: Place, fault: Fault) => Promise<void>,
  seconds: number
) => {
  let bad = false
  const jobs: Array<string> = []
  const ask = async (
    method: string,
    path: string,
    body?: object | string
  ): Promise<Asked & { readonly text: string }> => {
    const began = performance.now()
    const response = await fetch(`${service.base_url}${path}`, {
      method,
      headers: {
        authorization: `Bearer ${service.key}`,
        "content-type": typeof body === "string" ? "video/mp4" : "application/json"
      },
      ...(body === undefined ? {} : { body: typeof body === "string" ? body : JSON.stringify(body) }),
      signal: AbortSignal.timeout(120_000)
    }).catch(() => undefined)
    const text = await response?.text().catch(() => undefined)
    const answered = response !== undefined && text !== undefined
    return {
      status: answered ? response.status : 0,
      ms: performance.now() - began,
      again: response?.headers.has("retry-after") === true,
      text: text ?? ""
    }
  }
  const submit = async () => {
    const answer = await ask("POST", "/v1/jobs", { source_uri: "https://example.com/chunks=2&images=2" })
    if (answer.status === 201) jobs.push(JSON.parse(answer.text).id as string)
    return answer
  }
  const round = () => [submit(), ask("GET", "/v1/jobs"), ask("POST", "/v1/uploads", "footage")]
  const good = async () => (await Promise.all(round())).every(({ status }) => status < 300 && status > 0)
  while (!(await good())) await delay(200)

  console.log("fault                       requests by status            longest   recovered after")
  for (const [place, what, fault] of faults) {
    const under: Array<Promise<Asked>> = []
    await set(place, fault)
    const until = performance.now() + seconds * 1000
    while (performance.now() < until) {
      under.push(...round())
      await delay(500)
    }
    await set(place, { kind: "none" })
    const over = performance.now()
    while (!(await good()) && performance.now() - over < recoverySeconds * 1000) await delay(100)
    const recovered = (performance.now() - over) / 1000
    const asked = await Promise.all(under)
    const counts = new Map<number, number>()
    for (const { status } of asked) counts.set(status, (counts.get(status) ?? 0) + 1)
    const wrong = asked.filter(({ again, status }) => status === 0 || (status >= 500 && (status !== 503 || !again)))
    bad ||= wrong.length > 0 || recovered >= recoverySeconds
    const by = [...counts].toSorted(([a], [b]) => a - b).map(([status, n]) => `${status} × ${n}`).join(", ")
    const longest = Math.max(...asked.map(({ ms }) => ms)) / 1000
    console.log(
      `${`${place} ${what}`.padEnd(28)}${by.padEnd(30)}${longest.toFixed(1).padStart(5)} s   ${recovered.toFixed(1)} s${
        wrong.length > 0 ? `   WRONG: ${wrong.length}` : ""
      }`
    )
  }

  const open = "footnote.jobs WHERE status IN ('queued', 'running')"
  const patience = performance.now() + 180_000
  while ((await service.count(open)) > 0 && performance.now() < patience) await delay(500)
  const lost = await service.count(open)
  const failed = await service.count("footnote.jobs WHERE status = 'failed'")
  const known = new Set(
    (await service.query<{ readonly id: string }>("SELECT id FROM footnote.jobs")).map(({ id }) => id)
  )
  const gone = jobs.filter((id) => !known.has(id)).length
  bad ||= lost > 0 || failed > 0 || gone > 0
  console.log(`${jobs.length} jobs taken; gone ${gone}, not ended ${lost}, failed ${failed}`)
  await service.close(bad)
}

/**
 * Runs a service behind proxies to its database and its bucket, breaks one of them in each way for some seconds while a client
 * submits and reads, and says per fault what was answered, how long the longest answer took, and how long it took until
 * everything was good again. Wrong are a 5xx other than 503, a 503 without Retry-After, and a job that is lost or failed.
 */
export const injectFaults = ({ seconds }: { readonly seconds: number }) =>
  Effect.runPromise(Effect.scoped(Effect.gen(function*() {
    const bucket = Context.get(yield* Layer.build(S3Server.layer), S3Server)
    const run = Effect.runPromiseWith(yield* Effect.context<Scope.Scope>())
    const blobs = yield* faultyProxy({ host: "127.0.0.1", port: bucket.port })
    let database: FaultyProxy | undefined
    const service = yield* Effect.promise(() =>
      openService({
        BLOB_S3_BUCKET: "blobs",
        BLOB_S3_ENDPOINT: `http://127.0.0.1:${blobs.port}`,
        BLOB_S3_ACCESS_KEY_ID: "S3RVER",
        BLOB_S3_SECRET_ACCESS_KEY: "S3RVER"
      }, async (url) => {
        const { pathname, searchParams } = new URL(url)
        database = await run(
          faultyProxy({ path: `${searchParams.get("host")}/.s.PGSQL.${searchParams.get("port") ?? 5432}` })
        )
        return `postgres://${searchParams.get("user")}@127.0.0.1:${database.port}${pathname}`
      })
    )
    const proxies = { database: database!, blobs }
    const worker = service.noopWorker("worker", { results: true, at_least: 50, at_most: 200 })
    yield* Effect.promise(() => worker.ready())
    yield* Effect.promise(() => measure(service, (place, fault) => run(proxies[place].set(fault)), seconds))
  })))
