import { execFile } from "node:child_process"
import { existsSync } from "node:fs"
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { delimiter, join } from "node:path"
import { promisify } from "node:util"
import type { TimedWord } from "./Recordings.ts"

/** Words of every clip, in order, and the processor time of one run over all of them, loading left out. */
export interface SphinxRun {
  readonly words: ReadonlyArray<ReadonlyArray<TimedWord>>
  readonly seconds: number
}

const model = "/usr/share/pocketsphinx/model/en-us"
const run = promisify(execFile)

/** Debian's pocketsphinx with its American English model; undefined where it is not installed. */
export const findPocketSphinx = (): string | undefined =>
  existsSync(join(model, "en-us.lm.bin"))
    ? (process.env["PATH"] ?? "").split(delimiter).map((folder) => join(folder, "pocketsphinx_batch")).find((file) =>
      existsSync(file)
    )
    : undefined

/**
 * Recognises clips of 16 kHz samples in one run of `pocketsphinx_batch` with its own settings, search and language
 * model. Rejects when it fails or says something else than release 5prealpha does.
 */
export const pocketSphinx = async (program: string, clips: ReadonlyArray<Float32Array>): Promise<SphinxRun> => {
  const folder = await mkdtemp(join(tmpdir(), "pocketsphinx-"))
  try {
    for (const [i, samples] of clips.entries()) {
      const pcm = Int16Array.from(samples, (x) => Math.max(-32_768, Math.min(32_767, Math.round(x * 32_768))))
      await writeFile(join(folder, `${i}.raw`), pcm)
    }
    await writeFile(join(folder, "clips"), clips.map((_, i) => `${i}\n`).join(""))
    const options = {
      hmm: join(model, "en-us"),
      lm: join(model, "en-us.lm.bin"),
      dict: join(model, "cmudict-en-us.dict"),
      adcin: "yes",
      cepdir: folder,
      cepext: ".raw",
      ctl: join(folder, "clips"),
      hypseg: join(folder, "words")
    }
    const { stderr } = await run(program, Object.entries(options).flatMap(([name, value]) => [`-${name}`, value]), {
      maxBuffer: 1e9
    })
    const cpu = /batch\.c\S* TOTAL [\d.]+ seconds speech, ([\d.]+) seconds CPU/u.exec(stderr)
    if (cpu === null) throw new Error("pocketsphinx_batch printed no total")
    const lines = (await readFile(join(folder, "words"), "utf8")).trim().split("\n")
    const words = new Map(lines.map((line) => [Number(line.split(" ", 1)[0]), wordsOf(line)]))
    return { words: clips.map((_, i) => words.get(i) ?? []), seconds: Number(cpu[1]) }
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

/** `0 S 0 T -9 A -8 L -7 12 -5 -6 hello 40 -3 -4 there(2) 77`: a word's 10 ms frame, two scores and the word, then the end. */
const wordsOf = (line: string): Array<TimedWord> => {
  const fields = line.trim().split(/\s+/u).slice(9)
  const words: Array<TimedWord> = []
  for (let i = 0; i + 4 < fields.length; i += 4) {
    const text = fields[i + 3]!
    if (/^[<[]/u.test(text)) continue
    words.push({
      text: text.replace(/\(\d+\)$/u, ""),
      t_start: Number(fields[i]) / 100,
      t_end: Number(fields[i + 4]) / 100
    })
  }
  return words
}
