import { makeCasing } from "../../../workers/speech/transcript/Casing.ts"
import { seemly } from "../../../workers/speech/transcript/DoubtfulWords.ts"
import type { FootageRecord } from "../FootageRecord.ts"
import {
  type Confusions,
  confusions,
  type Counts,
  type Sort,
  sortOf,
  unlikeness,
  type Voice,
  wordModel
} from "./Confusions.ts"

/** Numbers from 0 to 1 that a text decides (FNV-1a, then mulberry32). */
const numbersOf = (text: string): () => number => {
  let seed = 0x811c9dc5
  for (const letter of text) seed = Math.imul(seed ^ letter.codePointAt(0)!, 0x01000193)
  return () => {
    seed = (seed + 0x6d2b79f5) | 0
    let mixed = Math.imul(seed ^ (seed >>> 15), 1 | seed)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
}

/** One of several, each as often as it weighs. */
const pick = <A>(some: ReadonlyArray<readonly [A, number]>, draw: number): A => {
  let left = draw * some.reduce((sum, [, weight]) => sum + weight, 0)
  return (some.find(([, weight]) => (left -= weight) < 0) ?? some.at(-1)!)[0]
}

const wordsOf = (counts: Counts): ReadonlyArray<readonly [string, number]> => Object.entries(counts)

/** A draw from a distribution that is told by points at equal distances. */
const along = (points: ReadonlyArray<number>, draw: number): number => {
  const at = draw * (points.length - 1)
  const from = Math.floor(at)
  return points[from]! + (at - from) * ((points[from + 1] ?? points[from]!) - points[from]!)
}

const said = ({ deleted, right, substituted }: Voice): number => right + substituted + deleted

/** As many of the commonest words are looked through: what is heard for a word is mostly a plainer one. */
const commonest = 20_000

let byStart: ReadonlyMap<string, ReadonlyArray<string>> | undefined
/** The commonest word that is at most so unlike a word, of those with its first letter. */
const near = (word: string, unlike: number): string => {
  byStart ??= Map.groupBy(
    wordModel().words.slice(0, commonest).filter((one) => /^[a-z']{2,}$/u.test(one)),
    ([first]) => first!
  )
  const others = byStart.get(word[0] ?? "") ?? []
  let best = { word, by: Infinity }
  for (const other of others) {
    if (other === word || Math.abs(other.length - word.length) > 3) continue
    const by = unlikeness(word, other)
    if (by <= unlike) return other
    if (by < best.by) best = { word: other, by }
  }
  return best.word
}

/** Seconds of silence after a word, by the mark that it was written with. */
const pauseAfter = (token: string): number =>
  /[.?!…]["'”’)]*$/u.test(token) ? 0.6 : /[,;:–—-]$/u.test(token) ? 0.25 : 0.05

/** A word as it is spoken: hyphens part words, marks are not heard. */
const spoken = (token: string): ReadonlyArray<string> =>
  token.toLowerCase().replaceAll("’", "'").split(/[-–—/]/u)
    .map((part) => part.replaceAll(/[^\p{L}\p{N}'$€£%.:]|^[.:']+|[.:']+$/gu, "")).filter((part) => part !== "")

interface Heard {
  readonly text: string
  readonly confidence: number
  readonly pause: number
}

/**
 * A video as the built-in recogniser would have heard it: every word is misheard, lost or followed by another as often as those of one
 * person were whom it really heard, has a confidence as it gave, and capitals and marks are put back as it puts them. Who that
 * person is, and all else, only the video's id decides. What is on screen stays.
 */
export const noisedTwin = (
  record: FootageRecord,
  { added, heard_as, sorts, unlike, voices }: Confusions = confusions
): FootageRecord => {
  const random = numbersOf(record.id)
  const voice = pick(voices.map((one) => [one, said(one)]), random())
  const all = Object.values(sorts).reduce((sum, { right, wrong }) => ({
    right: sum.right + right,
    wrong: sum.wrong + wrong
  }))
  const own = (said(voice) - voice.right) / Math.max(1, voice.right)
  /** How likely a word of some sort is not heard right: what is worse for everybody is worse for this one. */
  const wrongIn = (sort: Sort): number => {
    const { right, wrong } = sorts[sort]
    const odds = own * (wrong / Math.max(1, right)) / (all.wrong / all.right)
    return odds / (1 + odds)
  }
  const lost = voice.deleted / Math.max(1, voice.deleted + voice.substituted)
  const hear = (word: string, pause: number): ReadonlyArray<Heard> => {
    const [right, gone, other, sure, more] = [random(), random(), random(), random(), random()]
    const sound = right >= wrongIn(sortOf(word))
    const misheard = heard_as[word]
    const text = sound
      ? word
      : misheard === undefined
      ? near(word, along(unlike, other))
      : pick(wordsOf(misheard), other)
    const itself = !sound && gone < lost
      ? []
      : [{ text, confidence: along(sound ? voice.sure.right : voice.sure.wrong, sure), pause }]
    return more >= voice.inserted / said(voice)
      ? itself
      : [...itself, {
        text: pick(wordsOf(added), random()),
        confidence: along(voice.sure.wrong, random()),
        pause: 0.05
      }]
  }
  const cased = makeCasing([])
  const segments = record.segments.flatMap((segment) => {
    const heard = segment.text.split(/\s+/u).flatMap((token) => {
      const words = spoken(token)
      return words.flatMap((word, at) => hear(word, at === words.length - 1 ? pauseAfter(token) : 0))
    })
    if (heard.length === 0) return []
    const texts = cased(heard.map(({ text }) => text), heard.map(({ pause }) => pause))
    const words = texts.map((text, at) => seemly({ text, confidence: heard[at]!.confidence, t_start: 0, t_end: 0 }))
    return [{
      ...segment,
      text: words.map(({ text }) => text).join(" "),
      confidences: words.map(({ confidence }) => Math.round(1000 * confidence) / 1000)
    }]
  })
  return { ...record, segments }
}
