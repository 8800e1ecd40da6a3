import { type ObjectName, objectNames } from "../../../src/artifacts/ObjectNames.ts"

/** Kinds of thing by what they are, as the detector names them. */
const categories = {
  animal: ["bird", "cat", "dog", "horse", "sheep", "cow", "elephant", "bear", "zebra", "giraffe"],
  pet: ["cat", "dog"],
  vehicle: ["bicycle", "car", "motorcycle", "airplane", "bus", "train", "truck", "boat"],
  furniture: ["chair", "couch", "bed", "dining table", "bench"],
  fruit: ["banana", "apple", "orange"],
  vegetable: ["broccoli", "carrot"],
  food: ["banana", "apple", "sandwich", "orange", "broccoli", "carrot", "hot dog", "pizza", "donut", "cake"],
  appliance: ["microwave", "oven", "toaster", "refrigerator"],
  device: ["tv", "laptop", "keyboard", "mouse", "remote", "cell phone"],
  utensil: ["fork", "knife", "spoon"],
  luggage: ["backpack", "handbag", "suitcase"]
} as const satisfies Readonly<Record<string, ReadonlyArray<ObjectName>>>

/** What the names are called besides. Words that mean other things as well (glass, ball, screen, plant of a company) are none. */
const synonyms: Readonly<Record<string, string>> = {
  people: "person",
  human: "person",
  somebody: "person",
  someone: "person",
  anybody: "person",
  anyone: "person",
  bike: "bicycle",
  automobile: "car",
  motorbike: "motorcycle",
  plane: "airplane",
  aeroplane: "airplane",
  aircraft: "airplane",
  ship: "boat",
  lorry: "truck",
  puppy: "dog",
  kitten: "cat",
  rucksack: "backpack",
  purse: "handbag",
  mug: "cup",
  sofa: "couch",
  houseplant: "potted plant",
  table: "dining table",
  television: "tv",
  notebook: "laptop",
  phone: "cell phone",
  smartphone: "cell phone",
  fridge: "refrigerator",
  doughnut: "donut"
}

const categoryWords: Readonly<Record<string, keyof typeof categories>> = {
  electronics: "device",
  gadget: "device",
  cutlery: "utensil",
  bag: "luggage"
}

/** Everything that is asked for by "objects": things, not who stands among them. */
const things = new Set<string>(objectNames.filter((name) => name !== "person"))
const generic = new Set(["object", "thing", "item"])

const terms: ReadonlyMap<string, ReadonlySet<string>> = new Map([
  ...objectNames.map((name) => [name, new Set([name])] as const),
  ...Object.entries(synonyms).map(([word, name]) => [word, new Set([name])] as const),
  ...Object.entries(categories).map(([name, kinds]) => [name, new Set<string>(kinds)] as const),
  ...Object.entries(categoryWords).map(([word, name]) => [word, new Set<string>(categories[name])] as const),
  ...[...generic].map((word) => [word, things] as const)
])

const singularsOf = (word: string): ReadonlyArray<string> => [
  word,
  word.replace(/s$/u, ""),
  word.replace(/(?<=s|sh|ch|x)es$/u, ""),
  word.replace(/ies$/u, "y"),
  word.replace(/^mice$/u, "mouse"),
  word.replace(/ives$/u, "ife")
]

/** The kinds of thing that a word or a phrase names, in the singular or the plural; undefined where it names none. */
export const kindsNamed = (phrase: string): ReadonlySet<string> | undefined => {
  const words = phrase.toLowerCase().split(/[\s_-]+/u)
  const last = words.pop() ?? ""
  return singularsOf(last).map((word) => terms.get([...words, word].join(" "))).find((found) => found !== undefined)
}
