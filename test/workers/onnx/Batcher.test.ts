import { assert, describe, it } from "@effect/vitest"
import { makeBatcher } from "../../../workers/onnx/Batcher.ts"
import { padByQuarters } from "../../../workers/onnx/BatchQueue.ts"

interface Input {
  readonly tenant_id: string
  readonly length: number
  readonly value: number
}

const limits = { items: 4, frames: 1e6, pad: padByQuarters }
const input = (tenant_id: string, value: number, length = 100): Input => ({ tenant_id, length, value })
const double = ({ items }: { readonly items: ReadonlyArray<Input> }) =>
  Promise.resolve(items.map(({ value }) => 2 * value))

/** A run that waits until it is let go. */
const gate = () => {
  const { promise, resolve } = Promise.withResolvers<void>()
  return { opened: promise, open: resolve }
}

describe("Batcher", () => {
  it("gives each caller the answer to its own input, out of shared runs", async () => {
    const runs: Array<ReadonlyArray<number>> = []
    const batcher = makeBatcher<Input, number>(limits, (batch) => {
      runs.push(batch.items.map(({ value }) => value))
      return double(batch)
    })
    const answers = await Promise.all(
      [1, 2, 3, 4, 5, 6].map((value) => batcher.submit(input(value % 2 === 0 ? "even" : "odd", value)))
    )
    assert.deepStrictEqual(answers, [2, 4, 6, 8, 10, 12])
    assert.deepStrictEqual(runs, [[1, 2, 3, 4], [6, 5]])
  })

  it("runs one batch at a time", async () => {
    let running = 0
    let most = 0
    const batcher = makeBatcher<Input, number>({ ...limits, items: 1 }, async (batch) => {
      most = Math.max(most, ++running)
      const answer = await double(batch)
      running--
      return answer
    })
    await Promise.all([1, 2, 3].map((value) => batcher.submit(input("a", value))))
    assert.strictEqual(most, 1)
  })

  it("takes a cancelled input out before its run and rejects it with the signal's reason at once", async () => {
    const runs: Array<ReadonlyArray<number>> = []
    const first = gate()
    const started = gate()
    const batcher = makeBatcher<Input, number>({ ...limits, items: 1 }, async (batch) => {
      runs.push(batch.items.map(({ value }) => value))
      started.open()
      await first.opened
      return double(batch)
    })
    const cancel = new AbortController()
    const one = batcher.submit(input("a", 1))
    const two = batcher.submit(input("a", 2), cancel.signal)
    const three = batcher.submit(input("a", 3))
    await started.opened
    cancel.abort(new Error("cancelled"))
    assert.strictEqual((await two.then(() => undefined, (error: Error) => error))?.message, "cancelled")
    first.open()
    assert.deepStrictEqual(await Promise.all([one, three]), [2, 6])
    assert.deepStrictEqual(runs, [[1], [3]])
  })

  it("does not take an input whose signal is aborted already", async () => {
    const batcher = makeBatcher<Input, number>(limits, () => Promise.reject(new Error("ran")))
    const refused = await batcher.submit(input("a", 1), AbortSignal.abort(new Error("cancelled")))
      .then(() => undefined, (error: Error) => error)
    assert.strictEqual(refused?.message, "cancelled")
  })

  it("fails the one input that breaks its run, and answers its neighbours", async () => {
    const batcher = makeBatcher<Input, number>(
      limits,
      (batch) => batch.items.some(({ value }) => value === 3) ? Promise.reject(new Error("no memory")) : double(batch)
    )
    const answers = await Promise.allSettled([1, 2, 3, 4].map((value) => batcher.submit(input("a", value))))
    assert.deepStrictEqual(
      answers.map((answer) => answer.status === "fulfilled" ? answer.value : (answer.reason as Error).message),
      [2, 4, "no memory", 8]
    )
  })

  it("goes on after a run that failed and after a pause", async () => {
    let broken = true
    const batcher = makeBatcher<Input, number>(
      limits,
      (batch) => broken ? Promise.reject(new Error("lost")) : double(batch)
    )
    assert.strictEqual(await batcher.submit(input("a", 1)).catch((error: Error) => error.message), "lost")
    broken = false
    assert.strictEqual(await batcher.submit(input("a", 1)), 2)
  })
})
