import { assert, it } from "@effect/vitest"
import { Effect } from "effect"
import { continueTrace, currentTraceparent } from "../../src/observability/Trace.ts"

const traceIds = Effect.map(Effect.currentSpan, ({ parent, traceId }) => ({ traceId, parent })).pipe(
  Effect.withSpan("later")
)

it.effect("what was kept of a span continues its trace elsewhere, below that very span", () =>
  Effect.gen(function*() {
    const { kept, span } = yield* Effect.all({ kept: currentTraceparent, span: Effect.currentSpan }).pipe(
      Effect.withSpan("request")
    )
    assert.match(kept ?? "", /^00-[0-9a-f]{32}-[0-9a-f]{16}-01$/u)
    const later = yield* continueTrace(kept)(traceIds)
    assert.strictEqual(later.traceId, span.traceId)
    assert.strictEqual(later.parent._tag === "Some" && later.parent.value.spanId, span.spanId)
  }))

it.effect("without a span nothing is kept, and what cannot be read begins a trace of its own", () =>
  Effect.gen(function*() {
    assert.isNull(yield* currentTraceparent)
    for (const kept of [null, "", "00-0-0-0", `00-${"0".repeat(32)}-${"0".repeat(16)}-01`]) {
      const { parent, traceId } = yield* continueTrace(kept)(traceIds)
      assert.strictEqual(parent._tag, "None")
      assert.lengthOf(traceId, 32)
    }
  }))
