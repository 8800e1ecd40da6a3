import { Cause, Effect, Logger, References } from "effect"

interface LogLine {
  readonly text: string
  readonly cause: string
  readonly annotations: Readonly<Record<string, unknown>>
}

/** What the effects given to `logged` write, and nothing of it on the terminal. */
export const captured = () => {
  const lines: Array<LogLine> = []
  const logger = Logger.make(({ cause, fiber, message }) => {
    const parts = Array.isArray(message) ? message : [message]
    lines.push({
      text: String(parts[0]),
      cause: [Cause.pretty(cause), ...parts.slice(1).map((part) => Cause.isCause(part) ? Cause.pretty(part) : "")].join(
        ""
      ),
      annotations: fiber.getRef(References.CurrentLogAnnotations)
    })
  })
  return {
    lines,
    logged: <A, E, R>(effect: Effect.Effect<A, E, R>) => Effect.provide(effect, Logger.layer([logger]))
  }
}
