import type { Material } from "../candidates/Mention.ts"
import type { Draft } from "../grounding/Draft.ts"
import { distinctBy } from "../lists/kinds/ListKinds.ts"
import { wholeOf } from "../lists/kinds/SlideContents.ts"
import type { Leaf } from "../text/Plan.ts"
import type { Passage } from "../text/SourceDocument.ts"
import { identifierWords } from "../text/Tokens.ts"

/** What the service counts by itself, or could: no number that somebody says is taken for these. */
type Counted = "slides" | "speakers" | "pictures"

const COUNTED: ReadonlyArray<readonly [Counted, string]> = [
  ["slides", "slides?"],
  ["speakers", "(?:speakers?|voices?)"],
  ["pictures", "(?:frames?|scenes?|shots?|pictures|images)"]
]

const COUNT = "(?:n|num|nr|number|count|total|how many)"
const THEM = "(?:(?:of|the|all|different|distinct|separate) )*"
/**
 * What is said of them without meaning others: "slides that are shown in the video", "slides does the lecture have". With any other word
 * ("with a formula", "about tides", "after the break") only some of them are meant, or those of something else.
 */
const WHERE = new Set(
  ("there that who which are is were was can be do does did has have had contain contains include includes shown show shows seen heard speak spoke " +
    "talk talked used use present presented displayed appear appeared in of on during over throughout the this a whole entire total all overall " +
    "altogether together video recording footage lecture lesson presentation webinar meeting call episode source screen")
    .split(" ")
)

/** Whether a text is these words, and after them nothing that means only some. */
const meansAll = (text: string, things: RegExp): boolean => {
  const found = things.exec(text)
  return found !== null && text.slice(found[0].length).split(" ").every((word) => word === "" || WHERE.has(word))
}

/** What a field asks the number of, where the service itself knows it; "members of the public who spoke" are not its speakers. */
export const countedBy = (leaf: Leaf): Counted | undefined => {
  if (leaf.type !== "integer" && leaf.type !== "number") return undefined
  const name = identifierWords(leaf.name).join(" ")
  const described = String(leaf.schema["description"] ?? "").toLowerCase().replace(/[.?!\s]+$/u, "")
  return COUNTED.find(([, things]) =>
    meansAll(name, new RegExp(`^(?:${COUNT} ${THEM})?${things}(?: (?:count|number|total))?(?= |$)`, "u")) &&
    !/^(?:slide|speaker|voice|frame|scene|shot) (?:number)$/u.test(name) &&
    (new RegExp(`^(?:(?:the )?(?:total )?${COUNT})?$`, "u").test(described) ||
      meansAll(described, new RegExp(`^(?:(?:the )?(?:total )?${COUNT} )?${THEM}${things}(?= |$)`, "u")))
  )?.[0]
}

/** A slide is one picture with a heading; where some have none, what is shown are not only slides. */
const slidesIn = ({ reading: { document: { slides } } }: Material): ReadonlyArray<Passage> => {
  const headings = slides.flatMap(({ heading }) => heading ?? [])
  return headings.length < slides.length ? [] : distinctBy(headings, ({ text }) => text)
}

/** What each voice says first. */
const speakersIn = ({ reading: { passages } }: Material): ReadonlyArray<Passage> => {
  const seen = new Set<string>()
  return passages.filter(({ modality, speaker }) =>
    modality === "audio" && speaker !== null && !seen.has(speaker) && seen.add(speaker)
  )
}

/** Slides are told apart by what stands on them, voices by their sound: of panels of two to five 2.6 to 6.3 % of the time goes to a wrong one. */
const SURE: Readonly<Record<Counted, number>> = { slides: 0.9, speakers: 0.8, pictures: 0 }

/**
 * How many slides are shown and how many people speak, counted from what the service has told apart and citing each of them: a count
 * that anybody can repeat. Nothing is said of what it does not count.
 */
export const countedFields = (material: Material, leaves: ReadonlyArray<Leaf>): ReadonlyArray<Draft> =>
  leaves.flatMap((leaf): ReadonlyArray<Draft> => {
    const counted = countedBy(leaf)
    const found = counted === "slides" ? slidesIn(material) : counted === "speakers" ? speakersIn(material) : []
    const [first, ...others] = found.map(wholeOf)
    if (counted === undefined || first === undefined) return []
    return [{
      pointer_template: leaf.template,
      value: found.length,
      source_refs: found.map(({ source_ref }) => source_ref),
      score: SURE[counted],
      proposed_by: "rules:counted",
      leaf,
      span: first,
      calibrated: true,
      grade: "computed",
      formula: `count(${counted})`,
      citations: others.map((span) => ({ span, role: "input" })),
      verdict: { answers: SURE[counted], judged_by: "rules" }
    }]
  })
