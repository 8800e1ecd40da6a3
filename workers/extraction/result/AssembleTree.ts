import { canonical, pointerTokens } from "../../../src/schemas/json-schema/JsonSchema.ts"
import type { Grounded } from "../grounding/Proposal.ts"
import { isLeaf } from "../text/InstanceLeaves.ts"

export interface Candidate {
  /** Its place in the list that was handed in. */
  readonly proposal: number
  readonly grounded: Grounded
}

/** What is wanted at one place of the result: values for it, members by name, and records by key in order of time. */
export interface Wanted {
  readonly candidates: Array<Candidate>
  readonly members: Map<string, Wanted>
  readonly items: Map<string, Wanted>
}

const nothing = (): Wanted => ({ candidates: [], members: new Map(), items: new Map() })

const child = (map: Map<string, Wanted>, key: string): Wanted => {
  let node = map.get(key)
  if (node === undefined) map.set(key, node = nothing())
  return node
}

const compareText = (a: string, b: string): number => a < b ? -1 : a > b ? 1 : 0

/** Lines of one frame in the order in which they are read: all of them have its time. */
const compareLines = ({ span: a }: Grounded, { span: b }: Grounded): number =>
  a === undefined || b === undefined ? 0 : a.passage.index - b.passage.index || a.from - b.from

/** Orders by time, then by the place on the screen, then by everything else that tells two proposals apart, so that the list's own order means nothing. */
const compare = (a: Grounded, b: Grounded): number =>
  a.t_start - b.t_start ||
  a.t_end - b.t_end ||
  compareText(a.source_ref, b.source_ref) ||
  compareLines(a, b) ||
  compareText(a.pointer_template, b.pointer_template) ||
  compareText(a.item_key ?? "", b.item_key ?? "") ||
  b.score - a.score ||
  compareText(canonical(a.value), canonical(b.value)) ||
  compareText(a.quote, b.quote) ||
  compareText(a.proposed_by, b.proposed_by)

/** One key for each wild card of a template; the last takes what is left, so that a single key may hold slashes. */
export const keysOf = (item_key: string | undefined, wildCards: number): ReadonlyArray<string> => {
  if (item_key === undefined || wildCards === 0) return []
  const parts = item_key.split("/")
  return parts.length <= wildCards
    ? parts
    : [...parts.slice(0, wildCards - 1), parts.slice(wildCards - 1).join("/")]
}

/** Sorts grounded values into the tree of what the result should hold. A composite or null value is left out. */
export const wantedTree = (
  grounded: ReadonlyArray<Grounded>
): { readonly root: Wanted; readonly order: ReadonlyArray<Candidate> } => {
  const order = grounded.map((item, proposal): Candidate => ({ proposal, grounded: item }))
    .filter(({ grounded: { value } }) => value !== null && isLeaf(value))
    .toSorted((a, b) => compare(a.grounded, b.grounded))
  const root = nothing()
  for (const [rank, candidate] of order.entries()) {
    const tokens = pointerTokens(candidate.grounded.pointer_template)
    const keys = keysOf(candidate.grounded.item_key, tokens.filter((token) => token === "*" || token === "{}").length)
    let node: Wanted | undefined = root
    let wildCard = 0
    for (const token of tokens) {
      if (token === "*") node = child(node.items, keys[wildCard++] ?? `\u0000${rank}`)
      else if (token === "{}") {
        const key: string | undefined = keys[wildCard++]
        if (key === undefined) {
          node = undefined
          break
        }
        node = child(node.members, key)
      } else node = child(node.members, token)
    }
    node?.candidates.push(candidate)
  }
  byScore(root)
  return { root, order }
}

/** The best candidate of a place comes first; between equals the earlier one. */
const byScore = (node: Wanted): void => {
  node.candidates.sort((a, b) => b.grounded.score - a.grounded.score)
  for (const member of node.members.values()) byScore(member)
  for (const item of node.items.values()) byScore(item)
}
