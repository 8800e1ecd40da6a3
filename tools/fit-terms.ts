import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { align, comparable } from "../bench/speech/ErrorRates.ts"
import { makeReader, pcmOf, recordingsIn } from "../bench/speech/Recordings.ts"
import type { Word } from "../src/artifacts/Transcript.ts"
import { readTokens } from "../workers/speech/ctc/CtcTokens.ts"
import {
  type Candidate,
  candidatesIn,
  LEAST_LETTERS,
  lettersOf,
  scoreOf,
  TERM_FEATURES,
  type TermWeights
} from "../workers/speech/ctc/TermCorrection.ts"
import { SUBSAMPLING } from "../workers/speech/drivers/CtcNetwork.ts"
import { LATENCY_SECONDS } from "../workers/speech/drivers/CtcRecogniser.ts"
import { openSpeechModels, speechRolesOf } from "../workers/speech/drivers/OpenSpeechModels.ts"
import { HOP, SAMPLE_RATE } from "../workers/speech/dsp/FeatureExtractor.ts"
import { soundSlice } from "../workers/speech/dsp/SoundSlice.ts"
import { planChunks } from "../workers/speech/vad/Chunks.ts"
import { fitProbability } from "./fit-ranker/Logistic.ts"

// Fits the weights by which expected terms stand in the place of what was heard (`termWeights` in TermCorrection.ts): `node tools/fit-terms.ts
// [folder]`, some three minutes. Terms of a recording are the longer words of what is said in it and of four other recordings
// that are nowhere said in it. Figures are of recordings that the weights have not seen (five parts).

const root = fileURLToPath(new URL("..", import.meta.url))
const folder = process.argv[2] ?? join(root, "..", "shared", "assets", "audio", "dev")
const PARTS = 5
/** A right word that is overwritten costs more than a wrong one that stays: a transcript is quoted. */
const COST_OF_HARM = 3

interface Example {
  readonly recording: number
  readonly candidate: Candidate
  /** Errors fewer, with the candidate in place. */
  readonly gain: number
}

const roles = await speechRolesOf("builtin")
const tokens = readTokens(roles.asr.files["letters"]!)
await using models = await openSpeechModels(roles)
const read = await makeReader()
const recordings = recordingsIn(folder).filter(({ transcript, words }) => transcript !== null && words === null)
const longWords = (text: string) => comparable(text).filter((word) => lettersOf(word).length >= LEAST_LETTERS)

const examples: Array<Example> = []
let [errors, total] = [0, 0]
const said = recordings.map(({ transcript }) => new Set(longWords(transcript!)))
for (const [recording, { file, transcript }] of recordings.entries()) {
  const pcm = pcmOf(await read(file))
  const reference = comparable(transcript!)
  const others = [7, 19, 31, 43].flatMap((step) => Array.from(said[(recording + step) % recordings.length]!))
  const terms = [...said[recording]!, ...others.filter((word) => !reference.includes(word))]
  const parts: Array<{ readonly words: ReadonlyArray<Word>; readonly found: ReadonlyArray<Candidate> }> = []
  for (const { pieces, t_end, t_start } of planChunks(await models.vad.detect(pcm)).flatMap(({ slices }) => slices)) {
    const from = Math.round(t_start * SAMPLE_RATE)
    const slice = soundSlice(await pcm.read(from, Math.round(t_end * SAMPLE_RATE)), from / SAMPLE_RATE, pieces)
    const [heard] = await models.recogniser.recognise([slice], { terms: [], language: null })
    if (heard?.heard === undefined) continue
    const frames = {
      posteriors: heard.heard.posteriors,
      t_start: heard.heard.t_start,
      frame_seconds: (SUBSAMPLING * HOP) / SAMPLE_RATE,
      latency_seconds: LATENCY_SECONDS
    }
    parts.push({ words: heard.words, found: candidatesIn(frames, tokens, heard.words, terms) })
  }
  const texts = parts.map(({ words }) => words.map(({ text }) => text))
  const errorsOf = (lists: ReadonlyArray<ReadonlyArray<string>>) =>
    align(reference, lists.flat().flatMap((text) => comparable(text))).errors
  const before = errorsOf(texts)
  errors += before
  total += reference.length
  for (const [at, { found }] of parts.entries()) {
    for (const candidate of found) {
      const replaced = texts.map((list, i) =>
        i === at ? list.toSpliced(candidate.at, candidate.count, candidate.term.text) : list
      )
      examples.push({ recording, candidate, gain: before - errorsOf(replaced) })
    }
  }
}

/** Logistic regression of whether a candidate makes the transcript better; what changes nothing teaches nothing. */
const fit = (some: ReadonlyArray<Example>): TermWeights => {
  const [bias, ...rest] = fitProbability(some.flatMap(({ candidate, gain }) => {
    const example = { features: [1, ...TERM_FEATURES.map((name) => candidate[name])], right: gain > 0 }
    return Array.from({ length: gain > 0 ? 1 : gain < 0 ? COST_OF_HARM : 0 }, () => example)
  }))
  const weights = Object.fromEntries(TERM_FEATURES.map((name, i) => [name, rest[i]!]))
  return { bias: bias!, ...weights } as TermWeights
}

/** Errors fewer and more, where of overlapping candidates the best is written. */
const apply = (some: ReadonlyArray<Example>, weights: TermWeights) => {
  const written = some.filter(({ candidate }) => scoreOf(candidate, weights) > 0)
  const best = new Map<string, Example>()
  for (const one of written.toSorted((a, b) => scoreOf(b.candidate, weights) - scoreOf(a.candidate, weights))) {
    const key = `${one.recording} ${one.candidate.at}`
    if (!best.has(key)) best.set(key, one)
  }
  const kept = [...best.values()]
  return {
    better: kept.filter(({ gain }) => gain > 0).length,
    worse: kept.filter(({ gain }) => gain < 0).length,
    gain: kept.reduce((sum, { gain }) => sum + gain, 0)
  }
}

const say = (text: string) => process.stdout.write(`${text}\n`)
say(
  `${recordings.length} recordings, ${total} words, ${errors} errors; ${examples.length} candidates, ${
    examples.filter(({ gain }) => gain > 0).length
  } right`
)
const unseen = { better: 0, worse: 0, gain: 0 }
for (let part = 0; part < PARTS; part++) {
  const out = apply(
    examples.filter(({ recording }) => recording % PARTS === part),
    fit(examples.filter(({ recording }) => recording % PARTS !== part))
  )
  for (const key of ["better", "worse", "gain"] as const) unseen[key] += out[key]
}
say(
  `recordings that the weights have not seen: ${unseen.better} better, ${unseen.worse} worse, ${unseen.gain} errors fewer`
)
const weights = fit(examples)
say(`all of them: ${JSON.stringify(apply(examples, weights))}`)
say(JSON.stringify(weights))
