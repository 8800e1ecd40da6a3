import type { Kind } from "./Candidate.ts"
import { stem } from "./Tokens.ts"

// Words that ask for the same thing: a field named by one of them is met by speech that uses another.
const GROUPS: ReadonlyArray<string> = [
  "price cost fare amount fee charge rate total pay paid expensive worth balance",
  "revenue sales turnover income",
  "people person guest seat passenger adult traveler rider party attendee participant ticket member group table",
  "begin start starting from open check-in checkin pickup pick departure depart leave leaving outbound departing first onward",
  "end finish until return returning come back checkout check-out dropoff drop close deadline due",
  "destination arrive arrival going heading head travel visit trip fly",
  "origin departure leave from start depart leaving",
  "city town location place area where locate region country state",
  "restaurant eat dine food cuisine table dining",
  "hotel stay room accommodation lodging house property place",
  "movie film watch show title",
  "song track music play listen album artist singer band",
  "doctor dentist therapist stylist provider appointment salon",
  "bus train flight ride cab taxi car",
  "name call named called",
  "date day when on",
  "time when hour clock",
  "duration long length take minute hour stay",
  "phone telephone number contact reach",
  "address street located",
  "genre kind type category style sort",
  "receiver recipient send transfer pay to",
  "account checking savings bank",
  "bag baggage luggage check",
  "event concert game play match show performance",
  "rating star review rated score",
  "owner assignee responsible assign who",
  "task action todo do",
  "ingredient add",
  "temperature degree hot weather",
  "quantity count number many much",
  "subtitle language caption",
  "director direct directed",
  "prep prepare preparation",
  "actor star starring cast act",
  "alarm wake",
  "bedroom bed",
  "bathroom bath",
  "pet dog cat animal",
  "wifi wi-fi internet",
  "share shared sharing",
  "refund refundable",
  "stop direct nonstop layover",
  "trial try"
]

/** Stem → stems of the words that ask for the same thing. */
export const RELATED: ReadonlyMap<string, ReadonlySet<string>> = (() => {
  const out = new Map<string, Set<string>>()
  for (const group of GROUPS) {
    const stems = group.split(" ").map(stem)
    for (const one of stems) {
      const others = out.get(one) ?? new Set<string>()
      out.set(one, others)
      for (const other of stems) if (other !== one) others.add(other)
    }
  }
  return out
})()

/** "From" and "to" of a journey, "to_city" or the last word; not those of "things to bring". */
const ENDS = String
  .raw`\b(?:from|to)(?= (?:city|town|station|airport|port|stop|place|location|address|country|state|where)\b|$)`

/** Which kinds of value a field's words promise, and how strongly when they stand in its name. */
export const KIND_CUES: ReadonlyArray<readonly [Kind, number, RegExp]> = [
  ["email", 1, /\be-?mail\b/u],
  ["url", 1, /\b(?:url|uri|website|web site|web address|link|homepage)\b/u],
  ["phone", 1, /\b(?:phone|telephone|mobile|fax)\b|contact number/u],
  ["address", 1, /\b(?:address|street)\b/u],
  ["address", 0.5, new RegExp(String.raw`\b(?:location|place|destination|pickup|venue)\b|${ENDS}`, "u")],
  ["date", 1, /\b(?:date|day|deadline|birthday|due)\b/u],
  ["date", 0.4, /\bwhen\b/u],
  ["time", 1, /\btime\b(?!s)|\bhour\b/u],
  ["time", 0.3, /\bwhen\b/u],
  ["duration", 1, /\b(?:duration|length of|how long|runtime|minutes|hours)\b/u],
  [
    "money",
    1,
    /\b(?:price|cost|fare|amount|fee|balance|revenue|salary|budget|total|charge|money|transfer|rent)\b/u
  ],
  ["percent", 1, /\b(?:percent|percentage|growth|discount|rate)\b/u],
  [
    "name",
    1,
    new RegExp(
      String
        .raw`\b(?:name|title|city|town|location|place|destination|origin|artist|singer|actor|actress|cast|director|restaurant|hotel|company|organi[sz]ation|person|people|speaker|author|host|owner|assignee|venue|airport|station|stop|country|state|region|area|album|song|movie|film|event|attraction|brand|product|doctor|dentist|stylist|therapist|receiver|recipient|contact|who|customer|client|provider|airline|team|sport|subcategory|category)\b|${ENDS}`,
      "u"
    )
  ],
  [
    "code",
    1,
    /\b(?:code|model|part|serial|error|reference|ref|ticket|(?<!\bto )order|plate|registration|version|firmware|release|sku|flight|gate|build|item|promo|coupon|voucher|id)\b|\b(?:ticket|order|part|model|serial|item|case|room|flight|bus|account) (?:number|no)\b/u
  ],
  ["name", 0.5, /\b(?:genre|cuisine|type|kind|style)\b/u]
]

export type Role = "origin" | "dest" | "start" | "end"

/** Fields that come in pairs: only the direction tells them apart. */
export const ROLE_CUES: ReadonlyArray<readonly [Role, RegExp]> = [
  ["start", /\boutbound\b/u],
  ["end", /\binbound\b/u],
  [
    "origin",
    /\b(?:origin|departure|departing|depart|leaving|source|start(?:ing)? (?:city|station|location|point)|from)\b/u
  ],
  [
    "dest",
    /\b(?:destination|arrival|arriving|going to|drop ?off|end(?:ing)? (?:city|station|location)|to(?= (?:city|town|station|airport|port|stop|place|location|address|country|state|where)\b|$))/u
  ],
  ["start", /\b(?:start|begin|check ?in|pick ?up|departure|outbound|onward|leaving|first)\b/u],
  ["end", /\b(?:end|return|check ?out|drop ?off|until|back)\b/u]
]

/** What announces one end of such a pair, right before the value. */
export const ROLE_BEFORE: Readonly<Record<Role, RegExp>> = {
  origin:
    /\b(?:from|leaving|leave|departing|depart|out of|starting (?:in|at|from)|pick (?:me )?up (?:at|from|in))\s+(?:the\s+)?$/iu,
  dest: /\b(?:to|towards?|visit|visiting|destination is|arriving (?:in|at)|headed|in)\s+(?:the\s+)?$/iu,
  start:
    /\b(?:from|starting|start|begin|beginning|leaving|leave|departing|depart|on|pick (?:it |me )?up|check(?:ing)? in)\s+(?:on |at )?(?:the\s+)?$/iu,
  end:
    /\b(?:to|until|till|through|returning|return|coming back|come back|back|end(?:ing)?|drop(?:ping)? (?:it )?off|check(?:ing)? out)\s+(?:on |at )?(?:the\s+)?$/iu
}
export const OPPOSITE: Readonly<Record<Role, Role>> = { origin: "dest", dest: "origin", start: "end", end: "start" }

/** Words for one kind of thing that is counted. What is measured is in `Units.ts`. */
export const COUNTED: ReadonlyArray<ReadonlyArray<string>> = [
  "people guests persons",
  "employees staff headcount people",
  "customers clients users",
  "bedrooms bedroom bed beds",
  "bathrooms bathroom bath baths",
  "days day nights night",
  "servings serves people portions"
].map((group) => group.split(" "))
