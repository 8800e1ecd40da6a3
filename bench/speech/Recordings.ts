import { Effect } from "effect"
import { execFile } from "node:child_process"
import { existsSync, readdirSync, readFileSync } from "node:fs"
import { basename, dirname, join, relative, resolve } from "node:path"
import { promisify } from "node:util"
import { findMediaTools } from "../../workers/media/ffmpeg/Ffmpeg.ts"
import { SAMPLE_RATE } from "../../workers/speech/dsp/FeatureExtractor.ts"
import type { PcmFile } from "../../workers/speech/dsp/PcmFile.ts"
import { mediaNamed } from "../MediaBeside.ts"
import type { Turn } from "./SpeakerErrors.ts"

export interface TimedWord {
  readonly text: string
  readonly t_start: number
  readonly t_end: number
}

/** A labelled recording of a folder; what is null has no label. */
export interface Recording {
  readonly file: string
  /** The folder inside of the labelled one; beside such folders the file's own name, without any the labelled one's. */
  readonly set: string
  readonly transcript: string | null
  readonly speaker: string | null
  readonly turns: ReadonlyArray<Turn> | null
  readonly words: ReadonlyArray<TimedWord> | null
  /** In a folder `nonspeech`: nobody speaks. */
  readonly silent: boolean
}

interface Entry {
  readonly path: string
  readonly kind: string
  readonly language?: string
  readonly transcript?: string
  readonly speaker?: string
  readonly rttm?: ReadonlyArray<readonly [number, number, string]>
  readonly words?: ReadonlyArray<
    readonly [string, number, number] | {
      readonly word: string
      readonly start_sec?: number
      readonly end_sec?: number
    }
  >
}

const manifestOf = (folder: string): string | undefined => {
  for (let at = folder;; at = dirname(at)) {
    const file = join(at, "manifest.json")
    if (existsSync(file)) return file
    if (at === dirname(at)) return undefined
  }
}

export interface ReadRecordings {
  readonly recordings: ReadonlyArray<Recording>
  /** `path: why` of everything that a label names and that is not heard. */
  readonly unread: ReadonlyArray<string>
}

interface Truth {
  readonly turns?: ReadonlyArray<Turn & { readonly text: string }>
  /** The same in other words. */
  readonly segments?: ReadonlyArray<
    { readonly start: number; readonly end: number; readonly speaker: string; readonly text: string }
  >
}

const TRUTH = ".truth.json"

const turnsOf = ({ segments, turns }: Truth): ReadonlyArray<Turn & { readonly text: string }> | undefined =>
  turns ?? segments?.map(({ end, speaker, start, text }) => ({ t_start: start, t_end: end, speaker, text }))

/** Clips with a truth file beside them, as `samples` has them. */
const clipsIn = (folder: string): ReadRecordings => {
  const names = readdirSync(folder).toSorted()
  const recordings: Array<Recording> = []
  const unread: Array<string> = []
  for (const name of names.filter((one) => one.endsWith(TRUTH))) {
    const set = name.slice(0, -TRUTH.length)
    const media = mediaNamed(names, set)
    const turns = turnsOf(JSON.parse(readFileSync(join(folder, name), "utf8")))
    if (media === undefined || turns === undefined) {
      unread.push(
        `${join(folder, name)}: ${turns === undefined ? "tells no turns" : `no media named ${set} beside it`}`
      )
      continue
    }
    recordings.push({
      file: join(folder, media),
      set,
      transcript: turns.map(({ text }) => text).join(" "),
      speaker: null,
      turns,
      words: null,
      silent: false
    })
  }
  return { recordings, unread }
}

const timedWords = (words: Entry["words"]): ReadonlyArray<TimedWord> | null => {
  const timed = (words ?? []).flatMap((word) => {
    const [text, t_start, t_end] = "word" in word ? [word.word, word.start_sec, word.end_sec] : word
    return t_start === undefined || t_end === undefined || text.startsWith("<")
      ? []
      : [{ text: text.replace(/\(\d+\)$/u, ""), t_start, t_end }]
  })
  return timed.length === 0 ? null : timed
}

/** English by its tag ("en", "EN", "en-GB") or its name; what has no language is. */
const isEnglish = ({ language }: Entry): boolean =>
  language === undefined || /^en(?:glish)?(?:[-_]|$)/iu.test(language.trim())

const listedIn = (manifest: string, root: string): ReadRecordings => {
  const listed: ReadonlyArray<Entry> = JSON.parse(readFileSync(manifest, "utf8")).files
  const entries = new Map<string, Entry>()
  const unread: Array<string> = []
  for (const entry of listed) {
    const file = join(dirname(manifest), entry.path)
    if (entry.kind !== "audio" || !file.startsWith(`${root}/`)) continue
    if (entries.has(file)) unread.push(`${file}: listed more than once`)
    else if (!existsSync(file)) unread.push(`${file}: listed, and not here`)
    else if (!isEnglish(entry)) unread.push(`${file}: not English but ${entry.language}`)
    else entries.set(file, entry)
  }
  const alone = Array.from(entries.keys()).every((file) => dirname(file) === root)
  const recordings = Array.from(entries, ([file, entry]): Recording => {
    const below = dirname(relative(root, file))
    return {
      file,
      set: alone ? basename(root) : below === "." ? basename(file).replace(/\.\w+$/u, "") : below,
      transcript: entry.transcript ?? null,
      speaker: entry.speaker ?? null,
      // An empty list is a recording that nobody labelled, not one in which nobody speaks.
      turns: (entry.rttm ?? []).length === 0
        ? null
        : entry.rttm!.map(([t_start, t_end, speaker]) => ({ t_start, t_end, speaker })),
      words: timedWords(entry.words),
      silent: file.split("/").includes("nonspeech")
    }
  })
  return { recordings, unread }
}

/**
 * The English recordings below a folder, as the `manifest.json` in it or above it labels them, or as truth files beside
 * them do, and what of these labels is left aside. A folder with neither is refused.
 */
export const readRecordings = (folder: string): ReadRecordings => {
  const root = resolve(folder)
  const clips = clipsIn(root)
  if (clips.recordings.length > 0) return clips
  const manifest = manifestOf(root)
  const listed = manifest === undefined ? { recordings: [], unread: [] } : listedIn(manifest, root)
  if (manifest === undefined && clips.unread.length === 0) {
    throw new Error(`Neither truth files in ${folder} nor a manifest.json in or above it`)
  }
  return { recordings: listed.recordings, unread: [...clips.unread, ...listed.unread] }
}

/** The English recordings below a folder; what is left aside of its labels is told on standard error. A folder without labels is refused. */
export const recordingsIn = (folder: string): ReadonlyArray<Recording> => {
  const { recordings, unread } = readRecordings(folder)
  for (const line of unread) process.stderr.write(`Not read: ${line}\n`)
  return recordings
}

const run = promisify(execFile)

/** Any recording as 16 kHz mono samples in memory. */
export const makeReader = async () => {
  const { ffmpeg } = await Effect.runPromise(findMediaTools)
  return async (file: string): Promise<Float32Array> => {
    const { stdout } = await run(
      ffmpeg,
      ["-v", "error", "-i", file, "-ac", "1", "-ar", String(SAMPLE_RATE), "-f", "s16le", "-"],
      { encoding: "buffer", maxBuffer: 1e9 }
    )
    return Float32Array.from({ length: stdout.length >> 1 }, (_, i) => stdout.readInt16LE(2 * i) / 32768)
  }
}

/** Samples in memory where the lane reads a file. */
export const pcmOf = (samples: Float32Array): PcmFile => ({
  samples: samples.length,
  seconds: samples.length / SAMPLE_RATE,
  read: (from, to) => Promise.resolve(samples.slice(from, to)),
  [Symbol.asyncDispose]: () => Promise.resolve()
})
