import type { Artifacts, Citation, Frame, Moment, Segment } from "./Artifacts.ts"
import { inRegion, readFragment } from "./Fragments.ts"

const spaceless = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]/u

/** Whether a cut between two characters goes through a word or a number. */
const cuts = (before: string | undefined, after: string | undefined): boolean => {
  if (before === undefined || after === undefined || spaceless.test(before + after)) return false
  return (/\p{L}/u.test(before) && /\p{L}/u.test(after)) || (/\d/u.test(before) && /\d/u.test(after))
}

/** Where a quote stands in a text, word for word and never from the middle of a word. */
export const placesOf = (text: string, quote: string): ReadonlyArray<number> => {
  const places: Array<number> = []
  if (quote === "") return places
  for (let at = text.indexOf(quote); at >= 0; at = text.indexOf(quote, at + 1)) {
    if (!cuts(text[at - 1], quote[0]) && !cuts(quote.at(-1), text[at + quote.length])) places.push(at)
  }
  return places
}

/** The whole of a quote out of lines one under the other: the end of one, whole ones, the beginning of the last. */
const inLines = (lines: ReadonlyArray<string>, quote: string): boolean => {
  const rest = (left: string, from: number): boolean =>
    lines.some((line, index) => {
      if (index < from) return false
      if (line.startsWith(left) && !cuts(left.at(-1), line[left.length])) return true
      return left.startsWith(`${line} `) && rest(left.slice(line.length + 1), index + 1)
    })
  return lines.some((line, index) => {
    if (placesOf(line, quote).length > 0) return true
    for (let at = 0; at < line.length; at++) {
      const end = line.slice(at)
      if (!cuts(line[at - 1], line[at]) && quote.startsWith(`${end} `)) {
        if (rest(quote.slice(end.length + 1), index + 1)) return true
      }
    }
    return false
  })
}

const heard = new Set(["asr", "captions"])
/** Whether a channel is heard or seen. */
export const sideOf = (channel: string): "audio" | "visual" => heard.has(channel) ? "audio" : "visual"

const sameMoment = (a: Moment, b: Moment): boolean =>
  Math.abs(a.t_start - b.t_start) < 0.0015 && Math.abs(a.t_end - b.t_end) < 0.0015

/** First to last word under each place where the quote stands. */
const momentsIn = (segment: Segment, quote: string): ReadonlyArray<Moment> => {
  const offsets: Array<Moment & { from: number; to: number }> = []
  let at = 0
  for (const word of segment.words) {
    const from = segment.text.indexOf(word.text, at)
    if (from < 0) continue
    at = from + word.text.length
    offsets.push({ from, to: at, t_start: word.t_start, t_end: word.t_end })
  }
  return placesOf(segment.text, quote).map((place) => {
    const under = offsets.filter(({ from, to }) => to > place && from < place + quote.length)
    return { t_start: under[0]?.t_start ?? segment.t_start, t_end: under.at(-1)?.t_end ?? segment.t_end }
  })
}

export interface Sources {
  readonly segment: (source_ref: string) => Segment | undefined
  readonly frame: (source_ref: string) => Frame | undefined
  /** How long a kept frame is on screen: the unbroken run of samples around it, of its cluster and alike by hash. */
  readonly onScreen: (frame: Frame) => Moment
  /** Why a citation does not hold, or undefined. */
  readonly fault: (citation: Citation, channel: string) => string | undefined
  /** What stands before and after the quote at each of its places in its source. */
  readonly around: (citation: Citation, channel: string) => ReadonlyArray<readonly [before: string, after: string]>
}

const bitsApart = (a: string, b: string): number =>
  [...a].reduce((sum, digit, at) => {
    const differing = Number.parseInt(digit, 16) ^ Number.parseInt(b[at] ?? "0", 16)
    return sum + differing.toString(2).replaceAll("0", "").length
  }, 0)

export const openSources = (artifacts: Artifacts): Sources => {
  const segments = new Map(artifacts.transcript.segments.map((segment) => [segment.id, segment]))
  const frames = new Map(artifacts.frames.frames.map((frame) => [frame.source_ref, frame]))
  const shown = new Map(artifacts.vision.frames.map((frame) => [frame.source_ref, frame]))
  const samples = artifacts.frames.frames.toSorted((a, b) => a.timestamp - b.timestamp)

  const onScreen = (frame: Frame): Moment => {
    const at = samples.findIndex(({ id }) => id === frame.id)
    const differs = (other: Frame) => other.cluster !== frame.cluster || bitsApart(other.phash, frame.phash) > 6
    const before = samples.slice(0, at).findLastIndex(differs)
    const after = samples.slice(at + 1).findIndex(differs)
    const last = after === -1 ? samples.length - 1 : at + after
    // Samples are taken twice a second from the first picture on; each bears the time at which its picture began.
    const taken = (Math.floor(samples[0]!.timestamp * 2) + last) / 2
    return { t_start: samples[before + 1]!.timestamp, t_end: Math.max(samples[last]!.timestamp, taken) }
  }

  const spokenFault = (citation: Citation, channel: string): string | undefined => {
    const segment = segments.get(citation.source_ref)
    if (segment === undefined) return `${citation.source_ref} is not in the transcript`
    if (segment.origin !== channel) return `${citation.source_ref} is ${segment.origin}, not ${channel}`
    const moments = momentsIn(segment, citation.quote)
    if (moments.length === 0) return `the quote is not in ${citation.source_ref} word for word`
    if (moments.some((moment) => sameMoment(moment, citation))) return undefined
    return `the quoted words are at ${moments.map((m) => `${m.t_start}–${m.t_end}`).join(", ")} s`
  }

  /** Boxes of the things on a frame that are called so. */
  const thingsCalled = ({ quote, source_ref }: Citation): ReadonlyArray<ReadonlyArray<number>> =>
    (shown.get(source_ref)?.labels ?? []).flatMap(({ box, name }) => box !== undefined && name === quote ? [box] : [])

  const shownFault = (citation: Citation, channel: string): string | undefined => {
    const frame = frames.get(citation.source_ref)
    if (frame === undefined) return `${citation.source_ref} is not in the inventory`
    if (!frame.kept) return `${citation.source_ref} was not kept`
    const description = shown.get(citation.source_ref)
    const lines = description?.text.map(({ text }) => text) ?? []
    const there = channel === "vision"
      ? thingsCalled(citation).length > 0 || placesOf(description?.description ?? "", citation.quote).length > 0
      : inLines(lines, citation.quote)
    if (!there) return `the quote is not on ${citation.source_ref} word for word`
    const moment = onScreen(frame)
    return sameMoment(moment, citation)
      ? undefined
      : `${citation.source_ref} is shown at ${moment.t_start}–${moment.t_end} s`
  }

  /** The region has to hold the very lines that say the quote, or the thing; sound and a description of the whole have none. */
  const fragmentFault = (citation: Citation, channel: string): string | undefined => {
    const fragment = readFragment(citation)
    if (typeof fragment === "string") return fragment
    const { region } = fragment
    const things = channel === "vision" ? thingsCalled(citation) : []
    if (things.length > 0 && region !== null) {
      return things.some((box) => inRegion(region, box))
        ? undefined
        : `no ${citation.quote} is in ${citation.media_fragment} of ${citation.source_ref}`
    }
    if (channel !== "ocr") return region === null ? undefined : `a place in the picture for what is ${channel}`
    if (region === null) return `${citation.media_fragment} does not tell where on ${citation.source_ref}`
    const inside = (shown.get(citation.source_ref)?.text ?? []).filter(({ box }) => inRegion(region, box))
    return inLines(inside.map(({ text }) => text), citation.quote)
      ? undefined
      : `the quote does not stand in ${citation.media_fragment} of ${citation.source_ref}`
  }

  const textsOf = ({ quote, source_ref }: Citation, channel: string): ReadonlyArray<string> => {
    if (sideOf(channel) === "audio") return [segments.get(source_ref)?.text ?? ""]
    const picture = shown.get(source_ref)
    if (channel === "vision") return [picture?.description ?? ""]
    const lines = picture?.text.map(({ text }) => text) ?? []
    const holding = lines.filter((line) => placesOf(line, quote).length > 0)
    return holding.length > 0 ? holding : [lines.join(" ")]
  }

  return {
    around: (citation, channel) =>
      textsOf(citation, channel).flatMap((text) =>
        placesOf(text, citation.quote).map((at) =>
          [text.slice(Math.max(0, at - 200), at), text.slice(at + citation.quote.length).slice(0, 200)] as const
        )
      ),
    segment: (source_ref) => segments.get(source_ref),
    frame: (source_ref) => frames.get(source_ref),
    onScreen,
    fault: (citation, channel) => {
      if (citation.quote.trim() === "") return "the quote is empty"
      if (channel === "asr" || channel === "captions") {
        return spokenFault(citation, channel) ?? fragmentFault(citation, channel)
      }
      if (channel === "ocr" || channel === "vision") {
        return shownFault(citation, channel) ?? fragmentFault(citation, channel)
      }
      return `nothing can be cited from the channel ${channel}`
    }
  }
}
