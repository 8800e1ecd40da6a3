import { useComputed } from "@preact/signals"
import { useMemo } from "preact/hooks"
import { lastAt } from "../footnotes/Moments.ts"
import type { Selection } from "../selection/Selection.ts"

/** What is said at this moment, where there is no picture to look at. */
export function WordsNow({ selection }: { readonly selection: Selection }) {
  const { data: { transcript }, playback } = selection
  const starts = useMemo(() => transcript.segments.map(({ t_start }) => t_start), [])
  const at = useComputed(() => lastAt(starts, playback.time.value)).value
  const segment = transcript.segments[at]
  const said = segment !== undefined && playback.time.value <= segment.t_end + 1.5 ? segment : undefined
  const speaker = transcript.speakers.find(({ id }) => id === said?.speaker)?.label
  return (
    <p class="words-now" dir="auto">
      {speaker === undefined ? null : <span class="speaker-now">{speaker}</span>}
      {said?.text ?? "…"}
    </p>
  )
}
