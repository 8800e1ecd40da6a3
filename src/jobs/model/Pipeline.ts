import type { EvidenceCounts } from "../../artifacts/Evidence.ts"
import type { Pool } from "../../processes/Pools.ts"
import type { BlobRef } from "../../storage/BlobRef.ts"
import type { ExtractedFrom, JobSpec, ReadBy } from "./JobSpec.ts"
import { type ModelUse, namesOf, type Provenance, provenanceOf, usesOf } from "./Provenance.ts"
import type { SourceFacts, StageInput, StageName, StageOutput, Warning } from "./StageIo.ts"

/** What finished stages left, each in task order. A skipped or unfinished stage is absent. */
export type Outputs = { readonly [S in StageName]?: ReadonlyArray<StageOutput<S>> }

interface Stage<S extends StageName> {
  readonly pool: Pool
  /** Stages that must be done or skipped first. */
  readonly needs: ReadonlyArray<StageName>
  /** Stages whose outputs `plan` reads. */
  readonly reads: ReadonlyArray<StageName>
  /**
   * One task may take this long; then the job fails with `STAGE_TIMEOUT`. It is for what hangs: the longest source that
   * is allowed, 12 h, is done in it by a machine ten times slower than two idle cores.
   */
  readonly timeout_seconds: number
  /** Share of a typical job's work, for the progress fraction. */
  readonly weight: number
  /** The inputs of its tasks; none = the stage has nothing to do and is skipped. */
  readonly plan: (spec: JobSpec, outputs: Outputs) => ReadonlyArray<StageInput<S>>
}

/** Kept images per description task: small enough to share the pool, large enough to be worth a lease. */
const imagesPerTask = 4

/** The whole graph of stages: which tasks follow from what has been found, and nothing about how they run. */
export const pipeline: { readonly [S in StageName]: Stage<S> } = {
  fetch: {
    // It waits for others' servers: slow ones must keep no decoder's slot.
    pool: "fetch",
    needs: [],
    reads: [],
    timeout_seconds: 1800,
    weight: 1,
    // What an earlier job has read needs no source; all that follows from one is skipped then.
    plan: ({ extracted_from, kept_source, source_uri }) =>
      extracted_from === undefined ? [{ source_uri, ...(kept_source === undefined ? {} : { kept_source }) }] : []
  },
  probe: {
    pool: "media",
    needs: ["fetch"],
    reads: ["fetch"],
    // Every packet is read: ten hours of uncompressed sound are 7 GB.
    timeout_seconds: 900,
    weight: 0.2,
    plan: (_, { fetch }) => each(fetch, ({ source }) => ({ source }))
  },
  audio: {
    pool: "media",
    needs: ["probe"],
    reads: ["probe"],
    timeout_seconds: 3600,
    weight: 1,
    plan: (_, { probe }) => each(probe, ({ probe }) => probe.has_audio ? { probe } : undefined)
  },
  captions: {
    pool: "media",
    needs: ["probe"],
    reads: ["probe"],
    timeout_seconds: 600,
    weight: 0.2,
    plan: (spec, { probe }) =>
      each(
        probe,
        ({ probe }) => probe.caption_streams.length > 0 && spec.hints.captions !== "ignore" ? { probe } : undefined
      )
  },
  frames: {
    pool: "media",
    needs: ["probe"],
    reads: ["probe"],
    // 14.6 × real time, 1080p30: 12 h are 50 minutes.
    timeout_seconds: 30_000,
    weight: 4,
    plan: (_, { probe }) => each(probe, ({ probe }) => probe.video === null ? undefined : { probe })
  },
  detect_speech: {
    pool: "speech",
    needs: ["audio"],
    reads: ["audio"],
    // 12 h took two cores 4 minutes of processor time; a stack's model of turns, of 100 million parameters, an hour and more.
    timeout_seconds: 30_000,
    weight: 0.5,
    plan: (_, { audio }) =>
      each(audio, ({ duration_seconds, pcm }) => pcm === null ? undefined : { pcm, duration_seconds })
  },
  transcribe: {
    pool: "speech",
    needs: ["detect_speech"],
    reads: ["audio", "detect_speech"],
    // Two minutes of speech: a second with the built-in models, minutes with a large one without a GPU.
    timeout_seconds: 1800,
    weight: 6,
    plan: (_, { audio, detect_speech }) => {
      const pcm = audio?.[0]?.pcm
      return pcm == null ?
        [] :
        (detect_speech ?? []).flatMap(({ chunks, speech }) =>
          Array.from({ length: chunks }, (_, chunk) => ({ pcm, speech, chunk }))
        )
    }
  },
  diarize: {
    pool: "speech",
    // What is read on the screen is said, too: words are searched again with it, without holding up `transcribe`.
    needs: ["transcribe", "captions", "describe"],
    reads: ["probe", "audio", "captions", "detect_speech", "transcribe", "describe"],
    timeout_seconds: 1800,
    weight: 1,
    // Always one task: a silent source still has a transcript, an absent one.
    plan: (_, { audio, captions, describe, detect_speech, probe, transcribe }) =>
      each(probe, ({ probe }) => ({
        words: (transcribe ?? []).map(({ words }) => words),
        ...turnsOf(detect_speech),
        captions: captions?.[0]?.captions ?? null,
        descriptions: (describe ?? []).map(({ descriptions }) => descriptions),
        duration_seconds: probe.facts.duration_seconds,
        has_audio: audio?.[0]?.pcm != null
      }))
  },
  describe: {
    pool: "vision",
    needs: ["frames"],
    reads: ["frames"],
    timeout_seconds: 900,
    weight: 5,
    plan: (_, { frames }) =>
      (frames ?? []).flatMap(({ images, kept }) =>
        Array.from({ length: Math.ceil(kept / imagesPerTask) }, (_, batch) => ({
          images,
          from: batch * imagesPerTask,
          to: Math.min(kept, (batch + 1) * imagesPerTask)
        }))
      )
  },
  extract: {
    pool: "extraction",
    needs: ["diarize", "describe", "frames"],
    reads: ["probe", "diarize", "frames", "describe"],
    timeout_seconds: 1800,
    weight: 2,
    plan: ({ extracted_from }, { describe, diarize, frames, probe }) =>
      extracted_from === undefined
        ? each(probe, ({ probe }) =>
          each(diarize, ({ transcript }) => ({
            facts: probe.facts,
            transcript,
            inventory: frames?.[0]?.inventory ?? null,
            images: frames?.[0]?.images ?? null,
            descriptions: (describe ?? []).map(({ descriptions }) => descriptions),
            vision_model: namesOf((describe ?? []).flatMap(({ models }) => models))
          }))[0])
        : [again(extracted_from)]
  }
}

/** Who of several speaks when, where that was heard. */
const turnsOf = (detected: Outputs["detect_speech"]): Pick<StageInput<"diarize">, "turns"> => {
  const turns = detected?.[0]?.turns
  return turns === undefined ? {} : { turns }
}

/** The extraction's input from what an earlier job has read. */
const again = ({ facts, frames, images, transcript, vision }: ExtractedFrom): StageInput<"extract"> => ({
  facts,
  transcript,
  inventory: frames,
  images,
  vision
})

const each = <A, B>(values: ReadonlyArray<A> | undefined, map: (value: A) => B | undefined): ReadonlyArray<B> =>
  (values ?? []).flatMap((value) => map(value) ?? [])

export const stageNames = Object.keys(pipeline) as ReadonlyArray<StageName>

/** Stages that wait for this one. */
export const followers = (name: StageName): ReadonlyArray<StageName> =>
  stageNames.filter((other) => pipeline[other].needs.includes(name))

/** What a succeeded job is: where its artifacts lie, what the source was, what it took. */
export interface Outcome {
  readonly artifacts: Readonly<Record<string, BlobRef>>
  readonly source: SourceFacts | null
  readonly warnings: ReadonlyArray<Warning>
  readonly result_confidence: number | null
  readonly counts: EvidenceCounts | null
  readonly usage: Usage
  readonly provenance: Provenance
}

/** Tokens and cost are not here: they are in the ledger (`Charges`), with those of attempts that left no output. */
interface Usage {
  readonly audio_seconds: number
  readonly video_seconds: number
  readonly frames_sampled: number
  readonly frames_kept: number
  readonly model_seconds: number
}

/** Who read the source: the stages before the extraction, or those of the job that this one extracts from. */
export const readByOf = (outputs: Outputs, extracted_from: ExtractedFrom | undefined): ReadBy =>
  extracted_from?.read_by ?? {
    decoder: outputs.probe?.[0]?.decoder ?? null,
    models: usesOf(usesIn(outputs, beforeExtraction)),
    warnings: warningsIn(outputs, beforeExtraction)
  }

/**
 * What the outputs so far amount to: everything for a succeeded job, warnings and usage also for any other. A job that extracts
 * from another one's artifacts tells of its reading too, but not in its usage: that is what this job took.
 */
export const outcome = (outputs: Outputs, extracted_from?: ExtractedFrom): Outcome => {
  const read_by = readByOf(outputs, extracted_from)
  const extracted = outputs.extract?.[0]
  const frames = outputs.frames?.[0]
  const audio = outputs.audio?.[0]
  const modelSeconds = [
    ...(outputs.detect_speech ?? []),
    ...(outputs.transcribe ?? []),
    ...(outputs.describe ?? [])
  ].map((task) => task.model_seconds ?? 0)
  // An extraction that was settled by a worker of an earlier version does not tell.
  const { model_seconds = 0 }: Partial<NonNullable<typeof extracted>> = extracted ?? {}
  return {
    artifacts: {
      ...(outputs.fetch?.[0] === undefined ? {} : { source: outputs.fetch[0].source }),
      ...(frames === undefined ? {} : { images: frames.images }),
      ...(extracted?.images === undefined ? {} : { images: extracted.images }),
      ...(extracted === undefined ? {} : {
        transcript: extracted.transcript,
        frames: extracted.frames,
        vision: extracted.vision,
        graph: extracted.graph,
        graph_compact: extracted.graph_compact,
        evidence: extracted.evidence,
        result: extracted.result,
        ...(extracted.attested === undefined ? {} : { subjects: extracted.attested.subjects })
      })
    },
    source: extracted_from?.facts ?? outputs.probe?.[0]?.probe.facts ?? null,
    warnings: [...read_by.warnings, ...warningsIn(outputs, ["extract"])],
    result_confidence: extracted?.result_confidence ?? null,
    counts: extracted?.counts ?? null,
    usage: {
      audio_seconds: audio?.pcm == null ? 0 : audio.duration_seconds,
      video_seconds: frames === undefined ? 0 : outputs.probe?.[0]?.probe.facts.duration_seconds ?? 0,
      frames_sampled: frames?.sampled ?? 0,
      frames_kept: frames?.kept ?? 0,
      model_seconds: modelSeconds.reduce((sum, seconds) => sum + seconds, model_seconds)
    },
    provenance: provenanceOf([...read_by.models, ...usesIn(outputs, ["extract"])])
  }
}

const beforeExtraction = stageNames.filter((name) => name !== "extract")

const warningsIn = (outputs: Outputs, names: ReadonlyArray<StageName>): ReadonlyArray<Warning> =>
  names.flatMap((name) => (outputs[name] ?? []).flatMap((output) => "warnings" in output ? output.warnings ?? [] : []))

/** A task that was settled by a worker of an earlier version says nothing of models. */
export const usesIn = (outputs: Outputs, names: ReadonlyArray<StageName>): ReadonlyArray<ModelUse> =>
  names.flatMap((name) => (outputs[name] ?? []).flatMap((output) => "models" in output ? output.models : []))
