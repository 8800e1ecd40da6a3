import os from "node:os"
import { attacks, type Means } from "./Attacks.ts"
import { callerOf, cancelAll } from "./Caller.ts"

/** What the bench tells a process that attacks. */
export interface Orders {
  readonly attack: string
  readonly base: string
  readonly key: string
  readonly means: Means
}

/** How often each status was the answer; 0 is a connection that was cut. */
export type Answers = ReadonlyArray<readonly [status: number, count: number]>

// An attacker has a machine of its own: here it gets what the service leaves.
os.setPriority(os.constants.priority.PRIORITY_LOW)

/** Attacks from the first message on until the second, then cancels its jobs, tells how it was answered and ends. */
process.once("message", ({ attack, base, key, means }: Orders) => {
  const stop = new AbortController()
  process.once("message", () => stop.abort())
  const attacker = callerOf(base, key)
  const run = async () => {
    const answers = await attacks[attack]!(attacker, means, stop.signal)
    await cancelAll(attacker)
    process.send!(Array.from(answers) satisfies Answers, () => process.exit(0))
  }
  void run()
})
