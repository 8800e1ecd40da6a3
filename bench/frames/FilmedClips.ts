import { createHash } from "node:crypto"
import { existsSync } from "node:fs"
import { mkdir, readFile, rename, rm } from "node:fs/promises"
import { join } from "node:path"
import sharp from "sharp"
import { ClipWriter } from "./ClipWriter.ts"
import * as draw from "./Drawing.ts"

type Picture = draw.Picture

const [WIDTH, HEIGHT] = [1280, 720]

/** Where the camera looks: the middle of the view in pixels of the photograph, and its width there. */
interface View {
  readonly x: number
  readonly y: number
  readonly wide: number
}

const viewed = async ({ height, rgb, width }: Picture, { wide, x, y }: View): Promise<Picture> => {
  const across = Math.min(width, Math.round(wide))
  const down = Math.min(height, Math.round((across * HEIGHT) / WIDTH))
  const left = Math.max(0, Math.min(width - across, Math.round(x - across / 2)))
  const top = Math.max(0, Math.min(height - down, Math.round(y - down / 2)))
  const data = await sharp(rgb, { raw: { width, height, channels: 3 } })
    .extract({ left, top, width: across, height: down }).resize(WIDTH, HEIGHT, { fit: "fill", kernel: "linear" })
    .raw().toBuffer()
  return { width: WIDTH, height: HEIGHT, rgb: data }
}

/** The photograph as large as two pixels of a view allow, so that the camera moves by fractions of a pixel of it. */
const groundOf = async (file: string): Promise<Picture> => {
  const { data, info } = await sharp(file).flatten({ background: "#ffffff" }).toColourspace("srgb")
    .resize(2 * WIDTH, 2 * HEIGHT, { fit: "cover" }).removeAlpha().raw().toBuffer({ resolveWithObject: true })
  return { width: info.width, height: info.height, rgb: data }
}

/** Two photographs as one wide view, the first running into the second. */
const beside = async (one: Picture, two: Picture): Promise<Picture> => {
  const width = one.width + two.width
  const raw = (ground: Picture) => ({ raw: { width: ground.width, height: ground.height, channels: 3 as const } })
  const rgb = await sharp({ create: { width, height: one.height, channels: 3, background: "#000" } })
    .composite([{ input: Buffer.from(one.rgb), left: 0, top: 0, ...raw(one) }, {
      input: Buffer.from(two.rgb),
      left: one.width,
      top: 0,
      ...raw(two)
    }]).removeAlpha().raw().toBuffer()
  return { width, height: one.height, rgb }
}

/** A hand that holds a camera: slow sway and quick tremor, in pixels of the photograph. */
const sway = (chance: draw.Chance, most: number) => {
  const parts = Array.from({ length: 4 }, (_, i) => ({
    rate: [0.7, 1.9, 4.3, 9.1][i]! * (0.8 + 0.4 * chance.unit()),
    size: [1, 0.6, 0.3, 0.12][i]! * most,
    x: 6.28 * chance.unit(),
    y: 6.28 * chance.unit()
  }))
  return (seconds: number) => ({
    x: parts.reduce((sum, { rate, size, x }) => sum + size * Math.sin(rate * seconds + x), 0),
    y: parts.reduce((sum, { rate, size, y }) => sum + 0.7 * size * Math.cos(rate * seconds + y), 0)
  })
}

const captioned = async (picture: Picture, caption: Buffer | undefined): Promise<Picture> => {
  if (caption === undefined) return picture
  const { height, rgb, width } = picture
  const data = await sharp(rgb, { raw: { width, height, channels: 3 } }).composite([{ input: caption }]).removeAlpha()
    .raw().toBuffer()
  return { width, height, rgb: data }
}

/** White type with a dark edge near the lower edge, or on a dark band. */
const captionOf = (chance: draw.Chance, style: number): Promise<Buffer> => {
  const text = draw.inventCommand(chance).replace(/^./u, (letter) => letter.toUpperCase())
  const size = 38
  const half = (text.length * size) / 4 + 24
  const band = style === 1
    ? `<rect x="${WIDTH / 2 - half}" y="612" width="${2 * half}" height="62" fill="#000" fill-opacity="0.72"/>`
    : ""
  const edge = style === 1 ? "" : ` stroke="#000" stroke-width="6" paint-order="stroke" stroke-linejoin="round"`
  return sharp(Buffer.from(
    `<svg xmlns="http://www.w3.org/2000/svg" width="${WIDTH}" height="${HEIGHT}">${band}<text x="${
      WIDTH / 2
    }" y="656" text-anchor="middle" font-family="sans-serif" font-weight="700" font-size="${size}" fill="#fff"${edge}>${text}</text></svg>`
  )).png().toBuffer()
}

/** Pictures per second of the made clips. */
const RATE = 10

/** Where the camera looks `share` of the way through a shot. */
type Path = (share: number) => View

interface Shot {
  readonly ground: Picture
  readonly path: Path
  readonly seconds: number
  readonly hand: number
}

/** What is seen until a share of the shot has gone by. */
interface Seen {
  readonly id: string
  readonly until: number
  readonly caption?: Buffer
}

const film = async (
  clip: ClipWriter,
  chance: draw.Chance,
  { ground, hand, path, seconds }: Shot,
  states: ReadonlyArray<Seen>
) => {
  const pictures = Math.round(seconds * RATE)
  const tremor = sway(chance, hand)
  let picture = 0
  for (const { caption, id, until } of states) {
    await clip.state(id, "shot", async () => {
      for (; picture < Math.round(until * pictures); picture++) {
        const { wide, x, y } = path(picture / pictures)
        const { x: dx, y: dy } = tremor(picture / RATE)
        await clip.show(await captioned(await viewed(ground, { wide, x: x + dx, y: y + dy }), caption))
      }
    })
  }
}

const between = (chance: draw.Chance, low: number, high: number): number => low + (high - low) * chance.unit()

interface Scene {
  readonly crf: number
  readonly filter?: string
  readonly shoot: (
    clip: ClipWriter,
    chance: draw.Chance,
    shot: number,
    ground: Picture,
    other: () => Promise<Picture>
  ) => Promise<void>
}

/** From one photograph to the other beside it. */
const across: Path = (share) => ({ x: 2 * WIDTH + 1.9 * WIDTH * (share - 0.5), y: HEIGHT, wide: 2200 })

const centre = { x: WIDTH, y: HEIGHT }

const scenes: Readonly<Record<string, Scene>> = {
  slow_zooms: {
    crf: 28,
    shoot: async (clip, chance, shot, ground) => {
      const [from, to] = chance.unit() < 0.7 ? [2400, between(chance, 1300, 1700)] : [1700, 2400]
      const path: Path = (share) => ({ ...centre, wide: from + (to - from) * share })
      await film(clip, chance, { ground, path, hand: 0, seconds: between(chance, 6, 14) }, [{
        id: `${shot}`,
        until: 1
      }])
    }
  },
  pans: {
    crf: 28,
    filter: "noise=alls=5:allf=t",
    shoot: async (clip, chance, shot, ground) => {
      const [wide, way] = [1700, chance.one([-1, 1]) * between(chance, 250, 420)]
      const path: Path = (share) => ({ x: WIDTH + way * (2 * share - 1), y: HEIGHT, wide })
      await film(clip, chance, { ground, path, hand: 4, seconds: between(chance, 4, 9) }, [{ id: `${shot}`, until: 1 }])
    }
  },
  long_pans: {
    crf: 28,
    filter: "noise=alls=5:allf=t",
    shoot: async (clip, chance, shot, ground, other) => {
      const wide = await beside(ground, await other())
      await film(clip, chance, { ground: wide, path: across, hand: 4, seconds: between(chance, 8, 14) }, [
        { id: `${shot} left`, until: 0.5 },
        { id: `${shot} right`, until: 1 }
      ])
    }
  },
  held_by_hand: {
    crf: 28,
    filter: "noise=alls=8:allf=t",
    shoot: async (clip, chance, shot, ground) => {
      const hand = between(chance, 12, 60)
      await film(clip, chance, {
        ground,
        path: () => ({ ...centre, wide: 2000 }),
        hand,
        seconds: between(chance, 4, 9)
      }, [
        { id: `${shot}`, until: 1 }
      ])
    }
  },
  captions: {
    crf: 28,
    filter: "noise=alls=5:allf=t",
    shoot: async (clip, chance, shot, ground) => {
      const count = chance.whole(2, 4)
      const [bare, each] = [0.8, between(chance, 2, 3.2)]
      const seconds = bare + count * each
      const way = chance.one([0, 150, 300])
      const style = chance.whole(0, 1)
      const path: Path = (share) => ({ x: WIDTH + way * (share - 0.5), y: HEIGHT, wide: 2000 - 300 * share })
      const states: Array<Seen> = [{ id: `${shot}`, until: bare / seconds }]
      for (let i = 0; i < count; i++) {
        const until = (bare + (i + 1) * each) / seconds
        states.push({ id: `${shot} caption ${i}`, until, caption: await captionOf(chance, style) })
      }
      await film(clip, chance, { ground, path, hand: between(chance, 6, 30), seconds }, states)
    }
  }
}

const sources = ["FilmedClips.ts", "ClipWriter.ts", "Drawing.ts"]
const SHOTS = 6

/**
 * Films photographs as a camera would: zooms, pans, by hand, under captions; one clip of each kind with its truth beside it, in a
 * folder under `parent` that the seed, the photographs and this code name, so clips are made once. Throws where ffmpeg
 * has no libx264; a folder is there whole or not at all.
 */
export const filmClips = async (
  ffmpeg: string,
  parent: string,
  seed: number,
  photographs: ReadonlyArray<string>
): Promise<string> => {
  const hash = createHash("sha256")
  for (const file of sources) hash.update(await readFile(join(import.meta.dirname, file)))
  for (const file of photographs) hash.update(await readFile(file))
  const folder = join(parent, `filmed-${seed}-${hash.digest("hex").slice(0, 12)}`)
  if (existsSync(folder)) return folder
  const unfinished = `${folder}.${process.pid}`
  await mkdir(unfinished, { recursive: true })
  try {
    for (const [number, [name, { shoot, ...options }]] of Object.entries(scenes).entries()) {
      const clip = new ClipWriter(ffmpeg, unfinished, name, options)
      const chance = new draw.Chance(seed * 2003 + number)
      const start = chance.whole(0, photographs.length - 1)
      const next = (i: number) => photographs[(start + i) % photographs.length]!
      for (let shot = 0; shot < Math.min(SHOTS, photographs.length); shot++) {
        await shoot(clip, chance, shot, await groundOf(next(shot)), () => groundOf(next(shot + 1)))
      }
      await clip.close()
    }
    await rename(unfinished, folder)
  } finally {
    await rm(unfinished, { recursive: true, force: true })
  }
  return folder
}
