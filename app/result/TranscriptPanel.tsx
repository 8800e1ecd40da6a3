import { useMemo } from "preact/hooks"
import type { Segment } from "../../clients/typescript/src/generated/types.ts"
import { clock, lastAt } from "../footnotes/Moments.ts"
import { type Place, speaks } from "../footnotes/Support.ts"
import { Icon } from "../parts/Icons.tsx"
import { VirtualList } from "../parts/VirtualList.tsx"
import type { Selection } from "../selection/Selection.ts"
import { Supports } from "./Supports.tsx"

interface SegmentProperties {
  readonly segment: Segment
  readonly speaker: string | null
  readonly selection: Selection
  readonly cited: ReadonlyArray<Place>
  readonly current: boolean
  readonly query: string
}

/** A word is cited, is said just now, is what is searched, or rests under a value. */
/** The places of the words that what is sought stands in, which may go over several. */
const soughtIn = (words: ReadonlyArray<{ readonly text: string }>, query: string): ReadonlySet<number> => {
  const found = new Set<number>()
  if (query === "") return found
  const starts: Array<number> = []
  let text = ""
  for (const word of words) {
    starts.push(text.length)
    text += `${word.text.toLowerCase()} `
  }
  for (let at = text.indexOf(query); at >= 0; at = text.indexOf(query, at + query.length)) {
    for (const [index, start] of starts.entries()) {
      if (start < at + query.length && at < start + words[index]!.text.length) found.add(index)
    }
  }
  return found
}

function Words({ cited, current, query, segment, selection }: Omit<SegmentProperties, "speaker">) {
  const supports = selection.support.get(segment.id) ?? []
  const time = current ? selection.playback.time.value : -1
  const words = segment.words.length === 0 ? [segment] : segment.words
  const sought = soughtIn(words, query)
  return words.map((word, at) => {
    const marks = [
      cited.some((place) => speaks(word, place)) ? "cited" : "",
      supports.some(({ place }) => speaks(word, place)) ? "rests" : "",
      time >= word.t_start && time < word.t_end ? "said" : "",
      sought.has(at) ? "sought" : ""
    ].filter((mark) => mark !== "")
    return (
      <>
        <span
          key={at}
          class={["word", ...marks].join(" ")}
          onClick={() => selection.askWord(segment.id, word)}
        >
          {word.text}
        </span>
        {" "}
      </>
    )
  })
}

function SegmentRow({ speaker, ...properties }: SegmentProperties) {
  const { current, segment, selection } = properties
  const supports = selection.support.get(segment.id) ?? []
  return (
    <div class={current ? "segment current" : "segment"}>
      <button
        type="button"
        class="moment"
        aria-label={`Go to ${clock(segment.t_start)}`}
        onClick={() => selection.playback.seek(segment.t_start)}
      >
        {clock(segment.t_start)}
      </button>
      <div>
        {speaker === null ? null : <span class="speaker" dir="auto">{speaker}</span>}
        <p dir="auto">
          <Words {...properties} />
        </p>
      </div>
      {supports.length === 0 ? null : (
        <button
          type="button"
          class="supports-count"
          aria-label={`Values that rest on this: ${supports.length}`}
          onClick={() => (selection.asked.value = { source_ref: segment.id, says: `“${segment.text}”`, supports })}
        >
          {supports.length}
        </button>
      )}
    </div>
  )
}

/** What was said, by whom and when; the words that a value rests on are marked. */
export function TranscriptPanel({ selection }: { readonly selection: Selection }) {
  const { data: { job, transcript }, place, places, playback, reveal } = selection
  const query = selection.sought.value
  const sought = query.trim().toLowerCase()
  const found = useMemo(
    () =>
      sought === ""
        ? transcript.segments
        : transcript.segments.filter(({ text }) => text.toLowerCase().includes(sought)),
    [sought]
  )
  const names = useMemo(() => new Map(transcript.speakers.map(({ id, label }) => [id, label])), [])
  const starts = useMemo(() => found.map(({ t_start }) => t_start), [found])
  const now = lastAt(starts, playback.time.value)
  // While a span is played once its place stays in view; while playing goes on the words that are said do.
  const following = playback.playing.value && playback.span.value === null
  const cited = places.value.filter(({ source_ref }) => source_ref.startsWith("seg#"))
  const shownPlace = place.value?.source_ref.startsWith("seg#") === true ? place.value : cited[0]
  const at = shownPlace === undefined ? -1 : found.findIndex(({ id }) => id === shownPlace.source_ref)

  if (transcript.segments.length === 0) {
    return (
      <p class="empty">
        {job.source?.audio === null
          ? "The footage has no sound."
          : transcript.audio_branch === "absent"
          ? "Nobody is heard to speak in the footage."
          : "Nothing was said that could be understood."}
      </p>
    )
  }
  return (
    <>
      <div class="panel-bar">
        <label class="search">
          <Icon name="search" />
          <span class="hidden">Search the transcript</span>
          <input
            type="search"
            placeholder="Search the transcript"
            value={query}
            data-key-target="search"
            onInput={(event) => (selection.sought.value = event.currentTarget.value)}
          />
        </label>
        {sought === ""
          ? null
          : <span class="muted small" role="status">{found.length} of {transcript.segments.length}</span>}
        {transcript.speakers.length === 0 ? null : selection.speakerTools?.()}
      </div>
      <Supports selection={selection} />
      <VirtualList
        class="transcript"
        items={found}
        keyOf={(segment) => segment.id}
        estimate={46}
        label="Transcript"
        reveal={following ? now : at >= 0 ? at : undefined}
        revealed={following ? now : reveal.value}
        render={(segment, row) => (
          <SegmentRow
            segment={segment}
            speaker={segment.speaker !== found[row - 1]?.speaker && segment.speaker !== null
              ? names.get(segment.speaker) ?? segment.speaker
              : null}
            selection={selection}
            cited={cited.filter(({ source_ref }) => source_ref === segment.id)}
            current={row === now && playback.time.value < segment.t_end}
            query={sought}
          />
        )}
      />
    </>
  )
}
