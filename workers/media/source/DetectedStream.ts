import { Effect, Stream } from "effect"
import type { StageFailure } from "../../../src/jobs/model/JobFailure.ts"
import { detectContainer } from "./DetectContainer.ts"
import { SNIFF_BYTES } from "./Sniff.ts"

/**
 * What `next` gives until its undefined, once its first bytes are those of a media container: nothing is passed on before.
 * Fails as `detectContainer` does, and as `next` does.
 */
export const detectedStream = Effect.fnUntraced(function*(
  next: Effect.Effect<Uint8Array | undefined, StageFailure>,
  content_type?: string
) {
  const head: Array<Uint8Array> = []
  for (let size = 0; size < SNIFF_BYTES;) {
    const chunk = yield* next
    if (chunk === undefined) break
    head.push(chunk)
    size += chunk.length
  }
  yield* detectContainer(Buffer.concat(head).subarray(0, SNIFF_BYTES), content_type)
  const rest = Stream.unfold(
    undefined,
    () => Effect.map(next, (chunk) => (chunk === undefined ? undefined : [chunk, undefined] as const))
  )
  return Stream.concat(Stream.fromIterable(head), rest)
})
