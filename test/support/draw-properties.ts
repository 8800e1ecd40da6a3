import type * as FastCheck from "fast-check"
import { vi } from "vitest"
import { forgetClients } from "./SignIn.ts"

// fast-check's own global settings give way to what a property asks for itself, so they could hold the seed but not the factor.
vi.mock("fast-check", async (original) => {
  const fc = await original<typeof FastCheck>()
  const seed = Number(process.env.FOOTNOTE_PROPERTY_SEED)
  const factor = Number(process.env.FOOTNOTE_PROPERTY_RUNS)

  const drawn = <T>(asked: FastCheck.Parameters<T> | number = {}): FastCheck.Parameters<T> => {
    const own = typeof asked === "number" ? { numRuns: asked } : asked
    return { seed, ...own, numRuns: Math.ceil((own.numRuns ?? 100) * factor) }
  }
  return {
    ...fc,
    assert: <T>(property: FastCheck.IRawProperty<T>, asked?: FastCheck.Parameters<T>) =>
      fc.assert(property, drawn(asked)),
    check: <T>(property: FastCheck.IRawProperty<T>, asked?: FastCheck.Parameters<T>) =>
      fc.check(property, drawn(asked)),
    sample: <T>(from: FastCheck.Arbitrary<T>, asked?: FastCheck.Parameters<T> | number) => fc.sample(from, drawn(asked))
  }
})

forgetClients()
