import { NodeRuntime } from "@effect/platform-node"
import { Cause, Effect, Layer, type Runtime } from "effect"
import { layerLogger } from "../observability/Telemetry.ts"

/** A form of lines that nobody knows is refused with the other settings, in the form that holds without one. */
const Lines = layerLogger({}).pipe(Layer.catch(() => Layer.empty))

/**
 * Runs a process of the service until it is told to stop; every line is in the form of `LOG_FORMAT`, also what is logged before
 * the program's own layers stand and the error that ends it: a collector of JSON lines drops or splits any other.
 */
export const runProcess = <A, E>(program: Effect.Effect<A, E>, teardown: Runtime.Teardown): void =>
  program.pipe(
    Effect.tapCause((cause) =>
      Cause.hasInterruptsOnly(cause)
        ? Effect.void
        : Effect.logError("The process ends; whoever runs it starts it again", cause)
    ),
    Effect.provide(Lines),
    NodeRuntime.runMain({ disableErrorReporting: true, teardown })
  )
