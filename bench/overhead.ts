import { Console, Effect } from "effect"
import { fileURLToPath } from "node:url"
import { deployment, finished, submit } from "../test/support/Deployment.ts"
import { descendants } from "../test/support/Processes.ts"

const clips = ["lecture", "product-demo"] as const
/** Processor time counts in ticks of 10 ms: a shorter look would miss a busy process. */
const everyMs = 25

/** Samples until stopped: in how many looks a decoder was there, or a model process had used CPU since the last look. */
const watch = () => {
  const last = new Map<number, number>()
  let looks = 0
  let busy = 0
  const timer = setInterval(() => {
    looks += 1
    let working = false
    for (const { command, pid, ticks } of descendants()) {
      if (/ffmpeg|ffprobe/u.test(command)) working = true
      if (/-compute\.ts/u.test(command)) {
        if (ticks > (last.get(pid) ?? ticks)) working = true
        last.set(pid, ticks)
      }
    }
    if (working) busy += 1
  }, everyMs)
  return () => {
    clearInterval(timer)
    return { looks, busy }
  }
}

/** Share of a job's wall time in which neither a decoder nor a model was at work: what the service itself costs. */
export const run = () =>
  Effect.runPromise(Effect.scoped(Effect.gen(function*() {
    const { client } = yield* deployment({})
    for (const clip of clips) {
      const file = fileURLToPath(new URL(`../samples/${clip}.mp4`, import.meta.url))
      // The first job also loads the models.
      yield* finished(client, (yield* submit(client, file, {})).id)
      const stop = watch()
      const job = yield* finished(client, (yield* submit(client, file, {})).id)
      const { busy, looks } = stop()
      const { finished_at, started_at } = job.record as { readonly started_at: string; readonly finished_at: string }
      const wall = (Date.parse(finished_at) - Date.parse(started_at)) / 1000
      const share = 1 - busy / looks
      yield* Console.log(
        `${clip.padEnd(14)} ${wall.toFixed(2).padStart(6)} s wall, ${
          (share * 100).toFixed(1).padStart(5)
        } % neither decoder nor model (${looks} looks)`
      )
    }
  })))
