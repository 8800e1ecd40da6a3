import { Cause, Exit, Runtime } from "effect"

/** Exit code of a process that could not begin for a reason that passes, such as a database that is starting up (EX_TEMPFAIL). */
export const TRY_AGAIN = 75

/**
 * What a process of the service exits with: 0 where it was told to stop, which is no failure; `TRY_AGAIN` where `passes`
 * says that the same start may succeed a little later; else 1.
 */
export const teardownOf =
  (passes: (cause: Cause.Cause<unknown>) => boolean = () => false): Runtime.Teardown => (exit, onExit) => {
    const again = Exit.isFailure(exit) && !Cause.hasInterruptsOnly(exit.cause) && passes(exit.cause)
    Runtime.defaultTeardown(exit, (code) => onExit(code === 130 ? 0 : code === 1 && again ? TRY_AGAIN : code))
  }
