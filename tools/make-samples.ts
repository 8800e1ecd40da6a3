/*
 * Draws, speaks and encodes the two clips of `samples/` with their truth files. It needs Debian's packages `flite` (the
 * voices) and `fonts-dejavu-core` (the typeface) beside the npm dependencies; the same versions give the same bytes.
 *
 *   node tools/make-samples.ts [folder]
 */
import { path as ffmpeg } from "@ffmpeg-installer/ffmpeg"
import { execFileSync } from "node:child_process"
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { draw } from "./make-samples/Drawing.ts"
import { lecture } from "./make-samples/Lecture.ts"
import { productDemo } from "./make-samples/ProductDemo.ts"
import type { Sample } from "./make-samples/Sample.ts"
import { SAMPLE_RATE, speak, toPcm } from "./make-samples/Speech.ts"
import { FRAME_RATE, layOut } from "./make-samples/Timeline.ts"
import { truthOf } from "./make-samples/Truth.ts"

/** One thread and no writer's marks: the encoder's output depends on its input alone. */
const encode = (
  slides: ReadonlyArray<{ readonly file: string; readonly seconds: number }>,
  pcm: string,
  out: string
) => {
  const pictures = slides.flatMap((
    { file, seconds }
  ) => ["-loop", "1", "-framerate", String(FRAME_RATE), "-t", String(seconds), "-i", file])
  const joined = `${slides.map((_, i) => `[${i}:v]`).join("")}concat=n=${slides.length}:v=1:a=0,format=yuv420p[v]`
  execFileSync(
    ffmpeg,
    [
      ["-nostdin", "-v", "error", "-y"],
      pictures,
      ["-f", "s16le", "-ar", String(SAMPLE_RATE), "-ac", "1", "-i", pcm],
      ["-filter_complex", joined, "-map", "[v]", "-map", `${slides.length}:a`],
      ["-c:v", "libx264", "-preset", "slow", "-crf", "24", "-g", "250", "-threads", "1"],
      ["-c:a", "aac", "-b:a", "64k", "-ar", "48000"],
      ["-map_metadata", "-1", "-fflags", "+bitexact", "-flags", "+bitexact", "-movflags", "+faststart", out]
    ].flat()
  )
}

const make = async (sample: Sample, folder: string, work: string) => {
  const timeline = layOut(sample, (text, voice) => speak(text, voice, work))
  const pcm = join(work, "sound.pcm")
  writeFileSync(pcm, toPcm(timeline.sound))
  const slides = await Promise.all(sample.slides.map(async (slide, index) => {
    const file = join(work, `${sample.name}-${index + 1}.png`)
    writeFileSync(file, await draw(slide))
    const { t_end, t_start } = timeline.slides[index]!
    return { file, seconds: Math.round((t_end - t_start) * FRAME_RATE) / FRAME_RATE }
  }))
  encode(slides, pcm, join(folder, `${sample.name}.mp4`))
  const truth = truthOf(sample, timeline)
  writeFileSync(join(folder, `${sample.name}.truth.json`), `${JSON.stringify(truth, null, 2)}\n`)
  console.log(
    `${sample.name}: ${truth.duration_seconds} s, ${slides.length} slides, ${truth.sentences.length} sentences`
  )
}

const folder = process.argv[2] ?? fileURLToPath(new URL("../samples", import.meta.url))
const work = mkdtempSync(join(tmpdir(), "make-samples-"))
try {
  mkdirSync(folder, { recursive: true })
  for (const sample of [lecture, productDemo]) await make(sample, folder, work)
} finally {
  rmSync(work, { recursive: true, force: true })
}
