import { setTimeout as delay } from "node:timers/promises"
import type { makeDice } from "../chaos/Dice.ts"
import type { Caller } from "./Caller.ts"

/** How long a reader stays on average: a page that is looked at, and one that is left open. */
const meanSeconds = 60

/** What all readers of event streams have seen. */
export const streamCounts = { open: 0, opened: 0, events: 0, ended: 0 }

const read = async (caller: Caller, path: string, signal: AbortSignal, base: string) => {
  const { answers, key } = caller
  const headers = { authorization: `Bearer ${key}`, accept: "text/event-stream" }
  const response = await fetch(`${base}${path}`, { headers, signal })
  // A job may have been erased since it was chosen.
  answers.count("GET", path, response.status, [404])
  if (response.status !== 200 || response.body === null) {
    await response.arrayBuffer()
    return delay(2000)
  }
  streamCounts.opened++
  streamCounts.open++
  try {
    for await (const chunk of response.body.pipeThrough(new TextDecoderStream())) {
      streamCounts.events += chunk.split("\nevent: ").length - 1
    }
    streamCounts.ended++
  } finally {
    streamCounts.open--
  }
}

/** Holds one event stream of a job of the tenant open after the other, until told to stop; some it leaves before their end. */
export const followEvents = async (
  caller: Caller,
  job: () => string | undefined,
  dice: ReturnType<typeof makeDice>,
  stop: AbortSignal
): Promise<void> => {
  // They do not come all at one moment.
  await delay(dice.between(0, 10_000))
  while (!stop.aborted) {
    const id = job()
    if (id === undefined) {
      await delay(500)
      continue
    }
    const patience = AbortSignal.timeout(Math.ceil(-Math.log(1 - dice.random()) * meanSeconds * 1000) + 1000)
    const base = caller.bases[Math.floor(dice.random() * caller.bases.length)]!
    await read(caller, `/v1/jobs/${id}/events`, AbortSignal.any([stop, patience]), base).catch(() => delay(200))
    await delay(dice.between(0, 500))
  }
}
