import { afterEach, assert, beforeEach, describe, it, vi } from "@effect/vitest"
import { ApiError, ConnectionError, Footnote, TimeoutError } from "../../clients/typescript/src/index.ts"

const job = (status: string) => Response.json({ id: "job_1", status })
const busy = (seconds: number) => new Response("Busy", { status: 503, headers: { "retry-after": String(seconds) } })

const refused = () => {
  throw new TypeError("fetch failed")
}

/** Takes the connection and says nothing. */
const silent = ({ signal }: RequestInit) =>
  new Promise<Response>((_, reject) => void signal?.addEventListener("abort", () => reject(new Error("aborted"))))

/** Comes after so many milliseconds. */
const after = (asked: RequestInit, milliseconds: number, response: () => Response) =>
  Promise.race([silent(asked), new Promise<Response>((done) => void setTimeout(() => done(response()), milliseconds))])

const mostAsked = 500

/** What came of a wait, and after how many milliseconds of the clock that the test turns; when what was asked for. */
const waited = async (
  answer: (asked: RequestInit, hold: number) => Response | Promise<Response>,
  timeout?: number
) => {
  const asked: Array<{ readonly at: number; readonly hold: number }> = []
  const client = new Footnote({
    base_url: "http://service",
    api_key: "fnk_test",
    fetch: async (url, init = {}) => {
      const hold = Number(new URL(String(url)).searchParams.get("wait"))
      asked.push({ at: Date.now(), hold })
      // Whoever asks without end would never let the clock turn.
      return asked.length > mostAsked ? job("cancelled") : answer(init, hold)
    }
  })
  const ends: Array<{ readonly outcome: unknown; readonly took: number }> = []
  const end = (outcome: unknown) => void ends.push({ outcome, took: Date.now() })
  void client.jobs.wait("job_1", timeout === undefined ? {} : { timeout }).then(end, end)
  while (ends.length === 0) await vi.advanceTimersByTimeAsync(50)
  return { ...ends[0]!, asked }
}

beforeEach(() => void vi.useFakeTimers({ now: 0 }))
afterEach(() => void vi.useRealTimers())

describe("a wait of the TypeScript client", () => {
  it("ends with its time where the service refuses, is busy, or takes the connection and says nothing", async () => {
    for (
      const [answer, cause] of [[refused, ConnectionError], [() => busy(30), ApiError], [silent, TimeoutError]] as const
    ) {
      const { outcome, took } = await waited(answer, 5000)
      if (!(outcome instanceof TimeoutError)) return assert.fail(String(outcome))
      assert.instanceOf(outcome.cause, cause)
      assert.match(outcome.message, /^job_1 could not be read to its end within 5000 ms: /u)
      assert.isAtLeast(took, 5000)
      // What an answer may be late by.
      assert.isAtMost(took, 7050)
      vi.setSystemTime(0)
    }
  })

  it("outlasts a service that is away for longer than eleven tries, and one that asks for minutes, where there is time", async () => {
    for (const failure of [refused, () => busy(90)]) {
      const { asked, outcome } = await waited(() => Date.now() < 170_000 ? failure() : job("succeeded"), 600_000)
      assert.propertyVal(outcome, "status", "succeeded")
      if (failure === refused) assert.isAbove(asked.length, 12)
      vi.setSystemTime(0)
    }
  })

  it("without a time ends with the failure after eleven tries in a row, and at once where more than a minute is asked for", async () => {
    const away = await waited(refused)
    assert.instanceOf(away.outcome, ConnectionError)
    assert.lengthOf(away.asked, 11)
    const long = await waited(() => busy(90))
    assert.propertyVal(long.outcome, "retry_after", 90)
    assert.lengthOf(long.asked, 1)

    let nth = 0
    const lives = await waited(() => ++nth % 8 === 0 ? job(nth > 30 ? "failed" : "running") : refused())
    assert.propertyVal(lives.outcome, "status", "failed")
  })

  it("asks a service that holds nothing, as one that drains, once or twice a second at most", async () => {
    const { asked, outcome } = await waited(() => job(Date.now() < 10_000 ? "running" : "succeeded"))
    assert.propertyVal(outcome, "status", "succeeded")
    assert.isAtMost(asked.length, 21)
    assert.isAtLeast(asked.length, 10)
  })

  it("asks again at once where the answer was held, and for no longer than is left", async () => {
    const held = await waited((asked, hold) => after(asked, hold * 1000, () => job("running")), 130_500)
    assert.strictEqual(String(held.outcome), "TimeoutError: job_1 is still running after 130500 ms")
    assert.isAtMost(held.took, 130_550)
    assert.deepStrictEqual(held.asked.slice(0, 3), [
      { at: 0, hold: 60 },
      { at: 60_000, hold: 60 },
      { at: 120_000, hold: 10 }
    ])
  })

  it("takes an answer that comes a second after its time, and none that comes after a minute of silence", async () => {
    const late = await waited((asked, hold) => after(asked, hold * 1000 + 1000, () => job("succeeded")), 5000)
    assert.propertyVal(late.outcome, "status", "succeeded")
    vi.setSystemTime(0)
    const dead = await waited((asked, hold) => after(asked, hold * 1000 + 60_000, () => job("succeeded")))
    assert.instanceOf(dead.outcome, TimeoutError)
  })

  it("ends with the caller's reason where the caller stops it, also between two tries", async () => {
    const stop = new AbortController()
    const client = new Footnote({ base_url: "http://service", api_key: "fnk_test", fetch: async () => refused() })
    const ended = client.jobs.wait("job_1", { signal: stop.signal }).catch((error: unknown) => error)
    await vi.advanceTimersByTimeAsync(100)
    stop.abort("Enough")
    assert.strictEqual(await ended, "Enough")
  })
})
