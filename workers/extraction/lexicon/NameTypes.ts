import type { Leaf } from "../text/Plan.ts"

export type NameType = "place" | "person" | "organisation" | "title"

export const PLACE_END =
  /\b(?:City|Park|Street|St|Avenue|Ave|County|Beach|Airport|Station|Hills|Square|Bridge|River|Lake|Valley|Village|Island|Bay|Heights|Road|Boulevard|Center|Centre|Museum|Plaza|Stadium|Hall|Gardens?|Lane|Point|Pass|Ridge|Harbou?r|Depot|Cottage|Quay|Wharf|Peak|Pier|Docks?|Yard|Wood|Forest|Reserve|Terminal|Tower|Town|Islands|Coast|Hill|Road|Row)$/u
/** Words that only organisations carry in their names. */
export const ORGANISATION_WORD =
  /\b(?:Airlines?|Airways|Inc|Ltd|LLC|Corp|GmbH|Apartments?|Hotel|Inn|Suites|Resort|Bank|Company|Salon|Restaurant|Cafe|Bar|Grill|Kitchen|Motors|Institute|Clinic|University|College|School|Academy|Group|Systems|Labs?|Laborator(?:y|ies)|Technologies|Software|Robotics|Studios?|Church|Hospital|Dental|Dentistry|Bistro|House|Theat(?:er|re)|Foundation|Department|Works|Industries|Agency|Ministry|Association|Society|Guild|Council|Club|Rovers|United|Athletic|Partners|Capital|Ventures|Foods|Homes|Energy|Media|Reviews|Agents|Trust|Union|Bureau|Office|Committee|Services|Solutions|Consulting|Holdings|Brothers|Bakery|Farms?|Press|Times|Report|News|Weekly|Daily|Ferries|Logistics|Insurance|Warehouse)\b/u
const FIELDS: ReadonlyArray<readonly [NameType, RegExp]> = [
  [
    "place",
    /\b(?:city|town|location|area|country|state|region|destination|origin|place|where|station|airport|stop)\b|\b(?:from|to)$/u
  ],
  [
    "person",
    /\b(?:person|who|actor|actress|starring|cast|director|directed|artist|singer|author|host|speaker|owner|assignee|receiver|recipient|contact|people|doctor name|dentist name|therapist name|stylist|lecturer|presenter|presented|teacher|instructor|professor|attendee|participant|cook|chef|guide|guest|founder|ceo|cfo|cto|chair|chairman|chairwoman|moderator|narrator|interviewer|interviewee|reporter|anchor|reviewer|trainer|coach|manager|driver|pilot|technician|agent|customer name|client name|caller|patient|witness|scorer|player|winner|champion|decision maker|spokesperson|organi[sz]er|inventor|painter|architect|maker|employee|supervisor|colleague)\b/u
  ],
  [
    "organisation",
    /\b(?:hotel|restaurant|company|organi[sz]ation|airlines?|property|apartment|bank|venue|theat(?:er|re)|dentist|doctor|salon|therapist|provider|cinema|employer|team|attraction|agency|studio|shop|firm|vendor|manufacturer|publisher|operator|club|brand|charity|supplier|contractor|school|university|museum|broker|sponsor|business|carrier|insurer|investor)\b/u
  ],
  ["title", /\b(?:movie|film|song|album|track|title|event|book|show|play|game)\b/u]
]

const known = new WeakMap<Leaf, NameType | "none">()

/** "designer", "conductor", "receptionist": who does something. */
export const AGENT =
  /\b(?!(?:number|order|water|weather|computer|printer|router|server|folder|border|colou?r|floor|door|sensor|motor|error|paper|power|tower|river|chapter|header|footer|letter|offer|flavou?r|charger|container|filter|carrier|provider|employer|publisher|manufacturer|retailer|supplier|insurer|operator|contractor|developer|user|tier|layer|timer|sticker|trailer|poster|newsletter|dinner|summer|winter|quarter|semester|meter|parameter|corner|counter|elevator|generator|monitor|factor|indicator|sector|behaviou?r|harbou?r|odou?r|armou?r|labou?r|interior|exterior|other|per|over|after|under|never|for|or|vendor|sponsor|issuer|advertiser|seller|dealer|timber|lumber|rubber|leather|butter|plaster|copper|silver|ladder|cover|leftover|tender|gender|fever|flower|shower|drawer|mirror|dishwasher|cooker|freezer|burner|starter|adapt[eo]r|scanner|heater|boiler|radiator|projector|mixer|blender|trigger|buffer|cluster|register|cylinder|conveyor|compressor|reactor|transformer|processor|connector|detector|decor|minor|major|filler|primer|binder|fastener|stroller|scooter|tractor|mower|reminder|disclaimer|banner)\b)\p{L}{2,}(?:er|or|ist|ician|arian)s?$/u
const PERSON_NAME =
  /\b(?:rep|vet|captain|mayor|minister|spokes(?:wo)?man|nurse|secretary|president|applicant|defendant|plaintiff|buyer|bidder|ceo|cfo|cto|coo|chair|conductor|judge|principal|resident|tenant|candidate|student|parent|colleague|leader|contact|spouse|wife|husband|mother|father|son|daughter|brother|sister|uncle|aunt|friend|bride|groom|guardian|heir|deputy|apprentice|referee|umpire)(?: name)?$|\b(?:first|second|third|runner up)(?: place)?(?: name)?$/u

const PERSONAL_NAME = /\b(?:first|last|given|family|maiden) name\b|\bsurname\b/u

/** What sort of name a string field asks for, by its name first and its description second; null where it does not say. */
export const soughtType = (leaf: Leaf): NameType | null => {
  const found = known.get(leaf)
  if (found !== undefined) return found === "none" ? null : found
  const name = leaf.name.replace(/([a-z])([A-Z])/gu, "$1 $2").replace(/[_-]/gu, " ").toLowerCase()
  const description = typeof leaf.schema["description"] === "string" ? leaf.schema["description"].toLowerCase() : ""
  // "The child's first name" of a field that is called `name`.
  if (leaf.type === "string" && /^(?:full )?name$/u.test(name) && PERSONAL_NAME.test(description)) {
    known.set(leaf, "person")
    return "person"
  }
  const byName = FIELDS.find(([, words]) => words.test(name))?.[0]
  const person = name.replace(/ (?:full )?name$/u, "").replace(/^name of (?:the )?/u, "")
  if (
    leaf.type === "string" && (PERSON_NAME.test(person) || AGENT.test(person)) &&
    !/\b(?:role|title|id|email|phone|age|quote|company|team|country|city|address)\b/u.test(name)
  ) {
    known.set(leaf, "person")
    return "person"
  }
  const sure = byName === "place" && /\b(?:name|title)\b/u.test(name) ? undefined : byName
  const type = sure ?? FIELDS.find(([, words]) => words.test(description))?.[0] ?? "none"
  known.set(leaf, type)
  return type === "none" ? null : type
}

/** Types of a named entity (person, place, organisation, …) that a text may have, by its own words and by the words around it. */
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
