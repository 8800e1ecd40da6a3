import { Effect, type Scope } from "effect"
import { type ChildProcessByStdio, spawn } from "node:child_process"
import { existsSync, readFileSync } from "node:fs"
import { open, rm } from "node:fs/promises"
import type { Socket } from "node:net"
import { constants } from "node:os"
import { PassThrough, Readable, Writable } from "node:stream"
import { StageFailure } from "../../../src/jobs/model/JobFailure.ts"
import { startBehind } from "../../../src/processes/Priority.ts"
import { temporaryFolder } from "../../../src/processes/TemporaryFolders.ts"
import { tiedCommand } from "../../../src/processes/TiedCommand.ts"
import { Backlogged, computationNiceness } from "../../engine/Backlog.ts"
import { systemFailure } from "../../engine/FromStore.ts"
import type { MediaTools } from "./Ffmpeg.ts"
import { confine } from "./Sandbox.ts"
import { handOver, openFilter } from "./TrialRun.ts"

/** What is kept of a decoder's messages, from the start and from the end: a broken file can print gigabytes. */
const STDERR_HEAD = 1024 * 1024
const STDERR_TAIL = 64 * 1024

/** The input as the decoder sees it: an open file without a name, so nothing in it can refer to a neighbour. */
export const INPUT = "/dev/fd/3"

/** The same place where it is a pipe that is written to. */
export const FED_INPUT = "pipe:3"
const INPUT_FD = 3

/** A decoder's name for its second output. The filter of system calls lies between it and the input. */
const LIST_FD = 5
export const SECOND_OUTPUT = `pipe:${LIST_FD}`

export interface MediaProcess {
  readonly stdout: Readable
  /** What is read as `FED_INPUT`, where that was asked for; it may be closed from the other side at any time. */
  readonly fed: Writable | null
  /** Messages so far. */
  readonly messages: () => string
  /** What the decoder exited with; null as long as it runs, and where a signal ended it. */
  readonly exitCode: () => number | null
  /**
   * Waits for the end. Fails, retryable, with `STAGE_TIMEOUT` when the wall clock or the processor time ran out and with
   * `INTERNAL` when somebody else killed the decoder: its output then ends anywhere. A crash of the decoder's own is the
   * file's doing and is told by `messages` as damage.
   */
  readonly ended: Effect.Effect<void, StageFailure>
  /** Asks the decoder to end now and to write out what it still holds; waits for that a little, and fails in no case. */
  readonly stopped: Effect.Effect<void>
}

export interface MediaCommand {
  readonly program: "ffmpeg" | "ffprobe"
  readonly args: ReadonlyArray<string>
  /** Absolute path of the file that becomes `INPUT`. */
  readonly input: string
  /** The decoder reads what `MediaProcess.fed` is given, as `FED_INPUT`, and no file. */
  readonly fed?: boolean
  readonly wall_seconds: number
  /** What is written to instead of `stdout`, which is empty then. */
  readonly output?: Socket
  /** Takes each piece of the text that comes out of `SECOND_OUTPUT`; all of it has come once the decoder has ended. */
  readonly listed?: (text: string) => void
}

const tooSlow = (wall_seconds: number) =>
  new StageFailure({
    code: "STAGE_TIMEOUT",
    message: `Decoding took longer than ${Math.round(wall_seconds)} s.`,
    retryable: true
  })

/** Bubblewrap exits, as a shell does, with 128 and the number of the signal that ended what it wraps. */
const wrappedSignals = new Map(
  (["SIGILL", "SIGABRT", "SIGBUS", "SIGFPE", "SIGKILL", "SIGSEGV", "SIGTERM", "SIGXCPU", "SIGSYS"] as const)
    .map((name) => [128 + constants.signals[name], name])
)

type Child = ChildProcessByStdio<null, Readable | null, Readable>

/** How long a decoder that is to stop may take to write out what it holds. */
const PARTING_SECONDS = 2

/** The whole group: a wrapper in front of the decoder must not leave the decoder behind. */
const killGroup = ({ pid }: Child) => {
  if (pid === undefined) return
  try {
    process.kill(-pid, "SIGKILL")
  } catch {
    // Nobody is left in it.
  }
}

const kill = (child: Child) => {
  if (child.exitCode === null && child.signalCode === null) killGroup(child)
}

/** The decoder itself, behind what wraps it: whoever ends Bubblewrap ends the decoder without a word. */
const innermost = (pid: number): number => {
  const [first = ""] = readFileSync(`/proc/${pid}/task/${pid}/children`, "utf8").trim().split(" ")
  return first === "" ? pid : innermost(Number(first))
}

const askToEnd = ({ pid }: Child) => {
  try {
    process.kill(innermost(pid!), "SIGTERM")
  } catch {
    // It has ended by itself.
  }
}

const collect = (stream: Readable): () => string => {
  let head = ""
  let tail = ""
  stream.setEncoding("utf8")
  stream.on("data", (text: string) => {
    const room = STDERR_HEAD - head.length
    head += text.slice(0, room)
    if (text.length > room) tail = (tail + text.slice(room)).slice(-STDERR_TAIL)
  })
  return () => (tail === "" ? head : `${head}\n${tail}`)
}

/**
 * The decoder's output, none of it lost however late it is read. Node throws away what nobody reads when a process exits,
 * and a tiny file is through before its reader is there; so the output is taken from the first tick on, at the reader's
 * pace while the decoder lives, and to the end once it has exited: at most the 64 KiB that a pipe holds.
 */
const kept = (child: Child): Readable => {
  const output = new PassThrough({ highWaterMark: 1024 * 1024 })
  // A reader that has gone needs no more of it.
  output.on("error", () => undefined)
  const { stdout } = child
  if (stdout === null) return output.end()
  stdout.pipe(output)
  child.once("exit", () => {
    if (stdout.readableEnded || output.destroyed) return
    stdout.unpipe(output)
    stdout.on("data", (bytes: Uint8Array) => output.write(bytes)).once("end", () => output.end())
  })
  return output
}

const start = (tools: MediaTools, command: MediaCommand, cwd: string, nice: number) =>
  Effect.tryPromise({
    try: async () => {
      const program = command.program === "ffmpeg" ? tools.ffmpeg : tools.ffprobe!
      const file = command.fed === true ? null : await open(command.input, "r")
      const filter = await openFilter(tools.sandbox, cwd)
      const { listed, output } = command
      try {
        if (file !== null) await handOver(tools.sandbox, file)
        const [head, ...rest] = [
          ...confine(
            tools.sandbox,
            { cpu_seconds: command.wall_seconds, input: command.input, program, cwd },
            existsSync
          ),
          program,
          ...command.args
        ]
        // Whatever wraps it and however this process dies, the decoder goes with it.
        const child = spawn(...tiedCommand(head!, rest), {
          cwd,
          env: { LC_ALL: "C", AV_LOG_FORCE_NOCOLOR: "1" },
          stdio: [
            "ignore",
            output ?? "pipe",
            "pipe",
            file?.fd ?? "pipe",
            filter?.fd ?? "ignore",
            listed === undefined ? "ignore" : "pipe"
          ],
          detached: true
        }) as Child
        startBehind(child.pid, nice)
        // Bubblewrap that is killed before it has tied its child to itself leaves a child that waits for it for ever and holds
        // the outputs open.
        child.once("exit", () => killGroup(child))
        const ended = new Promise<NodeJS.Signals | null>((resolve, reject) => {
          child.once("error", reject)
          child.once("close", (code, signal) =>
            resolve(signal ?? (tools.sandbox.bwrap === null ? null : wrappedSignals.get(code ?? 0) ?? null)))
        })
        // It is waited for later; a failure to start must not count as unhandled until then.
        ended.catch(() =>
          undefined
        )
        const list: unknown = child.stdio.at(LIST_FD)
        if (listed !== undefined && list instanceof Readable) list.setEncoding("latin1").on("data", listed)
        const into: unknown = child.stdio.at(INPUT_FD)
        const fed = command.fed === true && into instanceof Writable ? into : null
        // A decoder that has seen enough closes it; how it ended tells the rest.
        fed?.on("error", () => undefined)
        return { child, ended, fed, stdout: kept(child), printed: collect(child.stderr) }
      } finally {
        await file?.close()
        await filter?.close()
      }
    },
    catch: systemFailure("The decoder could not be started")
  })

/**
 * Starts a decoder on one local file: no shell, no URL, an empty environment, an empty working folder, its own process
 * group, and the machine's confinement. The group is killed at once when the scope closes, by interruption too, and
 * when `wall_seconds` have passed.
 */
export const runMedia = Effect.fnUntraced(
  function*(tools: MediaTools, command: MediaCommand): Effect.fn.Return<MediaProcess, StageFailure, Scope.Scope> {
    const cwd = yield* Effect.acquireRelease(
      Effect.tryPromise({
        try: () => temporaryFolder("media"),
        catch: systemFailure("No working folder")
      }),
      (folder) => Effect.promise(() => rm(folder, { recursive: true, force: true }).catch(() => undefined))
    )
    const nice = computationNiceness(yield* Backlogged)
    const { child, ended, fed, printed, stdout } = yield* Effect.acquireRelease(
      start(tools, command, cwd, nice),
      ({ child, ended, fed, stdout }) =>
        Effect.promise(() => {
          kill(child)
          fed?.destroy()
          child.stdout?.destroy()
          stdout.destroy()
          return ended.catch(() => undefined)
        })
    )
    let crash = ""
    let timedOut = false
    yield* Effect.sleep(`${command.wall_seconds} seconds`).pipe(
      Effect.andThen(Effect.sync(() => {
        timedOut = true
        kill(child)
      })),
      Effect.forkScoped
    )
    const ending = Effect.promise(() => ended.catch(() => undefined))
    return {
      stdout,
      fed,
      stopped: Effect.sync(() => askToEnd(child)).pipe(
        Effect.andThen(Effect.timeoutOption(ending, `${PARTING_SECONDS} seconds`)),
        Effect.asVoid
      ),
      messages: () => printed() + crash,
      exitCode: () => child.exitCode,
      ended: Effect.tryPromise({ try: () => ended, catch: systemFailure("The decoder could not be started") }).pipe(
        Effect.flatMap((signal) => {
          if (timedOut || signal === "SIGXCPU") return Effect.fail(tooSlow(command.wall_seconds))
          if (signal === "SIGKILL" || signal === "SIGTERM") {
            return Effect.fail(systemFailure("The decoder was killed")(signal))
          }
          if (signal !== null) crash = `\nThe decoder crashed on corrupt data: ${signal}`
          return Effect.void
        })
      )
    }
  }
)
