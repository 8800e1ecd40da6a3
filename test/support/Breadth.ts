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

/** Each of some with each of others, as pairs; in `npm test` in as few pairs as show each of either. */
export const crossed = <A, B>(some: ReadonlyArray<A>, others: ReadonlyArray<B>): ReadonlyArray<readonly [A, B]> =>
  share < 1
    ? Array.from(
      { length: Math.max(some.length, others.length) },
      (_, at) => [some[at % some.length]!, others[at % others.length]!] as const
    )
    : some.flatMap((one) => others.map((other) => [one, other] as const))
