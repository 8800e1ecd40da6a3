import type { Sample } from "./Sample.ts"
import type { Timeline } from "./Timeline.ts"

const turnsOf = ({ sentences }: Timeline) => {
  const turns: Array<{ speaker: string; t_start: number; t_end: number; text: string }> = []
  for (const { speaker, t_end, t_start, text } of sentences) {
    const last = turns.at(-1)
    if (last?.speaker === speaker) {
      last.t_end = t_end
      last.text += ` ${text}`
    } else turns.push({ speaker, t_start, t_end, text })
  }
  return turns
}

/** What the clip says and shows when, and which values a result must hold: the content of `*.truth.json`. */
export const truthOf = (sample: Sample, timeline: Timeline) => ({
  duration_seconds: timeline.slides.at(-1)!.t_end,
  speakers: sample.speakers,
  slides: sample.slides.map(({ lines }, index) => ({
    slide_no: index + 1,
    ...timeline.slides[index]!,
    title: lines[0]!.text,
    lines: lines.map(({ text }) => text)
  })),
  turns: turnsOf(timeline),
  sentences: timeline.sentences,
  facts: {
    [sample.template]: sample.facts.map(({ slides: [first, last], ...fact }) => ({
      ...fact,
      t_start: timeline.slides[first - 1]!.t_start,
      t_end: timeline.slides[last - 1]!.t_end
    }))
  }
})
