import type { SpeechScores } from "./SpeechScores.ts"
import type { Table } from "./Table.ts"
import type { WordScores } from "./WordScores.ts"

type Sets = Readonly<Record<string, SpeechScores>>

const percent = (value: number | undefined) => value === undefined ? "" : `${(100 * value).toFixed(1)} %`
const milliseconds = (value: number | undefined) => value === undefined ? "" : `${value.toFixed(0)} ms`
const seconds = (value: number | undefined) => value === undefined ? "" : `${value.toFixed(1)} s`
const ratio = (own: number | undefined, other: number | undefined) =>
  own === undefined || other === undefined || other === 0 ? "" : `${(own / other).toFixed(2)} ×`

/** How well words were heard: a row per set and recogniser; ratios are the lane's figure over the other's. */
export const wordsTable = (sets: Sets): Table => ({
  titles: [
    "set",
    "recogniser",
    "seconds",
    "WER",
    "ours / its",
    "CER",
    "word times, median",
    "starts, mean",
    "ends, mean",
    "false words",
    "× real time",
    "ours / its"
  ],
  rows: Object.entries(sets).flatMap(([set, own]) =>
    ([["footnote", own], ["footnote, greedy", own.greedy], ["sherpa-onnx, greedy", own.sherpa], [
      "pocketsphinx",
      own.pocketsphinx
    ]] as const).flatMap(([name, scores]) => isScored(scores) ? [wordsRow(set, name, own, scores)] : [])
  )
})

const isScored = (scores: Partial<WordScores> | undefined): scores is Partial<WordScores> =>
  [scores?.wer, scores?.word_time_median_ms, scores?.false_words].some((value) => value !== undefined)

const wordsRow = (set: string, name: string, own: SpeechScores, scores: Partial<WordScores>) => [
  set,
  name,
  own.audio_seconds.toFixed(0),
  percent(scores.wer),
  scores === own ? "" : ratio(own.wer, scores.wer),
  percent(scores.cer),
  milliseconds(scores.word_time_median_ms),
  milliseconds(scores.word_start_mean_ms),
  milliseconds(scores.word_end_mean_ms),
  String(scores.false_words ?? ""),
  scores.rtf?.toFixed(4) ?? "",
  scores === own ? "" : ratio(own.rtf, scores.rtf)
]

/** How far confidence can be believed, and what is not taken from what was hardly understood: a row per set with words. */
export const certaintyTable = (sets: Sets): Table => ({
  titles: [
    "set",
    "WER",
    "calibration error, words",
    "passages",
    "calibration error, passages",
    "hopeless",
    "of them silenced",
    "of the others"
  ],
  rows: Object.entries(sets).flatMap(([set, { certainty, wer }]) =>
    certainty === undefined ? [] : [[
      set,
      percent(wer),
      certainty.word_ece.toFixed(3),
      String(certainty.passages),
      certainty.passage_ece.toFixed(3),
      String(certainty.hopeless),
      percent(certainty.hopeless_silenced),
      percent(certainty.others_silenced)
    ]]
  )
})

/** How well speakers were told apart: a row per set where somebody labelled it. */
export const speakersTable = (sets: Sets): Table => ({
  titles: [
    "set",
    "files",
    "seconds",
    "lane × real time",
    "DER",
    "strict",
    "confusion",
    "DER, count known",
    "count right",
    "EER"
  ],
  rows: Object.entries(sets)
    .filter(([, { der, eer }]) => der !== undefined || eer !== undefined)
    .map(([set, scores]) => [
      set,
      String(scores.files),
      scores.audio_seconds.toFixed(0),
      scores.lane_rtf?.toFixed(4) ?? "",
      percent(scores.der),
      percent(scores.der_strict),
      percent(scores.confusion),
      percent(scores.der_known_count),
      percent(scores.count_right),
      percent(scores.eer)
    ])
})

/** What is taken for speech: a row per set. */
export const detectionTable = (sets: Sets): Table => ({
  titles: ["set", "files", "seconds", "missed", "false", "false speech", "false words", "kept", "kept in mixtures"],
  rows: Object.entries(sets).flatMap(([set, { audio_seconds, detection, false_words, files }]) =>
    detection === undefined ? [] : [[
      set,
      String(files),
      audio_seconds.toFixed(0),
      percent(detection.missed),
      percent(detection.falsely),
      seconds(detection.false_seconds),
      detection.false_seconds === undefined ? "" : String(false_words ?? ""),
      percent(detection.kept),
      percent(detection.kept_in_mixtures)
    ]]
  )
})
