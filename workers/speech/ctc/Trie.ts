/**
 * A trie: words as a tree of their letters, in flat arrays: the children of a node lie together, in the order of their letters.
 * Node 0 is the root.
 */
export interface Trie {
  /** The child of a node by a UTF-16 unit, -1 where there is none. */
  readonly child: (node: number, letter: number) => number
  /** The word that ends at a node, by its place in the given list; -1 where none does. */
  readonly word: Int32Array
  /** The best score of any word at or below a node. */
  readonly best: Float32Array
}

/** Builds the trie of a list of words with a score each. Of a word that is given twice the later counts. */
export const makeTrie = (words: ReadonlyArray<string>, scores: (word: number) => number): Trie => {
  const sorted = words.map((_, i) => i).toSorted((
    a,
    b
  ) => (words[a]! < words[b]! ? -1 : words[a]! > words[b]! ? 1 : a - b))
  const letters: Array<number> = [0]
  const begins: Array<number> = []
  const ends: Array<number> = []
  const word: Array<number> = [-1]
  /** The stretch of sorted words below each node, and how many letters it shares. */
  const from: Array<number> = [0]
  const to: Array<number> = [sorted.length]
  const depth: Array<number> = [0]
  for (let node = 0; node < letters.length; node++) {
    begins[node] = letters.length
    const at = depth[node]!
    for (let i = from[node]!; i < to[node]!;) {
      const spelled = words[sorted[i]!]!
      if (spelled.length === at) {
        word[node] = sorted[i++]!
        continue
      }
      const letter = spelled.charCodeAt(at)
      let end = i + 1
      while (end < to[node]! && words[sorted[end]!]!.charCodeAt(at) === letter) end++
      letters.push(letter)
      word.push(-1)
      from.push(i)
      to.push(end)
      depth.push(at + 1)
      i = end
    }
    ends[node] = letters.length
  }
  const best = new Float32Array(letters.length).fill(-Infinity)
  // Children come after their parents.
  for (let node = letters.length - 1; node >= 0; node--) {
    if (word[node] !== -1) best[node] = scores(word[node]!)
    for (let i = begins[node]!; i < ends[node]!; i++) best[node] = Math.max(best[node]!, best[i]!)
  }
  const letter = Uint16Array.from(letters)
  const first = Int32Array.from(begins)
  const last = Int32Array.from(ends)
  return {
    word: Int32Array.from(word),
    best,
    child: (node, wanted) => {
      for (let i = first[node]!; i < last[node]!; i++) if (letter[i] === wanted) return i
      return -1
    }
  }
}
