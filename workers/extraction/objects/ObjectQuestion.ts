import type { Leaf } from "../text/Plan.ts"
import { identifierWords } from "../text/Tokens.ts"
import { kindsNamed } from "./ObjectTerms.ts"

/** A field that asks about nothing but which things are to be seen, or how many. */
export interface ObjectQuestion {
  readonly kinds: ReadonlySet<string>
  /** It says that it asks about the picture. */
  readonly visual: boolean
  /** It asks how many there are at one moment. */
  readonly at_once: boolean
}

const visual = new Set(
  "see sees seen show shows shown showing visible visibly appear appears appeared appearing depicted pictured filmed detected screen camera picture pictures image images frame frames video videos footage clip scene scenes shot shots view"
    .split(" ")
)
const at_once = new Set("once simultaneously maximum max most".split(" "))

/** What may stand in such a field besides: any other word asks for more than a detector knows. */
const idle = new Set(
  ("a an the and or is are be there it any some whether if does do has have contains contain containing include includes in on at of "
    + "which what who how many much number count total amount list kind kinds type types sort sorts different name names label "
    + "labels present detect found can least one more all every each that this true same time together moment single distinct "
    + "main category").split(" ")
)

/** Words in order; the longest phrase that names things is one of them. */
const phrasesOf = (words: ReadonlyArray<string>): ReadonlyArray<string> => {
  const phrases: Array<string> = []
  for (let at = 0; at < words.length; at++) {
    const pair = words.slice(at, at + 2).join(" ")
    if (at + 1 < words.length && kindsNamed(pair) !== undefined) {
      phrases.push(pair)
      at++
    } else phrases.push(words[at]!)
  }
  return phrases
}

const contains = (all: ReadonlySet<string>, some: ReadonlySet<string>): boolean =>
  [...some].every((one) => all.has(one))

/**
 * What a field asks of the things in the picture; undefined where it asks of something else, or of more: "whether a dog is shown"
 * is answered by a dog, "whether the dog is on a leash" is not. Pure.
 */
export const objectQuestion = (leaf: Leaf, around = ""): ObjectQuestion | undefined => {
  const said = `${leaf.words} ${around.toLowerCase()}`
  const words = said.match(/[\p{L}\p{N}]+/gu) ?? []
  const asked = phrasesOf(words)
  const named = asked.flatMap((phrase) => kindsNamed(phrase) ?? [])
  const widest = named.toSorted((a, b) => b.size - a.size)[0]
  if (widest === undefined || !named.every((kinds) => contains(widest, kinds))) return undefined
  const rest = asked.filter((word) => kindsNamed(word) === undefined)
  if (!rest.every((word) => idle.has(word) || visual.has(word) || at_once.has(word))) return undefined
  return {
    kinds: widest,
    visual: leaf.expected === "scene" || rest.some((word) => visual.has(word)),
    at_once: rest.some((word) => at_once.has(word)) || /\bsame time\b/u.test(said)
  }
}

/** Names of a field and of what it stands in, without its own words: a list's. */
export const wordsAround = (name: string, words: string): string => `${identifierWords(name).join(" ")} ${words}`
