import { createHash } from "node:crypto"
import { existsSync } from "node:fs"
import { mkdir, readFile, rename, rm } from "node:fs/promises"
import { join } from "node:path"
import { ClipWriter, type State } from "./ClipWriter.ts"
import * as draw from "./Drawing.ts"

type Picture = draw.Picture

interface Scene {
  readonly crf: number
  readonly filter?: string
  readonly film: (clip: ClipWriter, chance: draw.Chance) => Promise<void>
}

/** Between 2.4 and 4.6 s, in pictures. */
const dwell = (chance: draw.Chance): number => chance.whole(24, 46)

const hold = (clip: ClipWriter, id: State["id"], picture: Picture, pictures: number) =>
  clip.state(id, "content", () => clip.show(picture, pictures))

/** The slide with one short figure in one of its lines, drawn anew. */
const figured = (slide: draw.Slide, line: number, value: string): draw.Slide => ({
  ...slide,
  lines: slide.lines.map((text, i) => i === line ? `${text} ${value}` : text)
})

const figure = (chance: draw.Chance): string =>
  chance.one([
    `${chance.whole(11, 99)}%`,
    `${chance.whole(1, 9)}.${chance.whole(1, 9)} kg`,
    `$${chance.whole(100, 999)}`
  ])

/** Slides of which one figure changes, each change a state of its own. */
const figures = (size: number, along: (slide: Picture, clip: ClipWriter, pictures: number) => Promise<void>) =>
async (
  clip: ClipWriter,
  chance: draw.Chance
) => {
  for (let i = 0; i < 3; i++) {
    const slide = draw.inventSlide(chance, { size })
    const line = chance.whole(0, slide.lines.length - 1)
    const values = new Set<string>()
    while (values.size < 3) values.add(figure(chance))
    for (const value of values) {
      const picture = await draw.drawSlide(figured(slide, line, value))
      await clip.state(`${i} ${value}`, "content", () => along(picture, clip, dwell(chance)))
    }
  }
}

const still = (picture: Picture, clip: ClipWriter, pictures: number) => clip.show(picture, pictures)

const slides = async (chance: draw.Chance, count: number, with_: Partial<draw.Slide> = {}): Promise<Array<Picture>> => {
  const list: Array<Picture> = []
  for (let i = 0; i < count; i++) list.push(await draw.drawSlide(draw.inventSlide(chance, with_)))
  return list
}

/** Goes to places and rests there, 0.3 to 2.5 s each. */
const makePointer = (chance: draw.Chance, width: number, height: number) => {
  let [x, y, targetX, targetY, rest] = [width / 2, height / 2, width / 2, height / 2, 0]
  return (picture: Picture): Picture => {
    if (Math.abs(targetX - x) + Math.abs(targetY - y) < 2 && rest-- <= 0) {
      ;[targetX, targetY, rest] = [chance.whole(20, width - 40), chance.whole(20, height - 40), chance.whole(3, 25)]
    }
    x += (targetX - x) * 0.35
    y += (targetY - y) * 0.35
    return draw.withPointer(picture, x, y)
  }
}

const scenes: Readonly<Record<string, Scene>> = {
  cuts: {
    crf: 26,
    film: async (clip, chance) => {
      for (const [i, picture] of (await slides(chance, 9)).entries()) await hold(clip, i, picture, dwell(chance))
    }
  },
  figures_20px: { crf: 26, film: figures(20, still) },
  figures_32px: { crf: 26, film: figures(32, still) },
  builds: {
    crf: 26,
    film: async (clip, chance) => {
      for (let i = 0; i < 3; i++) {
        const slide = draw.inventSlide(chance)
        for (let shown = 1; shown <= slide.lines.length; shown++) {
          const picture = await draw.drawSlide({ ...slide, lines: slide.lines.slice(0, shown) })
          await hold(clip, `${i} ${shown}`, picture, dwell(chance))
        }
      }
    }
  },
  fades: {
    crf: 26,
    film: async (clip, chance) => {
      let before: Picture | undefined
      for (const [i, picture] of (await slides(chance, 8)).entries()) {
        const from = before
        const steps = chance.whole(4, 18)
        if (from !== undefined) {
          await clip.state(`fade ${i}`, "transition", async () => {
            for (let k = 1; k < steps; k++) await clip.show(draw.mixed(from, picture, k / steps))
          })
        }
        await hold(clip, i, picture, dwell(chance))
        before = picture
      }
    }
  },
  noise: { crf: 34, filter: "noise=alls=14:allf=t", film: figures(32, still) },
  poor_picture: { crf: 38, film: figures(32, still) },
  pointer: {
    crf: 26,
    film: async (clip, chance) => {
      const point = makePointer(chance, 1280, 720)
      await figures(30, async (picture, to, pictures) => {
        for (let i = 0; i < pictures + 30; i++) await to.show(point(picture))
      })(clip, chance)
    }
  },
  webcam: {
    crf: 33,
    film: async (clip, chance) => {
      const corner = chance.one([{ x: 1012, y: 516 }, { x: 1012, y: 12 }, { x: 12, y: 516 }])
      for (const [i, picture] of (await slides(chance, 8, { bars: [] })).entries()) {
        const pictures = chance.whole(28, 60)
        await clip.state(i, "content", async () => {
          for (let k = 0; k < pictures; k++) await clip.show(draw.withWebcam(picture, chance, clip.seconds, corner))
        })
      }
    }
  },
  revisits: {
    crf: 28,
    film: async (clip, chance) => {
      const list = await slides(chance, 5)
      for (const i of [0, 1, 0, 2, 3, 1, 4, 0, 2]) await hold(clip, i, list[i]!, dwell(chance))
    }
  },
  typing: {
    crf: 26,
    film: async (clip, chance) => {
      const lines: Array<string> = []
      for (let step = 0; step < 6; step++) {
        const command = draw.inventCommand(chance)
        await clip.state(`typing ${step}`, "transition", async () => {
          for (let typed = 2; typed < command.length; typed += 2) {
            await clip.show(await draw.drawConsole([...lines, `$ ${command.slice(0, typed)}_`].slice(-22), true))
          }
        })
        lines.push(`$ ${command}`, ...draw.inventCode(chance, chance.whole(2, 5)))
        await hold(clip, step, await draw.drawConsole(lines.slice(-22), true), dwell(chance))
      }
    }
  },
  scrolling: {
    crf: 26,
    film: async (clip, chance) => {
      const code = draw.inventCode(chance, 130)
      let line = 0
      for (let page = 0; page < 6; page++) {
        await hold(clip, page, await draw.drawConsole(code.slice(line, line + 24), false), dwell(chance))
        if (page === 5) break
        const by = chance.whole(12, 22)
        await clip.state(`scroll ${page}`, "transition", async () => {
          for (let k = 1; k < 10; k++) {
            const pixels = Math.round((by * 30 * k) / 10)
            const first = line + Math.floor(pixels / 30)
            await clip.show(await draw.drawConsole(code.slice(first, first + 25), false, pixels % 30))
          }
        })
        line += by
      }
    }
  },
  vertical: {
    crf: 28,
    film: async (clip, chance) => {
      for (let i = 0; i < 4; i++) {
        const slide = draw.inventSlide(chance, { width: 720, height: 1280, size: 34 })
        for (const value of [figure(chance), `${figure(chance)} net`]) {
          await hold(clip, `${i} ${value}`, await draw.drawSlide(figured(slide, 1, value)), dwell(chance))
        }
      }
    }
  },
  hand_held: {
    crf: 28,
    filter: "noise=alls=8:allf=t",
    film: async (clip, chance) => {
      for (const [i, slide] of (await slides(chance, 6)).entries()) {
        const picture = await draw.filmed(slide)
        const pictures = chance.whole(35, 55)
        await clip.state(i, "content", async () => {
          for (let k = 0; k < pictures; k++) {
            const t = clip.seconds
            const dx = Math.round(4 * Math.sin(1.8 * t) + 2 * Math.sin(5.6 * t))
            const dy = Math.round(3 * Math.cos(2.3 * t))
            await clip.show(draw.moved(picture, dx, dy, 1 + 0.04 * Math.sin(3.3 * t)))
          }
        })
      }
    }
  },
  camera_shots: {
    crf: 28,
    filter: "noise=alls=5:allf=t",
    film: async (clip, chance) => {
      for (let i = 0; i < 8; i++) {
        const view = await draw.drawScene(chance)
        const [pan, walk] = [chance.one([0, 0, 1.2, 3]), chance.whole(3, 9)]
        const pictures = chance.whole(24, 50)
        await clip.state(i, "shot", async () => {
          for (let k = 0; k < pictures; k++) {
            const frame = draw.cropped(view, Math.round(k * pan), 40, 1280, 720)
            await clip.show(draw.withPerson(frame, 200 + k * walk, clip.seconds))
          }
        })
      }
    }
  },
  black_and_flashes: {
    crf: 26,
    film: async (clip, chance) => {
      const list = await slides(chance, 5)
      const [black, white] = [draw.flat(list[0]!, 0), draw.flat(list[0]!, 255)]
      await clip.state("black", "blank", () => clip.show(black, 12))
      for (const [i, picture] of list.entries()) {
        await clip.state(`in ${i}`, "transition", async () => {
          for (let k = 1; k < 6; k++) await clip.show(draw.mixed(black, picture, k / 6))
        })
        await clip.state(i, "content", async () => {
          await clip.show(picture, dwell(chance) >> 1)
          await clip.show(white)
          await clip.show(picture, dwell(chance) >> 1)
        })
        await clip.state(`out ${i}`, "transition", async () => {
          for (let k = 1; k < 6; k++) await clip.show(draw.mixed(picture, black, k / 6))
          await clip.show(black, 8)
        })
      }
    }
  }
}

const sources = ["MadeClips.ts", "ClipWriter.ts", "Drawing.ts"]

/**
 * Makes one clip of each kind with its truth beside it, in a folder under `parent` that the seed and this code name, so
 * clips are made once. The same seed draws the same pictures wherever the same fonts are installed. Throws where there
 * are no fonts or where ffmpeg has no libx264; a folder is there whole or not at all.
 */
export const makeClips = async (ffmpeg: string, parent: string, seed: number): Promise<string> => {
  const hash = createHash("sha256")
  for (const file of sources) hash.update(await readFile(join(import.meta.dirname, file)))
  const folder = join(parent, `seed-${seed}-${hash.digest("hex").slice(0, 12)}`)
  if (existsSync(folder)) return folder
  await draw.checkFonts()
  const unfinished = `${folder}.${process.pid}`
  await mkdir(unfinished, { recursive: true })
  try {
    for (const [number, [name, { film, ...options }]] of Object.entries(scenes).entries()) {
      const clip = new ClipWriter(ffmpeg, unfinished, name, options)
      await film(clip, new draw.Chance(seed * 1009 + number))
      await clip.close()
    }
    await rename(unfinished, folder)
  } finally {
    await rm(unfinished, { recursive: true, force: true })
  }
  return folder
}
