/** Mulberry32: the same seed draws the same numbers. */
export const makeDice = (seed: number) => {
  let state = seed >>> 0
  /** From 0 up to 1. */
  const random = (): number => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
  return { random, between: (low: number, high: number): number => low + random() * (high - low) }
}
