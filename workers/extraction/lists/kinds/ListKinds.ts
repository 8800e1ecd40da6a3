import type { EntryFinder, EntryMentions, Material, Mention } from "../../candidates/Mention.ts"
import type { Draft } from "../../grounding/Draft.ts"
import type { Leaf, List } from "../../text/Plan.ts"
import { identifierWords, normaliseValue } from "../../text/Tokens.ts"
import { chapters } from "./Chapters.ts"
import { criticised, praised } from "./Opinions.ts"
import { competitors, guests, hosts, organisations, participants, people, sponsors } from "./PeopleAndOrganisations.ts"
import { prices, quantities } from "./Quantities.ts"
import {
  commands,
  definitions,
  examples,
  features,
  formulas,
  linesUnder,
  links,
  outline,
  references,
  topics
} from "./SlideContents.ts"
import { decisions, dislikes, events, likes, openQuestions, questions, steps, tasks } from "./SpokenStatements.ts"
import { keyClaims } from "./Summary.ts"
import { concerns, difficulties, needs, tips, warnings, wishes } from "./WishesAndConcerns.ts"

const listOr = (heading: RegExp, spoken: EntryFinder): EntryFinder => (material) => {
  const listed = linesUnder(heading)(material)
  return listed.length > 0 ? listed : spoken(material)
}

/** Headings of lists of what comes with a place. */
const OFFERED =
  /^(?:(?:key|main|other)\s+)*(?:features?|amenities|fittings|inclusions|included|what(?:['’]s| is) included)\b/iu
/** Headings of lists of what one has to have at hand. */
const NEEDED = /^(?:(?:what )?you(?:['’]ll| will)? need|tools?|equipment|requirements|prerequisites|gear)\b/iu

const neededLines = linesUnder(NEEDED)
const offeredLines = linesUnder(OFFERED)

/** What one finder finds, or where that is nothing, the other. */
const orElse = (first: EntryFinder, second: EntryFinder): EntryFinder => (material) => {
  const found = first(material)
  return found.length > 0 ? found : second(material)
}

const praise = orElse(praised, likes)
const blame = orElse(criticised, dislikes)
const troubles = orElse(difficulties, criticised)

const toldTopics = listOr(/^(?:agenda|topics?)\b/iu, topics)

/** By these names evidence tells who proposed an entry. */
const FINDERS = {
  chapters,
  commands,
  competitors,
  concerns,
  decisions,
  definitions,
  difficulties: troubles,
  dislikes: blame,
  events,
  examples,
  features,
  formulas,
  guests,
  hosts,
  likes: praise,
  links,
  needs,
  organisations,
  outline,
  participants,
  people,
  prices,
  quantities,
  questions,
  references,
  sponsors,
  steps,
  tasks,
  tips,
  topics: toldTopics,
  warnings,
  wishes,
  "key-claims": keyClaims,
  "open-questions": openQuestions,
  needed: neededLines,
  offered: offeredLines
}
const nameOf: ReadonlyMap<EntryFinder, string> = new Map(
  Object.entries(FINDERS).map(([name, finder]) => [finder, name])
)

/**
 * Which vocabulary asks for which finder, most special first. A list's own name decides; only where it says nothing do
 * the descriptions. The properties of its entries do not count: `people_affected` in an incident asks for no people.
 */
const VOCABULARY: ReadonlyArray<readonly [RegExp, EntryFinder]> = [
  [/\b(?:ingredients?|materials?|supplies|components?)\b/u, quantities],
  [/\b(?:action items?|actions?|tasks?|todos?|to dos?|follow ups?|next steps?|assignments?)\b/u, tasks],
  [/\bdecisions?\b/u, decisions],
  [/\b(?:open|unanswered) questions?\b/u, openQuestions],
  [/\b(?:questions?|q ?and ?a|qa|faq)\b/u, questions],
  [
    /\b(?:definitions?|glossary|(?<!\b(?:next|this|last|school|autumn|spring|summer|winter) )terms?|terminology)\b/u,
    definitions
  ],
  [/\b(?:formulas?|formulae|equations?)\b/u, formulas],
  [/\bexamples?\b/u, examples],
  [/\b(?:references?|citations?|bibliography|further reading|sources cited)\b/u, references],
  [/\b(?:outline|slides?|sections?|table of contents)\b/u, outline],
  [/\bchapters?\b|^(?:parts|segments)$/u, chapters],
  [/\b(?:prices?|pricing|costs?|fees?)\b/u, prices],
  [/\b(?:features?|capabilities|functions)\b/u, features],
  [/\bcommands?\b/u, commands],
  [/\b(?:links?|urls?|web ?sites?|web addresses)\b/u, links],
  [/\b(?:tools?|equipment|utensils|gear|prerequisites?)\b/u, neededLines],
  [/\b(?:amenities|fittings|inclusions)\b/u, offeredLines],
  [/\b(?:pain points?|frustrations?|difficult(?:y|ies)|problems?|usability issues?)\b/u, troubles],
  [/\b(?:wish(?:es)?|feature requests?|suggestions?)\b/u, wishes],
  [/\bneeds\b/u, needs],
  [/\b(?:objections?|concerns?|doubts?|worries)\b/u, concerns],
  [/\b(?:warnings?|cautions?)\b/u, warnings],
  [/\b(?:tips?|tricks?|hints?)\b/u, tips],
  [/\b(?:sponsors?)\b/u, sponsors],
  [/\b(?:competitors?|competing products?)\b/u, competitors],
  [
    /\b(?:cons|dislikes?|drawbacks?|negatives?|complaints?|weaknesses|(?:went|goes) (?:badly|wrong)|(?:not|didnt|didn t) go well)\b/u,
    blame
  ],
  [/\b(?:pros|likes|advantages?|positives?|strengths|(?:went|worked|goes) well)\b/u, praise],
  [/\b(?:steps?|instructions?|procedure|how to)\b/u, steps],
  [/\b(?:key claims?|claims?|key points?|statements?|highlights?|takeaways|quotes?)\b/u, keyClaims],
  [/\b(?:organi[sz]ations?|companies|institutions?)\b/u, organisations],
  [/\b(?:guests?|interviewees?)\b/u, guests],
  [/\b(?:hosts?|interviewers?|moderators?)\b/u, hosts],
  [/\b(?:attendees?|participants?|speakers?|presenters?|panelists?|lecturers?)\b/u, participants],
  [/\b(?:people|persons?|names)\b/u, people],
  [/\b(?:topics?|subjects?|themes?|agenda)\b/u, toldTopics],
  [/\b(?:stories|events?|incidents?|news|headlines?)\b/u, events]
]

/** Finders of things, which may as well be strung together in a sentence; the others find whole statements. */
const OF_THINGS = new Set<EntryFinder>(
  [quantities, features, neededLines, offeredLines, steps, warnings, praise, blame, toldTopics, sponsors, competitors]
)
/** Finders of what is named: where they find nothing, names with their values may still be found. */
const OF_NAMES: ReadonlySet<EntryFinder> = new Set(
  [quantities, neededLines, offeredLines, prices, sponsors, competitors].concat([
    people,
    participants,
    guests,
    hosts,
    organisations
  ])
)

export const listsThings = (finder: EntryFinder | undefined): boolean => finder === undefined || OF_THINGS.has(finder)
export const listsNames = (finder: EntryFinder | undefined): boolean => finder === undefined || OF_NAMES.has(finder)

/** What a part of a talk is called by, and the words by which its own description or its list's says that it is one. */
const CALLED =
  /^(?:(?:slide|section|chapter) )?(?:title|heading|headline|topic|subject|caption|name|section|chapter|slide)$/u
const OF_SLIDES = /\bslides?\b/u
const OF_PARTS =
  /\b(?:sections?|chapters?|(?:parts?|segments?) of the (?:talk|lecture|video|lesson|presentation|course))\b/u
/** Lists that are named by no subject: any name, where the list is the whole result. */
const NO_SUBJECT = /^(?:|items?|entries|list|modules?|parts?|units?|markers?|timeline|timestamps?)$/u
const HEADS = /^(?:title|heading|headline|topic|section|chapter)$/u

/** Entries that their property describes as slides, sections or chapters, and titles with their times in a list without a subject. */
const partsOf = (list: List): EntryFinder | undefined => {
  const leaves = Array.from(list.leaves.values())
  const anchor = leaves.find(({ type }) => type === "string")
  const name = identifierWords(anchor?.name ?? "").join(" ")
  if (anchor === undefined || !CALLED.test(name)) return undefined
  if (OF_SLIDES.test(anchor.words)) return outline
  if (OF_PARTS.test(anchor.words)) return chapters
  const timed = leaves.some((leaf) => leaf.type !== "string" && SAID_AT.test(identifierWords(leaf.name).join(" ")))
  return timed && HEADS.test(name) && NO_SUBJECT.test(identifierWords(list.name).join(" ")) ? chapters : undefined
}

/** Plans that are sold: by their name where their entries have a price. */
const SOLD = /\b(?:plans|tiers|packages|editions|subscriptions)$/u
const PRICE = /\b(?:price|cost|fee)\b/u
const isPriced = (name: string, { leaves }: List): boolean =>
  SOLD.test(name) && Array.from(leaves.values()).some((leaf) => PRICE.test(identifierWords(leaf.name).join(" ")))

const askedBy = (text: string): EntryFinder | undefined => VOCABULARY.find(([words]) => words.test(text))?.[1]

/** Where the entries stand, which asks for no outline: "as on the checklist slide". */
const ON_ONE_SLIDE = /(?<!\b(?:each|every|per|of) )\bslide\b(?! (?:titles?|headings?|numbers?)\b)/gu

/** These are known by what their entries are called as well. */
const OF_A_TALK: ReadonlySet<EntryFinder | undefined> = new Set([chapters, outline])

/**
 * The finder that a list's own name asks for, or what its entries are. Of a list without a subject of its own its description does; of any other
 * that is as often about something else: "what is not in the quote" asks for no quotes (of 11 such values in 468 open videos none was right).
 */
export const finderFor = (list: List): EntryFinder | undefined => {
  const name = identifierWords(list.name).join(" ")
  const described = askedBy(list.words.replaceAll(ON_ONE_SLIDE, ""))
  if (isPriced(name, list)) return prices
  return askedBy(name) ?? partsOf(list) ?? (NO_SUBJECT.test(name) || OF_A_TALK.has(described) ? described : undefined)
}

const SAID_AT = /^(?:t start|t|start|start (?:seconds?|time)|timestamp|starts at|at)$/u

/** Which role of an entry a property asks for, by its name, then also by its description. */
const ROLES: ReadonlyArray<readonly [string, RegExp]> = [
  ["t_end", /\b(?:t end|end|ends|until|stop)\b/u],
  ["t_start", /\b(?:t start|t|start|starts|begin|timestamp|second|seconds|at|time)\b/u],
  ["number", /\b(?:no|number|index|position|order|step|n)\b/u],
  ["said_at", SAID_AT],
  ["answer", /\b(?:answer|reply|response)\b/u],
  ["owner", /\b(?:owner|assignee|responsible|who|person)\b/u],
  ["speaker", /\b(?:speaker|who|said by|person)\b/u],
  ["due", /\b(?:due|deadline|date|when|by)\b/u],
  ["term", /\b(?:term|name|concept|word)\b/u],
  ["currency", /\bcurrency\b/u],
  ["amount", /\b(?:amount|price|cost|value|how much|fee)\b/u],
  ["plan", /\b(?:plan|edition|tier|item|name|product|package)\b/u],
  ["measure", /\b(?:quantity|amount|how much|measure)\b/u],
  ["quantity", /\b(?:quantity|amount|how much|count|qty)\b/u],
  ["unit", /\b(?:unit|measure)\b/u],
  ["location", /\b(?:location|place|city|where)\b/u],
  ["name", /\b(?:name|ingredient|item|material|feature|title|label)\b/u],
  [
    "text",
    /\b(?:text|task|action|step|description|headline|title|definition|meaning|instruction|decision|question|example|claim|quote|what|summary|content|point|name|heading|topic|subject|section|chapter|slide|caption)\b/u
  ]
]

/** Where an amount and its unit are one text, neither is a property of its own. */
const withoutMeasure = ({ measure, ...entry }: EntryMentions, leaves: ReadonlyMap<string, Leaf>): EntryMentions => {
  const asks = (words: RegExp): Leaf | undefined =>
    Array.from(leaves.values()).find(({ name }) => words.test(identifierWords(name).join(" ")))
  const whole = measure !== undefined && asks(/\bunit\b/u) === undefined &&
    asks(/\b(?:quantity|amount|how much|measure|qty)\b/u)?.type === "string"
  if (!whole) return entry
  const { quantity: _quantity, unit: _unit, ...rest } = entry
  return { ...rest, measure }
}

const fitsType = (leaf: Leaf, found: Mention): boolean => {
  const number = leaf.type === "number" || leaf.type === "integer"
  if (number) return typeof found.value === "number" && (leaf.type === "number" || Number.isInteger(found.value))
  return typeof found.value === "string" && leaf.type !== "boolean"
}

const isSame = (one: Mention, other: Mention): boolean => one.value === other.value && one.span.from === other.span.from

/** The property of each role: names before descriptions, each role once, and no words for a second property by its description alone. */
const assign = (entry: EntryMentions, leaves: ReadonlyMap<string, Leaf>): ReadonlyArray<readonly [Leaf, Mention]> => {
  const out = new Map<Leaf, Mention>()
  const used = new Set<string>()
  for (const described of [false, true]) {
    for (const leaf of leaves.values()) {
      if (out.has(leaf)) continue
      const words = described ? leaf.words : identifierWords(leaf.name).join(" ")
      for (const [role, asks] of ROLES) {
        const found = entry[role]
        if (found === undefined || used.has(role) || !asks.test(words) || !fitsType(leaf, found)) continue
        if (described && Array.from(out.values()).some((other) => isSame(other, found))) continue
        out.set(leaf, found)
        used.add(role)
        break
      }
    }
  }
  return Array.from(out)
}

const MAIN_ROLES = ["text", "name", "term", "plan", "amount", "quantity", "t_start"]

/** Most entries that one list gets; a result is read by people. */
const LONGEST = 200

/** A rule's own rank: above the ranker's threshold and below what a screen labels by name. */
const RULE_SCORE = 0.6

/** Proposals for entries, each given as its leaves with what was found for them. */
export const draftsOf = (
  list: string,
  entries: ReadonlyArray<ReadonlyArray<readonly [Leaf, Mention]>>,
  verdictOf: (at: number) => Draft["verdict"] = () => undefined
): ReadonlyArray<Draft> =>
  entries.slice(0, LONGEST).flatMap((entry, at) =>
    entry.map(([leaf, found]): Draft => ({
      pointer_template: leaf.template,
      item_key: `record-${at}`,
      value: found.value,
      source_refs: [found.span.passage.source_ref],
      score: RULE_SCORE,
      proposed_by: `list:${list}`,
      leaf,
      span: found.span,
      derived: found.derived,
      calibrated: false,
      verdict: verdictOf(at)
    }))
  )

/**
 * Of what the screen shows as an entry of a list that is known by what it is called ("prices", "topics"), or of one that asks for slides: the judge has seen 3 to 34
 * values of each kind. In 632 videos 51 of 56 such values are right.
 */
const SHOWN = { answers: 0.9, judged_by: "rules" } as const
/** Of what is heard as one, which he may doubt but not leave out: 44 of 91 are right; a claim that sums a talk up is put in other words by everybody. */
const HEARD = { answers: 0.5, judged_by: "rules" } as const
/** What is needed or offered stands under many a heading: 1 of 7 is right. */
const UNSURE: ReadonlySet<EntryFinder> = new Set([neededLines, offeredLines])
export const isKnownKind = (proposed_by: string): boolean =>
  proposed_by.startsWith("list:") && Object.hasOwn(FINDERS, proposed_by.slice("list:".length))
const isShown = (entry: EntryMentions): boolean =>
  MAIN_ROLES.some((role) => entry[role]?.span.passage.modality === "visual")
const asksForSlides = (list: List): boolean =>
  OF_SLIDES.test(list.words) || Array.from(list.leaves.values()).some(({ words }) => OF_SLIDES.test(words))

/** Proposals for the entries of one list that has a finder; none where it knows less than half of what the entries ask for. */
export const recordDrafts = (material: Material, list: List, finder: EntryFinder): ReadonlyArray<Draft> => {
  const single = list.leaves.get("")
  const found = finder(material).slice(0, LONGEST)
  const entries = found.map((entry) => {
    if (single === undefined) return assign(withoutMeasure(entry, list.leaves), list.leaves)
    const role = MAIN_ROLES.find((name) => entry[name] !== undefined && fitsType(single, entry[name]))
    return role === undefined ? [] : [[single, entry[role]!] as const]
  })
  const known = new Set(entries.flat().map(([leaf]) => leaf))
  if (known.size * 2 < list.leaves.size) return []
  const name = nameOf.get(finder) ?? "headed-lines"
  // What heads a slide is a part of the talk only where slides are asked for.
  if (OF_A_TALK.has(finder)) {
    return draftsOf(name, entries, () => finder === outline && asksForSlides(list) ? SHOWN : HEARD)
  }
  return draftsOf(name, entries, (at) => UNSURE.has(finder) ? undefined : isShown(found[at]!) ? SHOWN : HEARD)
}

/** Values that occur once per list, whatever their spelling. */
export const distinctBy = <T>(values: ReadonlyArray<T>, key: (value: T) => unknown): ReadonlyArray<T> => {
  const seen = new Set<string>()
  return values.filter((value) => {
    const normal = normaliseValue(key(value))
    return !seen.has(normal) && seen.add(normal)
  })
}
