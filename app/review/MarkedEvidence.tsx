import type { Signal } from "@preact/signals"
import { useEffect } from "preact/hooks"
import { lastAt, range } from "../footnotes/Moments.ts"
import { Icon } from "../parts/Icons.tsx"
import { narrow } from "../parts/Narrow.ts"
import type { Selection } from "../selection/Selection.ts"
import type { Cited } from "./ReviewDraft.ts"

/** Words of one segment, from the first that was clicked to the last. */
const stretch = (selection: Selection, source_ref: string, from: number, to: number): Cited | null => {
  const words = selection.data.transcript.segments.find(({ id }) => id === source_ref)?.words
    .filter(({ t_end, t_start }) => t_start >= from - 0.001 && t_end <= to + 0.001) ?? []
  return words.length === 0
    ? null
    : {
      source_ref,
      t_start: words[0]!.t_start,
      t_end: words.at(-1)!.t_end,
      quote: words.map(({ text }) => text).join(" ")
    }
}

/** Evidence that a person points at: words are marked by a click on the first and one on the last. */
export function MarkedEvidence(
  { cited, selection }: { readonly cited: Signal<ReadonlyArray<Cited>>; readonly selection: Selection }
) {
  useEffect(() => {
    // Of one column the transcript would take the place of this.
    if (!narrow.value) selection.panel.value = "transcript"
    selection.pick.value = (source_ref, word) => {
      const last = cited.value.at(-1)
      const grown = last?.source_ref === source_ref && word.t_start >= last.t_end
        ? stretch(selection, source_ref, last.t_start, word.t_end)
        : null
      const one = stretch(selection, source_ref, word.t_start, word.t_end)
      if (grown !== null) cited.value = [...cited.value.slice(0, -1), grown]
      else if (one !== null) cited.value = [...cited.value, one]
    }
    return () => {
      selection.pick.value = null
    }
  }, [])
  const citeNow = () => {
    const { segments } = selection.data.transcript
    const segment = segments[Math.max(0, lastAt(segments.map(({ t_start }) => t_start), selection.playback.time.value))]
    if (segment === undefined) return
    const { id, t_end, t_start, text } = segment
    cited.value = [...cited.value, { source_ref: id, t_start, t_end, quote: text }]
  }
  return (
    <div class="marked">
      <p class="small">
        <strong>Where does the footage say so?</strong> {narrow.value
          ? "Play to the moment and take what is said there."
          : "Click the first word and the last in the transcript, or take what is said now."}{" "}
        It may stay empty: then the value is your own.
      </p>
      <ul>
        {cited.value.map((one, at) => (
          <li key={at} class="place">
            <span class="place-button">
              <q>{one.quote}</q> <span class="number small">{range(one)}</span>
            </span>
            <button
              type="button"
              class="icon-button"
              aria-label={`Leave out “${one.quote}”`}
              onClick={() => (cited.value = cited.value.filter((_, other) => other !== at))}
            >
              <Icon name="cross" />
            </button>
          </li>
        ))}
      </ul>
      <button type="button" class="quiet" onClick={citeNow}>Take what is said now</button>
    </div>
  )
}
