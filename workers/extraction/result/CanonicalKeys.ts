import { mayBeMisread } from "../candidates/NameSpellings.ts"
import { STOP_WORDS } from "../text/Tokens.ts"
import type { EntityType } from "./EntityTypes.ts"

/** What is known of a name by itself, before anything is joined with it. */
export interface KeyFacts {
  readonly count: number
  readonly type: EntityType | null
  /** Whether it is said, and whether it is shown. */
  readonly said: boolean
  readonly shown: boolean
  /** Whether it is in capitals wherever it stands. */
  readonly capitals: boolean
  /** The key of a place or of a person who is known by this very name: never another's. */
  readonly known: boolean
  /** Keys of what its own words say that it is short for. */
  readonly shortFor: ReadonlySet<string>
}

const words = (key: string): ReadonlyArray<string> => key.split(" ")
const lettersOf = (key: string): string => key.replaceAll(" ", "")
const INSTITUTION =
  /\b(?:university|institute|street|court|city|park|company|college|bank|school|group|club|state|county)\b/u
const personLike = (key: string): boolean => /^\p{L}+(?: \p{L}+){1,2}$/u.test(key) && !INSTITUTION.test(key)

/** What two spellings of one name nearly always share: how it starts or how it ends. */
const spellings = (key: string): ReadonlyArray<string> => {
  const letters = lettersOf(key)
  return [`starts ${letters.slice(0, 3)}`, `ends ${letters.slice(-3)}`]
}

/** Everything that a name of the same thing could share with this one. */
const traits = (key: string): ReadonlyArray<string> => {
  const parts = words(key)
  const telling = parts.filter((word) => !STOP_WORDS.has(word))
  return [
    `word ${parts[0]}`,
    `word ${parts.at(-1)}`,
    `initials ${telling.map((word) => word[0]).join("")}`,
    ...spellings(key)
  ]
}

/** Nobody is a place, and no place a company. */
const mayBeOne = (a: KeyFacts, b: KeyFacts): boolean => a.type === null || b.type === null || a.type === b.type

/** One is only shown and the other only said: two spellings within one channel are two names. */
const acrossChannels = (a: KeyFacts, b: KeyFacts): boolean =>
  (a.shown && !a.said && b.said && !b.shown) || (a.said && !a.shown && b.shown && !b.said)

/**
 * Which key stands for which: parts of a person's name for the whole, initials in capitals for what they abbreviate, what one
 * channel misread for what the other has, and joined words for each other. Things of two types are never one, nor is any that
 * could be meant by two.
 */
export const canonicalKeys = (names: ReadonlyMap<string, KeyFacts>): ReadonlyMap<string, string> => {
  const facts = new Map(names)
  const of = (key: string): KeyFacts => facts.get(key)!
  const keys = Array.from(names.keys()).toSorted((a, b) =>
    words(b).length - words(a).length || of(b).count - of(a).count || (a < b ? -1 : 1)
  )
  // Heads by everything that a test below could share with them, so that ten thousand names stay cheap.
  const heads = new Map<string, Array<string>>()
  const out = new Map<string, string>()
  for (const key of keys) {
    const parts = words(key)
    const own = of(key)
    const only = (
      shared: ReadonlyArray<string>,
      test: (head: string, whole: KeyFacts) => boolean
    ): string | undefined => {
      const near = shared.flatMap((trait) => heads.get(trait) ?? [])
      const found = new Set(near.filter((head) => mayBeOne(own, of(head)) && test(head, of(head))))
      return found.size === 1 ? Array.from(found)[0] : undefined
    }
    const contained = parts[0]!.length > 2 && !own.known
      ? only([`word ${parts[0]}`, `word ${parts.at(-1)}`], (head, { type }) => {
        const whole = words(head)
        if (parts.length >= whole.length || !personLike(head) || (own.type ?? type) !== "person") return false
        return parts.every((part, at) => whole[at] === part) ||
          parts.every((part, at) => whole[whole.length - parts.length + at] === part)
      })
      : undefined
    const initials = /^[a-z]{2,6}$/u.test(key)
      ? only([`initials ${key}`], (head, { type }) => {
        if (own.shortFor.has(head)) return true
        // Two words may be anybody's name: somebody says what they are short for.
        const told = type === "organisation" || type === "place" || words(head).length >= 3
        return own.capitals && type !== "person" && words(head).length >= 2 && told
      })
      : undefined
    const near = own.said === own.shown
      ? undefined
      : only(
        spellings(key),
        (head, whole) => acrossChannels(own, whole) && !(own.known && whole.known) && mayBeMisread(head, key)
      )
    const joined = only(spellings(key), (head) => head !== key && lettersOf(head) === lettersOf(key))
    const head = contained ?? initials ?? near ?? joined
    if (head !== undefined) {
      const whole = of(head)
      facts.set(head, {
        ...whole,
        type: whole.type ?? own.type,
        said: whole.said || own.said,
        shown: whole.shown || own.shown,
        known: whole.known || own.known
      })
    } else {
      for (const trait of new Set(traits(key))) {
        const list = heads.get(trait)
        if (list === undefined) heads.set(trait, [key])
        else list.push(key)
      }
    }
    out.set(key, head ?? key)
  }
  return out
}
