import type { Signal } from "@preact/signals"
import { useEffect } from "preact/hooks"
import { type Box, lastAt, range } from "../footnotes/Moments.ts"
import { Icon } from "../parts/Icons.tsx"
import { narrow } from "../parts/Narrow.ts"
import { frameAt } from "../playback/Playback.ts"
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

/** The lines that were read in a part of a picture: those whose middle is in it, as the service has it. */
const linesIn = (selection: Selection, source_ref: string, { height, width, x, y }: Box): string =>
  (selection.data.vision.find((frame) => frame.source_ref === source_ref)?.text ?? [])
    .filter(({ box: [left, top, across, down] }) => {
      const [middle, centre] = [(left + across / 2) * 100, (top + down / 2) * 100]
      return middle >= x && middle <= x + width && centre >= y && centre <= y + height
    })
    .map(({ text }) => text).join(" ")

/** Rounded as boxes are written: thousandths of the picture. */
const fraction = (percent: number): number => Math.round(percent * 10) / 1000

interface Properties {
  readonly cited: Signal<ReadonlyArray<Cited>>
  readonly selection: Selection
}

/** Marks a part of the kept picture that is shown, or takes it as a whole. */
function MarkPicture({ cited, selection }: Properties) {
  const { data, draw, frameTimes, playback } = selection
  const frame = frameAt(data.frames, frameTimes, playback.time.value)
  if (frame === undefined) return null
  const { source_ref, timestamp } = frame
  const whole = { x: 0, y: 0, width: 100, height: 100 }
  const take = (box: Box) => {
    const given = [fraction(box.x), fraction(box.y), fraction(box.width), fraction(box.height)] as const
    const one = { source_ref, t_start: timestamp, t_end: timestamp, quote: linesIn(selection, source_ref, box) }
    cited.value = [...cited.value, { ...one, box: [...given] }]
  }
  const mark = () => {
    // What is drawn on is the picture that is cited, not one between two kept ones.
    playback.show({ t_start: timestamp, t_end: timestamp })
    draw.value = take
  }
  return (
    <>
      {draw.value === null
        ? <button type="button" class="quiet" onClick={mark}>Mark a part of the picture</button>
        : (
          <p class="small" role="status">
            Drag over the picture, or click two corners.{" "}
            <button type="button" class="quiet" onClick={() => (draw.value = null)}>Leave it</button>
          </p>
        )}
      <button type="button" class="quiet" onClick={() => take(whole)}>Take the whole picture</button>
    </>
  )
}

/** Evidence that a person points at: words by a click on the first and one on the last, a part of the picture by its corners. */
export function MarkedEvidence({ cited, selection }: Properties) {
  const { segments } = selection.data.transcript
  useEffect(() => {
    // Of one column the transcript would take the place of this.
    if (!narrow.value) selection.panel.value = "transcript"
    const pick = (source_ref: string, word: { readonly t_start: number; readonly t_end: number }) => {
      const last = cited.value.at(-1)
      const grown = last?.source_ref === source_ref && word.t_start >= last.t_end
        ? stretch(selection, source_ref, last.t_start, word.t_end)
        : null
      const one = stretch(selection, source_ref, word.t_start, word.t_end)
      if (grown !== null) cited.value = [...cited.value.slice(0, -1), grown]
      else if (one !== null) cited.value = [...cited.value, one]
    }
    selection.pick.value = pick
    return () => {
      // Another place may be marked by now.
      if (selection.pick.peek() !== pick) return
      selection.pick.value = null
      selection.draw.value = null
    }
  }, [])
  const citeNow = () => {
    const segment = segments[Math.max(0, lastAt(segments.map(({ t_start }) => t_start), selection.playback.time.value))]
    if (segment === undefined) return
    const { id, t_end, t_start, text } = segment
    cited.value = [...cited.value, { source_ref: id, t_start, t_end, quote: text }]
  }
  return (
    <div class="marked">
      <p class="small">
        <strong>Where does the footage say so?</strong> {narrow.value
          ? "Play to the moment and take what is said or shown there."
          : "Click the first word and the last in the transcript, or take what is said or shown now."}{" "}
        It may stay empty: then the value is your own.
      </p>
      <ul>
        {cited.value.map((one, at) => {
          const says = one.quote === "" ? "a part of the picture" : one.quote
          return (
            <li key={at} class="place">
              <span class="place-button">
                {one.quote === "" ? says : <q>{one.quote}</q>} <span class="number small">{range(one)}</span>
              </span>
              <button
                type="button"
                class="icon-button"
                aria-label={`Leave out “${says}”`}
                onClick={() => (cited.value = cited.value.filter((_, other) => other !== at))}
              >
                <Icon name="cross" />
              </button>
            </li>
          )
        })}
      </ul>
      <div class="mark-tools">
        {segments.length === 0
          ? null
          : <button type="button" class="quiet" onClick={citeNow}>Take what is said now</button>}
        <MarkPicture cited={cited} selection={selection} />
      </div>
    </div>
  )
}
