import { execFile } from "node:child_process"
import { existsSync } from "node:fs"
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import { fileURLToPath } from "node:url"
import { parseArgs, promisify } from "node:util"
import { deserialize, serialize } from "node:v8"
import { beamDefaults, type BeamOptions, beamSearch } from "../workers/speech/ctc/BeamSearch.ts"
import type { Posteriors } from "../workers/speech/ctc/CtcAlignment.ts"
import { bestPath } from "../workers/speech/ctc/CtcDecoder.ts"
import { type CtcTokens, readTokens, WORD_MARK } from "../workers/speech/ctc/CtcTokens.ts"
import { readWordModel, type WordModel } from "../workers/speech/ctc/WordModel.ts"
import { makeWordScorer, wordScorerDefaults, type WordScorerOptions } from "../workers/speech/ctc/WordScorer.ts"
import { openCtcNetwork } from "../workers/speech/drivers/CtcNetwork.ts"
import { logMel, SAMPLE_RATE } from "../workers/speech/dsp/FeatureExtractor.ts"
import { align, comparable } from "./speech/ErrorRates.ts"
import { makeReader, recordingsIn } from "./speech/Recordings.ts"

/** An utterance as the network hears it. Sets beginning with `tts` are synthetic voices. */
interface Heard {
  readonly set: string
  readonly reference: ReadonlyArray<string>
  readonly posteriors: Posteriors
  readonly seconds: number
}

type Options = WordScorerOptions & BeamOptions

const run = promisify(execFile)
const models = fileURLToPath(new URL("../models", import.meta.url))
const texts = join(models, "training", "eval-text.txt")
const defaults: Options = { ...wordScorerDefaults, ...beamDefaults }

/** Every recording with a transcript below the folders, clips with truth files by sentence, and flite reading our text. */
const hear = async (folders: ReadonlyArray<string>, model: string): Promise<ReadonlyArray<Heard>> => {
  const network = await openCtcNetwork(model)
  const read = await makeReader()
  const heard: Array<Heard> = []
  const add = async (set: string, text: string, samples: Float32Array) => {
    const reference = comparable(text.replaceAll("-", " "))
    const seconds = samples.length / SAMPLE_RATE
    heard.push({ set, reference, seconds, posteriors: await network.posteriors(logMel(samples)) })
  }
  for (const folder of folders) {
    for (const { file, set, transcript, turns } of recordingsIn(folder)) {
      if (transcript === null) continue
      const samples = await read(file)
      const truth = join(dirname(file), `${set}.truth.json`)
      const { sentences } = turns === null ? {} : JSON.parse(await readFile(truth, "utf8"))
      if (sentences === undefined) {
        await add(set, transcript, samples)
        continue
      }
      for (const { t_end, t_start, text } of sentences) {
        const from = Math.max(0, Math.round((t_start - 0.15) * SAMPLE_RATE))
        await add(`tts/${set}`, text, samples.slice(from, Math.round((t_end + 0.15) * SAMPLE_RATE)))
      }
    }
  }
  const scratch = await mkdtemp(join(tmpdir(), "footnote-decoding-"))
  try {
    for (const voice of ["slt", "rms"]) {
      for (const text of (await readFile(texts, "utf8")).trim().split("\n")) {
        const wave = join(scratch, "said.wav")
        await run("flite", ["-voice", voice, "-t", `${text} `, "-o", wave])
        await add(`tts/${voice}`, text, await read(wave))
      }
    }
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code !== "ENOENT") throw cause
    process.stdout.write("flite is not installed: the sets tts/slt and tts/rms are left out\n")
  } finally {
    await rm(scratch, { recursive: true })
  }
  await network[Symbol.asyncDispose]()
  return heard
}

/** What a file keeps of an earlier run, or what is heard now, kept there: the search is tuned without hearing again. */
const kept = async (file: string, listen: () => Promise<ReadonlyArray<Heard>>): Promise<ReadonlyArray<Heard>> => {
  if (!existsSync(file)) await writeFile(file, serialize(await listen()))
  return deserialize(await readFile(file))
}

const said = (sequence: ReadonlyArray<number>, { texts }: CtcTokens): Array<string> =>
  comparable(sequence.map((token) => texts[token]!.replace(WORD_MARK, " ")).join(""))

const errorsOf = ({ posteriors, reference }: Heard, tokens: CtcTokens, model: WordModel, options: Options): number =>
  align(
    reference,
    said(beamSearch(posteriors, tokens.blank, makeWordScorer(model, tokens, [], options), options), tokens)
  )
    .errors

const isSynthetic = ({ set }: Heard) => set.startsWith("tts/")

/**
 * Word error rates of people and of synthetic voices, added up: both count, though people's sets are larger. A bonus or
 * weight that only helps one of them by hurting the other gains nothing.
 */
const loss = (heard: ReadonlyArray<Heard>, tokens: CtcTokens, model: WordModel, options: Options): number => {
  let sum = 0
  for (const group of [heard.filter(isSynthetic), heard.filter((item) => !isSynthetic(item))]) {
    const errors = group.reduce((sum, item) => sum + errorsOf(item, tokens, model, options), 0)
    sum += errors / Math.max(1, group.reduce((sum, { reference }) => sum + reference.length, 0))
  }
  return sum
}

const steps: Readonly<Partial<Record<keyof Options, number>>> = {
  weight: 0.1,
  letter_bonus: 0.25,
  word_bonus: 0.4,
  unknown_letter: 0.5
}

/** A narrower search loses a little everywhere and takes a fifth of the time. */
const quick = { width: 64, prefix_margin: 10 }

/** One option after the other in halving steps, as long as the error rate falls. */
const tune = (heard: ReadonlyArray<Heard>, tokens: CtcTokens, model: WordModel, from: Options): Options => {
  let best = from
  let least = loss(heard, tokens, model, { ...from, ...quick })
  for (const scale of [1, 0.5]) {
    for (let moved = true, rounds = 0; moved && rounds < 3; rounds++) {
      moved = false
      for (const [name, step] of Object.entries(steps) as Array<[keyof Options, number]>) {
        for (const by of [-step * scale, step * scale]) {
          const next = { ...best, [name]: Math.round((best[name] + by) * 1000) / 1000 }
          const reached = loss(heard, tokens, model, { ...next, ...quick })
          if (reached < least - 1e-9) {
            ;[best, least, moved] = [next, reached, true]
            break
          }
        }
      }
    }
  }
  return best
}

const percent = (errors: number, total: number) => `${((100 * errors) / Math.max(1, total)).toFixed(1)} %`

const print = (title: string, heard: ReadonlyArray<Heard>, decode: (item: Heard) => number) => {
  const sets = new Map<string, { errors: number; total: number }>()
  const began = process.cpuUsage()
  for (const item of heard) {
    const errors = decode(item)
    for (const name of [item.set, isSynthetic(item) ? "ALL tts" : "ALL people"]) {
      const set = sets.get(name) ?? { errors: 0, total: 0 }
      sets.set(name, { errors: set.errors + errors, total: set.total + item.reference.length })
    }
  }
  const { system, user } = process.cpuUsage(began)
  const took = (user + system) / 1e6 / heard.reduce((sum, { seconds }) => sum + seconds, 0)
  process.stdout.write(`${title} (${(1000 * took).toFixed(1)} ms of processor time per second of sound)\n`)
  for (const [name, { errors, total }] of sets) {
    process.stdout.write(`  ${name.padEnd(28)} ${String(total).padStart(5)} words  WER ${percent(errors, total)}\n`)
  }
}

const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: {
    model: { type: "string" },
    words: { type: "string" },
    heard: { type: "string" },
    set: { type: "string", multiple: true },
    tune: { type: "boolean" }
  }
})
if (positionals.length === 0) {
  throw new Error(
    "Usage: decoding.ts FOLDER... [--model FILE.onnx] [--words FILE.gz] [--heard FILE] [--set option=value] [--tune]"
  )
}
const tokens = readTokens(join(models, "footnote-ctc-en.tokens.txt"))
const model = readWordModel(values.words ?? join(models, "lm", "en.lm.gz"))
const listen = () => hear(positionals, values.model ?? join(models, "footnote-ctc-en.onnx"))
const heard = values.heard === undefined ? await listen() : await kept(values.heard, listen)
const given: Options = {
  ...defaults,
  ...Object.fromEntries((values.set ?? []).map((pair) => pair.split("=")).map(([name, value]) => [name, Number(value)]))
}

print(
  "Best letter of every frame",
  heard,
  ({ posteriors, reference }) => align(reference, said(bestPath(posteriors, tokens.blank), tokens)).errors
)
print("Beam search as set", heard, (item) => errorsOf(item, tokens, model, given))
if (values.tune) {
  const [one, other] = [0, 1].map((half) => heard.filter((_, i) => i % 2 === half))
  const tuned = [tune(one!, tokens, model, given), tune(other!, tokens, model, given)]
  const crossed = new Map([
    ...one!.map((item) => [item, tuned[1]!] as const),
    ...other!.map((item) => [item, tuned[0]!] as const)
  ])
  print(
    "Beam search, each half with options tuned on the other",
    heard,
    (item) => errorsOf(item, tokens, model, crossed.get(item)!)
  )
  const all = tune(heard, tokens, model, given)
  print("Beam search, tuned on everything", heard, (item) => errorsOf(item, tokens, model, all))
  for (const options of [...tuned, all]) process.stdout.write(`${JSON.stringify(options)}\n`)
}
