import type { ServiceFault } from "../../src/jobs/model/JobFailure.ts"
import { watchParent } from "../../src/processes/EndWithParent.ts"
import { canTie } from "../../src/processes/TiedCommand.ts"
import { diskFault } from "../../src/storage/DiskFault.ts"
import type { ComputeFunctions } from "../engine/Stage.ts"

/** What the parent sends: a call, or the wish that one ends. Structured clone carries typed arrays as they are. */
export type ComputeRequest =
  | { readonly id: number; readonly name: string; readonly input: unknown }
  | { readonly id: number; readonly cancel: true }

/** What the child says: once per call its answer, cancelled ones included; before that whatever the function tells. */
export type ComputeReply =
  | { readonly id: number; readonly news: unknown }
  | { readonly id: number; readonly output: unknown }
  | {
    readonly id: number
    readonly failure: {
      readonly code: string
      readonly message: string
      readonly retryable: boolean
      readonly fault?: ServiceFault
    }
  }

/**
 * Makes this process answer calls from its parent, concurrently and by name. A function that throws an object with
 * `code` and `retryable` fails its task with exactly these, and with its `fault`; anything else thrown is `INTERNAL` and retryable. With
 * `ends_process` in it the process ends once the caller has its answer: the next call gets a fresh one. A cancelled call's
 * `signal` is aborted. When the parent is gone every call is aborted and the process ends, so no child
 * outlives its worker; a native call that hears of nothing does not keep it.
 */
export const serve = (functions: ComputeFunctions): void => {
  if (process.send === undefined) throw new Error("serve() runs in a forked process only")
  const running = new Map<number, AbortController>()

  const run = async (id: number, name: string, input: unknown) => {
    const controller = new AbortController()
    running.set(id, controller)
    try {
      const call = functions[name]
      if (call === undefined) throw new Error(`No compute function ${name}`)
      reply({ id, output: await call(input as never, controller.signal, (news) => reply({ id, news })) })
    } catch (error) {
      const { ends_process } = (error ?? {}) as { readonly ends_process?: unknown }
      reply({ id, failure: describe(error) }, ends_process === true ? () => process.exit(1) : undefined)
    } finally {
      running.delete(id)
    }
  }

  process.on("message", (request: ComputeRequest) => {
    if ("cancel" in request) running.get(request.id)?.abort()
    else void run(request.id, request.name, request.input)
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
