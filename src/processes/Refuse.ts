import { Effect } from "effect"

/** Ends the process with code 1 and this message alone: what the operator has to change, and no trace of where it was found. */
export const refuse = ({ message }: { readonly message: string }): Effect.Effect<never> =>
  Effect.sync(() => {
    process.stderr.write(`${message}\n`)
    return process.exit(1)
  })
