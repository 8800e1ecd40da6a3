import { readFileSync } from "node:fs"
import { basename, join } from "node:path"
import { fileURLToPath } from "node:url"
import { parseArgs } from "node:util"
import { wordsOf } from "../workers/speech/ctc/CtcDecoder.ts"
import { readTokens, WORD_MARK } from "../workers/speech/ctc/CtcTokens.ts"
import { openCtcNetwork, SUBSAMPLING } from "../workers/speech/drivers/CtcNetwork.ts"
import { HOP, logMel, SAMPLE_RATE } from "../workers/speech/dsp/FeatureExtractor.ts"
import { median } from "./Median.ts"
import { comparable } from "./speech/ErrorRates.ts"
import { makeReader, recordingsIn } from "./speech/Recordings.ts"

const FRAME_SECONDS = (SUBSAMPLING * HOP) / SAMPLE_RATE
/** Words of recordings as PocketSphinx aligned them to their transcripts (`speech/alignment/align.py`), by file name. */
const aligned: Readonly<Record<string, ReadonlyArray<readonly [string, number, number]>>> = JSON.parse(
  readFileSync(new URL("speech/alignment/librispeech-test-other.json", import.meta.url), "utf8")
)
const models = fileURLToPath(new URL("../models", import.meta.url))

const { positionals, values } = parseArgs({ allowPositionals: true, options: { model: { type: "string" } } })
if (positionals.length === 0) throw new Error("Usage: word-times.ts FOLDER... [--model FILE.onnx]")

const tokens = readTokens(join(models, "footnote-ctc-en.tokens.txt"))
await using network = await openCtcNetwork(values.model ?? join(models, "footnote-ctc-en.onnx"))
const read = await makeReader()

/** By how many seconds the first letter is heard after its word begins, and the last one's frames end after it ends. */
const late: Array<number> = []
const over: Array<number> = []
for (const folder of positionals) {
  for (const { file, words } of recordingsIn(folder)) {
    const times = words ??
      aligned[basename(file).replace(/\.\w+$/u, "")]?.map(([text, t_start, t_end]) => ({ text, t_start, t_end }))
    if (times === undefined) continue
    const posteriors = await network.posteriors(logMel(await read(file)))
    const sequence = [...times.map(({ text }) => WORD_MARK + comparable(text).join("")).join("")].map((letter) =>
      tokens.texts.indexOf(letter)
    )
    if (sequence.includes(-1)) continue
    for (const [i, { from, to }] of wordsOf(posteriors, sequence, tokens).entries()) {
      late.push(from * FRAME_SECONDS - times[i]!.t_start)
      over.push(to * FRAME_SECONDS - times[i]!.t_end)
    }
  }
}

const print = (name: string, off: ReadonlyArray<number>) => {
  const middle = median(off)
  const rest = off.map((value) => Math.abs(value - middle))
  process.stdout.write(
    `${name}: median ${middle.toFixed(3)} s over ${off.length} words; once it is taken off, half are within ` +
      `${median(rest).toFixed(3)} s, ${
        ((100 * rest.filter((value) => value < 0.1).length) / rest.length).toFixed(0)
      } % within 0.1 s\n`
  )
}
// The values of LATENCY_SECONDS and OVERHANG_SECONDS in workers/speech/drivers/CtcRecogniser.ts.
print("First letter after its word's begin", late)
print("Last letter after the word's end", over)
