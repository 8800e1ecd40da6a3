/** A place that lies on the way to what is kept in a tree, or holds it. */
export interface PointerNode<A> {
  readonly below: Map<string, PointerNode<A>>
  here: A | undefined
}

const emptyNode = <A>(): PointerNode<A> => ({ below: new Map(), here: undefined })

/** The reference tokens as they are written, with their escapes. */
const written = (pointer: string): ReadonlyArray<string> => pointer === "" ? [] : pointer.slice(1).split("/")

/**
 * What is kept at JSON pointers, by their tokens: what lies around, at or within a place is found in one walk along its pointer,
 * however many there are. Of two at one place the first is kept.
 */
export const pointerTree = <A>(entries: Iterable<readonly [pointer: string, kept: A]>): PointerNode<A> => {
  const root = emptyNode<A>()
  for (const [pointer, kept] of entries) {
    let node = root
    for (const token of written(pointer)) {
      const next = node.below.get(token) ?? emptyNode<A>()
      node.below.set(token, next)
      node = next
    }
    node.here ??= kept
  }
  return root
}

/** Whether something is kept at a place or within it. */
export const holdsWithin = <A>(root: PointerNode<A>, pointer: string): boolean => {
  let node: PointerNode<A> | undefined = root
  for (const token of written(pointer)) {
    node = node.below.get(token)
    if (node === undefined) return false
  }
  return node.here !== undefined || node.below.size > 0
}

/** What is kept at a place, or else nearest around it. */
export const innermost = <A>(root: PointerNode<A>, pointer: string): A | undefined => {
  let node: PointerNode<A> | undefined = root
  let found = root.here
  for (const token of written(pointer)) {
    node = node.below.get(token)
    if (node === undefined) return found
    found = node.here ?? found
  }
  return found
}

/** How many of these, which ascend, are less. */
const countBelow = (indexes: ReadonlyArray<number>, limit: number): number => {
  let count = 0
  while (indexes[count]! < limit) count++
  return count
}

/**
 * Where places stand once entries of arrays are gone: each one place before for every entry before it. Entries are named as they
 * stood while all were there, by their arrays with the indexes in ascending order.
 */
export const shiftedBy = (gone: PointerNode<ReadonlyArray<number>>) => (pointer: string): string => {
  let node: PointerNode<ReadonlyArray<number>> | undefined = gone
  const tokens = written(pointer).map((token) => {
    const before = countBelow(node?.here ?? [], Number(token))
    node = node?.below.get(token)
    return before === 0 ? token : String(Number(token) - before)
  })
  return tokens.length === 0 ? "" : `/${tokens.join("/")}`
}
