import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { dirname, join, relative } from "node:path"
import type { FrameDescription } from "../src/artifacts/Vision.ts"
import { asMostRead } from "../workers/extraction/text/LineVotes.ts"
import { openObjectDetector } from "../workers/vision/objects/ObjectDetector.ts"
import { loadPicture, type Picture } from "../workers/vision/picture/Picture.ts"
import { installedTextFiles } from "../workers/vision/text/TextFiles.ts"
import { openTextReader, type ReadPicture, type TextReader } from "../workers/vision/text/TextReader.ts"
import { median } from "./Median.ts"
import { printed } from "./speech/Table.ts"
import { type Caption, captionFrames, captionsOf, type ClipFrame, drawnFile, talkFrames } from "./vision/Clips.ts"
import { drawnPictures } from "./vision/DrawnPictures.ts"
import { nothingRead, type ReadScore, readScore, sumOf } from "./vision/ReadScores.ts"
import { repeatedLines } from "./vision/RepeatedLines.ts"
import { seenThings } from "./vision/SeenThings.ts"

const SEED = 2026
const PICTURES_PER_SET = 4
const TALKS = [1, 2, 3] as const
/** Two worn clips of each wear. */
const WORN = [100, 101, 102, 103, 104, 105] as const
/** Over a moving picture where no captioned clip is at hand. */
const made: ReadonlyArray<Caption> = [
  { t_start: 0, t_end: 3, lines: ["The harbour was rebuilt in 1998,", "two years after the storm."] },
  { t_start: 3, t_end: 6, lines: ["Nobody had expected 4,500 visitors"] },
  { t_start: 6, t_end: 9, lines: ["- Who pays for the bridge?", "- The council does."] }
]

interface Scored extends ReadScore {
  readonly milliseconds: ReadonlyArray<number>
}

const unread: Scored = { ...nothingRead, milliseconds: [] }
const textsOf = ({ lines }: ReadPicture): ReadonlyArray<string> => lines.map(({ text }) => text)
const percent = (part: number, whole: number): number => whole === 0 ? 0 : Math.round((10_000 * part) / whole) / 100

const timed = async (reader: TextReader, file: string) => {
  const picture = await loadPicture(file)
  const began = performance.now()
  const read = await reader.read(picture)
  return { read, milliseconds: performance.now() - began }
}

const scored = async (reader: TextReader, sum: Scored, { file, lines }: ClipFrame, name: string): Promise<Scored> => {
  const { milliseconds, read } = await timed(reader, file)
  const score = readScore(lines, textsOf(read), (line, nearest) => {
    console.log(`  ${name}: "${line}" ${nearest === undefined ? "was not read" : `read as "${nearest}"`}`)
  })
  return { ...sumOf(sum, score), milliseconds: [...sum.milliseconds, milliseconds] }
}

const labelledSets = async (reader: TextReader, folder: string): Promise<Readonly<Record<string, Scored>>> => {
  const file = join(folder, "slides.truth.json")
  if (!existsSync(file)) return {}
  const truth: Readonly<Record<string, ReadonlyArray<string>>> = JSON.parse(readFileSync(file, "utf8"))
  let sum = unread
  for (const [image, lines] of Object.entries(truth)) {
    sum = await scored(reader, sum, { file: join(folder, image), lines }, image)
  }
  for (const image of readdirSync(folder).filter((name) => /\.(?:png|jpe?g)$/u.test(name) && !(name in truth))) {
    const { read } = await timed(reader, join(folder, image))
    console.log(`  unlabelled ${image}: ${textsOf(read).map((text) => `"${text}"`).join(", ") || "no text"}`)
  }
  return { [relative(process.cwd(), folder)]: sum }
}

const drawnSets = async (reader: TextReader, scratch: string): Promise<Readonly<Record<string, Scored>>> => {
  const sets: Record<string, Scored> = {}
  for (const picture of drawnPictures(SEED, PICTURES_PER_SET)) {
    const frame = { file: await drawnFile(scratch, picture), lines: picture.lines }
    sets[picture.set] = await scored(reader, sets[picture.set] ?? unread, frame, picture.name)
  }
  return sets
}

/** Each caption's lines in every frame that shows it; what else is on the picture is not asked for. */
const captionSet = async (reader: TextReader, scratch: string, folder: string | undefined) => {
  const clip = folder === undefined ? null : join(dirname(folder), "..", "video", "dev", "perspective-video.mp4")
  const real = clip !== null && existsSync(clip)
  const captions = real ? captionsOf(clip.replace("video.mp4", "caption.vtt")) : made
  let sum = unread
  for (const [index, frames] of (await captionFrames(scratch, captions, real ? clip : null)).entries()) {
    for (const frame of frames) sum = await scored(reader, sum, frame, `caption ${index + 1}`)
  }
  return { [real ? "burnt-in captions, real clip" : "burnt-in captions, made clip"]: { ...sum, extra: 0 } }
}

const seenLines = ({ lines }: ReadPicture, { height, width }: Picture): FrameDescription["text"] =>
  lines.map((line) => ({
    text: line.text,
    confidence: line.confidence,
    box: [line.left / width, line.top / height, line.width / width, line.height / height]
  }))

/** Lines of worn clips as each frame reads them, and as most frames do. */
const votedSets = async (reader: TextReader, scratch: string): Promise<Readonly<Record<string, Scored>>> => {
  const sets: Record<string, Scored> = {}
  for (const [name, clips] of Object.entries(await repeatedLines(scratch, WORN))) {
    let [alone, voted] = [unread, unread]
    for (const frames of clips) {
      const seen: Array<FrameDescription> = []
      for (const [timestamp, { file, lines }] of frames.entries()) {
        const { milliseconds, read } = await timed(reader, file)
        const score = readScore(lines, textsOf(read))
        alone = { ...sumOf(alone, score), milliseconds: [...alone.milliseconds, milliseconds] }
        const text = seenLines(read, await loadPicture(file))
        seen.push({ frame_id: "", source_ref: "", timestamp, description: "", labels: [], text })
      }
      for (const [index, { text }] of asMostRead(seen, []).entries()) {
        const score = readScore(frames[index]!.lines, text.map((line) => line.text))
        voted = { ...sumOf(voted, score), milliseconds: [] }
      }
    }
    sets[`worn clips, ${name}`] = alone
    sets[`worn clips, ${name}, voted`] = voted
  }
  return sets
}

/** The same frames of talks with and without a memory, by turns, in one run. */
const readOnce = async (remembering: TextReader, forgetful: TextReader, scratch: string) => {
  const totals = { frames: 0, lines: 0, remembered: 0, differing_frames: 0, with_ms: 0, without_ms: 0 }
  for (const seed of TALKS) {
    for (const { file } of await talkFrames(scratch, seed)) {
      const anew = await timed(forgetful, file)
      const once = await timed(remembering, file)
      totals.frames++
      totals.lines += once.read.boxes
      totals.remembered += once.read.remembered
      totals.with_ms += once.milliseconds
      totals.without_ms += anew.milliseconds
      if (JSON.stringify(anew.read.lines) !== JSON.stringify(once.read.lines)) totals.differing_frames++
    }
  }
  return {
    frames: totals.frames,
    lines: totals.lines,
    remembered_percent: percent(totals.remembered, totals.lines),
    differing_frames: totals.differing_frames,
    time_ratio: Math.round((100 * totals.with_ms) / totals.without_ms) / 100
  }
}

/** What the detector finds, for which the fonts and the reader of text are not needed. */
const thingsIn = async (folder: string | undefined, scratch: string, markdown: boolean) => {
  if (folder === undefined) return {}
  const detector = await openObjectDetector()
  try {
    const sets = await seenThings(detector, folder, scratch)
    const scores = Object.fromEntries(
      Object.entries(sets).map(([name, { decoding_ms, finding_ms, ...score }]) => [name, {
        ...score,
        precision_percent: percent(score.right, score.said),
        recall_percent: percent(score.found, score.there),
        median_decoding_ms: Math.round(median(decoding_ms)),
        median_ms: Math.round(median(finding_ms))
      }])
    )
    const titles = [
      "set",
      "pictures",
      "said",
      "right",
      "precision",
      "there",
      "found",
      "recall",
      "decoding ms",
      "median ms"
    ]
    const rows = Object.entries(scores).map(([name, score]) => [
      name,
      String(score.pictures),
      String(score.said),
      String(score.right),
      `${score.precision_percent.toFixed(1)} %`,
      String(score.there),
      String(score.found),
      `${score.recall_percent.toFixed(1)} %`,
      String(score.median_decoding_ms),
      String(score.median_ms)
    ])
    if (rows.length > 0) console.log(`\n${printed({ titles, rows }, markdown)}`)
    return scores
  } finally {
    await detector.dispose()
  }
}

/**
 * Reads labelled images (`slides.truth.json`, `{ file: lines }`) of folders, pictures that are drawn here, captions burnt
 * into a clip, worn clips before and after their frames have voted, and the frames of talks, and compares them line by line with what is written; then tells which things
 * are found on pictures. `without` names `labelled`, `drawn`, `votes`, `captions`, `talks` or `things`. Needs the fonts of `DrawnPictures.ts`; others are put in their place by the system.
 */
export const run = async (
  folders: ReadonlyArray<string>,
  { markdown, without }: { readonly markdown: boolean; readonly without: ReadonlyArray<string> }
) => {
  const scratch = mkdtempSync(join(tmpdir(), "footnote-vision-"))
  const forgetful = await openTextReader(installedTextFiles(), { remember: false })
  const remembering = await openTextReader(installedTextFiles())
  try {
    const sets: Record<string, Scored> = {}
    if (!without.includes("labelled")) {
      for (const folder of folders) Object.assign(sets, await labelledSets(forgetful, folder))
    }
    if (!without.includes("drawn")) Object.assign(sets, await drawnSets(forgetful, scratch))
    if (!without.includes("votes")) Object.assign(sets, await votedSets(forgetful, scratch))
    if (!without.includes("captions")) Object.assign(sets, await captionSet(forgetful, scratch, folders[0]))
    const scores = Object.fromEntries(
      Object.entries(sets).map(([name, { milliseconds, ...score }]) => [name, {
        ...score,
        character_error_percent: percent(score.wrong_characters, score.characters),
        median_ms: Math.round(median(milliseconds) || 0)
      }])
    )
    const titles = ["set", "pictures", "lines", "exact", "extra", "wrong characters", "in order", "median ms"]
    const rows = Object.entries(scores).map(([name, score]) => [
      name,
      String(score.pictures),
      String(score.lines),
      String(score.exact),
      String(score.extra),
      `${score.character_error_percent.toFixed(2)} %`,
      `${score.ordered} of ${score.pictures}`,
      String(score.median_ms)
    ])
    if (rows.length > 0) console.log(printed({ titles, rows }, markdown))
    const things = without.includes("things") ? {} : await thingsIn(folders[0], scratch, markdown)
    if (without.includes("talks")) return { ...scores, ...things }
    const talks = await readOnce(remembering, forgetful, scratch)
    console.log(
      `\nRead once: of ${talks.lines} lines on ${talks.frames} frames of talks ${talks.remembered_percent} % were not read `
        + `again; ${talks.differing_frames} frames differ from reading each; time ${talks.time_ratio} of reading each.`
    )
    return { ...scores, ...things, read_once: talks }
  } finally {
    await Promise.all([forgetful.dispose(), remembering.dispose()])
    rmSync(scratch, { recursive: true })
  }
}
