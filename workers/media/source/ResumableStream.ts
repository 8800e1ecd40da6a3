import { Clock, Effect } from "effect"
import { StageFailure } from "../../../src/jobs/model/JobFailure.ts"
import { refuse } from "../ffmpeg/MediaContext.ts"

const MAX_RESUMPTIONS = 4

export const tooLarge = (max_bytes: number): StageFailure =>
  refuse("SOURCE_TOO_LARGE", `The source has more than ${max_bytes} bytes.`)

/** The least that has to come in each window of waiting for the source. */
export interface SourcePace {
  readonly window_ms: number
  readonly bytes: number
}

/** 4 KiB/s over a minute: half of what speech at 64 kbit/s is played at, and in half an hour not 8 MB. */
export const sourcePace: SourcePace = { window_ms: 60_000, bytes: 240 * 1024 }

const tooSlow = ({ bytes, window_ms }: SourcePace): StageFailure =>
  new StageFailure({
    code: "SOURCE_UNREACHABLE",
    message: `The source is sent too slowly: fewer than ${bytes} bytes in ${window_ms / 1000} s.`,
    retryable: false
  })

interface Mending<Transfer> {
  readonly max_bytes: number
  readonly pace: SourcePace
  readonly failure: (error: unknown) => StageFailure
  /** Asks for what comes after the first `received` bytes, of the very same file. */
  readonly resume: (received: number, before: Transfer) => Effect.Effect<Transfer, StageFailure>
}

/**
 * A download that resumes (range requests): the next bytes of a transfer at each run, undefined at the end, with broken connections mended up to four times. Fails with
 * `SOURCE_TOO_LARGE` beyond `max_bytes`, with `SOURCE_UNREACHABLE` where less comes than the pace asks for, and with what the
 * connection broke by or `resume` fails with. Only time that the source takes counts, mending included: not the reader's.
 */
export const resumableBytes = <Transfer extends { readonly body: AsyncIterator<Uint8Array> }>(
  begun: Transfer,
  { failure, max_bytes, pace, resume }: Mending<Transfer>
): Effect.Effect<Uint8Array | undefined, StageFailure> => {
  let transfer = begun
  let received = 0
  let resumptions = 0
  let waited_ms = 0
  let came = 0
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
  return Effect.gen(function*() {
    const began = yield* Clock.currentTimeMillis
    const chunk = yield* Effect.timeoutOrElse(read, {
      duration: Math.max(pace.window_ms - waited_ms, 1),
      orElse: () => Effect.fail(tooSlow(pace))
    })
    const size = chunk?.length ?? 0
    waited_ms += (yield* Clock.currentTimeMillis) - began
    came += size
    received += size
    if (came >= pace.bytes) {
      waited_ms = 0
      came = 0
    }
    return received > max_bytes ? yield* tooLarge(max_bytes) : chunk
  })
}
