import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { spawn } from "node:child_process"
import { once } from "node:events"
import { existsSync, readdirSync, readFileSync } from "node:fs"
import process from "node:process"
import type { Worker } from "node:worker_threads"
import { startBehind } from "../../src/processes/Priority.ts"
import { checkSchemaSafely } from "../../src/schemas/SchemaCheck.ts"

const module = new URL("../../src/processes/Priority.ts", import.meta.url).href

const nicenessOfThread = (pid: number, thread: number | string): number => {
  const status = readFileSync(`/proc/${pid}/task/${thread}/stat`, "utf8")
  return Number(status.slice(status.lastIndexOf(")") + 2).split(" ")[16])
}

/** The niceness of each thread of a process, by the kernel's word, in no order: names of folders are sorted as text. */
const nicenessOf = (pid: number): ReadonlyArray<number> =>
  readdirSync(`/proc/${pid}/task`).map((thread) => nicenessOfThread(pid, thread))

describe.skipIf(process.platform !== "linux")("what computes stands behind what answers", () => {
  it("with all threads of a worker, and with what it starts", async () => {
    const script = `
      import { spawn } from "node:child_process"
      import { standBehind } from ${JSON.stringify(module)}
      standBehind(5)
      const child = spawn("sleep", ["60"])
      child.once("spawn", () => process.stdout.write(child.pid + "\\n"))`
    const worker = spawn(process.execPath, ["--input-type=module", "-e", script], {
      stdio: ["ignore", "pipe", "inherit"]
    })
    const [line] = await once(worker.stdout, "data")
    const child = Number(line)
    try {
      const threads = nicenessOf(worker.pid!)
      assert.isAbove(threads.length, 1)
      assert.isAtLeast(Math.min(...threads), 5)
      assert.deepStrictEqual(nicenessOf(child), [5])
    } finally {
      process.kill(child, "SIGKILL")
      worker.kill("SIGKILL")
    }
  })

  it.skipIf(!existsSync("/proc/self/autogroup"))(
    "with the session that a decoder leads, where the kernel shares by session",
    async () => {
      const child = spawn("sleep", ["60"], { detached: true })
      try {
        await once(child, "spawn")
        startBehind(child.pid, 10)
        assert.deepStrictEqual(nicenessOf(child.pid!), [10])
        assert.match(readFileSync(`/proc/${child.pid}/autogroup`, "utf8"), / nice 10$/mu)
      } finally {
        child.kill("SIGKILL")
      }
    }
  )

  it.skipIf(!existsSync("/proc/self/autogroup"))("and not with the session of whoever starts it", async () => {
    const before = readFileSync("/proc/self/autogroup", "utf8")
    const child = spawn("sleep", ["60"])
    try {
      await once(child, "spawn")
      startBehind(child.pid, 10)
      assert.deepStrictEqual(nicenessOf(child.pid!), [10])
      assert.strictEqual(readFileSync("/proc/self/autogroup", "utf8"), before)
    } finally {
      child.kill("SIGKILL")
    }
  })

  it.live("with the thread of a schema's check, and no other of the process that answers", () =>
    Effect.gen(function*() {
      const before = nicenessOf(process.pid).filter((nice) => nice > 0).length
      const threads: Array<Worker> = []
      const count = (thread: Worker) => threads.push(thread)
      process.on("worker", count)
      yield* Effect.all([checkSchemaSafely({}), checkSchemaSafely({}), checkSchemaSafely({})], { concurrency: 3 })
      process.off("worker", count)
      assert.isAtMost(nicenessOf(process.pid).filter((nice) => nice > 0).length - before, threads.length)
      assert.include(nicenessOf(process.pid), 5)
      assert.strictEqual(nicenessOfThread(process.pid, process.pid), 0)
    }))
})
