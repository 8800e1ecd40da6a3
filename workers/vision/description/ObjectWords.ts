import type { ObjectName } from "../../../src/artifacts/ObjectNames.ts"
import type { FoundObject } from "../objects/ObjectPeaks.ts"

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

/** `a person, two chairs and a laptop`: people first, then what was found most surely. Not empty. */
export const inWords = (objects: ReadonlyArray<Pick<FoundObject, "name">>): string => {
  const counts = new Map<ObjectName, number>()
  for (const { name } of objects) counts.set(name, (counts.get(name) ?? 0) + 1)
  const kinds = [...counts].toSorted(([a], [b]) => Number(b === "person") - Number(a === "person"))
  const parts = kinds.slice(0, MOST_KINDS).map(([name, count]) =>
    count === 1 ? one(name) : `${NUMBERS[count] ?? String(count)} ${pluralOf(name)}`
  )
  const all = kinds.length > MOST_KINDS ? [...parts, "other things"] : parts
  return all.length === 1 ? all[0]! : `${all.slice(0, -1).join(", ")} and ${all.at(-1)!}`
}
