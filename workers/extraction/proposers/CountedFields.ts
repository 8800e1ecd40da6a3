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
/** What is said of them without meaning others: "slides that are shown in the video". */
const WHERE =
  "(?: (?:there|that|who|which|are|is|were|was|can be|shown|seen|heard|speak|spoke|talk|talked|used|in|of|on|during|the|this|a|video|recording|footage|lecture|talk|presentation|meeting|call|episode|source|screen))*"

/** What a field asks the number of, where the service itself knows it; "members of the public who spoke" are not its speakers. */
export const countedBy = (leaf: Leaf): Counted | undefined => {
  if (leaf.type !== "integer" && leaf.type !== "number") return undefined
  const name = identifierWords(leaf.name).join(" ")
  const described = String(leaf.schema["description"] ?? "").toLowerCase().replace(/[.?!\s]+$/u, "")
  return COUNTED.find(([, things]) =>
    new RegExp(`^(?:${COUNT} ${THEM})?${things}(?: (?:count|number|total|shown))?$`, "u").test(name) &&
    !/^(?:slide|speaker|voice|frame|scene|shot) (?:number)$/u.test(name) &&
    new RegExp(`^(?:(?:the )?(?:total )?${COUNT} )?(?:${THEM}${things}${WHERE})?$`, "u").test(described)
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
