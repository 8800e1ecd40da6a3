import { relative } from "node:path"
import type { SpeechModels } from "../workers/speech/asr/SpeechModels.ts"
import { openSpeechModels, speechRolesOf } from "../workers/speech/drivers/OpenSpeechModels.ts"
import { SAMPLE_RATE } from "../workers/speech/dsp/FeatureExtractor.ts"
import { folderNames, freeName } from "./SetNames.ts"
import { certaintyScores, type HeardPassage, heardPassages } from "./speech/Certainty.ts"
import { scoreDetection, scoreMadeSounds } from "./speech/Detection.ts"
import { type Comparisons, openComparisons } from "./speech/Engines.ts"
import { hear, hearAgain, heardTurns, type HeardWords } from "./speech/Hearing.ts"
import { findMdEval } from "./speech/MdEval.ts"
import type { Utterance } from "./speech/Panels.ts"
import { findPocketSphinx, pocketSphinx } from "./speech/PocketSphinx.ts"
import { makeReader, readRecordings, type Recording } from "./speech/Recordings.ts"
import { type Diarized, scorePanels, scoreSpeakers, scoreVoices } from "./speech/SpeakerScores.ts"
import type { SpeechScores } from "./speech/SpeechScores.ts"
import { certaintyTable, detectionTable, speakersTable, wordsTable } from "./speech/SpeechTables.ts"
import { alignedTime } from "./speech/SpokenTime.ts"
import { printed } from "./speech/Table.ts"
import { makeWordScores, type WordScores } from "./speech/WordScores.ts"

/** Conversations as they were recorded, and with pink noise 15 dB below them and speakers up to 10 dB apart. */
const panelKinds = { "": {}, ", noise": { noise_decibels: 15, level_decibels: 10 } }

interface Tools extends Comparisons {
  readonly models: SpeechModels
  readonly read: (file: string) => Promise<Float32Array>
  readonly pocketsphinx?: string
}

/** Progress, beside the tables. */
const say = (text: string) => process.stderr.write(`${text}\n`)

const isLabelled = ({ silent, speaker, transcript, turns, words }: Recording) =>
  silent || [speaker, transcript, turns, words].some((label) => label !== null)
/** Whether other recognisers can be compared on it. */
const hasWords = ({ silent, transcript, words }: Recording) => silent || transcript !== null || words !== null

const scoreSet = async (tools: Tools, recordings: ReadonlyArray<Recording>): Promise<SpeechScores> => {
  const { greedy, models, read, sherpa } = tools
  const own = makeWordScores()
  const others = [["greedy", greedy], ["sherpa", sherpa]] as const
  const otherScores = new Map(others.map(([name]) => [name, makeWordScores()]))
  const diarized: Array<Diarized> = []
  const passages: Array<HeardPassage> = []
  let [audio_seconds, busy] = [0, 0]
  for (const recording of recordings) {
    const samples = await read(recording.file)
    const duration = samples.length / SAMPLE_RATE
    const { chunks, slices, ...heard } = await hear(models, samples)
    audio_seconds += duration
    busy += heard.lane_seconds
    own.add(recording, duration, heard)
    if (recording.transcript !== null) passages.push(...heardPassages(chunks, duration, recording.transcript))
    for (const [name, recogniser] of others) {
      if (recogniser === undefined || !hasWords(recording)) continue
      otherScores.get(name)!.add(recording, duration, await hearAgain(recogniser, slices))
    }
    const { turns } = recording
    if (turns === null) continue
    const num_speakers = new Set(turns.map(({ speaker }) => speaker)).size
    diarized.push({
      reference: turns,
      found: heardTurns({ chunks }, {}),
      found_by_count: heardTurns({ chunks }, { num_speakers }),
      duration
    })
  }
  const worded = recordings.some(hasWords)
  const certainty = certaintyScores(passages)
  return {
    files: recordings.length,
    audio_seconds,
    lane_rtf: busy / audio_seconds,
    ...own.scores(),
    ...(diarized.length === 0 ? {} : await scoreSpeakers(diarized)),
    ...(certainty === undefined ? {} : { certainty }),
    detection: await scoreDetection(models.vad, recordings, read),
    ...(greedy === undefined || !worded ? {} : { greedy: otherScores.get("greedy")!.scores() }),
    ...(sherpa === undefined || !worded ? {} : { sherpa: otherScores.get("sherpa")!.scores() }),
    ...(tools.pocketsphinx === undefined || !worded
      ? {}
      : { pocketsphinx: await scorePocketSphinx(tools.pocketsphinx, read, recordings.filter(hasWords)) })
  }
}

/** Hears a recording once without measuring: what is compiled and allocated on first use is nobody's time. */
const warmUp = async ({ greedy, models, read, sherpa }: Tools, first: Recording | undefined) => {
  if (first === undefined) return
  const { slices } = await hear(models, (await read(first.file)).subarray(0, 20 * SAMPLE_RATE))
  for (const recogniser of [greedy, sherpa]) if (recogniser !== undefined) await hearAgain(recogniser, slices)
}

/** One run over all recordings of a set; its time is shared out by their length. */
const scorePocketSphinx = async (
  program: string,
  read: Tools["read"],
  recordings: ReadonlyArray<Recording>
): Promise<WordScores> => {
  const clips: Array<Float32Array> = []
  for (const { file } of recordings) clips.push(await read(file))
  const { seconds, words } = await pocketSphinx(program, clips)
  const total = clips.reduce((sum, { length }) => sum + length, 0)
  const scores = makeWordScores()
  for (const [i, recording] of recordings.entries()) {
    const { length } = clips[i]!
    const heard: HeardWords = { words: words[i]!, seconds: (seconds * length) / total }
    scores.add(recording, length / SAMPLE_RATE, heard)
  }
  return scores.scores()
}

const normalisation = [
  "Words are compared in lower case, made of the letters a to z, digits and apostrophes; hyphens part words; Mr, Mrs and Dr",
  "are written out. WER is the least number of wrong, missing and additional words over the words of the reference; CER the",
  "same of letters and spaces. Word times are of words heard right. Real time is processor time of one process per second of",
  "sound; footnote, greedy and sherpa-onnx hear the same slices of speech by the same network, pocketsphinx whole recordings."
].join("\n")

const certainty = [
  "Calibration error: mean distance of confidence from the share of words that are right, over ten steps of confidence; of words,",
  "and of passages by their own confidence. Hopeless passages have fewer than half of their words right. Silenced: nothing is taken from them."
].join("\n")

const detection = [
  "Missed and false: of the time in which somebody speaks, and in which nobody does, over speech, nothing forgiven. False",
  "speech and words: where nobody speaks at all. Kept: of what the detector finds in human recordings, how much is judged",
  "like speech; in mixtures: over noise and over a piano 10 dB below, and at -45 dB."
].join("\n")

const der = () =>
  `DER by ${
    findMdEval() === undefined ? "md-eval's rules" : "NIST md-eval"
  }, 0.25 s around boundaries forgiven, overlap scored; strict: nothing forgiven.`

/**
 * Runs the speech lane over labelled folders, prints tables of words, of speakers and of what is taken for speech, gives
 * the scores by set and what labels name but nobody hears. A folder of which nothing is heard is refused. `without` may name `greedy`, `sherpa`, `pocketsphinx`, `panels` and `made`, the made sounds.
 */
export const run = async (
  folders: ReadonlyArray<string>,
  { markdown = false, without = [] }: { readonly markdown?: boolean; readonly without?: ReadonlyArray<string> } = {}
): Promise<
  { readonly recogniser: string; readonly sets: Record<string, SpeechScores>; readonly unread: ReadonlyArray<string> }
> => {
  const labelled = Array.from(folderNames(folders).keys(), (folder) => {
    const { recordings, unread } = readRecordings(folder)
    const own = recordings.filter(isLabelled)
    const unlabelled = recordings.filter((recording) => !isLabelled(recording)).map(({ file }) => `${file}: no label`)
    return { folder, recordings: own, unread: [...unread, ...unlabelled] }
  })
  const unread = labelled.flatMap((one) => one.unread)
  for (const line of unread) say(`Not read: ${line}`)
  const empty = labelled.filter(({ recordings }) => recordings.length === 0)
  if (empty.length > 0) throw new Error(`No labelled recordings in ${empty.map(({ folder }) => folder).join(", ")}`)
  const roles = await speechRolesOf("builtin")
  await using models = await openSpeechModels(roles)
  const pocketsphinx = findPocketSphinx()
  if (pocketsphinx === undefined) say("pocketsphinx is left out: it is not installed")
  const { greedy, sherpa } = await openComparisons(roles, say)
  const engines = Object.entries({ greedy, sherpa, pocketsphinx }).filter(([name]) => !without.includes(name))
  const tools: Tools = { ...Object.fromEntries(engines), models, read: await makeReader() }
  await warmUp(tools, labelled.at(0)?.recordings[0])
  const sets: Record<string, SpeechScores> = {}
  for (const { folder, recordings } of labelled) {
    for (const [set, own] of Map.groupBy(recordings, (recording) => recording.set)) {
      const name = Object.hasOwn(sets, set) ? freeName(`${relative(".", folder)}: ${set}`, sets) : set
      say(`${name}: ${own.length} recordings`)
      const scores = await scoreSet(tools, own)
      sets[name] = scores
      const utterances: Array<Utterance> = []
      for (const { file, speaker } of own) {
        if (speaker !== null) utterances.push({ speaker, samples: await tools.read(file), spoken: alignedTime(file) })
      }
      const eer = await scoreVoices(models, utterances)
      if (eer !== undefined) scores.eer = eer
      for (const speakers of without.includes("panels") ? [] : [2, 3, 4, 5]) {
        for (const [kind, options] of Object.entries(panelKinds)) {
          const panels = await scorePanels(models, utterances, { ...options, speakers })
          if (panels === undefined) continue
          say(`${name}: ${panels.files} panels of ${speakers}${kind}`)
          sets[`${name}, panels of ${speakers}${kind}`] = panels
        }
      }
    }
  }
  if (!without.includes("made")) sets["made sounds"] = await scoreMadeSounds(models)
  console.log(`recogniser ${models.recogniser.name}\n`)
  console.log(`${printed(wordsTable(sets), markdown)}\n\n${normalisation}\n`)
  const certain = certaintyTable(sets)
  if (certain.rows.length > 0) console.log(`${printed(certain, markdown)}\n\n${certainty}\n`)
  const speakers = speakersTable(sets)
  if (speakers.rows.length > 0) console.log(`${printed(speakers, markdown)}\n\n${der()}\n`)
  console.log(`${printed(detectionTable(sets), markdown)}\n\n${detection}`)
  return { recogniser: models.recogniser.name, sets, unread }
}
