import { Context, Effect, Exit, Option } from "effect"
import type { CallSpan } from "./CallSpans.ts"

const nanos = (millis: number): bigint => BigInt(Math.round(millis * 1000)) * 1000n

/**
 * Ends what a model process has measured in the present trace: the first span is the call's own, the others lie in it. An
 * untraced call has none. Moments are those of the other process, on the same machine.
 */
export const tellSpans = Effect.fnUntraced(function*(spans: ReadonlyArray<CallSpan>) {
  const [first, ...inside] = spans
  if (first === undefined) return
  const tracer = yield* Effect.tracer
  const annotations = yield* Effect.spanAnnotations
  const end = (span: CallSpan, parent: Parameters<typeof tracer.span>[0]["parent"]) => {
    const told = tracer.span({
      name: span.name,
      parent,
      annotations: Context.empty(),
      links: [],
      startTime: nanos(span.began),
      kind: "internal",
      root: false,
      sampled: true
    })
    for (const [key, value] of Object.entries({ ...annotations, ...span.attributes })) told.attribute(key, value)
    told.end(nanos(span.ended), Exit.void)
    return told
  }
  const own = end(first, yield* Effect.option(Effect.currentParentSpan))
  for (const span of inside) end(span, Option.some(own))
})
