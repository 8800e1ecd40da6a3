import { AsyncLocalStorage } from "node:async_hooks"

/** A stretch of work inside a model process, for the trace of the job that asked for it. Moments are Unix milliseconds. */
export interface CallSpan {
  readonly name: string
  readonly began: number
  readonly ended: number
  readonly attributes: Readonly<Record<string, string | number>>
}

interface Model {
  readonly role: string
  readonly name: string
}

/** What a call's runs of one model come to: a second of sound alone is 31 runs of the voice detector. */
interface ModelRuns {
  readonly model: Model
  readonly began: number
  ended: number
  runs: number
  largest_batch: number
  milliseconds: number
}

/** Collects the spans of one call. */
export interface CallRecorder {
  readonly opened: (span: CallSpan) => void
  readonly ran: (model: Model, batch_size: number, began: number, ended: number) => void
  readonly spans: () => ReadonlyArray<CallSpan>
}

/** The calls that the present work is done for: several where they share a batch. */
const atWork = new AsyncLocalStorage<ReadonlyArray<CallRecorder>>()
const opening = new AsyncLocalStorage<Model>()

export const now = (): number => performance.timeOrigin + performance.now()

export const makeCallRecorder = (): CallRecorder => {
  const opened: Array<CallSpan> = []
  const models = new Map<string, ModelRuns>()
  return {
    opened: (span) => void opened.push(span),
    ran: (model, batch_size, began, ended) => {
      const key = `${model.role}\n${model.name}`
      const runs = models.get(key) ?? { model, began, ended, runs: 0, largest_batch: 0, milliseconds: 0 }
      models.set(key, runs)
      runs.ended = ended
      runs.runs++
      runs.largest_batch = Math.max(runs.largest_batch, batch_size)
      runs.milliseconds += ended - began
    },
    spans: () => [
      ...opened,
      ...Array.from(models.values(), ({ began, ended, largest_batch, milliseconds, model, runs }): CallSpan => ({
        name: `model.${model.role}`,
        began,
        ended,
        attributes: {
          "model.role": model.role,
          "model.name": model.name,
          "model.runs": runs,
          "model.batch_size": largest_batch,
          // Between its first run and its last the call does other things as well.
          "model.seconds": Math.round(milliseconds) / 1000
        }
      }))
    ]
  }
}

/** Whose work the present one is; whoever puts parts of several calls into one run keeps these with each part. */
export const callsAtWork = (): ReadonlyArray<CallRecorder> => atWork.getStore() ?? []

/** Does work for these calls: what it opens and runs is recorded with each of them. */
export const workingFor = <A>(calls: ReadonlyArray<CallRecorder>, work: () => A): A =>
  atWork.run([...new Set(calls)], work)

/** The model that is being opened: what is opened meanwhile runs in its name. Undefined outside of `openingModel`. */
export const modelBeingOpened = (): Model | undefined => opening.getStore()

/** Opens a model for a role, which is a span of the call that asked first. */
export const openingModel =
  <M extends { readonly name: string }, A>(role: string, open: (model: M) => Promise<A>) =>
  async (model: M): Promise<A> => {
    const began = now()
    try {
      return await opening.run({ role, name: model.name }, () => open(model))
    } finally {
      const attributes = { "model.role": role, "model.name": model.name }
      for (const call of callsAtWork()) call.opened({ name: "model.open", began, ended: now(), attributes })
    }
  }

/** Runs a model, which is counted to the calls at work; one of no role is not. */
export const runningModel = async <A>(
  model: Model | undefined,
  batch_size: number,
  run: () => Promise<A>
): Promise<A> => {
  const calls = callsAtWork()
  if (model === undefined || calls.length === 0) return run()
  const began = now()
  try {
    return await run()
  } finally {
    const ended = now()
    for (const call of calls) call.ran(model, batch_size, began, ended)
  }
}
