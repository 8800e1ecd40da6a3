import { afterEach, assert, beforeEach, describe, it, vi } from "@effect/vitest"
import { Footnote, TimeoutError } from "../../clients/typescript/src/index.ts"

const line = (nth: number) => `${JSON.stringify({ cursor: `c${nth}`, job: { id: `job_${nth}` } })}\n`

/** An export whose lines come in such pieces, and which then ends or says nothing more. */
const exported = (pieces: ReadonlyArray<string>, ends: boolean, timeout: number) =>
  new Footnote({
    base_url: "http://service",
    api_key: "fnk_test",
    timeout,
    retries: 0,
    fetch: async (_, init) =>
      new Response(
        new ReadableStream<Uint8Array>({
          start(controller) {
            for (const piece of pieces) controller.enqueue(new TextEncoder().encode(piece))
            if (ends) controller.close()
            init?.signal?.addEventListener("abort", () => controller.error(new Error("aborted")))
          }
        })
      )
  })

beforeEach(() => void vi.useFakeTimers({ now: 0 }))
afterEach(() => void vi.useRealTimers())

describe("the content of an export in the TypeScript client", () => {
  it("is read to its end however long the caller works with each line", async () => {
    const client = exported([line(1) + line(2), line(3), line(4)], true, 500)
    const cursors: Array<string> = []
    for await (const { cursor, job } of client.exports.read("exp_1")) {
      cursors.push(`${cursor} ${job.id}`)
      await vi.advanceTimersByTimeAsync(600)
    }
    assert.deepStrictEqual(cursors, ["c1 job_1", "c2 job_2", "c3 job_3", "c4 job_4"])
  })

  it("ends with TimeoutError after as long a silence as the call allows, else as the client does", async () => {
    for (const [own, silence] of [[undefined, 500], [5000, 5000], [100, 100]] as const) {
      vi.setSystemTime(0)
      const client = exported([line(1)], false, 500)
      const seen: Array<string> = []
      const ends: Array<unknown> = []
      const reading = async () => {
        for await (const { cursor } of client.exports.read("exp_1", own === undefined ? {} : { timeout: own })) {
          seen.push(cursor)
        }
      }
      void reading().then(() => ends.push("ended"), (error: unknown) => ends.push(error))
      while (ends.length === 0 && Date.now() < 60_000) await vi.advanceTimersByTimeAsync(50)
      assert.instanceOf(ends[0], TimeoutError)
      assert.strictEqual(String(ends[0]), `TimeoutError: Nothing came within ${silence} ms`)
      assert.isAtMost(Date.now(), silence + 50)
      assert.deepStrictEqual(seen, ["c1"])
    }
  })
})

describe("a timeout of the TypeScript client", () => {
  it("of more milliseconds than a timer counts, or of endless ones, is none", async () => {
    for (const timeout of [Number.POSITIVE_INFINITY, 30 * 24 * 3_600_000]) {
      const client = new Footnote({
        base_url: "http://service",
        api_key: "fnk_test",
        timeout,
        retries: 0,
        fetch: (_, init) =>
          new Promise((resolve, reject) => {
            setTimeout(() => resolve(Response.json({ id: "job_1" })), 100)
            init?.signal?.addEventListener("abort", () => reject(new Error("aborted")))
          })
      })
      const read = client.jobs.get("job_1").catch((error: unknown) => error)
      await vi.advanceTimersByTimeAsync(150)
      assert.propertyVal(await read, "id", "job_1")
    }
  })
})
