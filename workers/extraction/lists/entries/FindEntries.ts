import type { Material, Mention } from "../../candidates/Mention.ts"
import type { Leaf, List } from "../../text/Plan.ts"
import { normaliseValue } from "../../text/Tokens.ts"
import { type Entry, type Shape, shapeOf, sizeOf } from "./Entry.ts"
import { entryValues } from "./EntryValues.ts"
import { peopleIntroduced } from "./IntroducedPeople.ts"
import { entriesShown } from "./ShownEntries.ts"
import { entriesSpoken } from "./SpokenEntries.ts"

/** One entry of what is shown and said of the same name: the screen's values before speech's. */
const merged = (shown: ReadonlyArray<Entry>, spoken: ReadonlyArray<Entry>): ReadonlyArray<Entry> =>
  shown.map((one) => {
    const other = spoken.find(({ name }) => normaliseValue(name.value) === normaliseValue(one.name.value))
    return other === undefined ? one : { name: one.name, values: new Map([...other.values, ...one.values]) }
  })

const pairsOf = ({ anchor }: Shape, { name, values }: Entry): ReadonlyArray<readonly [Leaf, Mention]> => [
  [anchor, name],
  ...values
]

/**
 * The entries of a list of objects, found by what repeats: rows and captions on screen, names with their values in speech.
 * `rivals` are the lists of the same result: what a heading gives to one of them is theirs. Empty where fewer than two entries say the same kind of thing.
 */
export const findEntries = (
  material: Material,
  list: List,
  rivals: ReadonlyArray<List>
): ReadonlyArray<ReadonlyArray<readonly [Leaf, Mention]>> => {
  const shape = shapeOf(list)
  if (shape === undefined) return []
  const values = entryValues(material.reading, shape.others)
  const { entries: shown, table } = entriesShown(material, shape, values, rivals)
  const spoken = entriesSpoken(material, shape, values, shown, table)
  const people = peopleIntroduced(material, shape)
  if (people.length > 0 && sizeOf(people) >= Math.max(sizeOf(shown), sizeOf(spoken))) {
    return people.map((one) => pairsOf(shape, one))
  }
  const entries = shown.length > 0 ? merged(shown, spoken) : spoken
  return (sizeOf(entries) >= sizeOf(spoken) ? entries : spoken).map((one) => pairsOf(shape, one))
}
