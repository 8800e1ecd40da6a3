import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import {
  ApiError,
  ConnectionError,
  Footnote,
  type FootnoteOptions,
  TimeoutError
} from "../../clients/typescript/src/index.ts"
import { type Answer, dropped, scriptedService } from "../support/ScriptedService.ts"

const envelope = (code: string, details?: ReadonlyArray<{ path: string; message: string }>) => ({
  error: { code, message: "Said by the service.", request_id: "req_1", ...(details === undefined ? {} : { details }) }
})

const busy = (headers: Readonly<Record<string, string>> = {}): Answer => ({
  status: 429,
  headers,
  json: envelope("RATE_LIMITED")
})
const away: Answer = { status: 503, json: envelope("SERVICE_UNAVAILABLE") }
const job = (status: string) => ({ json: { id: "job_1", status } })

/** A client of a service that answers so, and the waits between its tries. */
const scene = Effect.fnUntraced(function*(
  script: Parameters<typeof scriptedService>[0],
  options: Partial<FootnoteOptions> = {}
) {
  const service = yield* scriptedService(script)
  const waits: Array<number> = []
  const client = new Footnote({
    base_url: service.base_url,
    api_key: "fnk_test",
    sleep: async (milliseconds) => void waits.push(milliseconds),
    ...options
  })
  return { ...service, client, waits }
})

const inHalfAMinute = () => new Date(Date.now() + 30_000).toUTCString()

const thrown = (promise: PromiseLike<unknown>): Effect.Effect<unknown> =>
  Effect.promise(() => Promise.resolve(promise).then(() => assert.fail("nothing was thrown"), (error) => error))

describe("errors of the TypeScript client", () => {
  it.live("are Errors that carry the code, the status, the request's id and the details, and say them", () =>
    Effect.gen(function*() {
      const { client } = yield* scene([
        { status: 400, json: envelope("INVALID_REQUEST", [{ path: "source_uri", message: "Is required" }]) }
      ])
      const error = yield* thrown(client.jobs.create({ source_uri: "" }))
      if (!(error instanceof ApiError)) return assert.fail(String(error))
      assert.instanceOf(error, Error)
      assert.strictEqual(error.status, 400)
      assert.strictEqual(error.code, "INVALID_REQUEST")
      assert.strictEqual(error.request_id, "req_1")
      assert.deepStrictEqual(error.details, [{ path: "source_uri", message: "Is required" }])
      assert.strictEqual(
        String(error),
        "ApiError: 400 INVALID_REQUEST: Said by the service. (source_uri: Is required) [request req_1]"
      )
    }).pipe(Effect.scoped))

  it.live("tell what a proxy answered in place of the service", () =>
    Effect.gen(function*() {
      const { client } = yield* scene([(response) => void response.writeHead(413).end("<h1>Too large</h1>")])
      const error = yield* thrown(client.limits.get())
      assert.strictEqual(String(error), "ApiError: 413 UNKNOWN: <h1>Too large</h1>")
    }).pipe(Effect.scoped))

  it.live("tell apart what never answered, what was late and what the caller stopped", () =>
    Effect.gen(function*() {
      const { client } = yield* scene([dropped], { retries: 0 })
      assert.instanceOf(yield* thrown(client.limits.get()), ConnectionError)

      const silent = yield* scene([() => undefined], { retries: 0, timeout: 20 })
      assert.instanceOf(yield* thrown(silent.client.limits.get()), TimeoutError)

      // An answer that the service was asked to hold is none that is late.
      const held = yield* scene([(response) => {
        setTimeout(
          () => response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify({ id: "job_1" })),
          60
        )
      }], { retries: 0, timeout: 20 })
      assert.strictEqual((yield* Effect.promise(() => held.client.jobs.get("job_1", { wait: 60 }))).id, "job_1")

      const reason = new Error("Enough")
      assert.strictEqual(yield* thrown(silent.client.limits.get({ signal: AbortSignal.abort(reason) })), reason)
    }).pipe(Effect.scoped))
})

describe("retries of the TypeScript client", () => {
  it.live("send a read again while the service is busy, away or cut off, with growing waits", () =>
    Effect.gen(function*() {
      const { client, requests, waits } = yield* scene([busy(), dropped, away, job("queued")])
      const { status } = yield* Effect.promise(() => client.jobs.get("job_1"))
      assert.strictEqual(status, "queued")
      assert.lengthOf(requests, 4)
      waits.forEach((wait, nth) => {
        assert.isAtLeast(wait, 250 * 2 ** nth)
        assert.isAtMost(wait, 500 * 2 ** nth)
      })
    }).pipe(Effect.scoped))

  it.live("wait as long as Retry-After says, in seconds or as a date, and tell the caller where that is over a minute", () =>
    Effect.gen(function*() {
      const { client, waits } = yield* scene([
        busy({ "retry-after": "7" }),
        busy({ "retry-after": inHalfAMinute() }),
        job("queued")
      ])
      yield* Effect.promise(() => client.jobs.get("job_1"))
      assert.isAtLeast(waits[0]!, 7000)
      assert.isAtMost(waits[0]!, 7500)
      assert.isAtLeast(waits[1]!, 20_000)
      assert.isAtMost(waits[1]!, 30_500)

      const long = yield* scene([busy({ "retry-after": "90" })])
      const error = yield* thrown(long.client.jobs.get("job_1"))
      assert.propertyVal(error, "retry_after", 90)
      assert.lengthOf(long.requests, 1)
    }).pipe(Effect.scoped))

  it.live("send a create again with one Idempotency-Key, its own or the caller's", () =>
    Effect.gen(function*() {
      const { client, requests } = yield* scene([dropped, away, job("queued"), job("queued")])
      yield* Effect.promise(() => client.jobs.create({ source_uri: "https://example.com/a.mp4" }))
      yield* Effect.promise(() =>
        client.jobs.create({ source_uri: "https://example.com/a.mp4" }, { idempotency_key: "mine" })
      )
      const [first, second, third, own] = requests.map(({ headers }) => headers["idempotency-key"])
      assert.match(String(first), /^[0-9a-f]{32}$/u)
      assert.deepStrictEqual([second, third], [first, first])
      assert.strictEqual(own, "mine")
    }).pipe(Effect.scoped))

  it.live("send nothing again that would be done twice, nor what the service refused", () =>
    Effect.gen(function*() {
      const cut = yield* scene([dropped])
      assert.instanceOf(yield* thrown(cut.client.destinations.update("dst_1", { name: "b" })), ConnectionError)
      assert.lengthOf(cut.requests, 1)

      const refused = yield* scene([{ status: 500, json: envelope("INTERNAL") }])
      yield* thrown(refused.client.jobs.get("job_1"))
      assert.lengthOf(refused.requests, 1)
    }).pipe(Effect.scoped))

  it.live("end after as many as are allowed, with the last failure", () =>
    Effect.gen(function*() {
      const { client, requests } = yield* scene([away], { retries: 2 })
      assert.propertyVal(yield* thrown(client.jobs.get("job_1")), "code", "SERVICE_UNAVAILABLE")
      assert.lengthOf(requests, 3)
    }).pipe(Effect.scoped))
})

describe("lists of the TypeScript client", () => {
  it.live("are walked page by page with the same filters, and no further than the caller goes", () =>
    Effect.gen(function*() {
      const { client, requests } = yield* scene(({ url }) => ({
        json: url.includes("cursor=next")
          ? { data: [{ id: "job_3" }], next_cursor: null }
          : { data: [{ id: "job_1" }, { id: "job_2" }], next_cursor: "next" }
      }))
      const walk = async (most: number) => {
        const ids: Array<string> = []
        for await (const { id } of client.jobs.list({ status: "failed", metadata: { order: "4711" } })) {
          if (ids.push(id) === most) break
        }
        return ids
      }
      assert.deepStrictEqual(yield* Effect.promise(() => walk(2)), ["job_1", "job_2"])
      assert.deepStrictEqual(yield* Effect.promise(() => walk(9)), ["job_1", "job_2", "job_3"])
      const filters = "status=failed&metadata%5Border%5D=4711"
      assert.deepStrictEqual(requests.map(({ url }) => url), [
        `/v1/jobs?${filters}`,
        `/v1/jobs?${filters}`,
        `/v1/jobs?cursor=next&${filters}`
      ])
    }).pipe(Effect.scoped))
})

describe("waiting of the TypeScript client", () => {
  it.live("ends with the job once it is over, whichever way, and asks the service to hold the answer", () =>
    Effect.gen(function*() {
      const { client, requests } = yield* scene([job("queued"), job("running"), job("failed")])
      const { status } = yield* Effect.promise(() => client.jobs.wait("job_1"))
      assert.strictEqual(status, "failed")
      assert.deepStrictEqual(requests.map(({ url }) => url), Array(3).fill("/v1/jobs/job_1?wait=60"))
    }).pipe(Effect.scoped))

  it.live("throws TimeoutError when the time is over, and ApiError for a job that is not there", () =>
    Effect.gen(function*() {
      const { client } = yield* scene([job("running"), { status: 404, json: envelope("JOB_NOT_FOUND") }])
      const late = yield* thrown(client.jobs.wait("job_1", { timeout: 0 }))
      assert.strictEqual(String(late), "TimeoutError: job_1 is still running after 0 ms")
      assert.propertyVal(yield* thrown(client.jobs.wait("job_1")), "code", "JOB_NOT_FOUND")
    }).pipe(Effect.scoped))
})
