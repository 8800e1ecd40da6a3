import { Context, Effect, Layer, Schema } from "effect"
import { type ChildProcess, fork } from "node:child_process"
import { readFileSync } from "node:fs"
import { JobFailureCode, StageFailure } from "../../src/jobs/model/JobFailure.ts"
import { currentTraceparent } from "../../src/observability/Trace.ts"
import { niceness, putProcessBehind, startBehind } from "../../src/processes/Priority.ts"
import { environmentOf } from "../../src/processes/ProcessEnvironment.ts"
import { tiedCommand } from "../../src/processes/TiedCommand.ts"
import { Backlogged, computationNiceness } from "../engine/Backlog.ts"
import type { CallSpan } from "./CallSpans.ts"
import { Compute } from "./Compute.ts"
import type { ComputeReply, ComputeRequest } from "./serve.ts"
import { tellSpans } from "./TellSpans.ts"

interface Call {
  readonly request: Extract<ComputeRequest, { readonly name: string }>
  readonly owner: string | undefined
  readonly backlogged: boolean
  readonly answered: (answer: Effect.Effect<unknown, StageFailure>, spans: ReadonlyArray<CallSpan>) => void
  readonly heard: (news: unknown, start: number) => void
  /** How often it has been started again. */
  restarts: number
  /** Present once the caller was interrupted: who waits for the work to have stopped. */
  stopped?: () => void
}

interface Answered {
  readonly answer: Effect.Effect<unknown, StageFailure>
  readonly spans: ReadonlyArray<CallSpan>
}

interface Child {
  readonly process: ChildProcess
  readonly calls: Map<number, Call>
  /** The last call that it was given. */
  asked: number
  /** Killed because a cancelled call did not end: its neighbours start again instead of failing. */
  sacrificed: boolean
  /** Stands behind the others, for tenants with a long line: a process that was put back stays there. */
  behind: boolean
}

const isCode = Schema.is(JobFailureCode)

/**
 * Whose calls the present ones are. Where a lane may have several processes, those of two owners that meet run in one each, on
 * processors of their own instead of taking turns on one. Calls of no owner share the first process.
 */
export const CallOwner = Context.Reference<string | undefined>("footnote/workers/compute/CallOwner", {
  defaultValue: () => undefined
})

/** A process beyond the first that has had no call for so long ends: it holds its models in memory. */
const idleMillis = 60_000

export interface ComputeProcessOptions {
  /** The module that calls `serve`, by absolute path. */
  readonly entry: string
  /** How many processes there may be; more than the first only while memory has room for twice the first. Default 1. */
  readonly processes?: number
  /** What the child finds in `process.argv`, each time that it is started. */
  readonly arguments?: ReadonlyArray<string>
}

/**
 * Runs a lane's functions in a child process, `entry` (which calls `serve`), started with the first call and again
 * after a crash; in several where owners' calls meet. An interrupted call has stopped before the interruption returns: asked first, killed after 1 s; other
 * calls of a killed child are started again in the next one. A child that ends by itself fails its calls with
 * `MODEL_UNAVAILABLE`, retryable. The child ends with the layer and with this process, however that ends.
 */
export const layer = (options: ComputeProcessOptions) => Layer.effect(Compute, make(options))

const make = Effect.fnUntraced(function*({ arguments: given = [], entry, processes = 1 }: ComputeProcessOptions) {
  let children: ReadonlyArray<Child> = []
  let lastId = 0

  /** The one that is always kept. */
  const first = (): Child | undefined => children.find(({ behind }) => !behind) ?? children[0]

  const start = (behind: boolean): Child => {
    const [execPath, [...execArgv]] = tiedCommand(process.execPath, [])
    const child: Child = {
      // Standard output belongs to the worker's own protocol, so the child writes to standard error only.
      process: fork(entry, [...given], {
        serialization: "advanced",
        execPath,
        execArgv,
        stdio: ["ignore", 2, 2, "ipc"],
        // Also for a library that brings a runtime of its own: nothing that computes tells anyone about it.
        env: { ...environmentOf(["model"], process.env), ORT_DISABLE_TELEMETRY: "1" }
      }),
      calls: new Map(),
      asked: 0,
      sacrificed: false,
      behind
    }
    startBehind(child.process.pid, computationNiceness(behind))
    child.process.on("message", (reply: ComputeReply) => answer(child, reply))
    child.process.once("error", (error) => bury(child, error.message))
    child.process.once("exit", (code, signal) => bury(child, signal ?? `exit code ${code}`))
    return child
  }

  const answer = (child: Child, reply: ComputeReply) => {
    const call = child.calls.get(reply.id)
    if (call === undefined) return
    if ("news" in reply) return call.heard(reply.news, call.restarts)
    child.calls.delete(reply.id)
    endIfIdle(child)
    if (call.stopped !== undefined) return call.stopped()
    if ("output" in reply) return call.answered(Effect.succeed(reply.output), reply.spans)
    const { code, ...rest } = reply.failure
    call.answered(Effect.fail(new StageFailure({ code: isCode(code) ? code : "INTERNAL", ...rest })), reply.spans)
  }

  const bury = (child: Child, why: string) => {
    children = children.filter((other) => other !== child)
    const left = [...child.calls.values()]
    child.calls.clear()
    for (const call of left) {
      if (call.stopped !== undefined) call.stopped()
      else if (child.sacrificed) {
        call.restarts++
        submit(call)
      } else {
        const message = `The process that runs ${call.request.name} ended: ${why}`
        call.answered(Effect.fail(new StageFailure({ code: "MODEL_UNAVAILABLE", message, retryable: true })), [])
      }
    }
  }

  /** Ends a process beyond the first once nothing has been asked of it for a while. */
  const endIfIdle = (child: Child) => {
    if (child.calls.size > 0 || child === first()) return
    const { asked } = child
    setTimeout(() => {
      if (child.asked !== asked || child.calls.size > 0 || child === first()) return
      children = children.filter((other) => other !== child)
      if (child.process.connected) child.process.disconnect()
    }, idleMillis).unref()
  }

  const isOf = (owner: string | undefined) => (child: Child) =>
    Array.from(child.calls.values()).every((call) => call.owner === owner)

  const quietest = (some: ReadonlyArray<Child>) =>
    some.reduce((least, child) => child.calls.size < least.calls.size ? child : least)

  const free = (some: ReadonlyArray<Child>, owner: string) =>
    some.filter(({ calls }) => calls.size > 0).find(isOf(owner)) ?? some.find(({ calls }) => calls.size === 0)

  const mayAdd = () => children.length < processes && hasRoomFor(first()?.process.pid)

  /** One that works for this owner alone, or for nobody; else a new one; else the one with the fewest calls. */
  const childFor = ({ backlogged, owner }: Call): Child => {
    const kept = first()
    if (kept === undefined) return add(false)
    if (owner === undefined) return kept
    if (backlogged) {
      const child = behindFor(owner)
      if (child !== undefined) return child
    }
    const ahead = children.filter(({ behind }) => !behind)
    return free(ahead, owner) ?? (mayAdd() ? add(false) : quietest(ahead.length > 0 ? ahead : children))
  }

  /** One that stands behind: there, new, or of those beyond the first the one that works for nobody else, put back. */
  const behindFor = (owner: string): Child | undefined => {
    const there = children.filter(({ behind }) => behind)
    if (there.length > 0) return quietest(there)
    if (mayAdd()) return add(true)
    const child = children.find((child) => child !== first() && isOf(owner)(child))
    if (child === undefined) return undefined
    child.behind = true
    putProcessBehind(child.process.pid, niceness.backlog)
    return child
  }

  const add = (behind: boolean): Child => {
    const child = start(behind)
    children = [...children, child]
    return child
  }

  const submit = (call: Call) => {
    const child = childFor(call)
    child.asked = call.request.id
    child.calls.set(call.request.id, call)
    // A closed channel needs no care here: the exit that closed it settles every call of this child.
    child.process.send(call.request, () => {})
  }

  /** Which child has the call now; a neighbour's cancellation may have moved it. */
  const holderOf = (call: Call) => children.find(({ calls }) => calls.has(call.request.id))

  const stop = (call: Call) =>
    Effect.suspend(() => {
      const child = holderOf(call)
      if (child === undefined) return Effect.void
      child.process.send({ id: call.request.id, cancel: true } satisfies ComputeRequest, () => {})
      return Effect.callback<void>((resume) => {
        call.stopped = () => resume(Effect.void)
      }).pipe(Effect.timeoutOrElse({
        duration: "1 second",
        orElse: () =>
          Effect.sync(() => {
            if (!child.calls.has(call.request.id)) return
            child.sacrificed = true
            child.process.kill("SIGKILL")
          }).pipe(Effect.andThen(Effect.callback<void>((resume) => {
            if (!child.calls.has(call.request.id)) return resume(Effect.void)
            call.stopped = () => resume(Effect.void)
          })))
      }))
    })

  const end = (child: Child) =>
    Effect.suspend(() => {
      if (child.process.exitCode !== null || child.process.signalCode !== null) return Effect.void
      return Effect.callback<void>((resume) => {
        child.process.once("exit", () => resume(Effect.void))
        if (child.process.connected) child.process.disconnect()
      }).pipe(Effect.timeoutOrElse({
        duration: "1 second",
        orElse: () => Effect.sync(() => void child.process.kill("SIGKILL"))
      }))
    })
  yield* Effect.addFinalizer(() => Effect.forEach(children, end, { concurrency: "unbounded", discard: true }))

  const ask = (
    name: string,
    input: unknown,
    { backlogged, owner }: Pick<Call, "backlogged" | "owner">,
    traceparent: string | null,
    heard: Call["heard"]
  ) =>
    Effect.callback<Answered, never>((resume) => {
      const call: Call = {
        request: { id: ++lastId, name, input, traceparent },
        owner,
        backlogged,
        answered: (answer, spans) => resume(Effect.succeed({ answer, spans })),
        heard,
        restarts: 0
      }
      submit(call)
      return stop(call)
    })

  return Compute.of({
    call: (call, input, heard) =>
      Effect.gen(function*() {
        const { isNews, isOutput, misfit, name } = call
        let wrong: string | undefined
        const whose = { owner: yield* CallOwner, backlogged: yield* Backlogged }
        const { answer, spans } = yield* ask(name, input, whose, yield* currentTraceparent, (news, start) => {
          if (isNews(news)) heard?.(news, start)
          else wrong ??= `What ${name} tells before its answer does not fit: ${misfit.news(news)}`
        })
        yield* tellSpans(spans)
        const output = yield* answer
        if (wrong !== undefined) return yield* broken(wrong)
        return isOutput(output) ? output : yield* broken(`The answer of ${name} does not fit: ${misfit.output(output)}`)
      }).pipe(Effect.withSpan("Compute.call", { attributes: { "compute.function": call.name } }))
  })
})

const pageBytes = 4096

/** Whether there is memory for one more like this one, and as much again. Where the system does not tell, there is none. */
const hasRoomFor = (pid: number | undefined): boolean => {
  try {
    const resident = Number(readFileSync(`/proc/${pid}/statm`, "utf8").split(" ")[1]) * pageBytes
    return process.availableMemory() > 2 * resident
  } catch {
    return false
  }
}

/** Two sides of this program that do not agree: another attempt would end the same way. */
const broken = (message: string) => new StageFailure({ code: "INTERNAL", message, retryable: false })
