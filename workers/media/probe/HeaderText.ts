import { languageTag } from "../../../src/text/LanguageTag.ts"

/** One stream as the container declares it, the same from either way of probing. */
export interface StreamHeader {
  readonly index: number
  readonly kind: "video" | "audio" | "subtitle" | "other"
  readonly codec: string
  readonly width: number
  readonly height: number
  /** Width of a pixel over its height. */
  readonly pixel_aspect: number
  /** Degrees clockwise that the picture must be turned to stand upright: 0 to 359. */
  readonly rotation: number
  readonly frame_rate: number | null
  /** Two fields per picture, taken one after the other. */
  readonly interlaced: boolean
  /** The light curve of the samples by its FFmpeg name, where the stream tells it. */
  readonly transfer: string | null
  /** How luma and colour are made of red, green and blue, by its FFmpeg name, where the stream tells it. */
  readonly matrix: string | null
  /** By BCP 47. */
  readonly language: string | null
  /** The one that a player takes when nobody chooses. */
  readonly is_default: boolean
  /** Captions that a player shows although nobody chose any. */
  readonly is_forced: boolean
}

export interface Header {
  readonly duration_seconds: number | null
  /** What the container's clock says where the file begins. */
  readonly start_seconds: number
  readonly streams: ReadonlyArray<StreamHeader>
}

/** Pixel shapes beyond 4:1 exist only in broken or hostile files and would make absurd frame sizes. */
export const pixelAspect = (across: number, down: number): number => {
  const ratio = across / down
  return Number.isFinite(ratio) && ratio >= 0.25 && ratio <= 4 ? ratio : 1
}

/** Decoders report turns counter-clockwise and signed. */
export const clockwise = (reported: number): number => ((Math.round(-reported) % 360) + 360) % 360

/** Decoders have a name for what a stream does not tell. */
export const told = (name: string | undefined): string | null => name === undefined || name === "unknown" ? null : name

const kinds: Readonly<Record<string, StreamHeader["kind"]>> = {
  Video: "video",
  Audio: "audio",
  Subtitle: "subtitle"
}

// Metadata values cannot forge these lines: their continuation lines start with spaces and a colon.
const streamLine = /^ {2,6}Stream #0:(\d+)(?:\[0x[0-9a-f]+\])?(?:\(([^)]*)\))?: (\w+): ([\w-]+)(.*)$/u
const durationLine = /^ {2}Duration: (\d+):(\d{2}):(\d{2}(?:\.\d+)?)/u
const startLine = /^ {2}Duration: .*, start: (-?\d+(?:\.\d+)?)/u
const rotationLine = /^\s+displaymatrix: rotation of (-?\d+(?:\.\d+)?) degrees/u

const frameRate = (text: string): number | null => {
  const match = /, (\d+(?:\.\d+)?)(k?) fps/u.exec(text)
  if (match === null) return null
  const rate = Number(match[1]) * (match[2] === "k" ? 1000 : 1)
  return rate > 0 ? rate : null
}

/** Pixel format, range and colour: `yuv420p10le(tv, bt2020nc/bt2020/smpte2084, progressive)`, one name where all are one. */
const colourOf = (text: string): Pick<StreamHeader, "matrix" | "transfer"> => {
  const [, matrix, transfer] = /, \w+\((?:(?:tv|pc), )?([\w-]+)\/[\w-]+\/([\w-]+)[,)]/u.exec(text) ?? []
  const one = /, \w+\((?:(?:tv|pc), )?(bt\d+\w*|smpte\d+\w*)[,)]/u.exec(text)?.[1]
  return { matrix: told(matrix ?? one), transfer: told(transfer ?? one) }
}

/**
 * Reads what `ffmpeg -i` prints about its input: the way to probe where no ffprobe is installed. Lines that it does not
 * know are passed over; without a stream line the result has no streams.
 */
export const readHeaderText = (text: string): Header => {
  const input = text.split(/^Output #0/mu)[0]!
  const streams: Array<StreamHeader> = []
  let duration_seconds: number | null = null
  let start_seconds: number | null = null
  for (const line of input.split(/\r?\n/u)) {
    const duration = durationLine.exec(line)
    if (duration !== null && duration_seconds === null) {
      duration_seconds = Number(duration[1]) * 3600 + Number(duration[2]) * 60 + Number(duration[3])
    }
    start_seconds ??= Number(startLine.exec(line)?.[1] ?? Number.NaN) || null
    const turned = rotationLine.exec(line)
    const last = streams.at(-1)
    if (turned !== null && last !== undefined) {
      streams[streams.length - 1] = { ...last, rotation: clockwise(Number(turned[1])) }
    }
    const stream = streamLine.exec(line)
    if (stream === null) continue
    const rest = stream[5]!
    const size = /, (\d{1,6})x(\d{1,6})(?:[ ,]|$)/u.exec(rest)
    const aspect = /\bSAR (\d+):(\d+)/u.exec(rest)
    streams.push({
      index: Number(stream[1]),
      kind: kinds[stream[3]!] ?? "other",
      codec: stream[4]!,
      width: Number(size?.[1] ?? 0),
      height: Number(size?.[2] ?? 0),
      pixel_aspect: aspect === null ? 1 : pixelAspect(Number(aspect[1]), Number(aspect[2])),
      rotation: 0,
      frame_rate: frameRate(rest),
      interlaced: /\((?:[^()]*, )?(?:top|bottom) (?:first|coded first \(swapped\))\)/u.test(rest),
      ...colourOf(rest),
      language: languageTag(stream[2]),
      is_default: /\(default\)/u.test(rest),
      is_forced: /\(forced\)/u.test(rest)
    })
  }
  return { duration_seconds, start_seconds: start_seconds ?? 0, streams }
}
