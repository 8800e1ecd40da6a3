import { type ChildProcess, spawn } from "node:child_process"
import { openSync, readFileSync } from "node:fs"
import { setTimeout as delay } from "node:timers/promises"
import { descendantsOf, type Known, look, runs } from "../ProcessTree.ts"

export const kill = (some: ReadonlyArray<Known>): void => {
  for (const { pid } of some.filter(runs)) {
    try {
      process.kill(pid, "SIGKILL")
    } catch {
      // It went with another one.
    }
  }
}

/** What a process that outlives its parent does at the time, by the kernel. */
const stateOf = ({ kind, pid }: Known): string => {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "utf8")
    const [state, parent] = stat.slice(stat.lastIndexOf(")") + 2).split(" ")
    return `${kind} ${pid}: state ${state}, parent ${parent}, in ${readFileSync(`/proc/${pid}/wchan`, "utf8")}`
  } catch {
    return `${kind} ${pid}: gone by now`
  }
}

interface Start {
  readonly ok: boolean
  readonly seconds: number
}

/**
 * `npm start` as somebody at a terminal has it, to be killed with or without its parts. What runs two seconds after the
 * death of its parent is counted and told by kind.
 */
export const makeKilledService = (
  options: { readonly root: string; readonly log: string; readonly port: number; readonly env: Record<string, string> }
) => {
  const output = openSync(options.log, "a")
  const starts: Array<Start> = []
  const leftovers: Array<string> = []
  const watches: Array<Promise<void>> = []
  let child: ChildProcess

  const isReady = async () => {
    try {
      const answer = await fetch(`http://127.0.0.1:${options.port}/readyz`, { signal: AbortSignal.timeout(5000) })
      return answer.status === 200
    } catch {
      return false
    }
  }

  /** Starts it and waits until it is ready; false where it ended instead, or was not after ten minutes and was killed with all its parts. */
  const start = async (): Promise<boolean> => {
    const began = performance.now()
    child = spawn("npm", ["start"], {
      cwd: options.root,
      env: { ...process.env, ...options.env, PORT: String(options.port) },
      stdio: ["ignore", output, output]
    })
    const seconds = () => Math.round((performance.now() - began) / 100) / 10
    while (seconds() < 600) {
      if (child.exitCode !== null || child.signalCode !== null) break
      if (await isReady()) {
        starts.push({ ok: true, seconds: seconds() })
        return true
      }
      await delay(100)
    }
    starts.push({ ok: false, seconds: seconds() })
    // Two services on one folder and one port would be a fault of this tool's own.
    kill(tree())
    return false
  }

  const tree = (): ReadonlyArray<Known> =>
    [child.pid!, ...descendantsOf(child.pid!)].map(look).filter((one) => one !== undefined)

  return {
    start,
    starts,
    tree,
    leftovers,
    isReady,
    /** Counts what is left of these in two seconds and says what keeps it; the next start need not wait for it. */
    watch: (parts: ReadonlyArray<Known>, killed: string) => {
      const look = async () => {
        await delay(2000)
        const left = parts.filter(runs)
        for (const one of left) {
          leftovers.push(one.kind)
          console.log(`Left 2 s after ${killed} was killed: ${stateOf(one)}`)
        }
        for (let waited = 2000; left.length > 0 && waited < 60_000; waited += 100) {
          if (!left.some(runs)) return console.log(`  all of it gone after ${waited / 1000} s`)
          await delay(100)
        }
      }
      watches.push(look())
    },
    watched: () => Promise.all(watches),
    stop: async () => {
      const parts = tree()
      child.kill("SIGTERM")
      for (let waited = 0; parts.some(runs) && waited < 30_000; waited += 50) await delay(50)
      const left = parts.filter(runs)
      kill(left)
      return left.length
    }
  }
}
