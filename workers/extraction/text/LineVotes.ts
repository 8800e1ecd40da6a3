import type { Word } from "../../../src/artifacts/Transcript.ts"
import type { FrameDescription, TextLine } from "../../../src/artifacts/Vision.ts"

const tuning = {
  /** Share of both boxes that two readings of one line have in common. */
  same_place: 0.5,
  /** Characters of a line, as a share of its length, in which two readings of it differ at most. */
  most_edits: 0.2,
  /** Kept frames after which a line that was not seen again is another one. */
  window: 24,
  /** Fewer frames outvote nothing: of worn clips whose third frame reads otherwise, two were wrong as often as right. */
  least_frames: 3,
  /** So many times as many frames speak for a reading that outvotes another, which look-alikes alone tell from it. */
  majority: 2,
  /** Another reading is a glitch where it is this much less sure, and so many times as many frames speak against it. */
  doubt: 0.02,
  doubted_majority: 3,
  /** One letter of a word of so many, against so many times as many frames, is one whatever the confidence: `befor` was as sure as `before`. */
  letter_word: 4,
  letter_majority: 4
} as const

/** What one line was read as, on which frames. */
interface Reading {
  readonly text: string
  readonly frames: Array<number>
  readonly confidences: Array<number>
}

interface Track {
  box: TextLine["box"]
  last: number
  readonly readings: Map<string, Reading>
}

const shared = ([ax, ay, aw, ah]: TextLine["box"], [bx, by, bw, bh]: TextLine["box"]): number => {
  const across = Math.max(0, Math.min(ax + aw, bx + bw) - Math.max(ax, bx))
  const down = Math.max(0, Math.min(ay + ah, by + bh) - Math.max(ay, by))
  const both = across * down
  return both <= 0 ? 0 : both / (aw * ah + bw * bh - both)
}

/** Characters in place of others: of `a` and of `b`, empty where there is nothing. */
type Edit = readonly [a: string, b: string]

/** The cheapest edits from one reading to another (Levenshtein); undefined where they are more than `most`. */
const editsOf = (a: string, b: string, most: number): ReadonlyArray<Edit> | undefined => {
  if (Math.abs(a.length - b.length) > most) return undefined
  const width = b.length + 1
  const costs = new Uint16Array((a.length + 1) * width)
  for (let j = 0; j < width; j++) costs[j] = j
  for (let i = 1; i <= a.length; i++) {
    costs[i * width] = i
    for (let j = 1; j < width; j++) {
      costs[i * width + j] = Math.min(
        costs[(i - 1) * width + j - 1]! + (a[i - 1] === b[j - 1] ? 0 : 1),
        costs[(i - 1) * width + j]! + 1,
        costs[i * width + j - 1]! + 1
      )
    }
  }
  if (costs.at(-1)! > most) return undefined
  const edits: Array<Edit> = []
  let [i, j] = [a.length, b.length]
  while (i > 0 || j > 0) {
    const here = costs[i * width + j]!
    if (i > 0 && j > 0 && here === costs[(i - 1) * width + j - 1]! + (a[i - 1] === b[j - 1] ? 0 : 1)) {
      if (a[i - 1] !== b[j - 1]) edits.push([a[i - 1]!, b[j - 1]!])
      i--
      j--
    } else if (i > 0 && here === costs[(i - 1) * width + j]! + 1) edits.push([a[--i]!, ""])
    else edits.push(["", b[--j]!])
  }
  return edits
}

/** Characters that one stroke or the size of type tells apart. */
const LOOK_ALIKE = ["0OoQ", "1lI|!i", "5Ss", "8B", "2Zz", "cC", "vV", "wW", "xX", "kK", "pP", "uU"]
/** Spaces and small marks, which come and go with the quality of a picture. */
const PASSED = /^[\s.,;:·'’‘`´"“”_~-]?$/u

const isSlight = ([a, b]: Edit): boolean =>
  (PASSED.test(a) && PASSED.test(b)) ||
  LOOK_ALIKE.some((some) => a !== "" && b !== "" && some.includes(a) && some.includes(b))

const mean = (values: ReadonlyArray<number>): number => values.reduce((sum, one) => sum + one, 0) / values.length

const wordsOf = (text: string): ReadonlyArray<string> => text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []

/** Words of one reading that the other does not have. */
const onlyIn = (a: string, b: string): ReadonlyArray<string> => {
  const others = new Set(wordsOf(b))
  return [...new Set(wordsOf(a))].filter((word) => !others.has(word))
}

/** Of short words one or two letters make others: what was read "oft" on a slide of valves was "on" where the other frames had "off". */
const areLong = (a: string, b: string): boolean =>
  [...onlyIn(a, b), ...onlyIn(b, a)].every((word) => word.length >= tuning.letter_word)

/** Numbers and lone letters are what changes from one frame to the next on a slide of steps, prices and choices. */
const isNumeral = (a: string, b: string): boolean =>
  [...onlyIn(a, b), ...onlyIn(b, a)].some((word) => word.length === 1 || /\p{N}/u.test(word))

/** Whether one letter of a longer word is all that differs: what changes on screen differs by more, as words do. */
const isLetter = (a: string, b: string, edits: ReadonlyArray<Edit>): boolean =>
  edits.length === 1 && !isNumeral(a, b) && areLong(a, b)

/** Whether what tells one reading from another was heard, and what stands there in the other was not. */
const isHeard = (a: string, b: string, heard: ReadonlySet<string>): boolean => {
  const only = onlyIn(a, b)
  return only.length > 0 && only.every((word) => word.length > 2 && heard.has(word)) &&
    !onlyIn(b, a).some((word) => heard.has(word))
}

const within = (a: string): number => Math.max(1, Math.floor(tuning.most_edits * a.length))

/**
 * Whether a line was misread where it reads `b`. What look-alikes, spaces and points alone tell apart is settled by the number of frames. Other
 * words may stand there for a while: they were misread only on few frames, with plain doubt, and a number only between two frames that read it otherwise.
 */
const outvotes = (a: Reading, b: Reading, heard: ReadonlySet<string>): boolean => {
  const edits = editsOf(a.text, b.text, within(a.text))
  if (edits === undefined) return false
  const votes = a.frames.length + (isHeard(a.text, b.text, heard) ? 1 : 0)
  if (votes < tuning.least_frames) return false
  if (edits.every(isSlight)) return votes >= tuning.majority * b.frames.length
  if (isLetter(a.text, b.text, edits)) return votes >= tuning.letter_majority * b.frames.length
  const doubted = mean(a.confidences) - Math.max(...b.confidences) >= tuning.doubt
  const between = a.frames[0]! < b.frames[0]! && a.frames.at(-1)! > b.frames.at(-1)!
  return doubted && votes >= tuning.doubted_majority * b.frames.length &&
    (isNumeral(a.text, b.text) ? between : areLong(a.text, b.text))
}

/** What each reading of a line is to be: the one that most frames speak for, where they outvote it. */
const elected = ({ readings }: Track, heard: ReadonlySet<string>): ReadonlyMap<string, Reading> => {
  if (readings.size < 2) return new Map()
  const ranked = [...readings.values()].toSorted((a, b) =>
    b.frames.length - a.frames.length || mean(b.confidences) - mean(a.confidences) || (a.text < b.text ? -1 : 1)
  )
  return new Map(ranked.flatMap((b) => {
    const winner = ranked.find((a) => a !== b && outvotes(a, b, heard))
    return winner === undefined ? [] : [[b.text, winner] as const]
  }))
}

const rounded = (value: number): number => Math.round(value * 10_000) / 10_000

/**
 * Kept frames in time order with what is written on them as most frames read it: a line that stands in one place over several frames and was misread
 * on few of them reads as on the others, and a word that was heard votes with them. What nobody read is never written, and
 * what changes on screen stays as it was read. Pure.
 */
export const asMostRead = (
  frames: ReadonlyArray<FrameDescription>,
  words: ReadonlyArray<Pick<Word, "text">>
): ReadonlyArray<FrameDescription> => {
  const heard = new Set(words.flatMap(({ text }) => wordsOf(text)))
  let open: Array<Track> = []
  const tracks = frames.map(({ text }, index) => {
    open = open.filter(({ last }) => index - last <= tuning.window)
    return text.map(({ box, confidence, text: read }) => {
      const near = open.filter((track) => track.last < index && shared(track.box, box) >= tuning.same_place)
      const own = near.find(({ readings }) => readings.has(read)) ??
        near.find(({ readings }) =>
          [...readings.keys()].some((other) => editsOf(other, read, within(other)) !== undefined)
        )
      const track = own ?? { box, last: index, readings: new Map<string, Reading>() }
      if (own === undefined) open.push(track)
      track.box = box
      track.last = index
      const reading = track.readings.get(read) ?? { text: read, frames: [], confidences: [] }
      reading.frames.push(index)
      reading.confidences.push(confidence)
      track.readings.set(read, reading)
      return track
    })
  })
  const winners = new Map(tracks.flat().map((track) => [track, elected(track, heard)]))
  return frames.map((frame, index) => {
    let { description } = frame
    let changed = false
    const text = frame.text.map((line, at): TextLine => {
      const winner = winners.get(tracks[index]![at]!)!.get(line.text)
      if (winner === undefined) return line
      changed = true
      description = description.replaceAll(`“${line.text}”`, `“${winner.text}”`)
      return { ...line, text: winner.text, confidence: rounded(mean(winner.confidences)) }
    })
    return changed ? { ...frame, description, text } : frame
  })
}
