/** A picture as SVG with the lines that are written on it, in the order in which a person reads them. */
export interface DrawnPicture {
  readonly set: string
  readonly name: string
  readonly svg: string
  readonly lines: ReadonlyArray<string>
}

interface Theme {
  readonly ground: string
  readonly ink: string
  readonly accent: string
}

const themes: ReadonlyArray<Theme> = [
  { ground: "#ffffff", ink: "#222222", accent: "#1a4f8b" },
  { ground: "#10151f", ink: "#e6e9ef", accent: "#7fd1ff" },
  { ground: "#0b4f6c", ink: "#fbfbff", accent: "#f9c80e" },
  { ground: "#f4ecd8", ink: "#3b2f2f", accent: "#a4243b" }
]
/** Little difference between ink and ground: 3 : 1, which WCAG takes as the least for large type. */
const faint: ReadonlyArray<Theme> = [
  { ground: "#ffffff", ink: "#949494", accent: "#8a8a8a" },
  { ground: "#1e1e1e", ink: "#6a6a6a", accent: "#727272" }
]
const families = ["DejaVu Sans", "Liberation Sans", "DejaVu Serif", "Liberation Serif", "Liberation Sans Narrow"]
const fixed = ["DejaVu Sans Mono", "Liberation Mono"]

const words =
  ("revenue margin market region supplier contract quarter budget forecast payroll inventory shipment capacity " +
    "engine harbour garden signal network storage protein enzyme glacier orbit planet lattice theorem integral tensor vector " +
    "sample median variance policy insurance pension treaty council election museum village river bridge railway station " +
    "customer refund warranty invoice deadline milestone release backlog incident latency throughput cluster replica")
    .split(" ")
const verbs = "reduce improve measure compare review approve publish deliver explain replace monitor support".split(" ")
const names = ["R. Okafor", "Marta Lindqvist", "J. P. Haddad", "Dr. Elena Rossi", "Tom O'Neill", "Wei-Ling Chan"]
const shorts = [
  "Q1",
  "Q4",
  "OK",
  "No",
  "Yes",
  "$5",
  "7%",
  "42",
  "A",
  "B",
  "x2",
  "v1.3",
  "EU",
  "UK",
  "Fig. 2",
  "TO DO",
  "Step 3",
  "9/10"
]
const capitals = [
  "TIMEOUT",
  "ROOM",
  "NO ENTRY",
  "PHOTO",
  "TODO",
  "ZOOM IN",
  "GOOD",
  "ISO 9001",
  "HTTP 500",
  "B2B",
  "CO2 LEVELS"
]
const code = [
  "export const total = (rows) => {",
  "  let sum = 0",
  "  for (const row of rows) {",
  "    if (row.price === undefined) continue",
  "    sum += row.price * row.count",
  "  }",
  "  return Math.round(sum * 100) / 100",
  "}",
  "def mean(values: list[float]) -> float:",
  "    assert len(values) > 0",
  "    return sum(values) / len(values)",
  "SELECT name, count(*) FROM orders",
  "WHERE status = 'paid' GROUP BY name;",
  "const url = `https://example.org/${id}`",
  "#include <stdio.h>",
  "int main(int argc, char **argv) {",
  "    printf(\"%d\\n\", argc);",
  "if __name__ == \"__main__\":"
]
const shell = [
  "$ git push origin main",
  "$ npm run build --workspaces",
  "Compiled 214 files in 3.2 s",
  "error TS2345: Argument of type 'string'",
  "PASS src/queue/retry.test.ts (12 tests)",
  "drwxr-xr-x  4 root root 4096 Jan 12 09:41 lib",
  "127.0.0.1 - GET /v1/jobs/81 200",
  "Downloading model.onnx 45% 12.4 MB/s"
]

/** Numbers from 0 to 1, the same for the same seed (mulberry32). */
export const randomFrom = (seed: number): () => number => {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let t = Math.imul(state ^ (state >>> 15), 1 | state)
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t
    return ((t ^ (t >>> 14)) >>> 0) / 4_294_967_296
  }
}

const escaped = (text: string): string =>
  text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;").replaceAll("\"", "&quot;")

export interface Line {
  readonly text: string
  readonly x: number
  /** Of the baseline. */
  readonly y: number
  readonly size: number
  readonly fill: string
  readonly family: string
  readonly weight?: string
}

/** One line as SVG; its baseline begins at `(x, y)`. */
export const lineOf = ({ family, fill, size, text, weight = "400", x, y }: Line): string =>
  `<text xml:space="preserve" x="${x}" y="${y}" font-family="${family}" font-size="${size}" font-weight="${weight}" fill="${fill}">${
    escaped(text)
  }</text>`

/** A picture of `width` x `height` as SVG. */
export const svgOf = (width: number, height: number, ground: string, marks: ReadonlyArray<string>): string =>
  `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}"><rect width="100%" height="100%" fill="${ground}"/>${
    marks.join("")
  }</svg>`

const capitalised = (text: string): string => text[0]!.toUpperCase() + text.slice(1)

/** Everything that is drawn at random comes from here, so that a seed says it all. */
const makePen = (seed: number) => {
  const random = randomFrom(seed)
  const below = (count: number): number => Math.floor(random() * count)
  const pick = <A>(from: ReadonlyArray<A>): A => from[below(from.length)]!
  const figure = (): string =>
    pick([
      () => `${below(99) + 1}%`,
      () => `$${(random() * 900 + 1).toFixed(2)}`,
      () => `${below(900) + 100},${String(below(1000)).padStart(3, "0")}`,
      () => `+${(random() * 30).toFixed(1)}%`,
      () => String(1990 + below(40))
    ])()
  const phrase = (): string =>
    capitalised(
      pick([
        () => `${pick(verbs)} the ${pick(words)} of ${pick(words)}`,
        () => `${pick(words)} ${figure()}`,
        () => `${pick(words)} and ${pick(words)} by ${pick(names)}`,
        () => `${pick(verbs)} ${pick(words)} before ${pick(words)} in ${1990 + below(40)}`,
        () => `${pick(words)}: ${figure()} against ${figure()}`,
        () => `why ${pick(words)} needs a ${pick(words)}, not a ${pick(words)}`
      ])()
    )
  const heading = (): string =>
    capitalised(`${pick(words)} ${pick(words)}${random() < 0.3 ? ` ${2020 + below(9)}` : ""}`)
  return { below, figure, heading, phrase, pick, random }
}

type Pen = ReturnType<typeof makePen>
type Drawing = Pick<DrawnPicture, "lines" | "svg">

const drawn = (
  width: number,
  height: number,
  ground: string,
  lines: ReadonlyArray<Line>,
  marks: ReadonlyArray<string> = []
) => ({
  svg: svgOf(width, height, ground, [...marks, ...lines.map(lineOf)]),
  lines: lines.map(({ text }) => text.trim().replaceAll(/\s+/gu, " "))
})

const slide = (pen: Pen, from: ReadonlyArray<Theme>, width: number, height: number, least: number): Drawing => {
  const { accent, ground, ink } = pen.pick(from)
  const family = pen.pick(families)
  const size = least + pen.below(Math.max(1, Math.round(least * 0.5)))
  const x = Math.round(width * 0.07)
  const title = {
    text: pen.heading(),
    x,
    y: Math.round(height * 0.15),
    size: Math.round(size * 1.6),
    fill: accent,
    family,
    weight: "700"
  }
  const rows = Array.from({ length: 3 + pen.below(3) }, (_, i) => ({
    text: pen.phrase(),
    x,
    y: Math.round(height * 0.15 + size * 2.4 * (i + 1)),
    size,
    fill: ink,
    family
  }))
  return drawn(width, height, ground, [title, ...rows])
}

const columns = (pen: Pen): Drawing => {
  const { accent, ground, ink } = pen.pick(themes)
  const family = pen.pick(families)
  const column = (x: number): ReadonlyArray<Line> => [
    { text: pen.heading(), x, y: 220, size: 34, fill: accent, family, weight: "700" },
    ...Array.from({ length: 4 }, (_, i) => ({
      text: `${pen.pick(verbs)} ${pen.pick(words)} ${pen.figure()}`,
      x,
      y: 300 + i * 62,
      size: 26,
      fill: ink,
      family
    }))
  ]
  const title = { text: pen.heading(), x: 80, y: 110, size: 46, fill: accent, family, weight: "700" }
  return drawn(1280, 720, ground, [title, ...column(80), ...column(700)])
}

const table = (pen: Pen): Drawing => {
  const { accent, ground, ink } = pen.pick(themes)
  const family = pen.pick(families)
  const row = (y: number, cells: ReadonlyArray<string>, fill: string): ReadonlyArray<Line> =>
    cells.map((text, i) => ({ text, x: [90, 520, 760, 1000][i]!, y, size: 28, fill, family }))
  const body = Array.from(
    { length: 6 },
    (_, i) =>
      row(230 + i * 70, [`${pen.pick(words)} ${pen.pick(words)}`, pen.figure(), pen.figure(), pen.figure()], ink)
  ).flat()
  const rules = Array.from(
    { length: 7 },
    (_, i) => `<line x1="80" x2="1200" y1="${180 + i * 70}" y2="${180 + i * 70}" stroke="${accent}" stroke-width="2"/>`
  )
  return drawn(1280, 720, ground, [...row(160, ["Item", "2025", "2026", "Change"], accent), ...body], rules)
}

const listing = (pen: Pen, from: ReadonlyArray<string>, size: number): Drawing => {
  const { accent, ground, ink } = pen.pick(themes.slice(0, 2))
  const family = pen.pick(fixed)
  return drawn(
    1280,
    720,
    ground,
    Array.from({ length: 12 }, (_, i) => ({
      text: pen.pick(from),
      x: 40,
      y: 50 + Math.round(i * size * 1.7),
      size,
      fill: pen.random() < 0.3 ? accent : ink,
      family
    }))
  )
}

const labels = (pen: Pen, from: ReadonlyArray<string>): Drawing => {
  const { ground, ink } = pen.pick(themes)
  const family = pen.pick(families)
  return drawn(
    1280,
    720,
    ground,
    Array.from({ length: 9 }, (_, i) => ({
      text: pen.pick(from),
      x: 100 + (i % 3) * 400,
      y: 160 + Math.floor(i / 3) * 200,
      size: 24 + pen.below(30),
      fill: ink,
      family
    }))
  )
}

/** Lists of prices in one currency each; a sign stands before its number or, as in most of Europe, behind it. */
const prices = (pen: Pen): Drawing => {
  const { accent, ground, ink } = pen.pick(themes)
  const family = pen.pick(families)
  const sign = pen.pick(["$", "€", "£", "¥", "€"])
  const behind = sign === "€" && pen.random() < 0.4
  const size = 20 + pen.below(28)
  const amount = (): string => {
    const number = pen.pick([
      () => String(pen.below(90) + 5),
      () => `${pen.below(900) + 1}.${String(pen.below(100)).padStart(2, "0")}`,
      () => `${pen.below(90) + 1},${String(pen.below(1000)).padStart(3, "0")}`
    ])()
    return behind ? `${number} ${sign}` : `${sign}${number}`
  }
  const row = (i: number): string =>
    pen.pick([
      () => `${capitalised(pen.pick(words))} ${amount()}`,
      () => `${capitalised(pen.pick(words))} ${pen.pick(words)}: ${amount()}`,
      () => `From ${amount()} per ${pen.pick(["month", "seat", "night", "year"])}`,
      () => amount()
    ])() + (i === 1 ? " each" : "")
  const rows = Array.from({ length: 6 }, (_, i) => ({
    text: row(i),
    x: 90,
    y: 220 + Math.round(i * size * 1.7),
    size,
    fill: i === 0 ? accent : ink,
    family
  }))
  const title = { text: pen.heading(), x: 90, y: 120, size: 46, fill: accent, family, weight: "700" }
  return drawn(1280, 720, ground, [title, ...rows])
}

/** Light type with a dark edge over a picture of smooth shapes, as captions and lower thirds are. */
const overPicture = (pen: Pen): Drawing => {
  const shapes = Array.from(
    { length: 40 },
    () =>
      `<ellipse cx="${pen.below(1280)}" cy="${pen.below(720)}" rx="${20 + pen.below(200)}" ry="${
        20 + pen.below(140)
      }" fill="hsl(${pen.below(360)},${20 + pen.below(50)}%,${20 + pen.below(60)}%)" opacity="0.7"/>`
  )
  const family = pen.pick(families.slice(0, 2))
  const rows = [pen.phrase(), pen.phrase()].map((text, i) => ({
    text,
    x: 200,
    y: 620 + i * 50,
    size: 34,
    fill: "#ffffff",
    family
  }))
  const edges = rows.map((row) =>
    lineOf({ ...row, fill: "#000000" }).replace("<text", "<text stroke=\"#000000\" stroke-width=\"5\"")
  )
  return drawn(1280, 720, "#808890", rows, [...shapes, ...edges])
}

const turnedBy = (degrees: 90 | 180 | 270, { lines, svg }: Drawing): Drawing => {
  const [width, height] = degrees === 180 ? [1280, 720] : [720, 1280]
  const move = {
    90: "translate(720 0) rotate(90)",
    180: "translate(1280 720) rotate(180)",
    270: "translate(0 1280) rotate(270)"
  }
  const inner = svg.slice(svg.indexOf(">") + 1, -"</svg>".length)
    .replace("width=\"100%\" height=\"100%\"", "width=\"1280\" height=\"720\"")
  return {
    lines,
    svg: `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}"><g transform="${
      move[degrees]
    }">${inner}</g></svg>`
  }
}

const sets: Readonly<Record<string, (pen: Pen) => Drawing>> = {
  slides: (pen) => slide(pen, themes, 1280, 720, 28),
  "small type": (pen) => slide(pen, themes, 1280, 720, 12),
  faint: (pen) => slide(pen, faint, 1280, 720, 26),
  vertical: (pen) => slide(pen, themes, 720, 1280, 20),
  columns,
  table,
  code: (pen) => listing(pen, code, 20),
  terminal: (pen) => listing(pen, shell, 16),
  "short lines": (pen) => labels(pen, shorts),
  capitals: (pen) => labels(pen, capitals),
  "over a picture": overPicture,
  "turned by 180": (pen) => turnedBy(180, slide(pen, themes, 1280, 720, 28)),
  "turned by 90": (pen) => turnedBy(90, slide(pen, themes, 1280, 720, 28)),
  "turned by 270": (pen) => turnedBy(270, slide(pen, themes, 1280, 720, 28)),
  prices
}

/** `count` pictures of every set; the same seed draws the same ones. */
export const drawnPictures = (seed: number, count: number): ReadonlyArray<DrawnPicture> =>
  Object.entries(sets).flatMap(([set, draw], kind) =>
    Array.from({ length: count }, (_, i): DrawnPicture => {
      const { lines, svg } = draw(makePen(seed + 1000 * kind + i))
      return { set, name: `${set} ${i + 1}`, lines, svg }
    })
  )

/** A slide whose lines appear one after another, as a talk is given: one picture for each state. */
export const slideBuilds = (seed: number): ReadonlyArray<DrawnPicture> => {
  const pen = makePen(seed)
  const { accent, ground, ink } = pen.pick(themes)
  const family = pen.pick(families)
  const size = 24 + pen.below(14)
  const all: ReadonlyArray<Line> = [
    { text: pen.heading(), x: 90, y: 110, size: Math.round(size * 1.6), fill: accent, family, weight: "700" },
    ...Array.from({ length: 6 }, (_, i) => ({ text: pen.phrase(), x: 90, y: 200 + i * 76, size, fill: ink, family }))
  ]
  return all.slice(1).map((_, i): DrawnPicture => {
    const { lines, svg } = drawn(1280, 720, ground, all.slice(0, i + 2))
    return { set: "builds", name: `builds ${seed} ${i + 1}`, lines, svg }
  })
}
