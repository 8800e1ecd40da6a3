export interface SharedTime {
  /** Does a piece of work and tells its share in seconds. Rejects as the work does. */
  readonly measure: <A>(work: () => Promise<A>) => Promise<{ readonly value: A; readonly seconds: number }>
}

/**
 * Divides a process's time between the calls that it works on at once, so that the shares of all calls add up to the time
 * in which there was any: eight jobs that wait for one device are not charged eight times.
 */
export const makeSharedTime = (now: () => number = () => performance.now()): SharedTime => {
  let calls = 0
  /** Milliseconds that one call has been charged which was there from the beginning. */
  let share = 0
  let last = now()

  const advance = () => {
    const moment = now()
    if (calls > 0) share += (moment - last) / calls
    last = moment
  }

  return {
    measure: async (work) => {
      advance()
      calls++
      const begun = share
      let ended = begun
      const leave = () => {
        advance()
        calls--
        ended = share
      }
      const value = await work().finally(leave)
      return { value, seconds: (ended - begun) / 1000 }
    }
  }
}
