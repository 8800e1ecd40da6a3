import { type Context, Effect, Exit, type Fiber } from "effect"

/**
 * From the beginning of one statement to that of the next, where callers wait for it: 250 a second at most. Most statements take 1 to 3
 * ms; begun as soon as the one before had ended, four callers of a page cost the process a fifth to a third more and waited as long (p50 3 to 4 ms).
 */
const paceMillis = 4

/** A statement that is under way, and how many still wait for it. Without a fiber it is just being begun. */
interface Statement {
  fiber: Fiber.Fiber<unknown, unknown> | undefined
  waiting: number
}

interface Asked<Q, A, E> {
  readonly question: Q
  readonly context: Context.Context<never>
  readonly resume: (answer: Effect.Effect<A, E>) => void
  statement: Statement | undefined
}

/** Questions that may share statements: those that wait, how many statements are under way, and what calls off the next one. */
interface Line<Q, A, E> {
  waiting: Array<Asked<Q, A, E>>
  underWay: number
  /** When the last one began, in milliseconds; of a line without one, undefined. */
  began: number | undefined
  callOff: (() => void) | undefined
}

export interface SharedStatements<Q, A, E> {
  /** Questions share a statement with those of the same line alone. */
  readonly line: (question: Q) => string
  /** One answer for each question, in their order. */
  readonly ask: (questions: ReadonlyArray<Q>) => Effect.Effect<ReadonlyArray<A>, E>
}

/**
 * Answers a question by a statement that began after it was asked, shared with those that came in the same turn of the event loop or
 * within 4 ms of the beginning of one that was under way; one that waits alone begins with that one's end. Its failure is that of all who share it; one that nobody waits for any more is
 * interrupted. So the busier a process is, the fewer statements it makes of each request.
 */
export const makeSharedStatements = <Q, A, E>({ ask, line: nameOf }: SharedStatements<Q, A, E>) => {
  const lines = new Map<string, Line<Q, A, E>>()

  const forgetIdle = (name: string, line: Line<Q, A, E>): void => {
    if (line.waiting.length > 0 || line.underWay > 0) return
    line.callOff?.()
    lines.delete(name)
  }

  const begin = (name: string, line: Line<Q, A, E>): void => {
    line.callOff = undefined
    const asked = line.waiting
    line.waiting = []
    if (asked.length === 0) return forgetIdle(name, line)
    line.underWay++
    line.began = performance.now()
    const statement: Statement = { fiber: undefined, waiting: asked.length }
    for (const one of asked) one.statement = statement
    // In the context of the first: the statement is part of its trace.
    const fiber = Effect.runForkWith(asked[0]!.context)(ask(asked.map(({ question }) => question)))
    statement.fiber = fiber
    if (statement.waiting === 0) fiber.interruptUnsafe()
    fiber.addObserver((exit) => {
      line.underWay--
      // Before the answers: whoever asks again at once finds a free line.
      forgetIdle(name, line)
      for (const [at, { resume }] of asked.entries()) resume(Exit.map(exit, (answers) => answers[at]!))
      // One that waits alone shares with nobody: two callers in turn would wait 4 ms for each other.
      if (line.waiting.length === 1 && line.underWay === 0) {
        line.callOff?.()
        begin(name, line)
      }
    })
  }

  const schedule = (name: string, line: Line<Q, A, E>): void => {
    if (line.callOff !== undefined) return
    if (line.began === undefined) {
      const turn = setImmediate(begin, name, line)
      line.callOff = () => clearImmediate(turn)
    } else {
      const timer = setTimeout(begin, line.began + paceMillis - performance.now(), name, line)
      line.callOff = () => clearTimeout(timer)
    }
  }

  const leave = (line: Line<Q, A, E>, one: Asked<Q, A, E>): void => {
    if (one.statement === undefined) line.waiting = line.waiting.filter((other) => other !== one)
    else if (--one.statement.waiting === 0) one.statement.fiber?.interruptUnsafe()
  }

  return (question: Q): Effect.Effect<A, E> =>
    Effect.withFiber(({ context }) =>
      Effect.callback<A, E>((resume) => {
        const name = nameOf(question)
        const line = lines.get(name) ?? { waiting: [], underWay: 0, began: undefined, callOff: undefined }
        lines.set(name, line)
        const one: Asked<Q, A, E> = { question, context, resume, statement: undefined }
        line.waiting.push(one)
        schedule(name, line)
        return Effect.sync(() => leave(line, one))
      })
    )
}
