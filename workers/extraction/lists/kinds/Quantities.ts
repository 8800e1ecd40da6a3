import { entry, type EntryFinder, type EntryMentions, type Mention, mentionText } from "../../candidates/Mention.ts"
import { numberAt } from "../../lexicon/Numbers.ts"
import type { Candidate } from "../../text/Candidate.ts"
import { supposes } from "../../text/Sentences.ts"
import { leadOf, type Passage, quoteOf, type Span } from "../../text/SourceDocument.ts"
import { normaliseValue } from "../../text/Tokens.ts"
import { wholeOf } from "./SlideContents.ts"
import { isDenied, isStated, statementAround } from "./Stated.ts"

const MEASURE =
  /^(?:g|grams?|kg|kilograms?|mg|ml|millilit(?:re|er)s?|l|lit(?:re|er)s?|cups?|tablespoons?|tbsp|teaspoons?|tsp|ounces?|oz|pounds?|lbs?|cloves?|slices?|pinch(?:es)?|bunch(?:es)?|cans?|tins?|jars?|packets?|sachets?|sprigs?|sticks?|handfuls?|stalks?|rashers?|tubs?|dash(?:es)?|pieces?|boxes|met(?:re|er)s?|cm|mm|inch(?:es)?)$/u
const AFTER_NAME = /^(?:and|or|for|in|on|to|with|then|until|of|the|from|per|at|instead)$/u
/** What says when or how often, and names nothing. */
const NO_NAME = /^(?:last|next|this|that|each|every|ago|a|an|more|less|it|them|is|are|was|were)$/u

/** What joins two numbers to one amount: "3/4", "two to three", "5–6"; a space only before a fraction, "1 1/2". */
const JOINS = /^(?:[/⁄]|[-–—]|\s(?:to|or)\s)$/u
const FRACTION = /^\s\d{1,2}[/⁄]\d/u
/** "2 – 3 cups" is one amount and "Step 2 – 300 g" has none of 2. */
const UNCLEAR = /\d\s[-–—]\s?$/u

interface Amount {
  /** Undefined where more than one number says it: a fraction, or a range. */
  readonly value: number | undefined
  readonly end: number
}

/** The amount that begins at a token, its parts and its bounds included. */
const amountAt = ({ text, tokens }: Passage, at: number): Amount | undefined => {
  const numeral = numberAt(tokens, at)
  if (numeral === undefined || numeral.ordinal) return undefined
  let { end } = numeral
  for (;;) {
    const from = tokens[end - 1]!.to
    const next = [end, end + 1].find((place) =>
      tokens[place] !== undefined &&
      (JOINS.test(text.slice(from, tokens[place]!.from)) ||
        (place === end && FRACTION.test(text.slice(from, from + 6)))) &&
      numberAt(tokens, place)?.ordinal === false
    )
    if (next === undefined) break
    end = numberAt(tokens, next)!.end
  }
  const whole = end === numeral.end && !/^\s?[¼-¾⅐-⅞]/u.test(text.slice(tokens[end - 1]!.to, tokens[end - 1]!.to + 2))
  return { value: whole ? numeral.value : undefined, end }
}

/** "500 grams of flour": how much, in what, of what. What the screen lists and speech says again is one entry, the screen's. */
export const quantities: EntryFinder = ({ reading: { passages } }) => {
  const lines = passages.filter((passage) => passage.channel === "ocr")
  const weighed = measured(lines)
  // Among measured things the screen may list counted ones: "3 leeks".
  const shown = weighed.length > 1 ? [...weighed, ...lines.flatMap(counted)] : weighed
  const said = measured(passages.filter((passage) => passage.channel !== "ocr"))
  const seen = new Set<string>()
  const amounts = new Set(shown.map(({ measure, quantity }) => `${String(quantity?.value)}|${unitOf(measure)}`))
  return [
    ...shown,
    ...said.filter(({ measure, quantity }) => !amounts.has(`${String(quantity?.value)}|${unitOf(measure)}`))
  ].filter(({ name, quantity }) => {
    const key = `${normaliseValue(name!.value)}|${String(quantity?.value)}`
    return !seen.has(key) && seen.add(key)
  })
}

/** What an amount is counted in, whatever its spelling: grams and g begin alike. */
const unitOf = (measure: Mention | undefined): string =>
  /\p{L}+$/u.exec(String(measure?.value ?? ""))?.[0].slice(0, 1).toLowerCase() ?? ""

/** What a line counts that is nothing to put in: "30 MIN", "serves" aside. */
const TIME_OR_SERVING = /^(?:min(?:ute)?s?|hours?|hrs?|sec(?:ond)?s?|days?|degrees|portions?|servings?|people)\b/iu
const COUNTED_LINE = /^\s*(?:[•·*–-]\s+)?(\d{1,3}|[½¼¾])\s+(?:x\s+)?(\p{L}[\p{L}'’ -]{2,30})$/u

/** A line that is a count and what is counted. */
const counted = (passage: Passage): ReadonlyArray<EntryMentions> => {
  const match = COUNTED_LINE.exec(passage.text)
  const first = passage.tokens.find(({ text }) => /^\d/u.test(text))
  const numeral = first === undefined ? undefined : numberAt(passage.tokens, passage.tokens.indexOf(first))
  if (match === null || numeral === undefined || TIME_OR_SERVING.test(match[2]!)) return []
  if (MEASURE.test(match[2]!.split(" ")[0]!.toLowerCase())) return []
  const name = mentionText({ ...wholeOf(passage), from: passage.text.indexOf(match[2]!) }, match[2]!)
  const span = { passage, from: first!.from, to: first!.to }
  return name === undefined
    ? []
    : [{ name, measure: { value: first!.text, span }, quantity: { value: numeral.value, span } }]
}

const measured = (passages: ReadonlyArray<Passage>): ReadonlyArray<EntryMentions> =>
  passages.flatMap((passage) => {
    const { text, tokens } = passage
    const out: Array<EntryMentions> = []
    for (let at = 0; at < tokens.length; at++) {
      const amount = amountAt(passage, at)
      const unit = amount === undefined ? undefined : tokens[amount.end]
      if (amount === undefined) continue
      if (unit === undefined || !MEASURE.test(unit.norm)) {
        at = amount.end - 1
        continue
      }
      const start = tokens[amount.end + 1]?.norm === "of" ? amount.end + 2 : amount.end + 1
      let end = start
      while (end < tokens.length && end - start < 4 && !AFTER_NAME.test(tokens[end]!.norm)) {
        if (numberAt(tokens, end) !== undefined) break
        if (end > start && /\S/u.test(text.slice(tokens[end - 1]!.to, tokens[end]!.from))) break
        end++
      }
      if (end === start || NO_NAME.test(tokens[start]!.norm)) continue
      const span = (from: number, to: number): Span => ({ passage, from: tokens[from]!.from, to: tokens[to - 1]!.to })
      const name = span(start, end)
      if (
        UNCLEAR.test(text.slice(Math.max(0, tokens[at]!.from - 4), tokens[at]!.from)) || !isSaid(span(at, end))
      ) continue
      const said = entry({
        name: { value: quoteOf(name), span: name },
        measure: { value: quoteOf(span(at, amount.end + 1)), span: span(at, amount.end + 1) },
        quantity: amount.value === undefined ? undefined : { value: amount.value, span: span(at, amount.end) },
        unit: { value: unit.text, span: span(amount.end, amount.end + 1) }
      })
      out.push(said!)
      at = end - 1
    }
    return out
  })

/** Whether the sentence around a span states it. */
const isSaid = (span: Span): boolean => {
  const { from, text } = statementAround(span)
  return isStated({ text }, span.from - from, span.to - from)
}

/** The nearest line right above a price, in its column: what the price is for. */
const lineAbove = (price: Passage, passages: ReadonlyArray<Passage>): Passage | undefined => {
  const { line } = price
  if (line === null) return undefined
  return passages
    .filter((one) =>
      one.source_ref === price.source_ref && one.line !== null && one !== price && !one.line.heading &&
      one.line.top < line.top && line.top - one.line.top < 0.3 && Math.abs(one.line.left - line.left) < 0.06 &&
      /\p{L}{2}/u.test(one.text) && !/\d/u.test(one.text)
    )
    .toSorted((a, b) => b.line!.top - a.line!.top)[0]
}

const PLAN_BEFORE =
  /(?:^|[,.;]\s*|\b(?:and|the|our|a|an)\s+)((?:\p{L}[\p{L}'’-]*\s){0,3}(?:plan|edition|version|tier|package|licen[cs]e|subscription|ticket|bundle)|\p{L}[\p{L}'’ -]{1,30}?)\s*(?:[:–—-]|costs?|is|are|starts? at|comes? at|for|at)?\s*(?:only |just |about |from )?$/iu
const COSTING =
  /\b(?:costs?|prices?d?|plan|edition|version|tier|package|licen[cs]e|subscription|per|month|year|pay|fee|starts? at|for only)\b/iu
/** Money that is there to spend, or is spent already, is no price that is asked. */
const SPENDING = /\b(?:budgets?|paid|spent|spend|saved|earned|raised|invested|set aside|used to (?:pay|cost))\b/iu

const planOfPrice = (money: Candidate, passages: ReadonlyArray<Passage>): Mention | undefined => {
  const before = money.passage.text.slice(0, money.from)
  const named = PLAN_BEFORE.exec(before)?.[1]?.trim().replace(/^(?:the|our|an?|and)\s+/iu, "")
  const plan = named === undefined ||
      /^(?:it|that|this|which|cost|price|only|just|from|per|we|i|you|they|he|she|there)\b/iu.test(named)
    ? undefined
    : mentionText({ passage: money.passage, from: 0, to: money.from }, named)
  if (plan !== undefined) return plan
  const above = money.passage.channel === "ocr" ? lineAbove(money.passage, passages) : undefined
  return above === undefined ? undefined : mentionText(wholeOf(above), above.text)
}

const priceOf = (money: Candidate, passages: ReadonlyArray<Passage>): EntryMentions | undefined =>
  entry({
    amount: { value: money.value as number, span: money },
    currency: money.unit === undefined ? undefined : { value: money.unit, span: money },
    plan: planOfPrice(money, passages)
  })

/** "We have about three thousand euros": what somebody has, right before the sum. */
const OWNED =
  /\b(?:we|i|they|he|she)(?:['’](?:ve|s)| have| has| had)(?: got)?(?: (?:about|around|only|roughly|up to|just|some|over|almost))?\s*$/iu

const isAsked = (money: Candidate): boolean => {
  const { from, text } = statementAround(money)
  return !SPENDING.test(text) && !OWNED.test(leadOf(money)) && !supposes(text) &&
    !isDenied(text, money.from - from, money.to - from)
}

/** Every price once: as the screen shows it, else as it is said. What is said of something else than a price is not one. */
export const prices: EntryFinder = ({ reading }) => {
  const money = reading.candidates.filter((one) => one.kind === "money" && one.passage.channel !== "vision")
  const onScreen = money.filter((one) => one.passage.channel === "ocr")
  const said = money.filter((one) =>
    one.passage.modality === "audio" && COSTING.test(one.passage.text) && isAsked(one) &&
    !onScreen.some((shown) => shown.value === one.value)
  )
  const seen = new Set<string>()
  return [...onScreen, ...said].flatMap((one) => {
    const price = priceOf(one, reading.passages)
    const key = `${one.value}|${one.unit ?? ""}|${normaliseValue(price?.["plan"]?.value ?? "")}`
    if (price === undefined || seen.has(key)) return []
    seen.add(key)
    return [price]
  })
}
