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

/** What a transfer tells of itself besides its bytes. */
export interface Resumable {
  readonly body: AsyncIterator<Uint8Array>
  /** Length of the whole file, where the server tells. */
  readonly total: number | undefined
}

/** Bodies may end before the file does without any error: of a server that caps its ranges, or through a proxy that cuts. */
const otherLength = (received: number, total: number): StageFailure =>
  new StageFailure({
    code: "SOURCE_UNREACHABLE",
    message: `The source ended after ${received} of ${total} bytes.`,
    retryable: true
  })

/** The first byte and the length of the file in a `Content-Range`; the length is undefined where the server does not know it. */
export const contentRange = (text: string) => {
  const range = /^bytes (\d+)-\d+\/(\d+|\*)$/u.exec(text)
  return range === null
    ? undefined
    : { from: Number(range[1]), total: range[2] === "*" ? undefined : Number(range[2]) }
}

interface Mending<Transfer> {
  readonly max_bytes: number
  readonly pace: SourcePace
  readonly failure: (error: unknown) => StageFailure
  /** Asks for what comes after the first `received` bytes, of the very same file. */
  readonly resume: (received: number, before: Transfer) => Effect.Effect<Transfer, StageFailure>
}

/**
 * A download that resumes (range requests): the next bytes of a transfer at each run, undefined at the end of the whole file,
 * with broken connections mended up to four times. Where a body ends before the file, the rest is asked for as often as each
 * answer brings bytes: 10 GiB come in 1,280 ranges of 8 MiB, and what creeps is too slow. Fails with `SOURCE_TOO_LARGE`
 * beyond `max_bytes`, with `SOURCE_UNREACHABLE` where less comes than the pace asks for, and with what the
 * connection broke by or `resume` fails with. Only time that the source takes counts, mending included: not the reader's.
 */
export const resumableBytes = <Transfer extends Resumable>(
  begun: Transfer,
  { failure, max_bytes, pace, resume }: Mending<Transfer>
): Effect.Effect<Uint8Array | undefined, StageFailure> => {
  let transfer = begun
  let received = 0
  let resumptions = 0
  let resumed_at = 0
  let waited_ms = 0
  let came = 0
  type Next = Effect.Effect<Uint8Array | undefined, StageFailure>
  const goOn: Next = Effect.flatMap(Effect.suspend(() => resume(received, transfer)), (next) => {
    transfer = next
    resumed_at = received
    return read
  })
  const mend = (broken: StageFailure): Next =>
    resumptions++ >= MAX_RESUMPTIONS
      ? Effect.fail(broken)
      : Effect.andThen(Effect.sleep(100 * 2 ** resumptions), goOn)
  const ended = (): Next => {
    const { total } = transfer
    if (total === undefined || received === total) return Effect.undefined
    if (received > total) return Effect.fail(otherLength(received, total))
    return received > resumed_at ? goOn : mend(otherLength(received, total))
  }
  const read: Next = Effect.tryPromise({
    try: async () => {
      const { done, value } = await transfer.body.next()
      return done === true ? undefined : value
    },
    catch: failure
  }).pipe(Effect.matchEffect({
    onFailure: (broken) => broken.retryable ? mend(broken) : Effect.fail(broken),
    onSuccess: (chunk) => chunk === undefined ? ended() : Effect.succeed(chunk)
  }))
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
