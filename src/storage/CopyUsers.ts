import { Effect, type Fiber } from "effect"

/** So long a copy is taken for another process's that may work on it; whoever does touches it every four minutes. */
const OTHERS_MS = 10 * 60_000

/** File systems round the times that they are given. */
const isSame = (one: number, other: number) => Math.abs(one - other) <= 2

/**
 * Who works on the local copies of one process: the fibers that were given their paths, until they end, as a task of a stage is
 * one. Processes that share the folder know of each other by the times of the files alone.
 */
export const copyUsers = () => {
  const held = new Map<string, number>()
  const byFiber = new WeakMap<Fiber.Fiber<unknown, unknown>, Set<string>>()
  /** What this process has touched last, and whether another may have been at work on it then. */
  const own = new Map<string, { readonly at: number; readonly alone: boolean }>()

  const release = (file: string) => {
    const left = held.get(file)! - 1
    if (left === 0) held.delete(file)
    else held.set(file, left)
  }

  /** Nobody else has touched it since this process did, and nobody was at work on it before. */
  const isOurs = (file: string, at: number): boolean => {
    const last = own.get(file)
    return last !== undefined && last.alone && isSame(last.at, at)
  }

  return {
    /** The files that fibers of this process work on. */
    files: (): ReadonlyArray<string> => [...held.keys()],
    /** The copy is the running fiber's until that ends. */
    hold: (file: string) =>
      Effect.withFiber((fiber) => {
        const files = byFiber.get(fiber) ?? new Set()
        byFiber.set(fiber, files)
        if (!files.has(file)) {
          files.add(file)
          held.set(file, (held.get(file) ?? 0) + 1)
          fiber.addObserver(() => release(file))
        }
        return Effect.void
      }),
    /** This process has set the file's time to `at`; it was `before`, or there was no such file. */
    touched: (file: string, before: number | undefined, at: number): void => {
      const alone = before === undefined || at - before > OTHERS_MS || isOurs(file, before)
      own.set(file, { at, alone })
    },
    /** Forgets what it touched and is there no more. */
    forgetBut: (there: ReadonlySet<string>): void => {
      for (const file of own.keys()) if (!there.has(file)) own.delete(file)
    },
    /** Whether nobody works on a copy that was last touched at `at`. Who drops it forgets it. */
    mayGo: (file: string, at: number, now: number): boolean => {
      if (held.has(file)) return false
      if (!isOurs(file, at) && now - at <= OTHERS_MS) return false
      own.delete(file)
      return true
    }
  }
}
