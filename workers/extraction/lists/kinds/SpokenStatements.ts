import {
  entry,
  type EntryFinder,
  type EntryMentions,
  groupOf,
  type Material,
  type Mention,
  mentionAt,
  mentionText,
  secondOf
} from "../../candidates/Mention.ts"
import { canonicalText } from "../../grounding/Align.ts"
import { FIRST_NAMES } from "../../lexicon/FirstNames.ts"
import { asks, type Sentence, supposes } from "../../text/Sentences.ts"
import { likeness, tokenise } from "../../text/Tokens.ts"
import { numberedSteps } from "./NumberedLines.ts"
import { isDenied, isStated } from "./Stated.ts"

/** Verbs that open instructions and promises. */
const DOING: ReadonlySet<string> = new Set(
  ("mix pour add cover heat stretch brush bake stir cook cut chop slice knead let put place take remove fold whisk open close click choose select run start stop press " +
    "type enter check wait install download go use make turn set drag drop save copy paste create drill screw measure attach connect plug push pull fill drain rinse wash " +
    "dry serve season preheat combine bring simmer boil fry roast grill spread roll shape rest cool write send review update call email schedule prepare share fix finish " +
    "resize deploy test configure tap scroll navigate insert apply sand paint glue hold lift lower rotate tighten loosen repeat keep read look find hit crack beat blend " +
    "melt drizzle sprinkle top garnish book order ask talk contact draft get do own organise organize arrange invite publish file report investigate clean move collect")
    .split(" ")
)
export const LEAD =
  /^\W*(?:(?:so|and|now|ok|okay|then|next|first(?:ly)?|second(?:ly)?|third(?:ly)?|finally|lastly|after that|afterwards|once (?:that'?s|it'?s) done|to (?:start|begin)|step \w+|you(?:'ll)? (?:need to|want to|have to|should|can)|we(?:'re going to|'ll| need to| want to)|go ahead and|just|while that'?s \w+|start by)\b[\s,:]*)+/iu
const DUE =
  /\s+(?:by|before|until|no later than|due)\s+((?:next |this |the |end of )*[\p{L}\d][\p{L}\d ]{1,25}?)(?=[.,?!]|$)/diu
const NOT_A_NAME = /^(?:I|We|You|It|That|This|They|He|She|There|What|And|So|If|Please|Can|Who|Someone|Nobody)$/u

export const spoken = (sentences: ReadonlyArray<Sentence>): ReadonlyArray<Sentence> =>
  sentences.filter((sentence) => sentence.passage.modality === "audio")

const present = <T>(values: ReadonlyArray<T | undefined>): ReadonlyArray<T> =>
  values.filter((value) => value !== undefined)

/** Sentences of speech that state what a pattern with indices finds; its first group is the entry's text. */
const matching = (pattern: RegExp, reject?: RegExp): EntryFinder => ({ sentences }) =>
  present(
    spoken(sentences).map((sentence) => {
      const match = reject?.test(sentence.text) === true ? null : pattern.exec(sentence.text)
      return match === null || !isStated(sentence, match.index, match.index + match[0].length)
        ? undefined
        : entry({ text: groupOf(sentence, match, 1) })
    })
  )

/** A warning opens with a verb as well, and says what not to do. */
const NOT_DOING = /^make sure (?:you |that you )?(?:don['’]?t|do not|not|never)\b/iu

/** Instructions in the order in which they are given: what the screen numbers, else what speech tells to do. */
export const steps: EntryFinder = ({ reading, sentences }) => {
  const shown = numberedSteps(reading.document.slides)
  if (shown.length > 0) return shown.map(({ number, text }) => ({ text, number, said_at: secondOf(text.span) }))
  return present(
    spoken(sentences).map((sentence) => {
      if (asks(sentence.text)) return undefined
      const body = sentence.text.slice(LEAD.exec(sentence.text)?.[0].length ?? 0)
      const words = tokenise(body)
      if (words.length < 3 || !DOING.has(words[0]!.norm) || NOT_DOING.test(body)) return undefined
      const text = mentionText(sentence, body)
      return text && entry({ text, said_at: secondOf(text.span) })
    })
  )
}

export const decisions = matching(
  /\b(?:(?:we|team|board|they|i)(?:'ve| have)?(?: also| all)? (?:decided|agreed|resolved|chose|voted|settled)(?: to| on| that)?|decision is to|let'?s go with|we(?:'re| are) going with)\s+(.+?)[.!]?$/diu
)
export const likes = matching(
  /(?<!n't )(?<!not )\b(?:I (?:also |really )?(?:like|love|enjoy)|the best (?:thing|part) is|what I (?:like|love)(?: is)?|pros?:|big plus(?: is)?)\s+(.+?)(?=[,.!;]|$)/diu,
  /don'?t like|dislike/iu
)
export const dislikes = matching(
  /\b(?:(?:what )?I (?:really )?(?:don'?t|do not) like(?: is)?|I (?:hate|dislike)|the worst (?:thing|part) is|my (?:main |only |biggest )?(?:complaint|gripe|issue) is|cons?:|downside is)\s+(.+?)(?=[,.!;]|$)/diu
)

interface Request {
  readonly task: Mention
  /** Whoever is asked by name; undefined where the speaker promises or nobody is named. */
  readonly owner: Mention | undefined
  readonly byOther: boolean
}

/** Whether a word stands where its capital says that it is a name: not at the start of a sentence. */
const isInside = (text: string, at: number): boolean =>
  !/(?:^|[.!?…:]["”]?\s+)\W*$/u.test(text.slice(Math.max(0, at - 8), at))

/** Names in lower case: of people and voices, and of whatever has a capital inside a sentence somewhere. */
const namesIn = ({ reading, registry }: Material): ReadonlySet<string> =>
  new Set([
    ...registry.people.flatMap((person) => person.name.toLowerCase().split(" ")),
    ...Array.from(reading.document.speakers.values(), (label) => label.toLowerCase()),
    ...reading.candidates.flatMap(({ from, kind, passage, text }) =>
      kind === "name" && passage.modality === "audio" && isInside(passage.text, from)
        ? text.toLowerCase().split(" ")
        : []
    )
  ])

/** "Marcus, can you …", "Ines, please …", "Tom will …", "I'll …", "action item: …". */
const requestIn = (sentence: Sentence, names: ReadonlySet<string>): Request | undefined => {
  const { text } = sentence
  const named = /\b(\p{L}+),?\s+(?:can|could|would|will) you (?:please )?(.+?)[?.!]?$/diu.exec(text) ??
    /\b(\p{L}+),?\s+please\s+(.+?)[.!?]?$/diu.exec(text) ??
    /\b(\p{L}+)\s+(?:will|is going to|needs? to|should)\s+(\p{Ll}.+?)[.!?]?$/du.exec(text)
  if (named !== null && !NOT_A_NAME.test(named[1]!)) {
    const name = named[1]!.toLowerCase()
    // Any word has a capital at the start of a sentence: "Visitors should", "Yes, please".
    const known = names.has(name) || FIRST_NAMES.has(name) ||
      (/^\p{Lu}/u.test(named[1]!) && isInside(text, named.index))
    const [owner, task] = [groupOf(sentence, named, 1), groupOf(sentence, named, 2)]
    if (known && task !== undefined) return { task, owner, byOther: true }
  }
  // "I can find the third" is an ability; "I can have it done by Friday" is a promise.
  const promise = /\bI(?:'ll| will|'m going to)\s+(\p{Ll}.+?)[.!?]?$/diu.exec(text) ??
    (DUE.test(text) ? /\bI can\s+(\p{Ll}.+?)[.!?]?$/diu.exec(text) : null)
  const promised = promise === null ? undefined : groupOf(sentence, promise, 1)
  if (promised !== undefined && !/^(?:do (?:that|it)|be|have it|see|try|show|talk|walk|just)\b/iu.test(promise![1]!)) {
    return { task: promised, owner: undefined, byOther: false }
  }
  const item = /\b(?:action item|todo|to do)[:,]?\s*(.+?)[.!?]?$/diu.exec(text)
  const task = item === null ? undefined : groupOf(sentence, item, 1)
  return task === undefined ? undefined : { task, owner: undefined, byOther: true }
}

/** What is to be done only if something else is so. */
const CONDITIONAL = /^\W*(?:(?:and|so|but|well|then),?\s)*(?:if|unless|in case|suppose|supposing)\b/iu

/** Tasks that someone takes on or is given, with owner and day where they are said; none that is denied or hangs on a condition. */
export const tasks: EntryFinder = (material) => {
  const { reading, registry, sentences } = material
  const names = namesIn(material)
  return present(
    spoken(sentences).map((sentence) => {
      const request = CONDITIONAL.test(sentence.text) ? undefined : requestIn(sentence, names)
      if (request === undefined) return undefined
      const { task } = request
      const verb = tokenise(String(task.value))[0]?.norm
      const [from, to] = [task.span.from - sentence.from, task.span.to - sentence.from]
      if (verb === undefined || !DOING.has(verb) || supposes(sentence.text) || isDenied(sentence.text, from, to)) {
        return undefined
      }
      const own = DUE.exec(String(task.value))
      const due = own ?? DUE.exec(sentence.text)
      const core = String(task.value).slice(0, own?.index).split(/,\s+(?:I|we|and then)\b/u)[0]!
      return entry({
        text: mentionAt(sentence.passage, task.span.from, core),
        owner: request.owner ?? speakerOf(sentence, registry.speakers, reading.document.speakers, request),
        due: due === null ? undefined : groupOf(own === null ? sentence : task.span, due, 1)
      })
    })
  )
}

/** Whoever promises: by name where the speaker has given one, else by a label that is more than a number. */
const speakerOf = (
  sentence: Sentence,
  named: ReadonlyMap<string, { readonly name: string }>,
  labels: ReadonlyMap<string, string>,
  request: Request
): Mention | undefined => {
  const id = sentence.passage.speaker
  if (id === null || request.byOther) return undefined
  const value = named.get(id)?.name ?? labels.get(id) ?? id
  if (/^(?:speaker\s*|s)\d+$/iu.test(value)) return undefined
  return { value, span: sentence, derived: "speaker" }
}

const SMALL_TALK =
  /^(?:how are you|how is everyone|can you hear|are you there|any questions|what about you|right|okay|ready)\b/iu

const questionIn = (sentence: Sentence): EntryMentions | undefined => {
  const text = sentence.text.replace(/^(?:(?:so|and|but|okay|ok|well|now|then|um|uh)[\s,]+)+/iu, "")
  if (!asks(sentence.text) || tokenise(text).length < 3 || SMALL_TALK.test(text)) return undefined
  const from = sentence.to - text.length
  return { text: { value: text, span: { passage: sentence.passage, from, to: sentence.to } } }
}

/** Longest answer that is quoted, in words. */
const LONGEST_ANSWER = 60

/** What somebody else says right after a question, up to the end of the turn's piece or 60 words. */
const answerTo = (question: Sentence, said: ReadonlyArray<Sentence>, at: number): Mention | undefined => {
  const reply = said[at + 1]
  if (reply === undefined || reply.passage.speaker === question.passage.speaker || asks(reply.text)) return undefined
  let { to } = reply
  for (const next of said.slice(at + 2)) {
    if (next.passage !== reply.passage || asks(next.text)) break
    if (tokenise(reply.passage.text.slice(reply.from, next.to)).length > LONGEST_ANSWER) break
    to = next.to
  }
  return { value: reply.passage.text.slice(reply.from, to), span: { passage: reply.passage, from: reply.from, to } }
}

/** Questions as they were asked, each with the reply of somebody else right after it. */
export const questions: EntryFinder = ({ sentences }) => {
  const said = spoken(sentences)
  return present(said.map((sentence, at) => {
    const question = questionIn(sentence)?.["text"]
    return question === undefined
      ? undefined
      : entry({ text: question, answer: answerTo(sentence, said, at), said_at: secondOf(question.span) })
  }))
}

const UNKNOWN =
  /\b(?:don'?t know|not sure|no idea|unclear|find out|come back to|take (?:it|that|this) offline|still open|needs? checking|open question)\b/iu

/** Questions that nobody answers: the next words come from the asker, put it off, or never come. */
export const openQuestions: EntryFinder = ({ sentences }) => {
  const said = spoken(sentences)
  return present(said.map((sentence, at) => {
    const question = questionIn(sentence)
    if (question === undefined) return undefined
    const next = said[at + 1]
    const open = next === undefined || UNKNOWN.test(next.text) || /\bopen question\b/iu.test(sentence.text)
    return open ? question : undefined
  }))
}

const EXAMPLE = /\b(?:for example|for instance|as an example|take for example)[,:]?\s+(.+?)[.!]?$/diu
const ANNOUNCED =
  /\b(?:here is|here'?s|this is|take|consider|let'?s look at) (?:an|another|one|the following) example\b[.!]?$/iu

/** Examples: what follows "for example", and the sentence after one that announces an example. */
export const spokenExamples: EntryFinder = ({ sentences }) => {
  const said = spoken(sentences)
  return present(said.map((sentence, at) => {
    const match = EXAMPLE.exec(sentence.text)
    if (match !== null) return entry({ text: groupOf(sentence, match, 1) })
    const before = said[at - 1]
    return before !== undefined && ANNOUNCED.test(before.text) && !asks(sentence.text)
      ? entry({ text: mentionText(sentence, sentence.text) })
      : undefined
  }))
}

const REFERENCE =
  /\b(?:book|paper|article|textbook|chapter (?:\w+ )?(?:of|in|from))\s+(?:the (?:book|paper|article)\s+)?(?:is |called |named |titled )?["“]?(\p{Lu}[\p{L}\p{N}'’:& -]{3,70}?(?:\s+by\s+\p{Lu}[\p{L}.'’ -]+)?)["”]?(?=[.,;!?]|$| before| by (?:next|the|mon|tue|wed|thu|fri|sat|sun))/du

/** Works that speech cites by a capitalised title. */
export const spokenReferences: EntryFinder = ({ sentences }) =>
  present(
    spoken(sentences).map((sentence) => {
      const match = REFERENCE.exec(sentence.text)
      return match === null ? undefined : entry({ text: groupOf(sentence, match, 1) })
    })
  )

const DEFINED =
  /^\W*(?:(?:so|and|now|but|okay)[\s,]+)*(?:an?\s|the\s)?(\p{L}[\p{L} -]{2,40}?)\s+(?:is defined as|means|refers to|is (?=an? |the |when |any |how |all ))\s*(.+?)[.!]?$/diu
const NOT_A_TERM =
  /^(?:it|that|this|he|she|there|there'?s|here|they|we|you|i|today|what|which|who|my|our|one|the first|welcome|its|these|those|everything|nothing|an? (?:good|great))\b/iu

/** "A spring tide is a tide with …": a term of up to four words and at least four words about it. */
export const spokenDefinitions: EntryFinder = ({ sentences }) =>
  present(
    spoken(sentences).map((sentence) => {
      const match = asks(sentence.text) ? null : DEFINED.exec(sentence.text)
      if (
        match === null || NOT_A_TERM.test(match[1]!) || /\b(?:question|thing|part|way|idea|time)$/iu.test(match[1]!)
      ) {
        return undefined
      }
      if (tokenise(match[1]!).length > 4 || tokenise(match[2]!).length < 4) return undefined
      return entry({ term: groupOf(sentence, match, 1), text: groupOf(sentence, match, 2) })
    })
  )

const EVENT =
  /\b(?:ha(?:s|ve|d)(?! to\b)|was|were|put|left|opened|closed|won|lost|killed|injured|announced|launched|signed|died|arrested|found|said|hit|struck|started|ended|approved|rejected|[a-z]{3,}ed)\b/u
const NO_EVENT =
  /\b(?:welcome|you'?re watching|good (?:evening|morning|night)|i'?m|thanks|thank you|subscribe|that'?s all)\b/iu

/** What people say, think or do not know has not happened for that. */
const HEARSAY =
  /^(?:\W*(?:and|but|so|well)\b)*\W*(?:(?:some|many|most) (?:people|fans|critics)|they|people) (?:say|think|believe|claim)\b|\bI (?:think|guess|hope|wish|don['’]?t (?:know|think))\b/iu

/** What happened, as told: whole sentences in the past, with the place that they name. */
export const events: EntryFinder = ({ sentences }) =>
  present(
    spoken(sentences).map((sentence) => {
      const words = tokenise(sentence.text).length
      if (words < 7 || asks(sentence.text) || NO_EVENT.test(sentence.text)) return undefined
      if (supposes(sentence.text) || HEARSAY.test(sentence.text)) return undefined
      const place = /\b(?:[Ii]n|at|near)\s+(\p{Lu}\p{L}+(?:\s\p{Lu}\p{L}+)?)/du.exec(sentence.text)
      const lead = place?.index === 0 ? sentence.text.slice(place[0].length).replace(/^[,\s]+/u, "") : sentence.text
      const told = lead.split(/,\s+and\s+/u)[0]!
      return !EVENT.test(told) ? undefined : entry({
        text: mentionText(sentence, told),
        location: place === null ? undefined : groupOf(sentence, place, 1)
      })
    })
  )

const TOPIC =
  /\b(?:let'?s (?:talk about|discuss|move on to|turn to|look at)|(?:next|first|second|third|last) (?:topic|item|point|subject)(?: on the agenda)? is|moving on to|we (?:talk|will talk|are talking) about|on to)\s+(.+?)[.!]?$/diu

/** Subjects that speech announces. */
export const spokenTopics: EntryFinder = matching(TOPIC)

/** Drops entries whose value in one role was already given, number words and near spellings included: the first one stays. */
export const withoutRepeats = (entries: ReadonlyArray<EntryMentions>, role: string): ReadonlyArray<EntryMentions> => {
  const kept: Array<EntryMentions> = []
  const known: Array<string> = []
  for (const one of entries) {
    const key = canonicalText(String(one[role]?.value ?? ""))
    if (key === "" || known.some((other) => likeness(other, key) >= 0.8)) continue
    known.push(key)
    kept.push(one)
  }
  return kept
}
