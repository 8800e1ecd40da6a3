import type { ServiceFault } from "../../src/jobs/model/JobFailure.ts"

/** What this machine may lack while others have it; the other faults are of what a task asks for. */
const ofThisMachine: ReadonlySet<ServiceFault> = new Set(["blob_store", "disk_full"])

const first_ms = 250

/**
 * How many tasks a lane may take while its machine is without its blobs: none for a while that doubles with every try, then one,
 * until one succeeds. A worker that was cut off from them for ten minutes else took task after task from those that were not: 40 a
 * minute were paused, and hardly a job of 150 got on.
 */
export const makeFaultRest = (longest_ms: number) => {
  let rest = 0
  let until = 0
  return {
    met: (fault: ServiceFault): void => {
      const now = performance.now()
      // Those that were under way together tell of one try.
      if (!ofThisMachine.has(fault) || (rest > 0 && now < until)) return
      rest = Math.min(longest_ms, rest === 0 ? first_ms : rest * 2)
      until = now + rest
    },
    succeeded: (): void => {
      rest = 0
    },
    /** Of the slots that are free, those that may be filled, where so many tasks are held. */
    room: (free: number, held: number): number =>
      rest === 0 ? free : performance.now() < until || held > 0 ? 0 : Math.min(1, free)
  }
}
