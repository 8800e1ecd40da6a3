// Written by tools/fit-calibration.ts, from 3802 values of 21 writers.

/** Weights of `calibrationTerms`. */
export const calibration = { base: 6.397, weights: [0.841, -1.105, 0.767] } as const
