import type { Cues } from "../../../src/jobs/model/StageIo.ts"

/** A cue beyond this is not speech but a hidden payload. */
const MAX_CUE_CODE_POINTS = 2000

const timing = /^(?:(\d{1,4}):)?(\d{2}):(\d{2})\.(\d{3})[ \t]+-->[ \t]+(?:(\d{1,4}):)?(\d{2}):(\d{2})\.(\d{3})/u

const seconds = (hours: string | undefined, minutes: string, whole: string, thousandths: string): number =>
  (Number(hours ?? 0) * 3_600_000 + Number(minutes) * 60_000 + Number(whole) * 1000 + Number(thousandths)) / 1000

const entities: Readonly<Record<string, string>> = {
  amp: "&",
  lt: "<",
  gt: ">",
  nbsp: " ",
  quot: "\"",
  lrm: "",
  rlm: ""
}

/** Control, bidirectional and zero-width format characters: invisible to a viewer, so they must not reach a quote. */
const invisible = /[\p{Cc}\p{Cf}\u2028\u2029]/gu

/** A command of a drawing, or a coordinate. */
const stroke = /^(?:[bclmnps]|-?[\d.]+)$/u

/** A move and a line or a curve, with two coordinates at least: `3 m 5 s` is a time. */
const drawing = /^m(?: -?[\d.]+){2,}(?: [mn](?: -?[\d.]+){2,})* [bls](?: -?[\d.]+){2}/u

/**
 * Without the shapes of ASS (`{\p1}m 0 0 l 100 0 …{\p0}`), of which FFmpeg leaves the pen's commands as words. One expression for the
 * whole text was not through a cue of 200,000 moves in five minutes; this takes a second.
 */
const withoutDrawings = (text: string): string => {
  const words = text.split(" ")
  const kept: Array<string> = []
  for (let at = 0; at < words.length;) {
    let end = at + 1
    if (words[at] === "m") { while (end < words.length && stroke.test(words[end]!)) end++ }
    const run = words.slice(at, end).join(" ")
    if (!drawing.test(run)) kept.push(run)
    at = end
  }
  return kept.join(" ")
}

/**
 * The words that a viewer would see: markup, override codes, drawn shapes and invisible characters are gone, white space is single,
 * the form is NFC.
 */
export const captionWords = (raw: string): string => {
  const shown = raw
    .replace(/\{\\[^}]*\}/gu, " ")
    .replace(/<\/?(?:i|b|u|s|c|v|font|lang|ruby|rt|span)\b[^>]*>|<\d[\d:.]*>/giu, " ")
    .replace(/\\[Nnh]/gu, " ")
    .replace(/&(amp|lt|gt|nbsp|quot|lrm|rlm);/gu, (_, name: string) => entities[name]!)
    .replace(/[\s\u2028\u2029]+/gu, " ")
    .replace(invisible, "")
    .normalize("NFC")
  const words = withoutDrawings(shown)
    .replace(/ +([,.;:!?…])/gu, "$1")
    .replace(/ {2,}/gu, " ")
    .trim()
  return [...words].slice(0, MAX_CUE_CODE_POINTS).join("").trimEnd()
}

/**
 * Cues of one WebVTT text in its own order, times in seconds from the start of the source. Comments, styles and regions
 * are not cues; cues without words, without length or beyond `duration_seconds` are left out. An empty line within a cue's words, which
 * FFmpeg writes of `\N\N` in ASS though WebVTT has none there, does not end them.
 */
export const readCues = (text: string, language: string | null, duration_seconds: number): Cues => {
  const cues: Array<Cues[number] & { readonly lines: Array<string> }> = []
  let open: Array<string> | undefined
  for (const block of text.replace(/\r\n?/gu, "\n").split(/\n{2,}/u)) {
    const lines = block.split("\n")
    const at = lines.findIndex((line) => timing.test(line))
    const isOther = /^(?:NOTE|STYLE|REGION)\b/u.test(lines[0]!)
    // One by one: beyond some 120,000 lines an argument each is more than the stack holds.
    if (at < 0 && !isOther) { for (const line of lines) open?.push(line) }
    // An identifier is one line; more in front of the arrow is a NOTE or a STYLE that only looks like a cue.
    if (at < 0 || at > 1 || isOther) continue
    const match = timing.exec(lines[at]!)!
    const t_start = seconds(match[1], match[2]!, match[3]!, match[4]!)
    const t_end = Math.min(seconds(match[5], match[6]!, match[7]!, match[8]!), duration_seconds)
    open = lines.slice(at + 1)
    if (t_end > t_start) cues.push({ t_start, t_end, text: "", language, lines: open })
  }
  return cues.flatMap(({ lines, ...cue }) => {
    const words = captionWords(lines.join("\n"))
    return words === "" ? [] : [{ ...cue, text: words }]
  })
}
