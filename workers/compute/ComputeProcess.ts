import { Effect, Layer, Schema } from "effect"
import { type ChildProcess, fork } from "node:child_process"
import { JobFailureCode, StageFailure } from "../../src/jobs/model/JobFailure.ts"
import { currentTraceparent } from "../../src/observability/Trace.ts"
import { niceness, startBehind } from "../../src/processes/Priority.ts"
import { environmentOf } from "../../src/processes/ProcessEnvironment.ts"
import { tiedCommand } from "../../src/processes/TiedCommand.ts"
import type { CallSpan } from "./CallSpans.ts"
import { Compute } from "./Compute.ts"
import type { ComputeReply, ComputeRequest } from "./serve.ts"
import { tellSpans } from "./TellSpans.ts"

interface Call {
  readonly request: Extract<ComputeRequest, { readonly name: string }>
  readonly answered: (answer: Effect.Effect<unknown, StageFailure>, spans: ReadonlyArray<CallSpan>) => void
  readonly heard: (news: unknown) => void
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
    if ("output" in reply) return call.answered(Effect.succeed(reply.output), reply.spans)
    const { code, ...rest } = reply.failure
    call.answered(Effect.fail(new StageFailure({ code: isCode(code) ? code : "INTERNAL", ...rest })), reply.spans)
  }

  const bury = (child: Child, why: string) => {
    if (current === child) current = undefined
    const left = [...child.calls.values()]
    child.calls.clear()
    for (const call of left) {
      if (call.stopped !== undefined) call.stopped()
      else if (child.sacrificed) submit(call)
      else {
        const message = `The process that runs ${call.request.name} ended: ${why}`
        call.answered(Effect.fail(new StageFailure({ code: "MODEL_UNAVAILABLE", message, retryable: true })), [])
      }
    }
  }

  const submit = (call: Call): Child => {
    const child = current ??= start()
    child.calls.set(call.request.id, call)
    // A closed channel needs no care here: the exit that closed it settles every call of this child.
    child.process.send(call.request, () => {})
    return child
  }

  /** Which child has the call now; a neighbour's cancellation may have moved it. */
  const ownerOf = (call: Call) => current?.calls.has(call.request.id) === true ? current : undefined

  const stop = (call: Call) =>
    Effect.suspend(() => {
      const child = ownerOf(call)
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

  const ask = (name: string, input: unknown, traceparent: string | null, heard: Call["heard"]) =>
    Effect.callback<Answered, never>((resume) => {
      const call: Call = {
        request: { id: ++lastId, name, input, traceparent },
        answered: (answer, spans) => resume(Effect.succeed({ answer, spans })),
        heard
      }
      submit(call)
      return stop(call)
    })

  return Compute.of({
    call: (call, input, heard) =>
      Effect.gen(function*() {
        const { isNews, isOutput, misfit, name } = call
        let wrong: string | undefined
        const { answer, spans } = yield* ask(name, input, yield* currentTraceparent, (news) => {
          if (isNews(news)) heard?.(news)
          else wrong ??= `What ${name} tells before its answer does not fit: ${misfit.news(news)}`
        })
        yield* tellSpans(spans)
        const output = yield* answer
        if (wrong !== undefined) return yield* broken(wrong)
        return isOutput(output) ? output : yield* broken(`The answer of ${name} does not fit: ${misfit.output(output)}`)
      }).pipe(Effect.withSpan("Compute.call", { attributes: { "compute.function": call.name } }))
  })
})

/** Two sides of this program that do not agree: another attempt would end the same way. */
const broken = (message: string) => new StageFailure({ code: "INTERNAL", message, retryable: false })
