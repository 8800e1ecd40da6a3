import { SAMPLE_RATE } from "../../workers/speech/FeatureExtractor.ts"
import type { Turn } from "./SpeakerErrors.ts"

/** A conversation put together from single utterances, and who speaks when in it. */
export interface Panel {
  readonly samples: Float32Array
  readonly turns: ReadonlyArray<Turn>
}

export interface Utterance {
  readonly speaker: string
  readonly samples: Float32Array
}

/** Silence between two turns, seconds, in rotation. */
const GAPS = [0.35, 0.8, 0.5, 1.1, 0.25]

/**
 * Panels of `speakers` people who take turns, each given `turns` times the word, from their utterances in order. The
 * same utterances give the same panels.
 */
export const composePanels = (
  utterances: ReadonlyArray<Utterance>,
  { speakers, turns }: { readonly speakers: number; readonly turns: number }
): Array<Panel> => {
  const bySpeaker = Map.groupBy(utterances, ({ speaker }) => speaker)
  const people = [...bySpeaker.values()].filter((own) => own.length >= turns)
  const panels: Array<Panel> = []
  for (let first = 0; first + speakers <= people.length; first += speakers) {
    const order = Array.from(
      { length: turns },
      (_, round) => people.slice(first, first + speakers).map((own) => own[round]!)
    ).flatMap((round, i) => i % 2 === 0 ? round : round.toReversed())
    panels.push(lay(order))
  }
  return panels
}

const lay = (order: ReadonlyArray<Utterance>): Panel => {
  const turns: Array<Turn> = []
  let at = Math.round(0.5 * SAMPLE_RATE)
  const placed = order.map(({ samples, speaker }, i) => {
    const from = at
    turns.push({ speaker, t_start: from / SAMPLE_RATE, t_end: (from + samples.length) / SAMPLE_RATE })
    at += samples.length + Math.round(GAPS[i % GAPS.length]! * SAMPLE_RATE)
    return { from, samples }
  })
  const out = new Float32Array(at)
  for (const { from, samples } of placed) out.set(samples, from)
  return { samples: out, turns }
}
