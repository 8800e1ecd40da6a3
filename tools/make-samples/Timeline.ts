import type { Sample } from "./Sample.ts"
import { SAMPLE_RATE } from "./Speech.ts"

/** Frames per second of the pictures; slides change on a frame. */
export const FRAME_RATE = 10

const silence = { before_slide: 0.8, between_sentences: 0.55, between_speakers: 0.75, after_slide: 0.7 }

/** A spoken sentence with its moment. */
interface Spoken {
  readonly speaker: string
  readonly text: string
  readonly t_start: number
  readonly t_end: number
}

/** When each slide is seen and each sentence heard, and the whole sound. */
export interface Timeline {
  readonly slides: ReadonlyArray<{ readonly t_start: number; readonly t_end: number }>
  readonly sentences: ReadonlyArray<Spoken>
  readonly sound: Float64Array
}

const toFrame = (seconds: number) => Math.ceil(seconds * FRAME_RATE) / FRAME_RATE
const milliseconds = (seconds: number) => Math.round(seconds * 1000) / 1000

/** Lays the sentences of each slide one after another, with pauses, and lets the slide stay until the last is over. */
export const layOut = (sample: Sample, speak: (text: string, voice: string) => Float64Array): Timeline => {
  const slides: Array<Timeline["slides"][number]> = []
  const sentences: Array<Spoken> = []
  const parts: Array<{ readonly at: number; readonly samples: Float64Array }> = []
  let now = 0
  for (const slide of sample.slides) {
    const t_start = now
    now += silence.before_slide
    slide.spoken.forEach(({ speaker, text }, index) => {
      const before = slide.spoken[index - 1]
      if (before !== undefined) now += before.speaker === speaker ? silence.between_sentences : silence.between_speakers
      const samples = speak(text, sample.speakers[speaker]!.voice)
      parts.push({ at: Math.round(now * SAMPLE_RATE), samples })
      const t_end = now + samples.length / SAMPLE_RATE
      sentences.push({ speaker, text, t_start: milliseconds(now), t_end: milliseconds(t_end) })
      now = t_end
    })
    now = toFrame(now + silence.after_slide)
    slides.push({ t_start: milliseconds(t_start), t_end: milliseconds(now) })
  }
  const sound = new Float64Array(Math.round(now * SAMPLE_RATE))
  for (const { at, samples } of parts) sound.set(samples, at)
  return { slides, sentences, sound }
}
