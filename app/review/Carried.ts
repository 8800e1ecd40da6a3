import type { GivenDecision, Review } from "../../clients/typescript/src/generated/types.ts"
import { stepsOf, valueAt } from "../footnotes/JsonPointer.ts"
import type { Json } from "../footnotes/ResultData.ts"

/** What a person has decided and not saved, with what stood there then and how the place was called. */
export interface Drafted {
  readonly decision: GivenDecision
  readonly upon: string
  readonly name: string
}

/** What stands at a place, as text that two of can be compared; nothing is another text than null. */
export const uponOf = (result: Json, pointer: string): string => {
  const value = valueAt(result, pointer)
  return value === undefined ? "" : JSON.stringify(value)
}

const within = (inner: string, outer: string): boolean => inner === outer || inner.startsWith(`${outer}/`)

/** Whether a pointer may mean another place since: entries before it went, or something around it was written anew. */
const mayHaveMoved = (pointer: string, since: ReadonlyArray<Review>): boolean =>
  since.some(({ decisions }) =>
    decisions.some(({ action, pointer: decided, value }) => {
      if (action === "accept") return false
      const entry = value === undefined && /^\d+$/u.test(stepsOf(decided).at(-1) ?? "")
      const list = decided.slice(0, Math.max(0, decided.lastIndexOf("/")))
      return (entry && within(pointer, list)) || (decided !== pointer && within(pointer, decided))
    })
  )

/** The list that a decision adds an entry to, behind its last; null of any other. */
export const listAddedTo = ({ decision: { pointer }, upon }: Drafted): string | null =>
  upon === "" && /\/\d+$/u.test(pointer) ? pointer.slice(0, pointer.lastIndexOf("/")) : null

/** A decision that adds an entry, as one that adds it elsewhere in its list. */
export const addedAt = <A extends Drafted>(one: A, list: string, index: number): A => ({
  ...one,
  decision: { ...one.decision, pointer: `${list}/${index}` },
  name: one.name.replace(/\d+$/u, String(index + 1))
})

export interface Carried<A extends Drafted> {
  readonly kept: ReadonlyArray<A>
  /** Corrections whose place has another value by now: to be looked at again, nothing of them is lost. */
  readonly reopened: ReadonlyArray<A>
  /** What can mean something else by now, and is to be decided again. */
  readonly aside: ReadonlyArray<A>
}

/**
 * What of drafted decisions still means the same on a newer revision: that at whose place stands what stood there when it was decided. What
 * does not is told apart and never sent unseen. `since` null: nobody knows all that was decided since.
 */
export const carried = <A extends Drafted>(
  drafted: ReadonlyArray<A>,
  result: Json,
  since: ReadonlyArray<Review> | null
): Carried<A> => {
  const kept: Array<A> = []
  const reopened: Array<A> = []
  const aside: Array<A> = []
  const ends = new Map<string, number>()
  for (const one of drafted) {
    const { decision: { action, pointer, value }, upon } = one
    const now = uponOf(result, pointer)
    const list = listAddedTo(one)
    const entries = list === null ? undefined : valueAt(result, list)
    if (list !== null && since !== null && !mayHaveMoved(list, since) && Array.isArray(entries)) {
      // Behind the last of today, wherever that is.
      const end = ends.get(list) ?? entries.length
      ends.set(list, end + 1)
      kept.push(addedAt(one, list, end))
      continue
    }
    const touched = since === null ||
      since.some(({ decisions }) => decisions.some((other) => within(other.pointer, pointer)))
    if (since === null || mayHaveMoved(pointer, since)) aside.push(one)
    else if (now === upon && !(action === "choose" && touched)) kept.push(one)
    else if (action !== "correct") aside.push(one)
    // Somebody gave the same value: there is nothing left to say.
    else if (now !== JSON.stringify(value)) reopened.push(one)
  }
  return { kept, reopened, aside }
}
