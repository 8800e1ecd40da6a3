import { roundSeconds } from "../../../../src/artifacts/Moment.ts"
import type { EntryFinder, EntryMentions } from "../../candidates/Mention.ts"
import type { Reading } from "../../candidates/Reading.ts"
import { momentOf, type Passage } from "../../text/SourceDocument.ts"
import { stem, STOP_WORDS } from "../../text/Tokens.ts"
import { outline, wholeOf } from "./SlideContents.ts"

const FILLER = /^(?:um|uh|yeah|okay|mm|hmm|right|like|well|know|think|really|thing|stuff|gonna|got|get)$/u

/** The stems that carry a passage's subject. */
export const subjectStems = (passage: Pick<Passage, "tokens">): ReadonlyArray<string> =>
  passage.tokens
    .filter(({ norm }) => norm.length > 2 && !STOP_WORDS.has(norm) && !FILLER.test(norm))
    .map(({ norm }) => stem(norm))

const cosine = (left: ReadonlyMap<string, number>, right: ReadonlyMap<string, number>): number => {
  let [dot, leftSize, rightSize] = [0, 0, 0]
  for (const [key, value] of left) {
    leftSize += value * value
    dot += value * (right.get(key) ?? 0)
  }
  for (const value of right.values()) rightSize += value * value
  return dot / (Math.sqrt(leftSize * rightSize) || 1)
}

/**
 * Where the subject changes, as indexes of the passages that start a part: depth scores of the likeness of neighbouring
 * blocks (TextTiling, Hearst, M. A., 1997), blocks of up to 400 words.
 */
const subjectChanges = (passages: ReadonlyArray<Passage>): ReadonlyArray<number> => {
  const words = passages.map((passage) => passage.tokens.length)
  const total = words.reduce((sum, count) => sum + count, 0)
  const block = Math.max(120, Math.min(400, total / 25))
  const stems = passages.map(subjectStems)
  const spread = new Map<string, number>()
  for (const list of stems) for (const key of new Set(list)) spread.set(key, (spread.get(key) ?? 0) + 1)

  const blockAt = (from: number, step: 1 | -1): ReadonlyMap<string, number> => {
    const weights = new Map<string, number>()
    for (let at = from, count = 0; at >= 0 && at < passages.length && count < block; at += step) {
      count += words[at]!
      for (const key of stems[at]!) {
        weights.set(key, (weights.get(key) ?? 0) + Math.log(passages.length / spread.get(key)! + 1))
      }
    }
    return weights
  }
  const alike = passages.slice(1).map((_, at) => cosine(blockAt(at, -1), blockAt(at + 1, 1)))
  const depth = alike.map((value, at) => {
    let [left, right] = [value, value]
    for (let k = at - 1; k >= 0 && alike[k]! >= left; k--) left = alike[k]!
    for (let k = at + 1; k < alike.length && alike[k]! >= right; k++) right = alike[k]!
    return left + right - 2 * value
  })
  const parts = Math.max(1, Math.min(12, Math.round(Math.sqrt(total / 250))))
  const gap = total / parts / 3
  const before = [0]
  for (const count of words) before.push(before.at(-1)! + count)
  const cuts: Array<number> = []
  const deepest = depth.map((value, at) => [value, at + 1] as const).toSorted((a, b) => b[0] - a[0] || a[1] - b[1])
  for (const [, at] of deepest) {
    if (cuts.length >= parts - 1) break
    const place = before[at]!
    if (place >= gap && total - place >= gap && cuts.every((cut) => Math.abs(before[cut]! - place) >= gap)) {
      cuts.push(at)
    }
  }
  return cuts.toSorted((a, b) => a - b)
}

/** What a part is about: the heading on screen in it, else its most telling pair of words, else its first words. */
const titleOf = (reading: Reading, part: ReadonlyArray<Passage>): EntryMentions[string] => {
  const [first, last] = [part[0]!, part.at(-1)!]
  const slide = reading.document.slides.find(({ heading, t_start }) =>
    heading !== null && t_start >= first.t_start && t_start < last.t_end
  )
  if (slide?.heading) return { value: slide.heading.text, span: wholeOf(slide.heading) }
  const inside = new Set(part)
  const counts = new Map<string, number>()
  const phrases = reading.candidates.filter((one) =>
    inside.has(one.passage) && (one.kind === "name" || (one.kind === "phrase" && one.text.includes(" ")))
  )
  for (const one of phrases) counts.set(one.text.toLowerCase(), (counts.get(one.text.toLowerCase()) ?? 0) + 1)
  const best =
    phrases.toSorted((a, b) =>
      counts.get(b.text.toLowerCase())! - counts.get(a.text.toLowerCase())! || a.passage.index - b.passage.index
    )[0]
  if (best !== undefined) return { value: best.text, span: { passage: best.passage, from: best.from, to: best.to } }
  const to = first.tokens[Math.min(7, first.tokens.length - 1)]?.to ?? first.text.length
  return { value: first.text.slice(0, to), span: { passage: first, from: 0, to } }
}

/** The parts of a source in order: its slides where it has at least three, else where the subject changes. */
export const chapters: EntryFinder = (material) => {
  const { reading } = material
  const slides = outline(material)
  if (slides.length >= 3) return slides
  const speech = reading.passages.filter((passage) => passage.modality === "audio")
  if (speech.length === 0) return slides
  const bounds = [0, ...subjectChanges(speech), speech.length]
  return bounds.slice(0, -1).map((from, at) => {
    const part = speech.slice(from, bounds[at + 1])
    const [first, last] = [wholeOf(part[0]!), wholeOf(part.at(-1)!)]
    return {
      text: titleOf(reading, part),
      t_start: { value: roundSeconds(momentOf(first).t_start), span: first, derived: "t_start" as const },
      t_end: { value: roundSeconds(momentOf(last).t_end), span: last, derived: "t_end" as const }
    }
  })
}
