import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import * as fc from "fast-check"
import { messagesOf } from "../../clients/typescript/src/events.ts"
import { ApiError, ConnectionError, Footnote } from "../../clients/typescript/src/index.ts"
import { type Answer, dropped, scriptedService } from "../support/ScriptedService.ts"

const event = (id: number, status: string) =>
  `id: ${id}\nevent: status\ndata: ${JSON.stringify({ id, type: "status", status })}\n\n`

const stream = (...events: ReadonlyArray<string>): Answer => (response) =>
  void response.writeHead(200, { "content-type": "text/event-stream" }).end(`retry: 2000\n\n${events.join("")}`)

/** Bytes come, and then the connection breaks. */
const broken = (...events: ReadonlyArray<string>): Answer => (response) => {
  response.writeHead(200, { "content-type": "text/event-stream" })
  response.write(events.join(""), () => response.socket?.destroy())
}

const refusal = (status: number, code: string): Answer => ({
  status,
  json: { error: { code, message: "No.", request_id: "req_1" } }
})

const job = (status: string): Answer => ({ json: { id: "job_1", status } })

const nth = (answers: ReadonlyArray<Answer>, at: number): Answer => answers[Math.min(at, answers.length - 1)]!

/** Follows a job whose events are answered so, and the job itself so; the last of each over and over. */
const followed = Effect.fnUntraced(function*(
  events: ReadonlyArray<Answer>,
  jobs: ReadonlyArray<Answer> = [job("running")],
  last_event_id?: number
) {
  let [connections, reads] = [0, 0]
  const { base_url, requests } = yield* scriptedService(({ url }) =>
    url.endsWith("/events") ? nth(events, connections++) : nth(jobs, reads++)
  )
  const client = new Footnote({ base_url, api_key: "fnk_test", sleep: async () => undefined })
  const seen: Array<number> = []
  const outcome = yield* Effect.promise(async () => {
    try {
      for await (const { id } of client.jobs.events("job_1", last_event_id === undefined ? {} : { last_event_id })) {
        seen.push(id)
      }
      return "ended"
    } catch (error) {
      return error
    }
  })
  const resumed = requests.filter(({ url }) => url.endsWith("/events")).map(({ headers }) => headers["last-event-id"])
  return { outcome, resumed, seen }
})

describe("events of a job in the TypeScript client", () => {
  it.live("end with the job", () =>
    Effect.gen(function*() {
      const { outcome, seen } = yield* followed([
        stream(event(1, "queued"), event(2, "running"), event(3, "succeeded"))
      ])
      assert.deepStrictEqual(seen, [1, 2, 3])
      assert.strictEqual(outcome, "ended")
    }).pipe(Effect.scoped))

  it.live("end with an ApiError where the job is unknown (404) or the key is wrong (401)", () =>
    Effect.gen(function*() {
      for (const [status, code] of [[404, "JOB_NOT_FOUND"], [401, "UNAUTHENTICATED"]] as const) {
        const { outcome, resumed } = yield* followed([refusal(status, code)])
        if (!(outcome instanceof ApiError)) return assert.fail(String(outcome))
        assert.strictEqual(outcome.code, code)
        assert.lengthOf(resumed, 1)
      }
    }).pipe(Effect.scoped))

  it.live("end with an ApiError where the key is revoked while they run", () =>
    Effect.gen(function*() {
      const { outcome, seen } = yield* followed([stream(event(1, "queued")), refusal(401, "UNAUTHENTICATED")])
      assert.deepStrictEqual(seen, [1])
      assert.propertyVal(outcome, "code", "UNAUTHENTICATED")
    }).pipe(Effect.scoped))

  it.live("go on after the last one where the connection breaks off, the service drains or is busy", () =>
    Effect.gen(function*() {
      const { outcome, resumed, seen } = yield* followed([
        broken(event(1, "queued"), event(2, "running")),
        dropped,
        refusal(503, "SERVICE_UNAVAILABLE"),
        stream(),
        stream(event(3, "succeeded"))
      ])
      assert.strictEqual(outcome, "ended")
      assert.deepStrictEqual(seen, [1, 2, 3])
      assert.deepStrictEqual(resumed, [undefined, "2", "2", "2", "2"])
    }).pipe(Effect.scoped))

  it.live("go on where ten connections in a row break or are refused, as while the service restarts", () =>
    Effect.gen(function*() {
      const away = Array.from({ length: 9 }, (_, at) => at % 2 === 0 ? dropped : refusal(503, "SERVICE_UNAVAILABLE"))
      const { outcome, resumed, seen } = yield* followed([
        broken(event(1, "running")),
        ...away,
        stream(event(2, "succeeded"))
      ])
      assert.strictEqual(outcome, "ended")
      assert.deepStrictEqual(seen, [1, 2])
      assert.lengthOf(resumed, 11)
    }).pipe(Effect.scoped))

  it.live("go on where the job cannot be read after they ended without it", () =>
    Effect.gen(function*() {
      const { outcome, seen } = yield* followed([
        stream(event(1, "running")),
        stream(),
        stream(event(2, "succeeded"))
      ], [dropped, refusal(503, "SERVICE_UNAVAILABLE")])
      assert.strictEqual(outcome, "ended")
      assert.deepStrictEqual(seen, [1, 2])
    }).pipe(Effect.scoped))

  it.live("bring the last one also where the job was over before the connection that breaks or drains brought it", () =>
    Effect.gen(function*() {
      const last = stream(event(2, "succeeded"))
      for (const gap of [[stream(), dropped], [stream(), stream()], [stream(), broken(), broken()]]) {
        const { outcome, seen } = yield* followed(
          [stream(event(1, "running")), ...gap, last],
          [job("running"), job("running"), job("succeeded")]
        )
        assert.strictEqual(outcome, "ended")
        assert.deepStrictEqual(seen, [1, 2])
      }
    }).pipe(Effect.scoped))

  it.live("end with a ConnectionError where the service stays away", () =>
    Effect.gen(function*() {
      const { outcome, resumed } = yield* followed([dropped])
      assert.instanceOf(outcome, ConnectionError)
      assert.lengthOf(resumed, 11)
    }).pipe(Effect.scoped))

  it.live("end with a ConnectionError where connection after connection brings nothing", () =>
    Effect.gen(function*() {
      const { outcome, resumed } = yield* followed([stream()])
      assert.match(String(outcome), /^ConnectionError: /u)
      assert.lengthOf(resumed, 11)
    }).pipe(Effect.scoped))

  it.live("of a job that is over end where they are asked for after the last one", () =>
    Effect.gen(function*() {
      const { outcome, seen } = yield* followed([stream()], [job("succeeded")], 9)
      assert.strictEqual(outcome, "ended")
      assert.deepStrictEqual(seen, [])
    }).pipe(Effect.scoped))

  it("are the same however the bytes are cut, and whichever ends of lines they have", async () => {
    const blocks = fc.array(fc.record({ id: fc.nat(), data: fc.stringMatching(/^[ -~]{1,20}$/u) }), { maxLength: 6 })
    await fc.assert(
      fc.asyncProperty(
        blocks,
        fc.constantFrom("\n", "\r", "\r\n"),
        fc.array(fc.nat({ max: 30 })),
        async (all, end, cuts) => {
          const text = all.map(({ data, id }) => [`: note`, `id: ${id}`, `data: ${data}`, "", ""].join(end)).join("")
          const pieces = async function*() {
            let rest = text
            for (const cut of cuts) {
              yield rest.slice(0, cut)
              rest = rest.slice(cut)
            }
            yield rest
          }
          const seen = []
          for await (const message of messagesOf(pieces())) seen.push(message)
          // A last carriage return may be half of an end, so that its event is held back until more comes.
          const whole = end === "\r" ? all.slice(0, seen.length) : all
          assert.isAtLeast(seen.length, all.length - 1)
          assert.deepStrictEqual(seen, whole.map(({ data, id }) => ({ id: String(id), data })))
        }
      )
    )
  })
})
