const share = Math.min(1, Number(process.env.FOOTNOTE_PROPERTY_RUNS))

/** How often one and the same thing is tried: as often as asked in `npm run test:all`, in `npm test` as many times less as a property has fewer cases. */
export const rounds = (count: number): number => Math.max(1, Math.ceil(count * share))

/**
 * The cases of one guarantee: all of them in `npm run test:all`; in `npm test` the first and others at even distances, as many as the
 * properties have of theirs.
 */
export const breadth = <A>(cases: ReadonlyArray<A>): ReadonlyArray<A> => {
  const taken = rounds(cases.length)
  return Array.from(
    { length: Math.min(taken, cases.length) },
    (_, at) => cases[Math.floor((at * cases.length) / taken)]!
  )
}
