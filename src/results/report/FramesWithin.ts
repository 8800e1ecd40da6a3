/** Every second one, then every fourth of the others, and so on: wherever it stops, what was taken lies evenly. */
const evenly = (count: number): ReadonlyArray<number> => {
  const order: Array<number> = []
  const taken = new Set<number>()
  for (let step = count; step > 0; step = Math.floor(step / 2)) {
    for (let at = 0; at < count; at += step) {
      if (taken.has(at)) continue
      taken.add(at)
      order.push(at)
    }
  }
  return order
}

/** The order in which frames go into a page that has not room for all: those that are cited, then evenly over the time. */
export const framesByNeed = <F extends { readonly source_ref: string }>(
  frames: ReadonlyArray<F>,
  cited: ReadonlySet<string>
): ReadonlyArray<F> => {
  const others = frames.filter(({ source_ref }) => !cited.has(source_ref))
  return [
    ...frames.filter(({ source_ref }) => cited.has(source_ref)),
    ...evenly(others.length).map((at) => others[at]!)
  ]
}
