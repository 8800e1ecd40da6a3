import type { ObjectName } from "../../../src/artifacts/ObjectNames.ts"
import type { FoundObject } from "../objects/ObjectPeaks.ts"
import { isBeside, isOn } from "./ObjectRelations.ts"

const NUMBERS = ["no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"]

/** Names that are said otherwise: the data's dining tables are tables of all kinds. */
const said: { readonly [N in ObjectName]?: string } = { "dining table": "table", tv: "screen" }

const plurals: { readonly [N in ObjectName]?: string } = {
  person: "people",
  sheep: "sheep",
  mouse: "mice",
  knife: "knives",
  skis: "pairs of skis",
  scissors: "pairs of scissors",
  broccoli: "broccoli"
}

const singulars: { readonly [N in ObjectName]?: string } = { skis: "skis", scissors: "scissors" }

const pluralOf = (name: ObjectName): string =>
  plurals[name] ?? (said[name] ?? name).replace(/(?:s|sh|ch|x)$/u, "$&e").replace(/$/u, "s")

const one = (name: ObjectName): string => {
  const word = said[name] ?? name
  return singulars[name] ?? `${/^[aeiou]/u.test(word) ? "an" : "a"} ${word}`
}

/** More kinds than anyone keeps in mind from one sentence. */
const MOST_KINDS = 5

type Kind = readonly [name: ObjectName, some: ReadonlyArray<FoundObject>]

const countedWords = ([name, { length }]: Kind): string =>
  length === 1 ? one(name) : `${NUMBERS[length] ?? String(length)} ${pluralOf(name)}`

/** Each kind with what its things are on or beside, where that is one thing of another kind which nothing else is told of. */
const related = (kinds: ReadonlyArray<Kind>): ReadonlyArray<string> => {
  const told = new Set<ObjectName>()
  return kinds.flatMap((kind) => {
    const [name, some] = kind
    if (told.has(name)) return []
    told.add(name)
    const alone = (of: (a: FoundObject, b: FoundObject) => boolean, things: ReadonlyArray<FoundObject>) => {
      const found = kinds.find(([other, [only, ...others]]) =>
        !told.has(other) && others.length === 0 && things.every((thing) => of(thing, only!))
      )
      if (found !== undefined) told.add(found[0])
      return found
    }
    const under = alone(isOn, some)
    const near = some.length > 1 ? undefined : alone(isBeside, [...some, ...under?.[1] ?? []].slice(-1))
    return [
      countedWords(kind) + (under === undefined ? "" : ` on ${one(under[0])}`)
      + (near === undefined ? "" : ` beside ${one(near[0])}`)
    ]
  })
}

/**
 * `a person on a chair beside a table, two cups and a laptop`: people first, then what is on something, each as surely as it was found. Not empty. How
 * things stand to each other is said where their boxes leave no doubt.
 */
export const inWords = (objects: ReadonlyArray<FoundObject>): string => {
  const byName = [...Map.groupBy(objects, ({ name }) => name)]
  const rests = (some: ReadonlyArray<FoundObject>) => some.every((one) => objects.some((other) => isOn(one, other)))
  const rank = ([name, some]: Kind): number => name === "person" ? 0 : rests(some) ? 1 : 2
  const kinds = byName.toSorted((a, b) => rank(a) - rank(b))
  const parts = related(kinds.slice(0, MOST_KINDS))
  const all = kinds.length > MOST_KINDS ? [...parts, "other things"] : parts
  return all.length === 1 ? all[0]! : `${all.slice(0, -1).join(", ")} and ${all.at(-1)!}`
}

const place = {
  /** Share of the frame from which a thing is seen close up, and of either side within which it stands there. */
  close: 0.35,
  side: 0.36
} as const

/** Where the one thing on a picture stands: “, close up”, “ on the left”; nothing where there are several. */
export const standing = ([only, ...others]: ReadonlyArray<FoundObject>): string => {
  if (only === undefined || others.length > 0) return ""
  if ((only.right - only.left) * (only.bottom - only.top) >= place.close) return ", close up"
  const centre = (only.left + only.right) / 2
  return centre < place.side ? " on the left" : centre > 1 - place.side ? " on the right" : " in the middle"
}
