// Written by tools/fit-calibration.ts, from 4606 values of 29 writers.

/** Weights of `calibrationTerms`. */
export const calibration = { base: 5.372, weights: [0.795, -0.917, 0.637] } as const
