import { Effect, type Scope } from "effect"
import { execFile } from "node:child_process"
import { close, constants, open } from "node:fs"
import { mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { promisify } from "node:util"
import { StageFailure } from "../../src/jobs/JobFailure.ts"

const run = promisify(execFile)
const opened = promisify(open)
const closed = promisify(close)

/** Pipes that have no name any more, as descriptors. */
export interface OutputPipes {
  /** The next end to read from: whoever takes it closes it. */
  readonly take: () => number
  /** The ends that a decoder writes to. */
  readonly to: ReadonlyArray<number>
  /** Closes the ends that a decoder has been given by now: only then does its end end the pipes. Once; then nothing. */
  readonly handedOver: Effect.Effect<void>
}

const make = async (count: number) => {
  const folder = await mkdtemp(join(tmpdir(), "footnote-pipe-"))
  const all: Array<number> = []
  const add = async (path: string, flags: number) => {
    const end = await opened(path, flags)
    all.push(end)
    return end
  }
  try {
    const paths = Array.from({ length: count }, (_, at) => join(folder, String(at)))
    await run("mkfifo", paths, { timeout: 20_000 })
    const [from, to]: [Array<number>, Array<number>] = [[], []]
    for (const path of paths) {
      // Whoever opens a pipe to write waits for a reader, unless there is one.
      from.push(await add(path, constants.O_RDONLY | constants.O_NONBLOCK))
      to.push(await add(path, constants.O_WRONLY))
    }
    return { from, to }
  } catch (error) {
    for (const end of all) await closed(end)
    throw error
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

/**
 * Pipes of our own for what a decoder writes much or often. The ones that Node makes for a child give each piece 64 KiB in
 * memory of its own, and clearing that away took more time than all that is done with the pictures. Fails, retryable, with
 * `INTERNAL` where the system makes no pipe.
 */
export const openPipes = (count: number): Effect.Effect<OutputPipes, StageFailure, Scope.Scope> =>
  Effect.acquireRelease(
    Effect.tryPromise({
      try: async () => {
        const { from, to } = await make(count)
        const untaken = [...from]
        const open = [...to]
        const handedOver = Effect.promise(async () => {
          for (const end of open.splice(0)) await closed(end)
        })
        const closedAll = Effect.andThen(
          handedOver,
          Effect.promise(async () => {
            for (const end of untaken.splice(0)) await closed(end)
          })
        )
        return { pipes: { take: () => untaken.shift()!, to, handedOver }, closedAll }
      },
      catch: (error) => new StageFailure({ code: "INTERNAL", message: `No pipe: ${String(error)}`, retryable: true })
    }),
    ({ closedAll }) => closedAll
  ).pipe(Effect.map(({ pipes }) => pipes))
