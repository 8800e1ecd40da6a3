// Trains the linear classifiers of workers/speech/transcript/Punctuation.ts: `node train-punctuation.ts FOLDER OUT.bin.gz [EPOCHS]`,
// FOLDER as punctuation_text.py writes it. The same files give the same bytes.
import { readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { gzipSync } from "node:zlib"
import {
  caseFeatures,
  FeatureList,
  hashOf,
  markFeatures,
  questionFeatures,
  slotOf,
  STARTS,
  turnWords
} from "../../workers/speech/transcript/PunctuationFeatures.ts"

/** mulberry32 */
const makeRandom = (seed: number) => () => {
  seed = (seed + 0x6d2b79f5) | 0
  let t = Math.imul(seed ^ (seed >>> 15), 1 | seed)
  t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t
  return ((t ^ (t >>> 14)) >>> 0) / 4294967296
}
type Random = () => number

interface Token {
  word: string
  letters: 0 | 1 | 2
  mark: 0 | 1 | 2
  asks: boolean
}

const tokensOf = (line: string): Array<Token> =>
  line.split(" ").map((text) => {
    const mark = /[,.?]$/u.exec(text)?.[0]
    const bare = text.replace(/[,.?]+$/u, "")
    const letters = /\p{Lu}/u.test(bare) ? /\p{Ll}/u.test(bare) || bare.length === 1 || /^I'/u.test(bare) ? 1 : 2 : 0
    return { word: bare.toLowerCase(), letters, mark: mark === undefined ? 0 : mark === "," ? 1 : 2, asks: mark === "?" }
  })

const HOMOPHONES = new Map(
  "their there,there their,your you're,its it's,it's its,to two,too to,two to,for four,four for,know no,no know,right write,here hear,hear here,our are,by buy,than then,then than,week weak,whole hole,one won,where were,were where,an and,and an,in and,a the,the a,of a,is as,as is"
    .split(",").map((pair) => pair.split(" ") as [string, string])
)
const DROPPED = new Set("the a of and to in is that it was for on at with".split(" "))

/** A recogniser's mistakes: letters changed, words like others, small words lost (their mark goes to the word before). */
const spoil = (tokens: ReadonlyArray<Token>, rate: number, random: Random): Array<Token> => {
  const out: Array<Token> = []
  for (const token of tokens) {
    if (DROPPED.has(token.word) && random() < rate * 0.4 && out.length > 0) {
      const last = out.at(-1)!
      if (last.mark === 0) Object.assign(last, { mark: token.mark, asks: token.asks })
      continue
    }
    let { word } = token
    if (HOMOPHONES.has(word) && random() < rate) word = HOMOPHONES.get(word)!
    else if (word.length > 3 && random() < rate) {
      const at = Math.floor(random() * word.length)
      const letter = "eaiotnrslu"[Math.floor(random() * 10)]!
      const roll = random()
      word = word.slice(0, at) + (roll < 0.4 ? letter : roll < 0.7 ? "" : letter + word[at]) + word.slice(at + 1)
    }
    out.push({ ...token, word })
  }
  return out
}

/** "API" as it is spelled out: three letters. */
const spell = (tokens: ReadonlyArray<Token>, random: Random): Array<Token> =>
  tokens.flatMap((token) =>
    token.letters === 2 && /^[a-z]{2,5}$/u.test(token.word) && random() < 0.5
      ? Array.from(token.word, (word, i): Token =>
        i + 1 < token.word.length ? { word, letters: 2, mark: 0, asks: false } : { ...token, word })
      : [token]
  )

const normal = (random: Random) => Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random())
const lognormal = (median: number, spread: number, random: Random) => median * Math.exp(spread * normal(random))

/** Silences as people (half of the turns) or synthetic voices (a fifth) leave them, or none known. */
const pausesOf = (tokens: ReadonlyArray<Token>, random: Random): Array<number> | null => {
  const style = random()
  if (style < 0.3) return null
  const synthetic = style < 0.5
  const hesitates = 0.02 + 0.06 * random()
  const breath = 0.35 + 0.5 * random()
  return tokens.map(({ mark }) => {
    const roll = random()
    if (synthetic) {
      if (mark === 0) return random() * 0.09
      return mark === 1 ? 0.08 + random() * 0.3 : 0.35 + random() * 0.5
    }
    if (mark === 0) return roll < hesitates ? lognormal(0.35, 0.6, random) : roll < 0.2 ? random() * 0.25 : random() * 0.08
    if (mark === 1) return roll < 0.4 ? random() * 0.1 : roll < 0.75 ? random() * 0.35 : lognormal(0.4, 0.5, random)
    return roll < 0.15 ? random() * 0.12 : roll < 0.3 ? random() * 0.4 : lognormal(breath, 0.5, random)
  })
}

/** A feature met less often is a single text's. */
const LEAST = 8
const DROPOUT = 0.2
const RATE = 0.06

/** Multinomial logistic regression by AdaGrad (Duchi et al. 2011). */
class Learner {
  readonly weights: Float32Array
  readonly squares: Float32Array
  readonly seen: Uint16Array
  readonly slots: number
  readonly classes: number
  loss = 0
  right = 0
  decisions = 0
  private readonly sums: Float64Array
  constructor(slots: number, classes: number) {
    this.slots = slots
    this.classes = classes
    this.weights = new Float32Array(slots * classes)
    this.squares = new Float32Array(slots * classes)
    this.seen = new Uint16Array(slots)
    this.sums = new Float64Array(classes)
  }
  /** The first pass: how often each feature is met. */
  count({ indices, size }: FeatureList): void {
    for (let f = 0; f < size; f++) if (this.seen[indices[f]!]! < 65535) this.seen[indices[f]!]!++
  }
  /** Learns from features met often enough, each left out now and then so that none is relied on alone. */
  learn(list: FeatureList, gold: number, rate: number, random: Random): void {
    const { classes, seen, squares, sums, weights } = this
    const { indices } = list
    let size = 0
    for (let f = 0; f < list.size; f++) {
      if (seen[indices[f]!]! >= LEAST && random() >= DROPOUT) indices[size++] = indices[f]!
    }
    sums.fill(0)
    for (let f = 0; f < size; f++) for (let k = 0; k < classes; k++) sums[k]! += weights[indices[f]! * classes + k]!
    let [top, total, best] = [-Infinity, 0, 0]
    for (let k = 0; k < classes; k++) if (sums[k]! > top) [top, best] = [sums[k]!, k]
    for (let k = 0; k < classes; k++) total += sums[k] = Math.exp(sums[k]! - top)
    this.loss -= Math.log(sums[gold]! / total)
    this.decisions++
    if (best === gold) this.right++
    for (let k = 0; k < classes; k++) {
      const gradient = sums[k]! / total - (k === gold ? 1 : 0)
      if (Math.abs(gradient) < 1e-4) continue
      for (let f = 0; f < size; f++) {
        const at = indices[f]! * classes + k
        squares[at]! += gradient * gradient
        weights[at]! -= rate * gradient / (0.1 + Math.sqrt(squares[at]!))
      }
    }
  }
  report(): string {
    const text = `${(this.loss / this.decisions).toFixed(4)} (${(100 * this.right / this.decisions).toFixed(2)} % of ${this.decisions})`
    this.loss = this.right = this.decisions = 0
    return text
  }
  /** Weights up to 4 in 63 steps to either side; the small ones, two thirds of all, are dropped: no figure changed by it. */
  table(name: string) {
    const fine = 4 / 127
    const steps = Int8Array.from(this.weights, (weight) => {
      const step = Math.max(-127, Math.min(127, Math.round(weight / fine)))
      return Math.abs(step) <= 2 ? 0 : Math.round(step / 2)
    })
    console.log(name, "weights kept", steps.reduce((n, step) => n + (step === 0 ? 0 : 1), 0), "of", steps.length)
    return { header: { name, slots: this.slots, classes: this.classes, scale: 2 * fine }, steps }
  }
}

const [folder, target, epochs] = [process.argv[2]!, process.argv[3]!, Number(process.argv[4] ?? 2)]
/** 1 for ordinary words, 2 for names, 3 for both. */
const list = { slots: 1 << 20, weights: new Int8Array(1 << 20) }
for (const [name, bit] of [["words", 1], ["names", 2]] as const) {
  for (const word of readFileSync(join(folder, `${name}.lst`), "utf8").trim().split("\n")) list.weights[slotOf(word, list.slots)]! |= bit
}
const lines = readFileSync(join(folder, "train.txt"), "utf8").trim().split("\n")
const marks = new Learner(1 << 20, 3)
const questions = new Learner(1 << 17, 2)
const cases = new Learner(1 << 20, 3)
const [markList, questionList, caseList] = [marks, questions, cases].map(({ slots }) => new FeatureList(slots)) as [
  FeatureList,
  FeatureList,
  FeatureList
]

/** Learns from a turn, or only counts its features for a rate of null. */
const learnTurn = (tokens: ReadonlyArray<Token>, rate: number | null, random: Random): void => {
  const learn = (learner: Learner, list: FeatureList, gold: number) =>
    rate === null ? learner.count(list) : learner.learn(list, gold, rate, random)
  const turn = turnWords(tokens.map(({ word }) => word), pausesOf(tokens, random), list)
  let [start, comma, sentence] = [0, -1, 0]
  let last: number = STARTS
  for (let i = 0; i < tokens.length; i++) {
    const token = tokens[i]!
    if (i + 1 < tokens.length) {
      markFeatures(turn, i, start, comma, markList)
      learn(marks, markList, token.mark)
    }
    const before = i === 0 ? 2 : tokens[i - 1]!.mark
    caseFeatures(turn, i, last, before, token.mark, caseList)
    // What starts a sentence has a capital whatever it is; only capitals throughout can be learned there.
    if (before !== 2) learn(cases, caseList, token.letters)
    else if (token.letters === 2 || random() < 0.1) learn(cases, caseList, token.letters === 2 ? 2 : 1)
    last = before === 2 ? STARTS : token.letters
    if (token.mark === 2) {
      questionFeatures(turn, sentence, i + 1, questionList)
      learn(questions, questionList, token.asks ? 1 : 0)
      sentence = i + 1
    }
    // Decoding errs, so history does too now and then.
    const known = random() < 0.93 ? token.mark : Math.floor(random() * 3)
    if (known === 2) start = i + 1
    if (known !== 0) comma = i
  }
}

for (let epoch = -1; epoch < epochs; epoch++) {
  const random = makeRandom(hashOf(`epoch ${epoch}`))
  const order = lines.map((_, i) => i)
  for (let i = order.length - 1; i > 0; i--) {
    const j = Math.floor(random() * (i + 1))
    ;[order[i], order[j]] = [order[j]!, order[i]!]
  }
  const began = performance.now()
  for (let i = 0; i < order.length;) {
    const rate = epoch < 0 ? null : RATE * (1 - (epoch + i / order.length) / epochs) + 0.002
    const count = 1 + Math.floor(random() * 3)
    let tokens = order.slice(i, i + count).flatMap((at) => tokensOf(lines[at]!))
    i += count
    tokens = spell(tokens, random)
    if (random() < 0.6) tokens = spoil(tokens, random() * 0.12, random)
    learnTurn(tokens, rate, random)
  }
  if (epoch >= 0) console.log(`epoch ${epoch}: marks ${marks.report()}, questions ${questions.report()}, cases ${cases.report()}, ` +
    `${Math.round((performance.now() - began) / 1000)} s`)
}

const tables = [
  { header: { name: "list", slots: list.slots, classes: 1, scale: 1 }, steps: list.weights },
  marks.table("marks"), questions.table("questions"), cases.table("cases")
]
const file = gzipSync(
  Buffer.concat([
    Buffer.from(`${JSON.stringify({ tables: tables.map(({ header }) => header) })}\n`),
    ...tables.map(({ steps }) => Buffer.from(steps.buffer))
  ]),
  { level: 9 }
)
writeFileSync(target, file)
console.log(target, file.length, "bytes")
