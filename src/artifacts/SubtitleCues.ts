import { spokenSegments } from "./SpokenSegments.ts"
import type { Segment, Transcript } from "./Transcript.ts"

/** Width of a subtitle line and of a cue, in columns; a wide character (Chinese, Japanese, Korean, emoji) takes two. */
const LINE_COLUMNS = 42
/** A speaker's name in front of the words never fills its line. */
const NAME_COLUMNS = 30
const LONGEST_MS = 7000
/** A shorter cue stays this long where nothing follows: a single word is said in 0.3 s and not read in that. */
const READABLE_MS = 1000

/** A word, or a part of one that is longer than a line. */
interface Piece {
  readonly text: string
  readonly columns: number
  /** The word goes on: no space before it. */
  readonly joined: boolean
  readonly from: number
  readonly to: number
}

/** One subtitle; times are whole milliseconds. */
export interface SubtitleCue {
  /** The segment that it shows, and which part of it from 0. */
  readonly segment: string
  readonly part: number
  readonly t_start: number
  readonly t_end: number
  readonly speaker: string | null
  /** One or two lines, without and with the speaker's name in front where the speaker changes. */
  readonly lines: ReadonlyArray<string>
  readonly named_lines: ReadonlyArray<string>
}

const graphemes = new Intl.Segmenter("und", { granularity: "grapheme" })
const wide =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Extended_Pictographic}\u{3000}-\u{303f}\u{ff00}-\u{ff60}]/u

const letters = (text: string) => Array.from(graphemes.segment(text), ({ segment }) => segment)
const columnsOf = (text: string) =>
  /^[ -~]*$/u.test(text) ? text.length : letters(text).reduce((sum, letter) => sum + (wide.test(letter) ? 2 : 1), 0)

/** Control characters and any run of white space become one space. */
export const plain = (text: string): string => text.replaceAll(/[\s\p{Cc}]+/gu, " ").trim()

/** Names by speaker id; a speaker without a name is called by the id. */
export const speakerNames = ({ speakers }: Transcript) => {
  const names = new Map(speakers.map(({ id, label }) => [id, plain(label)]))
  return (speaker: string | null): string | null =>
    speaker === null ? null : names.get(speaker) || plain(speaker) || null
}

/** Cuts a text into parts of at most `most` columns. */
const parts = (text: string, most: number): Array<string> => {
  if (columnsOf(text) <= most) return [text]
  const cut: Array<string> = []
  let room = 0
  for (const letter of letters(text)) {
    const columns = wide.test(letter) ? 2 : 1
    if (columns > room) {
      cut.push("")
      room = most
    }
    cut[cut.length - 1] += letter
    room -= columns
  }
  return cut
}

/** Pieces share the time of their text by their columns. */
const shared = (text: string, from: number, to: number): Array<Piece> => {
  const texts = plain(text).split(" ").filter((word) => word !== "").map((word) => parts(word, LINE_COLUMNS))
  const total = texts.flat().reduce((sum, part) => sum + columnsOf(part), 0)
  const pieces: Array<Piece> = []
  let before = 0
  const moment = () => from + Math.round(((to - from) * before) / total)
  for (const parts of texts) {
    for (const [i, text] of parts.entries()) {
      const [columns, start] = [columnsOf(text), moment()]
      before += columns
      pieces.push({ text, columns, joined: i > 0, from: start, to: moment() })
    }
  }
  return pieces
}

const milliseconds = (seconds: number) => Math.round(seconds * 1000)

/** What a segment says, in time order: no piece begins before the one in front of it. */
const piecesOf = ({ t_end, t_start, text, words }: Segment): Array<Piece> => {
  const timed = words.length === 0 ? [{ text, t_start, t_end }] : words
  let at = 0
  return timed.flatMap((word) => {
    at = Math.max(at, milliseconds(word.t_start))
    return shared(word.text, at, Math.max(at, milliseconds(word.t_end)))
  })
}

/** Columns of the pieces `[from, to)` on one line. */
type Room = (from: number, to: number) => number

const roomOf = (pieces: ReadonlyArray<Piece>): Room => {
  const ends = [0]
  for (const { columns, joined } of pieces) ends.push(ends.at(-1)! + columns + (joined ? 0 : 1))
  return (from, to) => from === to ? 0 : ends[to]! - ends[from]! - (pieces[from]!.joined ? 0 : 1)
}

/** Which piece begins the second line, so that both are about equally long; null where two lines do not do. */
const secondLine = (room: Room, from: number, to: number, lead: number): number | null => {
  if (lead + room(from, to) <= LINE_COLUMNS) return to
  let [best, least]: [number | null, number] = [null, Infinity]
  // A name may stand on a line of its own.
  for (let at = lead > 0 ? from : from + 1; at < to; at++) {
    const [first, second] = [lead + room(from, at), room(at, to)]
    if (first > LINE_COLUMNS) break
    if (second <= LINE_COLUMNS && Math.abs(first - second) < least) [best, least] = [at, Math.abs(first - second)]
  }
  return best
}

const linesOf = (pieces: ReadonlyArray<Piece>, lead: string): ReadonlyArray<string> => {
  const at = secondLine(roomOf(pieces), 0, pieces.length, columnsOf(lead))!
  const line = (of: ReadonlyArray<Piece>) =>
    of.reduce((text, piece, i) => text + (i === 0 || piece.joined ? "" : " ") + piece.text, "")
  const [first, second] = [(lead + line(pieces.slice(0, at))).trimEnd(), line(pieces.slice(at))]
  return second === "" ? [first] : [first, second]
}

/** How bad it is to end a cue after a piece: worst within a phrase. */
const roughness = ({ text, to }: Piece, next: Piece): number => {
  if (next.joined) return 3
  if (/[.?!…。？！]["'”’)»\]]*$/u.test(text)) return 0
  const within = /[,;:–—،、，]["'”’)»\]]*$/u.test(text) ? 0.3 : 0.9
  return next.from - to >= 300 ? within / 2 : within
}

/**
 * Cuts a segment's pieces into cues of two lines and seven seconds: the cheapest cut of all, where every cue costs, an
 * end within a phrase costs, and a nearly empty cue costs.
 */
const cut = (pieces: ReadonlyArray<Piece>, lead: number): Array<ReadonlyArray<Piece>> => {
  const costs = [0]
  const cuts = [0]
  const room = roomOf(pieces)
  for (let end = 1; end <= pieces.length; end++) {
    costs.push(Infinity)
    cuts.push(end - 1)
    const rough = end === pieces.length ? 0 : roughness(pieces[end - 1]!, pieces[end]!)
    for (let start = end - 1; start >= 0; start--) {
      const tooLong = end - start > 1 && pieces[end - 1]!.to - pieces[start]!.from > LONGEST_MS
      if (tooLong || secondLine(room, start, end, start === 0 ? lead : 0) === null) break
      const empty = Math.max(0, 1 - room(start, end) / (2 * LINE_COLUMNS))
      const cost = costs[start]! + 1 + rough + 0.5 * empty ** 2
      if (cost < costs[end]!) {
        costs[end] = cost
        cuts[end] = start
      }
    }
  }
  const cues: Array<ReadonlyArray<Piece>> = []
  for (let end = pieces.length; end > 0; end = cuts[end]!) cues.push(pieces.slice(cuts[end]!, end))
  return cues.toReversed()
}

/**
 * The transcript as subtitles, in the order of their starts: at most two lines of 42 columns and seven seconds each, cut
 * where a sentence or a phrase ends if it can be (BBC and Netflix guidelines). A cue never starts before its first word,
 * lasts at least a millisecond and never overlaps the next one of the same speaker. Segments without words give none.
 */
export const subtitleCues = (transcript: Transcript): ReadonlyArray<SubtitleCue> => {
  const nameOf = speakerNames(transcript)
  let before: string | null = null
  const cues = spokenSegments(transcript).flatMap((segment) => {
    const { speaker } = segment
    const pieces = piecesOf(segment)
    if (pieces.length === 0) return []
    const name = speaker === before ? null : nameOf(speaker)
    const lead = name === null ? "" : `${shortened(name)}: `
    before = speaker
    return cut(pieces, columnsOf(lead)).map((own, part) => ({
      segment: segment.id,
      part,
      t_start: own[0]!.from,
      t_end: Math.min(own.at(-1)!.to, own[0]!.from + LONGEST_MS),
      speaker,
      lines: linesOf(own, ""),
      named_lines: linesOf(own, part === 0 ? lead : "")
    }))
  })
  return readable(apart(cues), milliseconds(transcript.duration_seconds))
}

const shortened = (name: string) => columnsOf(name) <= NAME_COLUMNS ? name : `${parts(name, NAME_COLUMNS - 1)[0]}…`

/** Cues of one speaker in turn: each ends where the next begins, and lasts at least a millisecond. */
const apart = (cues: ReadonlyArray<SubtitleCue>): Array<SubtitleCue> => {
  const bySpeaker = Map.groupBy(cues.toSorted((a, b) => a.t_start - b.t_start), ({ speaker }) => speaker)
  return [...bySpeaker.values()].flatMap((own) => {
    let free = 0
    return own.map((cue, i) => {
      const t_start = Math.max(cue.t_start, free)
      const next = own[i + 1]?.t_start ?? Infinity
      free = Math.max(t_start + 1, Math.min(cue.t_end, next, t_start + LONGEST_MS))
      return { ...cue, t_start, t_end: free }
    })
  }).toSorted((a, b) => a.t_start - b.t_start)
}

/** Short cues stay until they can be read, or until something else is said, or until the source ends. */
const readable = (cues: ReadonlyArray<SubtitleCue>, duration: number): Array<SubtitleCue> =>
  cues.map((cue, i) => ({
    ...cue,
    t_end: Math.max(cue.t_end, Math.min(cue.t_start + READABLE_MS, cues[i + 1]?.t_start ?? duration))
  }))
