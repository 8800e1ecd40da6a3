import sharp from "sharp"

/** A packed RGB picture. */
export interface Picture {
  readonly width: number
  readonly height: number
  readonly rgb: Uint8Array
}

/** Numbers that a seed decides: xorshift32 (Marsaglia 2003). */
export class Chance {
  #state: number

  constructor(seed: number) {
    this.#state = Math.imul(seed + 1, 2_654_435_761) >>> 0 || 1
    for (let i = 0; i < 8; i++) this.unit()
  }

  /** In [0, 1). */
  unit(): number {
    this.#state ^= this.#state << 13
    this.#state ^= this.#state >>> 17
    this.#state ^= this.#state << 5
    return (this.#state >>> 0) / 2 ** 32
  }

  /** A whole number from `low` to `high`, both included. */
  whole(low: number, high: number): number {
    return low + Math.floor(this.unit() * (high - low + 1))
  }

  one<A>(list: ReadonlyArray<A>): A {
    return list[this.whole(0, list.length - 1)]!
  }
}

const words =
  ("account annual applied average balance baseline budget capacity carbon channel chapter clinic cluster column commit "
    + "concept contract current customer dataset delay demand density deposit design device district dosage draft duty "
    + "energy engine estimate event export factor failure figure filter flow forecast fraction freight gain grant grid "
    + "harvest heading impact income index invoice kernel label latency ledger lesson limit margin market measure memory "
    + "method mixture model monitor network notice number output package panel period phase pilot planet policy portion "
    + "process profile project protein quarter ratio reactor record region release report reserve result return review "
    + "routine sample schedule section sensor series session signal source station storage summary supply survey target "
    + "tariff theory ticket total traffic trend tunnel update vaccine value variance vendor version vessel volume weight")
    .split(" ")

const sentence = (chance: Chance, count: number): string => {
  const text = Array.from({ length: count }, () => chance.one(words)).join(" ")
  return text[0]!.toUpperCase() + text.slice(1)
}

const themes = [
  ["#ffffff", "#16181d", "#0b5cad"],
  ["#10151f", "#e8eaef", "#ffb454"],
  ["#f4efe4", "#3d2c22", "#97202b"],
  ["#0d3b33", "#eef7f0", "#7fe0b0"],
  ["#e9eef5", "#26323f", "#6a3fa0"],
  ["#2b2b2b", "#f2f2f2", "#5ac8fa"]
] as const

const faces = ["sans-serif", "serif", "DejaVu Sans, Verdana, sans-serif", "Liberation Sans, Arial, sans-serif"] as const

/** What is on a slide; drawn the same every time, so one field can be changed and nothing else moves. */
export interface Slide {
  readonly width: number
  readonly height: number
  readonly theme: (typeof themes)[number]
  readonly face: string
  readonly title: string
  readonly lines: ReadonlyArray<string>
  /** Text height of the lines, in pixels of a picture 1280 wide (or high). */
  readonly size: number
  /** Bars beside the lines, 0 to 1; none for a slide of text. */
  readonly bars: ReadonlyArray<number>
  readonly foot: string
}

export const inventSlide = (
  chance: Chance,
  with_: Partial<Slide> = {}
): Slide => ({
  width: 1280,
  height: 720,
  theme: chance.one(themes),
  face: chance.one(faces),
  title: sentence(chance, 3),
  lines: Array.from(
    { length: chance.whole(3, 5) },
    () => sentence(chance, with_.width === 720 ? 2 : chance.whole(3, 5))
  ),
  size: 30,
  bars: chance.unit() < 0.4 ? Array.from({ length: chance.whole(4, 7) }, () => 0.15 + 0.85 * chance.unit()) : [],
  foot: sentence(chance, 2),
  ...with_
})

const render = async (width: number, height: number, body: string): Promise<Picture> => {
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}">${body}</svg>`
  const rgb = await sharp(Buffer.from(svg)).removeAlpha().raw().toBuffer()
  return { width, height, rgb }
}

const text = (x: number, y: number, size: number, fill: string, face: string, value: string): string => {
  const safe = value.replaceAll("&", "&amp;").replaceAll("<", "&lt;")
  return `<text x="${x}" y="${y}" font-size="${size}" fill="${fill}" font-family="${face}" xml:space="preserve">${safe}</text>`
}

export const drawSlide = (slide: Slide): Promise<Picture> => {
  const { bars, face, foot, height, lines, size, theme: [paper, ink, accent], title, width } = slide
  const pitch = Math.min(2.6 * size, (height - 280) / Math.max(1, lines.length))
  const bar = (height > width ? width - 160 : 380) / Math.max(1, bars.length)
  const left = height > width ? 80 : width - 460
  return render(
    width,
    height,
    [
      `<rect width="100%" height="100%" fill="${paper}"/>`,
      text(70, 100, height > width ? 40 : 48, accent, face, title),
      ...lines.map((line, i) => text(90, 190 + i * pitch, size, ink, face, line)),
      ...bars.map((share, i) => {
        const tall = share * 330
        return `<rect x="${left + i * bar}" y="${height - 110 - tall}" width="${
          bar - 8
        }" height="${tall}" fill="${accent}"/>`
      }),
      text(70, height - 28, 16, ink, face, foot)
    ].join("")
  )
}

/** Lines of a terminal or an editor, the first at the top; `shift` moves them up by pixels. */
export const drawConsole = (lines: ReadonlyArray<string>, dark: boolean, shift = 0): Promise<Picture> => {
  const [paper, ink] = dark ? ["#14161a", "#c9d8c9"] : ["#fbfbf8", "#243040"]
  const body = lines.map((line, i) => text(24, 40 + i * 30 - shift, 21, ink!, "monospace", line)).join("")
  return render(1280, 720, `<rect width="100%" height="100%" fill="${paper}"/>${body}`)
}

export const inventCommand = (chance: Chance): string => sentence(chance, chance.whole(3, 5)).toLowerCase()

export const inventCode = (chance: Chance, count: number): ReadonlyArray<string> =>
  Array.from(
    { length: count },
    (_, i) =>
      `${String(i + 1).padStart(4)}  ${"    ".repeat(chance.whole(0, 3))}${
        Array.from({ length: chance.whole(1, 8) }, () => chance.one(words)).join(chance.one([" ", " = ", ", ", "("]))
      }`
  )

/** Throws where the machine has no fonts: clips without text would prove nothing. */
export const checkFonts = async (): Promise<void> => {
  const { rgb } = await drawConsole(["MMMM"], false)
  if (rgb.every((value) => value > 200)) throw new Error("No fonts are installed: the made clips would hold no text.")
}

/** A pointer 12 px wide and 18 high, white with a dark edge, its tip at x, y. */
export const withPointer = ({ height, rgb, width }: Picture, x: number, y: number): Picture => {
  const copy = Uint8Array.from(rgb)
  for (let row = 0; row < 18; row++) {
    const end = row < 13 ? row : 6 - (row - 12)
    for (let column = 0; column <= end; column++) {
      const [px, py] = [Math.round(x) + column, Math.round(y) + row]
      if (px < 0 || py < 0 || px >= width || py >= height) continue
      const edge = column === 0 || column >= end - 1 || row === 17
      copy.fill(edge ? 0 : 255, (py * width + px) * 3, (py * width + px) * 3 + 3)
    }
  }
  return { width, height, rgb: copy }
}

/** `share` of the second picture over the rest of the first. */
export const mixed = (a: Picture, b: Picture, share: number): Picture => {
  const rgb = new Uint8Array(a.rgb.length)
  const weight = Math.round(share * 256)
  for (let i = 0; i < rgb.length; i++) rgb[i] = (a.rgb[i]! * (256 - weight) + b.rgb[i]! * weight) >> 8
  return { ...a, rgb }
}

export const flat = ({ height, width }: Picture, value: number): Picture => ({
  width,
  height,
  rgb: new Uint8Array(width * height * 3).fill(value)
})

/** A head that sways, nods and speaks before a wall, with the noise of a cheap camera. */
export const withWebcam = (picture: Picture, chance: Chance, seconds: number, corner: {
  readonly x: number
  readonly y: number
}): Picture => {
  const [wide, high] = [256, 192]
  const copy = Uint8Array.from(picture.rgb)
  const headX = 128 + 22 * Math.sin(seconds * 0.9) + 8 * Math.sin(seconds * 2.3)
  const headY = 84 + 7 * Math.sin(seconds * 1.4)
  const mouth = 4 + 7 * Math.abs(Math.sin(seconds * 7.1))
  for (let y = 0; y < high; y++) {
    for (let x = 0; x < wide; x++) {
      const head = ((x - headX) / 40) ** 2 + ((y - headY) / 54) ** 2
      const lips = ((x - headX) / 15) ** 2 + ((y - headY - 28) / mouth) ** 2
      const eyes = (((Math.abs(x - headX) - 16) / 6) ** 2 + ((y - headY + 10) / 4) ** 2) < 1
      const coat = ((x - headX) / 92) ** 2 + ((y - 205) / 76) ** 2
      const [r, g, b] = lips < 1
        ? [120, 40, 44]
        : eyes
        ? [30, 26, 24]
        : head < 1
        ? [206, 158, 132]
        : coat < 1
        ? [52, 64, 92]
        : [150 + (x >> 3), 146 + (y >> 3), 138]
      const noise = chance.whole(-7, 7)
      const at = ((corner.y + y) * picture.width + corner.x + x) * 3
      copy[at] = r! + noise
      copy[at + 1] = g! + noise
      copy[at + 2] = b! + noise
    }
  }
  return { ...picture, rgb: copy }
}

/** The picture moved by whole pixels, its edges repeated, and made brighter by a factor. */
export const moved = ({ height, rgb, width }: Picture, dx: number, dy: number, light: number): Picture => {
  const lit = Uint8Array.from({ length: 256 }, (_, value) => Math.min(255, Math.round(value * light)))
  const copy = new Uint8Array(rgb.length)
  const line = width * 3
  for (let y = 0; y < height; y++) {
    const row = Math.min(height - 1, Math.max(0, y + dy)) * line
    for (let to = 0; to < line; to++) {
      const from = Math.min(line - 3 + (to % 3), Math.max(to % 3, to + 3 * dx))
      copy[y * line + to] = lit[rgb[row + from]!]!
    }
  }
  return { width, height, rgb: copy }
}

/** A screen as a camera sees it: smaller, before a wall, slightly out of focus. */
export const filmed = async ({ height, rgb, width }: Picture): Promise<Picture> => {
  const screen = await sharp(rgb, { raw: { width, height, channels: 3 } }).resize(900, 506).png().toBuffer()
  const wall = Buffer.from(
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}"><defs><linearGradient id="g" x2="1" y2="1">`
      + `<stop offset="0" stop-color="#6b6459"/><stop offset="1" stop-color="#3b3a40"/></linearGradient></defs>`
      + `<rect width="100%" height="100%" fill="url(#g)"/></svg>`
  )
  const out = await sharp(wall).composite([{ input: screen, left: 190, top: 90 }]).blur(1.1).removeAlpha().raw()
    .toBuffer()
  return { width, height, rgb: out }
}

/** A wide view that a camera can pan over: hills, sky and blocks, each scene its own. */
export const drawScene = (chance: Chance): Promise<Picture> => {
  const hue = chance.whole(0, 359)
  const sky = `hsl(${hue},40%,${chance.whole(35, 80)}%)`
  const blocks = Array.from({ length: 60 }, () => {
    const [w, h] = [chance.whole(20, 170), chance.whole(30, 260)]
    return `<rect x="${chance.whole(0, 1600)}" y="${chance.whole(250, 640)}" width="${w}" height="${h}" fill="hsl(${
      chance.whole(0, 359)
    },${chance.whole(10, 60)}%,${chance.whole(12, 75)}%)"/>`
  }).join("")
  const hills = Array.from(
    { length: 4 },
    (_, i) =>
      `<ellipse cx="${chance.whole(0, 1600)}" cy="${560 + i * 60}" rx="${chance.whole(250, 700)}" ry="${
        chance.whole(90, 260)
      }" fill="hsl(${chance.whole(40, 160)},35%,${chance.whole(18, 50)}%)"/>`
  ).join("")
  return render(1600, 800, `<rect width="100%" height="100%" fill="${sky}"/>${hills}${blocks}`)
}

/** Someone who walks through the picture, swinging a little. */
export const withPerson = (picture: Picture, x: number, seconds: number): Picture => {
  const copy = Uint8Array.from(picture.rgb)
  const paint = (left: number, top: number, wide: number, high: number, r: number, g: number, b: number) => {
    const [start, end] = [Math.max(0, left), Math.min(picture.width, left + wide)]
    if (start >= end) return
    const band = Uint8Array.from({ length: (end - start) * 3 }, (_, i) => [r, g, b][i % 3]!)
    for (let row = top; row < top + high; row++) copy.set(band, (row * picture.width + start) * 3)
  }
  const at = Math.round(x % (picture.width + 100)) - 50
  const swing = Math.round(14 * Math.sin(seconds * 6))
  paint(at - 20, 330, 40, 46, 205, 160, 130)
  paint(at - 34, 376, 68, 130, 70, 80, 120)
  paint(at - 26 - swing, 506, 22, 120, 40, 40, 50)
  paint(at + 4 + swing, 506, 22, 120, 46, 44, 52)
  return { ...picture, rgb: copy }
}

/** A part of a picture, in whole pixels. */
export const cropped = (picture: Picture, left: number, top: number, width: number, height: number): Picture => {
  const rgb = new Uint8Array(width * height * 3)
  for (let y = 0; y < height; y++) {
    const from = ((top + y) * picture.width + left) * 3
    rgb.set(picture.rgb.subarray(from, from + width * 3), y * width * 3)
  }
  return { width, height, rgb }
}
