import { Effect, Layer, Schema } from "effect"
import { type ChildProcess, fork } from "node:child_process"
import { JobFailureCode, StageFailure } from "../../src/jobs/model/JobFailure.ts"
import { niceness, startBehind } from "../../src/processes/Priority.ts"
import { environmentOf } from "../../src/processes/ProcessEnvironment.ts"
import { tiedCommand } from "../../src/processes/TiedCommand.ts"
import { Compute } from "../engine/Stage.ts"
import type { ComputeReply, ComputeRequest } from "./serve.ts"

interface Call {
  readonly id: number
  readonly name: string
  readonly input: unknown
  readonly resume: (answer: Effect.Effect<unknown, StageFailure>) => void
  readonly heard: (news: unknown) => void
  /** Present once the caller was interrupted: who waits for the work to have stopped. */
  stopped?: () => void
}

interface Child {
  readonly process: ChildProcess
  readonly calls: Map<number, Call>
  /** Killed because a cancelled call did not end: its neighbours start again instead of failing. */
  sacrificed: boolean
}

const isCode = Schema.is(JobFailureCode)

export interface ComputeProcessOptions {
  /** The module that calls `serve`, by absolute path. */
  readonly entry: string
  /** What the child finds in `process.argv`, each time that it is started. */
  readonly arguments?: ReadonlyArray<string>
}

/**
 * Runs a lane's functions in one child process, `entry` (which calls `serve`), started with the first call and again
 * after a crash. An interrupted call has stopped before the interruption returns: asked first, killed after 1 s; other
 * calls of a killed child are started again in the next one. A child that ends by itself fails its calls with
 * `MODEL_UNAVAILABLE`, retryable. The child ends with the layer and with this process, however that ends.
 */
export const layer = (options: ComputeProcessOptions) => Layer.effect(Compute, make(options))

const make = Effect.fnUntraced(function*({ arguments: given = [], entry }: ComputeProcessOptions) {
  let current: Child | undefined
  let lastId = 0

  const start = (): Child => {
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
      sacrificed: false
    }
    startBehind(child.process.pid, niceness.computation)
    child.process.on("message", (reply: ComputeReply) => answer(child, reply))
    child.process.once("error", (error) => bury(child, error.message))
    child.process.once("exit", (code, signal) => bury(child, signal ?? `exit code ${code}`))
    return child
  }

  const answer = (child: Child, reply: ComputeReply) => {
    const call = child.calls.get(reply.id)
    if (call === undefined) return
    if ("news" in reply) return call.heard(reply.news)
    child.calls.delete(reply.id)
    if (call.stopped !== undefined) return call.stopped()
    if ("output" in reply) return call.resume(Effect.succeed(reply.output))
    const { code, ...rest } = reply.failure
    call.resume(Effect.fail(new StageFailure({ code: isCode(code) ? code : "INTERNAL", ...rest })))
  }

  const bury = (child: Child, why: string) => {
    if (current === child) current = undefined
    const left = [...child.calls.values()]
    child.calls.clear()
    for (const call of left) {
      if (call.stopped !== undefined) call.stopped()
      else if (child.sacrificed) submit(call)
      else {
        const message = `The process that runs ${call.name} ended: ${why}`
        call.resume(Effect.fail(new StageFailure({ code: "MODEL_UNAVAILABLE", message, retryable: true })))
      }
    }
  }

  const submit = (call: Call): Child => {
    const child = current ??= start()
    child.calls.set(call.id, call)
    // A closed channel needs no care here: the exit that closed it settles every call of this child.
    child.process.send(
      { id: call.id, name: call.name, input: call.input } satisfies ComputeRequest,
      () => {}
    )
    return child
  }

  /** Which child has the call now; a neighbour's cancellation may have moved it. */
  const ownerOf = (call: Call) => current?.calls.has(call.id) === true ? current : undefined

  const stop = (call: Call) =>
    Effect.suspend(() => {
      const child = ownerOf(call)
      if (child === undefined) return Effect.void
      child.process.send({ id: call.id, cancel: true } satisfies ComputeRequest, () => {})
      return Effect.callback<void>((resume) => {
        call.stopped = () => resume(Effect.void)
      }).pipe(Effect.timeoutOrElse({
        duration: "1 second",
        orElse: () =>
          Effect.sync(() => {
            if (!child.calls.has(call.id)) return
            child.sacrificed = true
            child.process.kill("SIGKILL")
          }).pipe(Effect.andThen(Effect.callback<void>((resume) => {
            if (!child.calls.has(call.id)) return resume(Effect.void)
            call.stopped = () => resume(Effect.void)
          })))
      }))
    })

  yield* Effect.addFinalizer(() =>
    Effect.suspend(() => {
      const child = current
      if (child === undefined || child.process.exitCode !== null || child.process.signalCode !== null) {
        return Effect.void
      }
      return Effect.callback<void>((resume) => {
        child.process.once("exit", () => resume(Effect.void))
        if (child.process.connected) child.process.disconnect()
      }).pipe(Effect.timeoutOrElse({
        duration: "1 second",
        orElse: () => Effect.sync(() => void child.process.kill("SIGKILL"))
      }))
    })
  )

  return Compute.of({
    call: (name, input, heard = () => {}) =>
      Effect.callback<unknown, StageFailure>((resume) => {
        const call: Call = { id: ++lastId, name, input, resume, heard }
        submit(call)
        return stop(call)
      }).pipe(Effect.withSpan("Compute.call", { attributes: { "compute.function": name } }))
  })
})
