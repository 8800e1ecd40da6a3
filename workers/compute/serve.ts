import type { ServiceFault } from "../../src/jobs/model/JobFailure.ts"
import { watchParent } from "../../src/processes/EndWithParent.ts"
import { canTie } from "../../src/processes/TiedCommand.ts"
import { diskFault } from "../../src/storage/DiskFault.ts"
import { type CallSpan, makeCallRecorder, now, workingFor } from "./CallSpans.ts"
import type { ComputeCall } from "./ComputeCall.ts"

/** What the parent sends: a call, or the wish that one ends. Structured clone carries typed arrays as they are. */
export type ComputeRequest =
  | {
    readonly id: number
    readonly name: string
    readonly input: unknown
    /** The span that asks, as W3C `traceparent`; null where nobody listens to it. */
    readonly traceparent: string | null
  }
  | { readonly id: number; readonly cancel: true }

/** What the child says: once per call its answer, cancelled ones included; before that whatever the function tells. */
export type ComputeReply =
  | { readonly id: number; readonly news: unknown }
  | { readonly id: number; readonly spans: ReadonlyArray<CallSpan>; readonly output: unknown }
  | {
    readonly id: number
    readonly spans: ReadonlyArray<CallSpan>
    readonly failure: {
      readonly code: string
      readonly message: string
      readonly retryable: boolean
      readonly fault?: ServiceFault
    }
  }

/** The functions of a process, each by its name: plain data in, plain data out, files by absolute path. */
type ComputeFunctions<Calls> = {
  readonly [K in keyof Calls]: Calls[K] extends ComputeCall<infer Input, infer Output, infer News>
    ? (input: Input, signal: AbortSignal, tell: (news: News) => void) => Promise<Output>
    : never
}

type AnyFunction = (input: unknown, signal: AbortSignal, tell: (news: unknown) => void) => Promise<unknown>

/**
 * Makes this process answer calls from its parent, concurrently and by name. A function that throws an object with
 * `code` and `retryable` fails its task with exactly these, and with its `fault`; anything else thrown is `INTERNAL` and retryable; a request
 * that does not fit its call is `INTERNAL` and is not. With
 * `ends_process` in it the process ends once the caller has its answer: the next call gets a fresh one. A cancelled call's
 * `signal` is aborted. When the parent is gone every call is aborted and the process ends, so no child
 * outlives its worker; a native call that hears of nothing does not keep it.
 */
export const serve = <Calls extends Readonly<Record<string, ComputeCall<any, any, any>>>>(
  calls: Calls,
  functions: ComputeFunctions<Calls>
): void => {
  if (process.send === undefined) throw new Error("serve() runs in a forked process only")
  const running = new Map<number, AbortController>()

  const work = (id: number, name: string, input: unknown, signal: AbortSignal) => {
    const call = calls[name]
    if (call === undefined) throw new Error(`No compute function ${name}`)
    if (!call.isInput(input)) throw misfit(`The request of ${name} does not fit: ${call.misfit.input(input)}`)
    // Names are looked up in both: that the function is this call's own is what the type of `functions` says.
    return (functions[name] as AnyFunction)(input, signal, (news) => reply({ id, news }))
  }

  const run = async (id: number, name: string, input: unknown, traceparent: string | null) => {
    const controller = new AbortController()
    running.set(id, controller)
    const began = now()
    const recorder = makeCallRecorder()
    const spans = (): ReadonlyArray<CallSpan> =>
      traceparent === null ? [] : [
        { name: `compute.${name}`, began, ended: now(), attributes: { "process.pid": process.pid } },
        ...recorder.spans()
      ]
    try {
      const output = await workingFor([recorder], async () => work(id, name, input, controller.signal))
      reply({ id, spans: spans(), output })
    } catch (error) {
      const { ends_process } = (error ?? {}) as { readonly ends_process?: unknown }
      const last = ends_process === true ? () => process.exit(1) : undefined
      reply({ id, spans: spans(), failure: describe(error) }, last)
    } finally {
      running.delete(id)
    }
  }

  process.on("message", (request: ComputeRequest) => {
    if ("cancel" in request) running.get(request.id)?.abort()
    else void run(request.id, request.name, request.input, request.traceparent)
  })
  if (!canTie()) watchParent(process.ppid)
  process.once("disconnect", () => {
    for (const controller of running.values()) controller.abort()
    // One turn later: abort listeners have killed what they had started by then.
    setImmediate(() => process.exit(0))
  })
  // The terminal's Ctrl-C reaches the whole group; the parent drains and then disconnects.
  process.on("SIGINT", () => {})
  process.on("SIGTERM", () => {})
}

const reply = (message: ComputeReply, sent: () => void = () => {}) => {
  if (process.connected) process.send!(message, sent)
  else sent()
}

const misfit = (message: string) => Object.assign(new Error(message), { code: "INTERNAL", retryable: false })

const describe = (error: unknown) => {
  const { code, fault, message, retryable } = (error ?? {}) as {
    readonly code?: unknown
    readonly fault?: ServiceFault
    readonly message?: unknown
    readonly retryable?: unknown
  }
  const text = typeof message === "string" ? message : String(error)
  const full = diskFault(error) === "disk" ? "disk_full" as const : undefined
  return typeof code === "string" && typeof retryable === "boolean"
    ? { code, message: text, retryable, ...(fault === undefined ? {} : { fault }) }
    : { code: "INTERNAL", message: text, retryable: true, ...(full === undefined ? {} : { fault: full }) }
}
