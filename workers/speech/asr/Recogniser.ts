import type { Word } from "../../../src/artifacts/Transcript.ts"
import type { ExecutionProvider } from "../../../src/jobs/model/Provenance.ts"
import type { Posteriors } from "../ctc/CtcAlignment.ts"
import type { Interval } from "../dsp/Interval.ts"
import type { SoundSlice } from "../dsp/SoundSlice.ts"
import type { Calibration } from "./Calibration.ts"

export interface RecogniserHints {
  /** Words and names that the caller expects. A driver that cannot favour them leaves them unused. */
  readonly terms: ReadonlyArray<string>
  /** Base tag of the language that the caller says is spoken, null when it is for the recogniser to find out. */
  readonly language: string | null
  /** Whose sound it is: runs that several jobs share are shared out fairly between tenants. */
  readonly tenant_id?: string
  readonly signal?: AbortSignal
}

/** What a network heard in a slice, before words were searched in it. */
export interface HeardSlice extends Interval {
  readonly posteriors: Posteriors
}

/** What is said in one slice: words in time order, inside of the slice and without overlap. */
export interface RecognisedSlice {
  readonly words: ReadonlyArray<Word>
  /** Base tag of the language heard; null when the recogniser knows several and tells none. */
  readonly language: string | null
  /** Absent where the driver cannot search in it again. */
  readonly heard?: HeardSlice
}

/**
 * Hears words in slices of sound. The answer has one entry per slice, in their order, and what is heard in a slice
 * depends on that slice and the hints alone, however many are given at once: how many run together is the driver's
 * affair. Rejects with the signal's reason when it is aborted, after the run at hand, and with `OnnxModelError` when the
 * model fails.
 */
export interface Recogniser extends AsyncDisposable {
  /** For the transcript's `model`: the model's name, and where the file is this repository's own, its digest. */
  readonly name: string
  /** True where words come with capitals and punctuation; then nothing more is written into them. */
  readonly cased: boolean
  /** Where the network runs. */
  readonly execution_provider: ExecutionProvider
  readonly recognise: (
    slices: ReadonlyArray<SoundSlice>,
    hints: RecogniserHints
  ) => Promise<ReadonlyArray<RecognisedSlice>>
  /** How far its confidence can be believed. Absent where nobody has measured it. */
  readonly calibration?: Calibration
  /** Searches words anew in what was heard, with other terms, beside those that it wrote before. Absent where the driver cannot. */
  readonly again?: (
    heard: HeardSlice,
    terms: ReadonlyArray<string>,
    words: ReadonlyArray<Word>
  ) => ReadonlyArray<Word>
}

/** The language of a model whose stack lists just one: every slice that it hears is in it. */
export const onlyLanguage = ({ languages }: Readonly<Record<string, unknown>>): string | null =>
  Array.isArray(languages) && languages.length === 1 ? String(languages[0]) : null
