import { readFileSync } from "node:fs"
import { descendantsOf } from "../ProcessTree.ts"

/** Milliseconds between looks at short-lived processes. */
const EVERY = 50

const statusOf = (pid: string) => {
  try {
    const text = readFileSync(`/proc/${pid}/status`, "utf8")
    const field = (name: string) => Number(new RegExp(`^${name}:\\s+(\\d+)`, "mu").exec(text)?.[1] ?? 0)
    return { name: /^Name:\s+(\S+)/mu.exec(text)?.[1] ?? "", megabytes: field("VmHWM") / 1024 }
  } catch {
    return undefined
  }
}

/** Watches this process and its children until `stop`: the most resident memory of each kind (Linux). */
export const peaks = () => {
  let [models, decoder] = [0, 0]
  const look = () => {
    // A decoder may stand behind what confines it, a child of a child.
    for (const pid of descendantsOf(process.pid)) {
      const status = statusOf(String(pid))
      if (status === undefined) continue
      if (status.name.startsWith("ff")) decoder = Math.max(decoder, status.megabytes)
      else models = Math.max(models, status.megabytes)
    }
  }
  const timer = setInterval(look, EVERY)
  return {
    stop: () => {
      clearInterval(timer)
      look()
      return {
        worker_megabytes: statusOf(String(process.pid))?.megabytes ?? 0,
        model_process_megabytes: models,
        decoder_megabytes: decoder
      }
    }
  }
}
