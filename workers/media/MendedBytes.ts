import { Effect } from "effect"
import type { StageFailure } from "../../src/jobs/JobFailure.ts"
import { refuse } from "./MediaContext.ts"

const MAX_RESUMPTIONS = 4

export const tooLarge = (max_bytes: number): StageFailure =>
  refuse("SOURCE_TOO_LARGE", `The source has more than ${max_bytes} bytes.`)

interface Mending<Transfer> {
  readonly max_bytes: number
  readonly failure: (error: unknown) => StageFailure
  /** Asks for what comes after the first `received` bytes, of the very same file. */
  readonly resume: (received: number, before: Transfer) => Effect.Effect<Transfer, StageFailure>
}

/**
 * The next bytes of a transfer at each run, undefined at the end, with broken connections mended up to four times. Fails with
 * `SOURCE_TOO_LARGE` beyond `max_bytes`, and with what the connection broke by or `resume` fails with.
 */
export const mendedBytes = <Transfer extends { readonly body: AsyncIterator<Uint8Array> }>(
  begun: Transfer,
  { failure, max_bytes, resume }: Mending<Transfer>
): Effect.Effect<Uint8Array | undefined, StageFailure> => {
  let transfer = begun
  let received = 0
  let resumptions = 0
  const mend = (broken: StageFailure): Effect.Effect<Uint8Array | undefined, StageFailure> => {
    if (resumptions++ >= MAX_RESUMPTIONS) return Effect.fail(broken)
    return Effect.sleep(100 * 2 ** resumptions).pipe(
      Effect.andThen(Effect.suspend(() => resume(received, transfer))),
      Effect.flatMap((next) => {
        transfer = next
        return read
      })
    )
  }
  const read: Effect.Effect<Uint8Array | undefined, StageFailure> = Effect.tryPromise({
    try: async () => {
      const { done, value } = await transfer.body.next()
      return done === true ? undefined : value
    },
    catch: failure
  }).pipe(Effect.catchIf(({ retryable }) => retryable, mend))
  return Effect.flatMap(read, (chunk) => {
    received += chunk?.length ?? 0
    return received > max_bytes ? Effect.fail(tooLarge(max_bytes)) : Effect.succeed(chunk)
  })
}
