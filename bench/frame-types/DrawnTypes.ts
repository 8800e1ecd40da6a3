import type { FrameType } from "../../workers/vision/description/FrameType.ts"
import { drawnPictures, type Line, lineOf, randomFrom, svgOf } from "../vision/DrawnPictures.ts"

/** A picture as SVG, what it is (`null`: none of the types), and the lines that are written on it. */
export interface DrawnType {
  readonly set: string
  readonly type: FrameType | null
  readonly svg: string
  readonly lines: ReadonlyArray<string>
}

const WIDTH = 1280
const HEIGHT = 720
const grounds = [
  { ground: "#ffffff", ink: "#1d1d1f", accent: "#0b62a8" },
  { ground: "#fdf6e3", ink: "#433422", accent: "#b4441f" },
  { ground: "#14181f", ink: "#e8e8e8", accent: "#e0a030" },
  { ground: "#20124d", ink: "#ffffff", accent: "#8fd3b6" }
]
const fills = ["#4e79a7", "#f28e2b", "#e15759", "#76b7b2", "#59a14f", "#edc948", "#b07aa1"]
const months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]
const titles = ["Harvest by month", "Visitors", "Rainfall in mm", "Cost per ton", "Queue length", "Members"]
const family = "Liberation Sans"
const mono = "Liberation Mono"

const makePen = (seed: number) => {
  const random = randomFrom(seed)
  const below = (count: number): number => Math.floor(random() * count)
  const pick = <A>(from: ReadonlyArray<A>): A => from[below(from.length)]!
  return { random, below, pick }
}
type Pen = ReturnType<typeof makePen>
type Drawing = Pick<DrawnType, "lines" | "svg">

const drawn = (ground: string, marks: ReadonlyArray<string>, lines: ReadonlyArray<Line>): Drawing => ({
  svg: svgOf(WIDTH, HEIGHT, ground, [...marks, ...lines.map(lineOf)]),
  lines: lines.map(({ text }) => text.trim()).filter((text) => text !== "")
})

const bars = (pen: Pen): Drawing => {
  const { accent, ground, ink } = pen.pick(grounds)
  const count = 5 + pen.below(8)
  const step = 1040 / count
  const marks = Array.from({ length: count }, (_, i) => {
    const height = 60 + pen.below(380)
    return `<rect x="${150 + i * step}" y="${620 - height}" width="${step * 0.7}" height="${height}" fill="${accent}"/>`
  })
  const axes = `<path d="M130 140V620H1200" stroke="${ink}" fill="none" stroke-width="2"/>`
  const labels = Array.from({ length: count }, (_, i) => ({
    text: months[i % 12]!,
    x: 155 + i * step,
    y: 650,
    size: 20,
    fill: ink,
    family
  }))
  return drawn(ground, [axes, ...marks], [
    { text: pen.pick(titles), x: 130, y: 90, size: 38, fill: ink, family, weight: "700" },
    ...labels
  ])
}

const curves = (pen: Pen): Drawing => {
  const { ground, ink } = pen.pick(grounds)
  const grid = Array.from(
    { length: 6 },
    (_, i) => `<path d="M120 ${130 + i * 92}H1220" stroke="${ink}" stroke-opacity="0.2"/>`
  )
  const lines = Array.from({ length: 1 + pen.below(3) }, (_, k) => {
    let y = 200 + pen.below(300)
    const points = Array.from({ length: 24 }, (_, i) => {
      y = Math.min(580, Math.max(140, y + (pen.random() - 0.5) * 120))
      return `${120 + i * 47},${y.toFixed(0)}`
    })
    return `<polyline points="${points.join(" ")}" fill="none" stroke="${fills[k]}" stroke-width="4"/>`
  })
  const ticks = Array.from({ length: 6 }, (_, i) => ({
    text: String((5 - i) * 20),
    x: 70,
    y: 137 + i * 92,
    size: 20,
    fill: ink,
    family
  }))
  return drawn(ground, [...grid, ...lines], [
    { text: pen.pick(titles), x: 120, y: 80, size: 36, fill: ink, family },
    ...ticks
  ])
}

/** A point of the pie's rim, clockwise from its top. */
const onRim = (angle: number): string =>
  `${(470 + 230 * Math.sin(angle)).toFixed(1)} ${(390 - 230 * Math.cos(angle)).toFixed(1)}`

const pie = (pen: Pen): Drawing => {
  const { ground, ink } = pen.pick(grounds)
  const parts = Array.from({ length: 3 + pen.below(4) }, () => 0.3 + pen.random())
  const sum = parts.reduce((a, b) => a + b)
  let from = 0
  const slices = parts.map((part, i) => {
    const to = from + (part / sum) * 2 * Math.PI
    const path = `<path d="M470 390L${onRim(from)}A230 230 0 ${to - from > Math.PI ? 1 : 0} 1 ${onRim(to)}Z" fill="${
      fills[i]
    }"/>`
    from = to
    return path
  })
  const legend = parts.map((part, i) => ({
    text: `${months[i]} ${Math.round((100 * part) / sum)}%`,
    x: 860,
    y: 260 + i * 50,
    size: 26,
    fill: ink,
    family
  }))
  const keys = parts.map((_, i) => `<rect x="820" y="${240 + i * 50}" width="24" height="24" fill="${fills[i]}"/>`)
  return drawn(ground, [...slices, ...keys], [
    { text: pen.pick(titles), x: 90, y: 90, size: 40, fill: ink, family, weight: "700" },
    ...legend
  ])
}

const card = (pen: Pen): Drawing => {
  const { accent, ground, ink } = pen.pick(grounds)
  const text = pen.pick([
    "The long way home",
    "Episode 4",
    "Thank you",
    "Part two: the harbour",
    "A year in the valley"
  ])
  const size = 70 + pen.below(40)
  const rule = `<rect x="${WIDTH / 2 - 110}" y="410" width="220" height="6" fill="${accent}"/>`
  return drawn(ground, [rule], [
    {
      text,
      x: WIDTH / 2 - text.length * size * 0.26,
      y: 370,
      size,
      fill: ink,
      family: pen.pick([family, "DejaVu Serif"])
    },
    { text: "A film by M. Okoro", x: WIDTH / 2 - 130, y: 480, size: 30, fill: accent, family }
  ])
}

const program = [
  "export const total = (rows: Rows) => {",
  "  let sum = 0",
  "  for (const row of rows) {",
  "    if (row.price === undefined) continue",
  "    sum += row.price * row.count",
  "  }",
  "  return sum",
  "}",
  "",
  "class Basket {",
  "  constructor(private rows: Rows) {}",
  "  total() {",
  "    return total(this.rows)",
  "  }",
  "}",
  "",
  "import { readFile } from \"node:fs/promises\"",
  "const text = await readFile(path, \"utf8\")",
  "console.log(text.length)"
]

const editor = (pen: Pen): Drawing => {
  const { accent, ground, ink } = pen.pick(grounds)
  const size = 20 + pen.below(8)
  const left = pen.below(2) * 230
  const start = pen.below(8)
  const rows = Array.from({ length: 18 }, (_, i) => program[(start + i) % program.length]!)
  const side = left === 0 ? [] : [`<rect x="0" y="0" width="220" height="720" fill="${ink}" fill-opacity="0.1"/>`]
  const numbers = rows.map((_, i) => ({
    text: String(i + 1),
    x: left + 20,
    y: 70 + i * size * 1.6,
    size,
    fill: ink,
    family: mono
  }))
  const lines = rows.map((text, i) => ({
    text: text.trimStart(),
    x: left + 80 + (text.length - text.trimStart().length) * size * 0.6,
    y: 70 + i * size * 1.6,
    size,
    fill: /^\s*(?:const|for|if|return|class|export|import)/u.test(text) ? accent : ink,
    family: mono
  }))
  return { ...drawn(ground, side, [...numbers, ...lines]), lines: rows.map((row) => row.trim()).filter(Boolean) }
}

const output = [
  "ada@mill:~/grain$ ls -l",
  "total 24",
  "-rw-r--r-- 1 ada ada  812 Mar  3 09:12 barley.csv",
  "-rw-r--r-- 1 ada ada 2210 Mar  3 09:12 wheat.csv",
  "drwxr-xr-x 2 ada ada 4096 Mar  1 17:40 old",
  "ada@mill:~/grain$ wc -l *.csv",
  "   31 barley.csv",
  "   88 wheat.csv",
  "  119 total",
  "ada@mill:~/grain$ make report",
  "reading wheat.csv ... done",
  "writing report.pdf ... done"
]

const consoleScreen = (pen: Pen): Drawing => {
  const { ground, ink } = pen.pick([{ ground: "#000000", ink: "#cccccc" }, { ground: "#300a24", ink: "#eeeeec" }, {
    ground: "#002b36",
    ink: "#93a1a1"
  }])
  const size = 18 + pen.below(10)
  const count = 5 + pen.below(8)
  return drawn(
    ground,
    [],
    output.slice(0, count).map((text, i) => ({ text, x: 16, y: 40 + i * size * 1.3, size, fill: ink, family: mono }))
  )
}

const sheet = (pen: Pen): Drawing => {
  const columns = 6 + pen.below(4)
  const wide = WIDTH / columns
  const rules = [
    ...Array.from({ length: columns }, (_, i) => `<path d="M${i * wide} 60V720" stroke="#bbbbbb"/>`),
    ...Array.from({ length: 21 }, (_, i) => `<path d="M0 ${60 + i * 33}H1280" stroke="#bbbbbb"/>`)
  ]
  const cells = Array.from({ length: 18 }, (_, row) =>
    Array.from({ length: columns - 1 }, (_, column) => ({
      text: column === 0 ? pen.pick(titles).split(" ")[0]! : (pen.random() * 900).toFixed(2),
      x: column * wide + 8,
      y: 84 + row * 33,
      size: 18,
      fill: "#222222",
      family
    }))).flat()
  return drawn("#ffffff", [`<rect width="1280" height="60" fill="#e3e8e3"/>`, ...rules], cells)
}

const shapes = (pen: Pen): Drawing => ({
  svg: svgOf(
    WIDTH,
    HEIGHT,
    pen.pick(fills),
    Array.from(
      { length: 3 },
      () =>
        `<rect x="${pen.below(1000)}" y="${pen.below(500)}" width="${60 + pen.below(300)}" height="${
          60 + pen.below(200)
        }" fill="${pen.pick(fills)}"/>`
    )
  ),
  lines: []
})

const own: ReadonlyArray<readonly [set: string, type: FrameType | null, draw: (pen: Pen) => Drawing]> = [
  ["bar charts", "chart", bars],
  ["line charts", "chart", curves],
  ["pie charts", "chart", pie],
  ["title cards", "title_card", card],
  ["editors", "code", editor],
  ["consoles", "terminal", consoleScreen],
  ["spreadsheets", "table", sheet],
  ["shapes", null, shapes]
]

/** What the drawn pictures of the reading benchmark are. */
const read: Readonly<Record<string, FrameType>> = {
  slides: "slide",
  "small type": "slide",
  vertical: "slide",
  columns: "slide",
  table: "table",
  code: "code",
  terminal: "terminal"
}

/** `count` pictures of every set, none drawn by the program that drew the training frames. */
export const drawnTypes = (seed: number, count: number): ReadonlyArray<DrawnType> => [
  ...drawnPictures(seed, count).flatMap(({ lines, set, svg }) =>
    read[set] === undefined ? [] : [{ set, type: read[set], svg, lines }]
  ),
  ...own.flatMap(([set, type, draw], kind) =>
    Array.from({ length: count }, (_, i) => ({ set, type, ...draw(makePen(seed + 10_000 + 1000 * kind + i)) }))
  )
]
