import type { Material } from "../candidates/Mention.ts"
import { isPlaceName } from "../candidates/PlaceNames.ts"
import { NAME_STOP_WORDS } from "../candidates/scan/ScanNames.ts"
import { FIRST_NAMES } from "../lexicon/FirstNames.ts"
import { HONORIFIC } from "../lexicon/Honorifics.ts"
import { AGENT } from "../lexicon/NameTypes.ts"
import { guestsOf } from "../lists/kinds/PeopleAndOrganisations.ts"
import type { Ranked } from "../ranking/Rank.ts"
import type { Candidate } from "../text/Candidate.ts"
import type { Leaf } from "../text/Plan.ts"
import { asks } from "../text/Sentences.ts"
import type { Passage, Span } from "../text/SourceDocument.ts"
import { identifierWords, normaliseValue } from "../text/Tokens.ts"
import { BELONGS, PRESENTING } from "./ScreenFields.ts"

/** Who opens what is recorded: callers and guests introduce themselves as well, and mostly talk more. */
const OPENING = /\b(?:agent|host|interviewer|moderator|anchor)\b/u

/** A question for a name, and what only who has come for something says of himself. */
const ASKS_NAME = /\bwho(?:['’]s| is| am i| are you|m)\b|\byour (?:full |first |last )?names?\b/iu
const WANTS =
  /\bi(?:['’]d| would) like\b|\bi (?:want|need)\b|\bi have (?:an? )?(?:question|problem|booking|reservation|appointment|complaint)\b|\bi(?:['’]m| am) (?:new|calling|ringing|phoning|looking for|here (?:to|for|about))\b|\bmy [\p{L} ]{2,30} (?:is|was|has|won['’]t|doesn['’]t)\b|\b(?:can|could) (?:i|you)\b|^\W*(?:sir|madam|ma['’]am|miss|doctor|professor),/iu
const REACH = 120

/** "This is Corinne speaking", "Corinne here": one name that only such words make an introduction. */
const ANSWERING =
  /\bthis is (\p{Lu}\p{Ll}[\p{L}'’-]+)(?=,? (?:speaking|here|from|at|how (?:can|may) i|what can i)\b)|(?<=^|[.,!?]\s)(\p{Lu}\p{Ll}[\p{L}'’-]+) (?:speaking|here)(, (?:how|what) (?:can|may|could) i\b)?(?=\W|$)/dgiu
/** "It's Mirela, second run of the morning", "hi, it's Stu". "This is" shows things as well. */
const OPENS_AS = /(?:^|[.!?]\s|\b[Hh](?:i|ello|ey), )[Ii]t['’]s\s+(\p{Lu}\p{Ll}[\p{L}'’-]+)(?=[,.!])/dgu
/** "Morning all, Dermot here from Freshwell": with a greeting before it a name needs not be known. */
const GREETING = /\b(?:hi|hello|hey|hiya|morning|afternoon|evening|welcome)\b[^.!?]{0,40}, $/iu
/** How many passages an opening voice has for it. */
const EARLY = 3

/** "I'm Bex, and this is …", "I'm Mrs Lind.": one name that a voice gives for itself. */
const OWN_NAME = new RegExp(
  String.raw`\b(?:[Ii]['’]m|[Ii] am|[Mm]y name['’]s|[Mm]y name is)\s+((?:${HONORIFIC}\s+)?(\p{Lu}\p{Ll}[\p{L}'’-]+))` +
    String.raw`(?=[,.!;]|\s+(?:and|here|from|with|your|the)\b|$)`,
  "dgu"
)
/** "Hi Nadia, it's Owen from Shiftwise", "Rosalind from People here". */
const GREETS_AS = [
  /(?:^|[.!?]\s)(?:Hi|Hello|Hey|Morning|Evening|Good (?:morning|afternoon|evening))\b[^.!?]{0,40}?[,.!]?\s+(?:[Ii]t['’]s|[Tt]his is)\s+((\p{Lu}\p{Ll}[\p{L}'’-]+))(?=[,.!]|\s+(?:from|here|again|at|with|in)\b)/dgu,
  /(?:^|[,.!?]\s)((\p{Lu}\p{Ll}[\p{L}'’-]+)) from [\p{L} ]{2,30} here\b/dgu
] as const
const SELF = /\b(?:[Ii]['’]m|[Ii] am|[Mm]y name['’]s|[Mm]y name is|[Ii]t['’]s|[Tt]his is)\s+$/u
const FROM_HERE = /^ from [\p{L} ]{2,30} here\b/u
const LEADING = new RegExp(String.raw`^${HONORIFIC}\s+`, "u")
/** "I'm Scottish", "I'm German." */
const ORIGIN = /(?:ish|ese|[ei]an|man|ic)$/u

/** The first name that one of these patterns finds: its first group, with the name alone as the last one. Whose whole name is told elsewhere is called by that. */
const nameBy = (
  patterns: ReadonlyArray<RegExp>,
  passages: ReadonlyArray<Passage>,
  { reading }: Material
): Span | undefined => {
  const parts = new Set(
    reading.candidates.flatMap(({ kind, text }) => kind === "name" && text.includes(" ") ? text.split(" ") : [])
  )
  for (const passage of passages) {
    for (const found of patterns.flatMap((pattern) => Array.from(passage.text.matchAll(pattern)))) {
      const name = found.at(-1)!
      const known = name.toLowerCase()
      const isNone = NAME_STOP_WORDS.has(known) || isPlaceName(name) || (ORIGIN.test(known) && !FIRST_NAMES.has(known))
      const [from, to] = found.indices![1]!
      if (!isNone && !parts.has(name)) return { passage, from, to }
    }
  }
  return undefined
}

/** The one name that a voice gives for itself in these passages. */
export const ownNameOf = (passages: ReadonlyArray<Passage>, material: Material): Span | undefined =>
  nameBy([OWN_NAME, ...GREETS_AS], passages, material)

const opensAs = (passages: ReadonlyArray<Passage>, material: Material): Span | undefined =>
  nameBy([OPENS_AS], passages, material)

/** Whether a span is one name that somebody gives for himself right before it. */
export const isOwnName = ({ from, passage: { text }, to }: Span): boolean =>
  !/\p{L}\s\p{Lu}/u.test(text.slice(from, to).replace(LEADING, "")) &&
  (SELF.test(text.slice(Math.max(0, from - REACH), from)) || FROM_HERE.test(text.slice(to, to + REACH)))

/** Where a voice gives one name for itself. */
const firstNameOf = (passages: ReadonlyArray<Passage>, material: Material): Span | undefined =>
  passages.slice(0, EARLY).flatMap((passage) =>
    Array.from(passage.text.matchAll(ANSWERING)).flatMap(({ 3: offers, indices }): ReadonlyArray<Span> => {
      const whole = indices?.[1]
      const [from, to] = whole ?? indices?.[2] ?? [0, 0]
      const name = passage.text.slice(from, to)
      // "Generally speaking", "Right here".
      const sure = whole !== undefined || offers !== undefined || FIRST_NAMES.has(name.toLowerCase()) ||
        GREETING.test(passage.text.slice(0, from))
      return /^\p{Lu}/u.test(name) && sure && !NAME_STOP_WORDS.has(name.toLowerCase())
        ? [{ passage, from, to }]
        : []
    })
  )[0] ?? ownNameOf(passages, material) ?? opensAs(passages.slice(0, EARLY), material)

/** The first voice, the fields that it alone may answer, and the voices that come for something. */
interface Voices {
  readonly first: string | undefined
  readonly heard: ReadonlyArray<Passage>
  readonly comes: ReadonlySet<string>
}

const voicesOf = ({ reading: { passages }, registry }: Material): Voices => {
  const heard = passages.filter(({ modality, speaker }) => modality === "audio" && speaker !== null)
  const first = heard[0]?.speaker ?? undefined
  const comes = Array.from(registry.speakers).flatMap(([speaker, { spans: [span] }]) => {
    if (span === undefined || speaker === first) return []
    const { from, passage, to } = span
    const before = passages[passage.index - 1]?.text.slice(-REACH) ?? ""
    const replies = asks(before) && ASKS_NAME.test(before)
    return replies || WANTS.test(passage.text.slice(Math.max(0, from - REACH), to + REACH)) ? [speaker] : []
  })
  return { first, heard, comes: new Set(comes) }
}

const opens = (name: string): boolean => OPENING.test(identifierWords(name).join(" "))

/**
 * Where those introduce themselves who may present, teach or answer what is recorded, in that order: whoever speaks first, and for fields
 * that do not ask for who opens it whoever does not come as somebody's guest or customer.
 */
export const whoPresents = (material: Material, { name }: Leaf): ReadonlyArray<Span> => {
  const { registry } = material
  const { comes, first, heard } = voicesOf(material)
  const guests = new Set(guestsOf(material).map((guest) => guest.name))
  const introduced = Array.from(registry.speakers).flatMap(([speaker, { name: own, spans: [span] }]) =>
    span === undefined || guests.has(own) || (speaker !== first && (opens(name) || comes.has(speaker))) ? [] : [span]
  )
  const alone = first === undefined || registry.speakers.has(first)
    ? undefined
    : firstNameOf(heard.filter(({ speaker }) => speaker === first), material)
  return alone === undefined ? introduced : [alone, ...introduced]
}

/** Whoever shows, sells, makes or does what is recorded. */
const DOES_IT =
  /\b(?:baker|seller|stallholder|brewer|farmer|gardener|grower|shopkeeper|florist|barber|tailor|carpenter|plumber|electrician|mechanic|technician|installer|surveyor|assessor|adviser|advisor|pharmacist|nutritionist|physiotherapist|nurse|vet|warden|ranger|steward|clerk|curator|facilitator|organi[sz]er|demonstrator|reporter|vlogger|blogger|lead|leader|presented by|hosted by|reported by|recorded by|led by|counted by|shown by)\b/u
const FORMER = /\b(?:former|previous|old|last|next|new|dog|cat|pet|who|needs|for)\b/u
/** Who does something else than what is shown, or has it done: a field for one of these asks for somebody who is spoken of. */
const SPOKEN_OF =
  /\b(?:customer|renter|buyer|bidder|owner|passenger|visitor|winner|scorer|player|member|neighbou?r|partner|(?:grand)?(?:mother|father)|sister|brother|daughter|author|writer|artist|singer|composer|conductor|director|producer|actor|photographer|painter|designer|inventor|discoverer|founder|manager|minister|skipper|translator|character|aider|blocker|opener|closer|sender|receiver|finder|caller|holder|teacher|lecturer|approver|doctor|driver|accompanist)\b/u

const length = (some: ReadonlyArray<Passage>): number => some.reduce((sum, { text }) => sum + text.length, 0)

/** So much of what is said is said by whoever shows, sells or makes it; others ask. */
const MOSTLY = 0.6

/** Whether a field asks for who does what is recorded, and whoever speaks first says most of it: that voice names itself. */
export const namesItself = (material: Material, leaf: Leaf): boolean => {
  const name = identifierWords(leaf.name).join(" ")
  const own = name.replace(/ name$/u, "")
  const does = DOES_IT.test(name) || (AGENT.test(own) && !SPOKEN_OF.test(own) && /^\p{L}+[^s]$/u.test(own))
  if (!does || FORMER.test(name) || BELONGS.test(name)) return false
  const { first, heard } = voicesOf(material)
  return first !== undefined && length(heard.filter(({ speaker }) => speaker === first)) >= MOSTLY * length(heard)
}

/** What a name may be found as: "my name is Ann Lee", a bare answer. */
const NAMING: ReadonlySet<Candidate["kind"]> = new Set(["name", "named", "answer"] as const)

/** Fields that are named by a title, and how whoever bears it says so. */
const TITLED = /\b(?:doctor|nurse|professor|captain|judge|officer|sergeant|coach|chef|teacher)\b/u
const ADDRESSED =
  /\b(?:hello|hi|hey|thanks|thank you|welcome|good (?:morning|afternoon|evening)|dear),?\s(?:(?:mr|mrs|ms|miss|madam)\.?\s)?$/iu

/**
 * Whether a name may be of whoever presents, answers or bears the title that a field is named by: not of a voice that comes for
 * something, and not the one that the first voice, or who bears the title, greets.
 */
export const mayPresent = (material: Material): (one: Ranked) => boolean => {
  const { comes, first } = voicesOf(material)
  const names = Array.from(material.registry.speakers)
  const callers = new Set(names.flatMap(([speaker, { name }]) => comes.has(speaker) ? [normaliseValue(name)] : []))
  const others = new Set(names.flatMap(([speaker, { name }]) => speaker === first ? [] : [normaliseValue(name)]))
  return ({ candidate: { from, kind, passage }, leaf, value }) => {
    if (leaf.type !== "string" || !NAMING.has(kind)) return true
    const words = identifierWords(leaf.name).join(" ")
    const said = normaliseValue(value)
    if (PRESENTING.test(words) && (callers.has(said) || (OPENING.test(words) && others.has(said)))) return false
    const title = TITLED.exec(words)?.[0]
    if (title === undefined && !OPENING.test(words)) return true
    if (!ADDRESSED.test(passage.text.slice(Math.max(0, from - 40), from))) return true
    const bears = title !== undefined &&
      new RegExp(`\\bi(?:['’]m| am)\\b[^.?!]{0,60}\\b${title}\\b`, "iu").test(passage.text.slice(0, from + REACH * 2))
    return !bears && !(OPENING.test(words) && passage.speaker === first)
  }
}
