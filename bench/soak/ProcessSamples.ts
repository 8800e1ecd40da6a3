import { readdirSync, readFileSync } from "node:fs"
import { descendantsOf, type Known, look, runs } from "../ProcessTree.ts"

export interface Sample {
  readonly seconds: number
  /** What is the process's own: mapped files come and go with the kernel's cache. */
  readonly memory_mib: number
  readonly handles: number
  readonly threads: number
}

/** One process from its start to its end. */
export interface Life {
  readonly name: string
  readonly known: Known
  readonly samples: Array<Sample>
}

const measure = (pid: number, seconds: number): Sample | undefined => {
  try {
    const status = readFileSync(`/proc/${pid}/status`, "utf8")
    const figure = (name: string) => Number(new RegExp(`^${name}:\\s+(\\d+)`, "mu").exec(status)?.[1] ?? 0)
    return {
      seconds,
      memory_mib: figure("RssAnon") / 1024,
      handles: readdirSync(`/proc/${pid}/fd`).length,
      threads: figure("Threads")
    }
  } catch {
    return undefined
  }
}

const keyOf = ({ pid, started }: Known) => `${pid} ${started}`

/**
 * Looks at every process of the service each time it is asked (Linux): those named by the caller, their model processes, and
 * whatever else is below them. One that runs outside of the tree twice in a row is an orphan.
 */
export const makeProcessSamples = (named: () => ReadonlyArray<readonly [string, number]>) => {
  const began = performance.now()
  const lives = new Map<string, Life>()
  const seen = new Map<string, Known>()
  const outside = new Map<string, number>()
  const orphans = new Map<string, Known>()

  const take = () => {
    const seconds = (performance.now() - began) / 1000
    const inside = new Set<string>()
    for (const [name, pid] of named()) {
      for (const one of [pid, ...descendantsOf(pid)]) {
        const known = look(one)
        if (known === undefined) continue
        const key = keyOf(known)
        inside.add(key)
        seen.set(key, known)
        if (one !== pid && known.kind !== "model process") continue
        const sample = measure(one, seconds)
        if (sample === undefined) continue
        const life = lives.get(key) ?? { name: one === pid ? name : `${name}: model process`, known, samples: [] }
        lives.set(key, life)
        life.samples.push(sample)
      }
    }
    for (const [key, known] of seen) {
      if (inside.has(key)) outside.delete(key)
      else if (runs(known)) {
        const times = (outside.get(key) ?? 0) + 1
        outside.set(key, times)
        if (times === 2) orphans.set(key, known)
      } else seen.delete(key)
    }
  }

  return {
    take,
    orphans: (): ReadonlyArray<Known> => [...orphans.values()],
    /** Of all that was ever seen, what runs now. */
    left: (): ReadonlyArray<Known> => [...seen.values()].filter(runs),
    lives: (): ReadonlyArray<Life> => [...lives.values()],
    seconds: () => (performance.now() - began) / 1000
  }
}
