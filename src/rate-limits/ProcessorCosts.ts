/**
 * Milliseconds of the processor that a request costs whose own time nobody can measure, because it is spent by threads of the
 * pool and over many turns of the event loop. Estimates, not measured one by one.
 */
export const processorCosts = {
  /** A signature with the dearest RSA key is 6 ms; the rest is a request to somebody else and six statements. */
  destination_test: 40,
  /** Opening the dearest key, one signature and its verification. */
  destination_key: 10
} as const
