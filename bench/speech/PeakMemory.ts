import { readdirSync, readFileSync } from "node:fs"

/** Milliseconds between looks at short-lived processes. */
const EVERY = 50

const statusOf = (pid: string) => {
  try {
    const text = readFileSync(`/proc/${pid}/status`, "utf8")
    const field = (name: string) => Number(new RegExp(`^${name}:\\s+(\\d+)`, "mu").exec(text)?.[1] ?? 0)
    return { name: /^Name:\s+(\S+)/mu.exec(text)?.[1] ?? "", parent: field("PPid"), megabytes: field("VmHWM") / 1024 }
  } catch {
    return undefined
  }
}

/** Watches this process and its children until `stop`: the most resident memory of each kind (Linux). */
export const peaks = () => {
  let [models, decoder] = [0, 0]
  const look = () => {
    for (const pid of readdirSync("/proc").filter((entry) => /^\d+$/u.test(entry))) {
      const status = statusOf(pid)
      if (status?.parent !== process.pid) continue
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
