import type { EvidenceSpan, Unfilled } from "../../clients/typescript/src/generated/types.ts"
import { type Leaf, shown } from "../footnotes/Leaves.ts"
import { range } from "../footnotes/Moments.ts"
import type { Json } from "../footnotes/ResultData.ts"
import type { Place } from "../footnotes/Support.ts"
import { channels, checksInWords, grades, percent, reasons, roles } from "../footnotes/Wording.ts"
import { Icon } from "../parts/Icons.tsx"
import type { Selection } from "../selection/Selection.ts"
import { CopyLink } from "./CopyLink.tsx"
import { SaveClip } from "./SaveClip.tsx"

interface PlaceProperties {
  readonly place: Place
  readonly at: number
  readonly leaf: Leaf
  readonly selection: Selection
}

/** One place of the footage: its words, what it does for the value, and when; chosen, it is shown and played. */
function PlaceCard({ at, leaf, place, selection }: PlaceProperties) {
  const now = selection.citation.value === at
  return (
    <li class={now ? "place now" : "place"}>
      <button
        type="button"
        class="place-button"
        aria-current={now}
        onClick={() => selection.select(leaf, at, true)}
      >
        <q dir="auto">{place.quote}</q>
        <span class="facts">
          <span>{channels[place.origin_channel] ?? place.origin_channel}</span>
          <span class="number">{range(place)}</span>
          <span>{place.role === "also" ? "says the same" : `${place.role}: ${roles[place.role] ?? ""}`}</span>
        </span>
      </button>
      <CopyLink address={selection.addressOf(leaf.pointer, at)} />
    </li>
  )
}

function Checks({ span }: { readonly span: EvidenceSpan }) {
  return (
    <ul class="checks">
      {checksInWords(span).map(({ holds, says }) => (
        <li key={says} class={holds === true ? "holds" : holds === false ? "fails" : "open-question"}>
          <Icon name={holds === true ? "check" : holds === false ? "cross" : "question"} />
          <span>
            <span class="hidden">{holds === true ? "Holds: " : holds === false ? "Fails: " : "Not said: "}</span>
            {says}
          </span>
        </li>
      ))}
    </ul>
  )
}

function Filled(
  { leaf, selection, span }: { readonly leaf: Leaf; readonly selection: Selection; readonly span: EvidenceSpan }
) {
  return (
    <>
      <ol class="places" aria-label="Citations">
        {selection.places.value.map((place, at) => (
          <PlaceCard key={at} place={place} at={at} leaf={leaf} selection={selection} />
        ))}
      </ol>
      {selection.place.value === null ? null : <SaveClip place={selection.place.value} selection={selection} />}
      {span.origin === "person" ? <p class="small muted">A person gave this value in a review and pointed here.</p> : (
        <>
          <p class="label">{span.verified ? "Why it counts as verified" : "Why it is not verified"}</p>
          <Checks span={span} />
          <p class="small muted">
            <strong>{span.grade}</strong>: {grades[span.grade]}. Proposed by <code>{span.proposed_by}</code>
            {span.formula === undefined ? null : (
              <>
                , computed as <code>{span.formula}</code>
              </>
            )}.
          </p>
        </>
      )}
      {span.alternatives.length === 0 ? null : (
        <>
          <p class="label">Values that were not taken</p>
          <ul class="candidates">
            {span.alternatives.map((other, at) => (
              <li key={at}>
                <button type="button" class="candidate" onClick={() => selection.playback.playSpan(other)}>
                  <span class="candidate-value" dir="auto">{shown(other.value as Json)}</span>
                  <q dir="auto">{other.quote}</q> <span class="number muted">{range(other)}</span>
                </button>
              </li>
            ))}
          </ul>
        </>
      )}
    </>
  )
}

function Empty(
  { leaf, selection, unfilled }: { readonly leaf: Leaf; readonly selection: Selection; readonly unfilled: Unfilled }
) {
  const places = selection.places.value
  return (
    <>
      <p>{reasons[unfilled.reason] ?? unfilled.reason}</p>
      {unfilled.candidates.length === 0 ? null : (
        <>
          <p class="label">What was found and held back</p>
          <ul class="candidates">
            {unfilled.candidates.map((candidate, at) => {
              const place = places.findIndex(({ quote, t_start }) =>
                quote === candidate.quote && t_start === candidate.t_start
              )
              return (
                <li key={at}>
                  <button
                    type="button"
                    class="candidate"
                    disabled={place === -1}
                    onClick={() => selection.select(leaf, place, true)}
                  >
                    <span class="candidate-value" dir="auto">
                      {shown(candidate.value as Json)}
                      {candidate.confidence === null
                        ? null
                        : <span class="number muted">{percent(candidate.confidence)}</span>}
                    </span>
                    <q dir="auto">{candidate.quote}</q>
                    {place === -1 ? null : <span class="number muted">{range(places[place]!)}</span>}
                    <span class="because">{candidate.refused_because}</span>
                  </button>
                </li>
              )
            })}
          </ul>
        </>
      )}
    </>
  )
}

/** Who decided on it, where somebody did. */
function ReviewedBy({ of }: { readonly of: Pick<EvidenceSpan, "reviewed_by" | "revision"> | null }) {
  if (of?.reviewed_by === undefined) return null
  return (
    <p class="small">
      Reviewed by <strong>{of.reviewed_by.name}</strong>, revision {of.revision}.
    </p>
  )
}

/** The footnote of a value: every place that it rests on and why it counts, or why it is empty. */
export function FootnoteDetails({ leaf, selection }: { readonly leaf: Leaf; readonly selection: Selection }) {
  const { span, unfilled } = leaf
  return (
    <div class="footnote" role="group" aria-label={`Footnote of ${leaf.path.join(", ") || leaf.title}`}>
      {unfilled !== null
        ? <Empty leaf={leaf} selection={selection} unfilled={unfilled} />
        : span === null
        ? <p>The evidence of this result does not mention this value.</p>
        : span.citations.length === 0 && span.origin === "person"
        ? <p>A person gave this value and cited no place of the footage.</p>
        : span.citations.length === 0
        ? <p>{reasons["default"]} The footage says nothing of it.</p>
        : <Filled leaf={leaf} selection={selection} span={span} />}
      <ReviewedBy of={span ?? unfilled} />
      {selection.tools?.(leaf)}
      <p class="pointer small muted">
        <code>{leaf.pointer || "/"}</code>
      </p>
    </div>
  )
}
