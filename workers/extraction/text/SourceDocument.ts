import { type Frames, onScreen } from "../../../src/artifacts/Frames.ts"
import type { Segment, Transcript } from "../../../src/artifacts/Transcript.ts"
import type { FrameDescription, Vision } from "../../../src/artifacts/Vision.ts"
import { boxOfText, joinWrappedLines, type ScreenLine, shownText } from "./ScreenLines.ts"
import { type KeyedLine, newLines, ScrolledPage } from "./ScrolledPages.ts"
import { type Bounds, sentencesIn } from "./SentenceBounds.ts"
import { normaliseValue, type Token, tokenise } from "./Tokens.ts"

export type Channel = "asr" | "captions" | "ocr" | "vision"

/** When a stretch `[from, to)` of a passage's characters was said; `confidence` is the recogniser's own. */
interface Timing {
  readonly from: number
  readonly to: number
  readonly t_start: number
  readonly t_end: number
  readonly confidence: number
}

/**
 * One piece of what was said or shown: a transcript segment, a line of text on a frame, or what a model says of a frame.
 * What rules say of one is none: it counts lines, names colours and repeats the text that stands there by itself.
 * Everything after this point works on one list of them; `text` is a substring of its source, word for word.
 */
export interface Passage {
  readonly index: number
  readonly source_ref: string
  readonly channel: Channel
  readonly modality: "audio" | "visual"
  readonly speaker: string | null
  readonly t_start: number
  readonly t_end: number
  readonly text: string
  readonly tokens: ReadonlyArray<Token>
  readonly timings: ReadonlyArray<Timing>
  /** Only for text on a frame. */
  readonly line: ScreenLine | null
}

/** What one slide or screen shows, over all the frames that show it: its heading and the lines new on it. */
export interface Slide {
  readonly source_ref: string
  readonly t_start: number
  readonly t_end: number
  readonly heading: Passage | null
  readonly lines: ReadonlyArray<Passage>
  /** A line of it on the last frame that shows it: its `t_end` is the slide's. */
  readonly last: Passage
}

/** Speech first, in time order, then what was on screen, in time order. */
export interface SourceDocument {
  readonly passages: ReadonlyArray<Passage>
  readonly slides: ReadonlyArray<Slide>
  readonly duration_seconds: number
  readonly language: string | null
  readonly speakers: ReadonlyMap<string, string>
}

/** Two people who take turns with nothing on screen: what is wanted is negotiated there, not presented. */
export const isConversation = ({ passages }: Pick<SourceDocument, "passages">): boolean => {
  const speakers = new Set(passages.map(({ speaker }) => speaker))
  if (speakers.size !== 2 || passages.some(({ modality }) => modality === "visual")) return false
  const changes = passages.filter(({ speaker }, at) => at > 0 && speaker !== passages[at - 1]!.speaker).length
  return changes >= 0.8 * (passages.length - 1)
}

/** A stretch of one passage, by character offsets: what a value can be read from. */
export interface Span {
  readonly passage: Passage
  readonly from: number
  readonly to: number
}

/** The very words of a span as they are said, or as they stand on the screen. */
export const quoteOf = ({ from, passage, to }: Span): string =>
  passage.line === null ? passage.text.slice(from, to) : shownText(passage.line, from, to)

/** Where on its frame a span stands, a cell by itself: `[x, y, width, height]`; null for what has no place there. */
export const boxOf = ({ from, passage: { line }, to }: Span): ScreenLine["box"] | null =>
  line === null ? null : boxOfText(line, from, to)

/** First and last second of the words in a span. Text on a frame lasts as long as its frame. */
export const momentOf = ({ passage, from, to }: Span): { readonly t_start: number; readonly t_end: number } => {
  const inside = passage.timings.filter((timing) => timing.to > from && timing.from < to)
  const [first, last] = [inside[0], inside.at(-1)]
  return first === undefined || last === undefined
    ? { t_start: passage.t_start, t_end: passage.t_end }
    : { t_start: first.t_start, t_end: last.t_end }
}

/** Mean recogniser confidence over a span's words. */
export const sourceConfidence = ({ passage, from, to }: Span): number => {
  const inside = passage.timings.filter((timing) => timing.to > from && timing.from < to)
  return inside.length === 0 ? 1 : inside.reduce((sum, timing) => sum + timing.confidence, 0) / inside.length
}

/** The span without spaces at its ends. */
export const trimSpan = (span: Span): Span => {
  const quote = span.passage.text.slice(span.from, span.to)
  const from = span.from + quote.length - quote.trimStart().length
  return { passage: span.passage, from, to: Math.max(from, span.to - (quote.length - quote.trimEnd().length)) }
}

/** As much of a passage before a span as any announcement of it is long. */
export const leadOf = ({ from, passage }: Pick<Span, "from" | "passage">): string =>
  passage.text.slice(Math.max(0, from - 120), from)

const sentencesOfPassage = new WeakMap<Passage, ReadonlyArray<Bounds>>()

/** The sentences of a passage; remembered, since every span in it asks again. */
export const sentencesWithin = (passage: Passage): ReadonlyArray<Bounds> => {
  const known = sentencesOfPassage.get(passage) ?? sentencesIn(passage.text)
  sentencesOfPassage.set(passage, known)
  return known
}

/** The whole sentence around a span, or all of the sentences that it touches. */
export const sentenceAround = ({ from, passage, to }: Span): Span => {
  const touched = sentencesWithin(passage).filter((one) => one.to > from && one.from < Math.max(to, from + 1))
  return trimSpan({ passage, from: touched[0]?.from ?? 0, to: touched.at(-1)?.to ?? passage.text.length })
}

const timingsOf = (segment: Segment): ReadonlyArray<Timing> => {
  const out: Array<Timing> = []
  let at = 0
  for (const { confidence, t_end, t_start, text } of segment.words) {
    const from = segment.text.indexOf(text, at)
    if (from < 0) continue
    at = from + text.length
    out.push({ from, to: at, t_start, t_end, confidence })
  }
  return out
}

type Draft = Omit<Passage, "index">

const spoken = (segment: Segment): Draft => ({
  source_ref: segment.id,
  channel: segment.origin,
  modality: "audio",
  speaker: segment.speaker,
  t_start: segment.t_start,
  t_end: segment.t_end,
  text: segment.text,
  tokens: tokenise(segment.text),
  timings: timingsOf(segment),
  line: null
})

const shown = (
  frame: FrameDescription,
  { t_end, t_start }: OnScreen,
  text: string,
  line: ScreenLine | null,
  confidence: number
): Draft => ({
  source_ref: frame.source_ref,
  channel: line === null ? "vision" : "ocr",
  modality: "visual",
  speaker: null,
  t_start,
  t_end,
  text,
  tokens: tokenise(text),
  timings: (line?.pieces ?? [{ from: 0, to: text.length, confidence }]).map((one) => ({
    from: one.from,
    to: one.to,
    t_start,
    t_end,
    confidence: one.confidence
  })),
  line
})

interface OnScreen {
  readonly t_start: number
  readonly t_end: number
}

interface FrameDraft {
  readonly frame: FrameDescription
  readonly moment: OnScreen
  readonly lines: ReadonlyArray<Draft>
  readonly description: Draft | null
}

/**
 * What a picture model says is nobody's word: no one wrote it, nothing measured it, and text on the picture may have talked
 * the model into it. It counts half of what is read or heard, a bound that no value said by it alone can pass.
 */
const MODEL_SENTENCE = 0.5

const frameDrafts = (vision: Vision, inventory: Frames): ReadonlyArray<FrameDraft> => {
  const moments = onScreen(inventory)
  return vision.frames.toSorted((a, b) => a.timestamp - b.timestamp).map((frame) => {
    const moment = moments.get(frame.source_ref) ?? { t_start: frame.timestamp, t_end: frame.timestamp }
    return {
      frame,
      moment,
      lines: joinWrappedLines(frame.text).map((line) => shown(frame, moment, line.text, line, line.confidence)),
      description: frame.model_sentence === undefined
        ? null
        : shown(frame, moment, frame.model_sentence, null, MODEL_SENTENCE)
    }
  })
}

interface KeyedDraft extends KeyedLine {
  readonly draft: Draft
}

/** A line by its words, whatever their case and marks, and by the signs that make another of it. */
const keyed = (draft: Draft): KeyedDraft => ({
  key: `${normaliseValue(draft.text)}${(draft.text.match(/[$€£¥%]/gu) ?? []).join("")}`,
  line: draft.line!,
  draft
})

/** A slide while its frames are read, by the keys of its title and of what headed it once its page had moved. */
interface OpenSlide {
  readonly keys: Set<string>
  readonly page: ScrolledPage
  readonly lines: Array<Passage>
  slide: Slide
}

/** A line of a slide on the newest of its frames: its title, where the page has moved on a line that is new there. */
const lastOf = ({ slide: { last } }: OpenSlide, title: Draft | undefined, [fresh]: ReadonlyArray<Passage>): Passage =>
  title === undefined || normaliseValue(title.text) !== normaliseValue(last.text)
    ? fresh ?? last
    : { ...title, index: last.index }

/**
 * Everything a source says and shows as one list of passages. Text that stays on screen over several kept frames is listed
 * where it first appears; a slide is the run of frames with one heading and something below it that stays, or of one page that moves up.
 */
export const makeSourceDocument = (source: {
  readonly transcript: Transcript
  readonly vision: Vision
  readonly frames: Frames
}): SourceDocument => {
  const duration = source.transcript.duration_seconds
  const passages: Array<Passage> = []
  const add = (draft: Draft): Passage => {
    const passage = { ...draft, index: passages.length }
    passages.push(passage)
    return passage
  }
  for (const segment of source.transcript.segments.toSorted((a, b) => a.t_start - b.t_start)) {
    if (segment.text.trim() !== "") add(spoken(segment))
  }

  const slides: Array<OpenSlide> = []
  let before: ReadonlyArray<KeyedDraft> = []
  for (const { description, frame, lines, moment } of frameDrafts(source.vision, source.frames)) {
    const now = lines.map(keyed)
    const heading = now.find(({ line }) => line.heading)
    const current = slides.at(-1)
    const scrolled = current?.page.scrolled(before, now)
    const unseen = scrolled ?? newLines(before, now)
    // The name of an app or of a shop stands above each of its views: another one begins where nothing else stays of two lines or more.
    const isSameView = before.filter(({ line }) => !line.heading).length < 2 ||
      now.some((one) => !unseen.has(one) && one !== heading)
    const continues = current !== undefined &&
      (scrolled !== undefined ||
        (heading !== undefined && current.keys.has(heading.key) && isSameView && current.page.isStill(before, now)))
    const page = continues ? current.page : new ScrolledPage()
    const added = now.filter((one) => unseen.has(one) || (!continues && one === heading))
    page.add(added)
    const fresh = added.map(({ draft, line }) => add({ ...draft, line: { ...line, page_top: line.top + page.offset } }))
    before = now
    if (continues) {
      if (heading !== undefined) current.keys.add(heading.key)
      current.lines.push(...fresh)
      current.slide = { ...current.slide, t_end: moment.t_end, last: lastOf(current, heading?.draft, fresh) }
    } else if (fresh.length > 0) {
      const title = fresh.find((line) => line.line!.heading) ?? null
      const rest = fresh.filter((line) => line !== title)
      const { source_ref } = frame
      slides.push({
        keys: new Set(heading === undefined ? [] : [heading.key]),
        page,
        lines: rest,
        slide: { source_ref, ...moment, heading: title, lines: rest, last: title ?? fresh[0]! }
      })
    }
    if (description !== null) add(description)
  }
  return {
    passages,
    slides: slides.map(({ slide }) => slide),
    duration_seconds: duration,
    language: source.transcript.language,
    speakers: new Map(source.transcript.speakers.map((speaker) => [speaker.id, speaker.label]))
  }
}
