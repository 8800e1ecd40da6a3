import { writeFileSync } from "node:fs"
import { fileURLToPath } from "node:url"
import sharp from "sharp"
import { lineOf, randomFrom, svgOf } from "../bench/vision/DrawnPictures.ts"
import { inkBounds } from "../workers/vision/picture/InkBounds.ts"
import { fitted } from "../workers/vision/picture/LinePicture.ts"
import { cropped, type Picture } from "../workers/vision/picture/Picture.ts"
import { FEATURES, glyphReader, glyphsBetween, SIGNS } from "../workers/vision/text/CurrencySigns.ts"
import { inkGaps } from "../workers/vision/text/WordGaps.ts"

// Fits workers/vision/text/CurrencyWeights.ts: `node tools/fit-currency.ts`, two minutes. Draws signs and what may be taken for
// them beside numbers, in the fonts of Debian's fonts-dejavu and fonts-liberation, as kept frames. First the honest figure:
// every family judged by weights that never saw it.

const families = [
  "DejaVu Sans",
  "DejaVu Sans Condensed",
  "DejaVu Serif",
  "DejaVu Sans Mono",
  "Liberation Sans",
  "Liberation Sans Narrow",
  "Liberation Serif",
  "Liberation Mono"
]
const others = Array.from("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789#@&%(+-~<=*:/•·°§").concat(
  Array.from("fFEeCGcStLYVXPRBTH6853f(+~#")
)
const grounds = [
  ["#ffffff", "#222222"],
  ["#10151f", "#e6e9ef"],
  ["#0b4f6c", "#fbfbff"],
  ["#f4ecd8", "#3b2f2f"],
  [
    "#ffffff",
    "#1a4f8b"
  ],
  ["#ffffff", "#8a8a8a"],
  ["#22313f", "#f9c80e"],
  ["#ffffff", "#a4243b"]
]

const random = randomFrom(77)
const below = (count: number): number => Math.floor(random() * count)
const pick = <A>(from: ReadonlyArray<A>): A => from[below(from.length)]!

interface Sample {
  readonly family: string
  readonly kind: number
  readonly features: Float32Array
}

const [WIDTH, HEIGHT, ROW] = [1280, 720, 72]
const samples: Array<Sample> = []

const drawPage = async (family: string) => {
  const [ground, fill] = pick(grounds)
  const rows = Array.from({ length: 9 * 4 }, (_, i) => {
    const kind = random() < 0.55 ? below(SIGNS.length - 1) : SIGNS.length - 1
    const glyph = kind < SIGNS.length - 1 ? SIGNS[kind]! : pick(others)
    const behind = random() < 0.3
    const number = String(below(900) + 1)
    return {
      kind,
      glyph,
      behind,
      text: behind ? `${number} ${glyph}` : `${glyph}${number}`,
      x: 30 + (i % 4) * 310 + random(),
      y: 50 + Math.floor(i / 4) * ROW + random(),
      size: 15 + below(40),
      weight: random() < 0.35 ? "700" : "400"
    }
  })
  const svg = svgOf(WIDTH, HEIGHT, ground!, rows.map((row) => lineOf({ ...row, fill: fill!, family })))
  const jpeg = await sharp(Buffer.from(svg)).jpeg({ quality: 60 + below(30) }).toBuffer()
  const { data, info } = await sharp(jpeg).removeAlpha().raw().toBuffer({ resolveWithObject: true })
  const page: Picture = { width: info.width, height: info.height, rgb: data }
  for (const { behind, glyph, kind, size, x, y } of rows) {
    const top = Math.max(0, Math.round(y - size * (0.95 + 0.15 * random())))
    const around = {
      left: Math.max(0, Math.round(x - 6)),
      top,
      width: Math.round(Math.min(300, size * 4.2)),
      height: Math.round(size * (1.25 + 0.2 * random()))
    }
    const line = await fitted(await cropped(page, inkBounds(page, around).crop))
    const glyphs = glyphsBetween(inkGaps(line), line.width)
    if (glyphs.length < 2 || glyph === "%") continue
    const features = behind
      ? glyphReader(line).featuresOf(glyphs.at(-1)!, glyphs.at(-2)!)
      : glyphReader(line).featuresOf(glyphs[0]!, glyphs[1]!)
    if (features !== undefined) samples.push({ family, kind, features })
  }
}

interface Fitted {
  readonly bias: number
  readonly weights: Float32Array
}

/** Multinomial logistic regression by Adam (Kingma and Ba 2015), with a little weight decay. */
const fit = (from: ReadonlyArray<Sample>): ReadonlyArray<Fitted> => {
  const size = FEATURES + 1
  const weights = new Float64Array(SIGNS.length * size)
  const [first, second] = [new Float64Array(weights.length), new Float64Array(weights.length)]
  const gradient = new Float64Array(weights.length)
  const [EPOCHS, BATCH, DECAY] = [40, 64, 1e-4]
  let step = 0
  for (let epoch = 0; epoch < EPOCHS; epoch++) {
    const rate = 0.02 * (1 - epoch / EPOCHS)
    const order = from.map((_, i) => [random(), i] as const).toSorted((a, b) => a[0] - b[0]).map(([, i]) => i)
    for (let at = 0; at < order.length; at += BATCH) {
      gradient.fill(0)
      const batch = order.slice(at, at + BATCH)
      for (const index of batch) {
        const { features, kind } = from[index]!
        const scores = SIGNS.map((_, k) => {
          let sum = weights[k * size + FEATURES]!
          for (let i = 0; i < FEATURES; i++) sum += weights[k * size + i]! * features[i]!
          return sum
        })
        const most = Math.max(...scores)
        const shares = scores.map((score) => Math.exp(score - most))
        const all = shares.reduce((a, b) => a + b, 0)
        for (let k = 0; k < SIGNS.length; k++) {
          const error = (shares[k]! / all - (k === kind ? 1 : 0)) / batch.length
          for (let i = 0; i < FEATURES; i++) gradient[k * size + i]! += error * features[i]!
          gradient[k * size + FEATURES]! += error
        }
      }
      step++
      for (let i = 0; i < weights.length; i++) {
        const g = gradient[i]! + DECAY * weights[i]!
        first[i] = 0.9 * first[i]! + 0.1 * g
        second[i] = 0.999 * second[i]! + 0.001 * g * g
        weights[i]! -= rate * (first[i]! / (1 - 0.9 ** step)) / (Math.sqrt(second[i]! / (1 - 0.999 ** step)) + 1e-8)
      }
    }
  }
  return SIGNS.map((_, k) => ({
    bias: weights[k * size + FEATURES]!,
    weights: Float32Array.from(weights.subarray(k * size, k * size + FEATURES))
  }))
}

const told = (model: ReadonlyArray<Fitted>, { features }: Sample) => {
  const scores = model.map(({ bias, weights }) => weights.reduce((sum, weight, i) => sum + weight * features[i]!, bias))
  const most = Math.max(...scores)
  const all = scores.reduce((sum, score) => sum + Math.exp(score - most), 0)
  return { kind: scores.indexOf(most), probability: 1 / all }
}

for (const family of families) for (let page = 0; page < 20; page++) await drawPage(family)
console.log(`${samples.length} glyphs`)
const NONE = SIGNS.length - 1
const sum = { signs: 0, found: 0, others: 0, taken: 0 }
for (const family of families) {
  const model = fit(samples.filter((one) => one.family !== family))
  const own = samples.filter((one) => one.family === family).map((one) => ({ kind: one.kind, told: told(model, one) }))
  const signs = own.filter(({ kind }) => kind !== NONE)
  const found = signs.filter((one) => one.told.kind === one.kind && one.told.probability >= 0.9)
  const taken = own.filter((one) => one.told.kind !== NONE && one.told.kind !== one.kind && one.told.probability >= 0.9)
  console.log(family, `${found.length} of ${signs.length} signs, ${taken.length} of ${own.length} taken for another`)
  sum.signs += signs.length
  sum.found += found.length
  sum.others += own.length
  sum.taken += taken.length
}
console.log(sum)
const model = fit(samples)
const written = model.map(({ bias, weights }) => {
  const step = weights.reduce((most, weight) => Math.max(most, Math.abs(weight)), 0) / 127
  const bytes = Buffer.from(Int8Array.from(weights, (weight) => Math.round(weight / step)))
  return `  weightsOf(${bias.toFixed(4)}, ${step.toFixed(6)}, "${bytes.toString("base64")}")`
})
writeFileSync(
  fileURLToPath(new URL("../workers/vision/text/CurrencyWeights.ts", import.meta.url)),
  `// Written by tools/fit-currency.ts from ${samples.length} drawn glyphs. By weights that never saw the family of what they judge,
// ${sum.found} of ${sum.signs} signs found and ${sum.taken} of ${sum.others} glyphs taken for another sign.

const weightsOf = (bias: number, step: number, base64: string) => ({
  bias,
  step,
  weights: new Int8Array(Buffer.from(base64, "base64"))
})

/** Of each of \`SIGNS\`: what a glyph's features weigh, in steps. */
export const currencyWeights = [
${written.join(",\n")}
]
`
)
