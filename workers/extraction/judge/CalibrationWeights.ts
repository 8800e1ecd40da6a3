// Written by tools/fit-calibration.ts, from 3760 values of 21 writers.

/** Weights of `calibrationTerms`. */
export const calibration = { base: 4.628, weights: [0.834, -0.818, 0.857] } as const
