/** A container that may be opened, by its first bytes. `demuxer` is the name that the decoder is forced to. */
export interface Container {
  readonly container: string
  readonly demuxer: string
}

/** How many first bytes decide. */
export const SNIFF_BYTES = 4100

const ascii = (bytes: Uint8Array, from: number, length: number): string =>
  String.fromCharCode(...bytes.subarray(from, from + length))

const startsWith = (bytes: Uint8Array, signature: ReadonlyArray<number>): boolean =>
  signature.every((byte, i) => bytes[i] === byte)

const both = (name: string): Container => ({ container: name, demuxer: name })

const isoBoxes = new Set(["moov", "mdat", "free", "skip", "wide", "pnot", "styp", "moof", "sidx"])
const stillImageBrands = /^(heic|heix|heim|heis|hevc|hevx|mif1|msf1|avif|avis|crx |jp2 |jpx |jpm )$/u

/** ISO base media (MP4, MOV, 3GP, M4A); still images in the same boxes are not media. */
const isoMedia = (bytes: Uint8Array): Container | undefined => {
  const box = ascii(bytes, 4, 4)
  if (box === "ftyp") {
    const brand = ascii(bytes, 8, 4)
    if (stillImageBrands.test(brand)) return undefined
    return { container: brand === "qt  " ? "mov" : brand.startsWith("3g") ? "3gp" : "mp4", demuxer: "mov" }
  }
  return isoBoxes.has(box) ? { container: "mov", demuxer: "mov" } : undefined
}

const riff = (bytes: Uint8Array): Container | undefined => {
  const outer = ascii(bytes, 0, 4)
  const form = ascii(bytes, 8, 4)
  if (outer === "RIFF" && form === "AVI ") return both("avi")
  return (outer === "RIFF" || outer === "RF64") && form === "WAVE" ? both("wav") : undefined
}

/** Matroska or WebM: the DocType is among the first EBML elements. */
const matroska = (bytes: Uint8Array): Container => ({
  container: ascii(bytes, 0, 64).includes("webm") ? "webm" : "matroska",
  demuxer: "matroska"
})

/** Three sync bytes at one packet's distance: 188 bytes, or 192 with a time code before each packet. */
const transportStream = (bytes: Uint8Array): boolean =>
  [[0, 188], [4, 192]].some(([start, size]) => [0, 1, 2].every((k) => bytes[start! + k * size!] === 0x47))

/** Length of an MPEG audio frame (ISO 11172-3, 13818-3) whose header is at `at`, or 0 when there is none. */
const mpegAudioFrame = (bytes: Uint8Array, at: number): number => {
  const [a, b, c] = [bytes[at], bytes[at + 1], bytes[at + 2]]
  if (a !== 0xff || b === undefined || c === undefined || (b & 0xe0) !== 0xe0) return 0
  const version = (b >> 3) & 3
  const layer = (b >> 1) & 3
  const rate = c >> 4
  const frequency = (c >> 2) & 3
  if (version === 1 || layer !== 1 || rate === 0 || rate === 15 || frequency === 3) return 0
  const kilobits = version === 3
    ? [32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320]
    : [8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160]
  const hertz = [44_100, 48_000, 32_000][frequency]! / (version === 3 ? 1 : version === 2 ? 2 : 4)
  return Math.floor(((version === 3 ? 144 : 72) * kilobits[rate - 1]! * 1000) / hertz) + ((c >> 1) & 1)
}

/** Length of an ADTS frame (ISO 13818-7) at `at`, or 0. */
const adtsFrame = (bytes: Uint8Array, at: number): number => {
  if (bytes[at] !== 0xff || ((bytes[at + 1] ?? 0) & 0xf6) !== 0xf0 || bytes.length < at + 6) return 0
  return ((bytes[at + 3]! & 3) << 11) | (bytes[at + 4]! << 3) | (bytes[at + 5]! >> 5)
}

/** Two frame headers in a row: one alone also turns up in random bytes. */
const framed = (bytes: Uint8Array, at: number, length: typeof adtsFrame): boolean => {
  const size = length(bytes, at)
  return size > 6 && (at + size >= bytes.length || length(bytes, at + size) > 0)
}

const elementaryAudio = (bytes: Uint8Array, at: number): Container | undefined => {
  if (ascii(bytes, at, 4) === "fLaC") return both("flac")
  if (framed(bytes, at, adtsFrame)) return both("aac")
  return framed(bytes, at, mpegAudioFrame) ? both("mp3") : undefined
}

/** An ID3v2 tag stands before MP3, ADTS or FLAC; a long one hides what follows, and then it is MP3. */
const tagged = (bytes: Uint8Array): Container => {
  const size = bytes.subarray(6, 10).reduce((sum, byte) => (sum << 7) | (byte & 0x7f), 0)
  return elementaryAudio(bytes, 10 + size) ?? both("mp3")
}

const asfGuid = [0x30, 0x26, 0xb2, 0x75, 0x8e, 0x66, 0xcf, 0x11]
const mxfKey = [0x06, 0x0e, 0x2b, 0x34, 0x02, 0x05, 0x01, 0x01, 0x0d, 0x01, 0x02, 0x01, 0x01, 0x02]

/**
 * Tells the container by magic bytes alone, never by name or declared type. Undefined for everything that is not on the
 * list: playlists, subtitles, text, images and programs never reach a decoder, because some decoders follow what is
 * written in them.
 */
export const sniff = (bytes: Uint8Array): Container | undefined => {
  if (bytes.length < 8) return undefined
  if (startsWith(bytes, [0x1a, 0x45, 0xdf, 0xa3])) return matroska(bytes)
  if (startsWith(bytes, asfGuid)) return both("asf")
  if (startsWith(bytes, mxfKey)) return both("mxf")
  if (startsWith(bytes, [0x00, 0x00, 0x01, 0xba])) return both("mpeg")
  if (ascii(bytes, 0, 4) === "OggS") return both("ogg")
  if (ascii(bytes, 0, 4) === "FLV\u0001") return both("flv")
  if (ascii(bytes, 0, 5) === "#!AMR") return both("amr")
  if (ascii(bytes, 0, 3) === "ID3") return tagged(bytes)
  return riff(bytes) ?? isoMedia(bytes) ?? (transportStream(bytes) ? both("mpegts") : elementaryAudio(bytes, 0))
}

/** Whether these first bytes are a web page: what a link to a hosting site answers instead of the file. */
export const looksLikePage = (bytes: Uint8Array): boolean =>
  /^\s*(?:<\?xml[^>]*>\s*)?(?:<!--[\s\S]*?-->\s*)*<(?:!doctype html|html|head|body|script)\b/iu.test(
    ascii(bytes, 0, 1024).replace(/^ï»¿/u, "")
  )
