import { path as ffmpeg } from "@ffmpeg-installer/ffmpeg"
import { execFileSync } from "node:child_process"
import { existsSync } from "node:fs"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import sharp from "sharp"
import { type FrameType, frameTypes, openFrameTyper } from "../workers/vision/description/FrameType.ts"
import type { Picture } from "../workers/vision/picture/Picture.ts"
import { installedTextFiles } from "../workers/vision/text/TextFiles.ts"
import { openTextReader } from "../workers/vision/text/TextReader.ts"
import { drawnTypes } from "./frame-types/DrawnTypes.ts"
import { realFrames } from "./frame-types/RealFrames.ts"

const shared = fileURLToPath(new URL("../../shared/assets", import.meta.url))
const SEED = 7
const PER_SET = 12

const pictureOf = async (bytes: Buffer): Promise<Picture> => {
  const { data, info } = await sharp(bytes).flatten({ background: "#ffffff" }).toColourspace("srgb").raw().toBuffer({
    resolveWithObject: true
  })
  return { width: info.width, height: info.height, rgb: data }
}

const frameAt = (file: string, second: number): Buffer =>
  execFileSync(
    ffmpeg,
    ["-v", "error", "-ss", String(second), "-i", file, "-frames:v", "1", "-f", "image2pipe", "-c:v", "png", "-"],
    { maxBuffer: 64 << 20 }
  )

interface Answer {
  readonly truth: string
  readonly said: string
}

const nameOf = (type: FrameType | null): string => type ?? "none"
const names = [...frameTypes, "none"]
const round = (value: number): number => Math.round(value * 1000) / 1000

/** Of what was said of one type, the share that is right; of what is one type, the share that is said. `none` is silence. */
const scoresOf = (answers: ReadonlyArray<Answer>) => {
  const typed = answers.filter(({ truth }) => truth !== "none")
  const said = answers.filter(({ said }) => said !== "none")
  return {
    frames: answers.length,
    said_right: round(said.filter(({ said, truth }) => said === truth).length / Math.max(1, said.length)),
    found: round(typed.filter(({ said, truth }) => said === truth).length / Math.max(1, typed.length)),
    said_of_none: answers.filter(({ said, truth }) => truth === "none" && said !== "none").length
  }
}

const show = (title: string, answers: ReadonlyArray<Answer>) => {
  console.log(title)
  const present = names.filter((name) => answers.some(({ truth }) => truth === name))
  console.table(Object.fromEntries(present.map((truth) => [
    truth,
    Object.fromEntries(names.map((said) => [
      said,
      answers.filter((answer) => answer.truth === truth && answer.said === said).length
    ]))
  ])))
  const scores = scoresOf(answers)
  console.table(scores)
  return scores
}

/**
 * What types the classifier says: of pictures that are drawn here, whose lines it is given, and of the shared clips where
 * they are, which are read. Rows of the tables are the truth, columns what was said.
 */
export const run = async () => {
  const typer = await openFrameTyper()
  const drawn: Array<Answer> = []
  for (const { lines, set, svg, type } of drawnTypes(SEED, PER_SET)) {
    const jpeg = await sharp(Buffer.from(svg)).jpeg({ quality: 80 }).toBuffer()
    const said = nameOf((await typer.typeOf(await pictureOf(jpeg), lines)).type)
    if (said !== nameOf(type)) console.log(`drawn ${set}: ${said}`)
    drawn.push({ truth: nameOf(type), said })
  }
  const scores: Record<string, ReturnType<typeof scoresOf>> = { drawn: show("drawn", drawn) }

  const reader = await openTextReader(installedTextFiles())
  const real: Array<Answer> = []
  for (const { file, seconds, type } of realFrames) {
    const path = join(shared, file)
    if (!existsSync(path)) continue
    for (const second of seconds) {
      const bytes = frameAt(path, second)
      if (bytes.length === 0) continue
      const picture = await pictureOf(bytes)
      const { lines } = await reader.read(picture)
      const { confidence, type: found } = await typer.typeOf(picture, lines.map(({ text }) => text))
      if (found !== type) console.log(`${file} at ${second} s: ${nameOf(found)} (${confidence.toFixed(2)})`)
      real.push({ truth: nameOf(type), said: nameOf(found) })
    }
  }
  if (real.length > 0) scores["real"] = show("real", real)
  else console.log("No shared clips beside the repository: drawn pictures only.")
  await Promise.all([typer.dispose(), reader.dispose()])
  return scores
}
