import type { Leaf } from "./Plan.ts"

export type NameType = "place" | "person" | "organisation" | "title"

const PLACE_END =
  /\b(?:City|Park|Street|St|Avenue|Ave|County|Beach|Airport|Station|Hills|Square|Bridge|River|Lake|Valley|Village|Island|Bay|Heights|Road|Boulevard|Center|Centre|Museum|Plaza|Stadium|Hall|Gardens?)$/u
/** Words that only organisations carry in their names. */
export const ORGANISATION_WORD =
  /\b(?:Airlines?|Airways|Inc|Ltd|LLC|Corp|GmbH|Apartments?|Hotel|Inn|Suites|Resort|Bank|Company|Salon|Restaurant|Cafe|Bar|Grill|Kitchen|Motors|Institute|Clinic|University|College|School|Academy|Group|Systems|Labs?|Laborator(?:y|ies)|Technologies|Software|Robotics|Studios?|Church|Hospital|Dental|Dentistry|Bistro|House|Theat(?:er|re)|Foundation|Department|Works|Industries|Agency|Ministry|Association|Society)\b/u
const FIELDS: ReadonlyArray<readonly [NameType, RegExp]> = [
  [
    "place",
    /\b(?:city|town|location|area|country|state|region|destination|origin|place|from|to|where|station|airport|stop)\b/u
  ],
  [
    "person",
    /\b(?:person|who|actor|actress|starring|cast|director|directed|artist|singer|author|host|speaker|owner|assignee|receiver|recipient|contact|people|doctor name|dentist name|therapist name|stylist|lecturer|presenter|teacher|instructor|professor|attendee|participant)\b/u
  ],
  [
    "organisation",
    /\b(?:hotel|restaurant|company|organi[sz]ation|airlines?|property|apartment|bank|venue|theat(?:er|re)|dentist|doctor|salon|therapist|provider|cinema|employer|team|attraction)\b/u
  ],
  ["title", /\b(?:movie|film|song|album|track|title|event|book|show|play|game)\b/u]
]

const known = new WeakMap<Leaf, NameType | "none">()

/** What sort of name a string field asks for, by its name first and its description second; null where it does not say. */
export const soughtType = (leaf: Leaf): NameType | null => {
  const found = known.get(leaf)
  if (found !== undefined) return found === "none" ? null : found
  const name = leaf.name.replace(/([a-z])([A-Z])/gu, "$1 $2").replace(/[_-]/gu, " ").toLowerCase()
  const description = typeof leaf.schema["description"] === "string" ? leaf.schema["description"].toLowerCase() : ""
  const byName = FIELDS.find(([, words]) => words.test(name))?.[0]
  const sure = byName === "place" && /\b(?:name|title)\b/u.test(name) ? undefined : byName
  const type = sure ?? FIELDS.find(([, words]) => words.test(description))?.[0] ?? "none"
  known.set(leaf, type)
  return type === "none" ? null : type
}

/** What sorts of name a text may be, by its own words and by the words around it. */
export const typesOf = (text: string, before: string, after: string): ReadonlySet<NameType> => {
  const types = new Set<NameType>()
  if (PLACE_END.test(text)) types.add("place")
  if (ORGANISATION_WORD.test(text)) types.add("organisation")
  if (/\b(?:in|near|around|to|from|at|visit|of)\s+(?:the\s+)?$/iu.test(before)) types.add("place")
  const announced =
    /\b(?:by|starring|with|star(?:s|red)?|director|actor|actress|artist|singer|Dr\.?|Mr\.?|Ms\.?|Mrs\.?|to|am|name is|i'?m|speaking)\s+$/iu
  if (announced.test(before) && /^\p{Lu}\p{L}+(?:\s\p{Lu}[\p{L}.]+){0,2}$/u.test(text)) types.add("person")
  if (
    /\b(?:called|movie|film|song|watch|play|titled|see|hear|album|about|book)\s+(?:is\s+)?$/iu.test(before) ||
    /^\s+(?:movie|song|film|album|by)\b/iu.test(after)
  ) types.add("title")
  if (
    /^\s+(?:hotel|restaurant|airlines?|apartments?|salon|clinic|bank)\b/iu.test(after) ||
    /\b(?:at|called|named|hotel|restaurant)\s+(?:the\s+)?$/iu.test(before)
  ) types.add("organisation")
  return types
}
