/** A place that lies on the way to what is kept in a tree, or holds it. */
export interface PointerNode<A> {
  here: A | undefined
  /** The first below it, by its token; most have no other, and a map for each took 115 MB for 1 MiB of pointers. */
  token: string | undefined
  first: PointerNode<A> | undefined
  others: Map<string, PointerNode<A>> | undefined
}

const emptyNode = <A>(): PointerNode<A> => ({ here: undefined, token: undefined, first: undefined, others: undefined })

const below = <A>(node: PointerNode<A>, token: string): PointerNode<A> | undefined =>
  node.token === token ? node.first : node.others?.get(token)

const grown = <A>(node: PointerNode<A>, token: string): PointerNode<A> => {
  const made = emptyNode<A>()
  if (node.first === undefined) {
    node.token = token
    node.first = made
  } else (node.others ??= new Map()).set(token, made)
  return made
}

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
      node = below(node, token) ?? grown(node, token)
    }
    node.here ??= kept
  }
  return root
}

/** Whether something is kept at a place or within it. */
export const holdsWithin = <A>(root: PointerNode<A>, pointer: string): boolean => {
  let node: PointerNode<A> | undefined = root
  for (const token of written(pointer)) {
    node = below(node, token)
    if (node === undefined) return false
  }
  return node.here !== undefined || node.first !== undefined
}

/** What is kept at a place, or else nearest around it. */
export const innermost = <A>(root: PointerNode<A>, pointer: string): A | undefined => {
  let node: PointerNode<A> | undefined = root
  let found = root.here
  for (const token of written(pointer)) {
    node = below(node, token)
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
    node = node && below(node, token)
    return before === 0 ? token : String(Number(token) - before)
  })
  return tokens.length === 0 ? "" : `/${tokens.join("/")}`
}
