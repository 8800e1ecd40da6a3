import { type Leaf, shown } from "../footnotes/Leaves.ts"
import type { Json } from "../footnotes/ResultData.ts"
import type { Selection } from "../selection/Selection.ts"
import { Correcting, Decided } from "./Correcting.tsx"
import { AddEntry, shapeAt } from "./EntryTools.tsx"
import type { ReviewDraft } from "./ReviewDraft.ts"

interface Properties {
  readonly leaf: Leaf
  readonly selection: Selection
  readonly draft: ReviewDraft
}

/** What a person can say of one leaf: that it is right, what is right, that nothing is, or which of the candidates. */
export function ReviewTools({ draft, leaf, selection }: Properties) {
  const { path, pointer, span, title, unfilled, value } = leaf
  const name = path.join(" › ") || title
  const shape = shapeAt(selection.data.json_schema, pointer)
  if (draft.decisions.value.has(pointer)) return <Decided draft={draft} pointer={pointer} />
  if (draft.corrections.value.has(pointer)) {
    return <Correcting draft={draft} pointer={pointer} shape={shape} value={value} selection={selection} />
  }
  const offered = (unfilled?.candidates ?? span?.alternatives ?? []).map(({ value }, candidate) => ({
    says: shown(value as Json),
    candidate,
    // What does not fit the schema could not be saved.
    fits: shape.misfit(value as Json) === null
  }))
  const left = offered.filter(({ fits }) => !fits).length
  return (
    <div class="review-tools">
      <div class="row-tools">
        <button type="button" class="secondary" onClick={() => draft.decide({ pointer, action: "accept" }, name)}>
          {unfilled === null ? "Accept" : "Rightly empty"}
        </button>
        <button type="button" class="secondary" onClick={() => draft.begin(pointer, name)}>
          {unfilled === null ? "Correct" : "Fill in"}
        </button>
        {unfilled === null
          ? (
            <button
              type="button"
              class="secondary danger"
              onClick={() => draft.decide({ pointer, action: "reject" }, name)}
            >
              Reject
            </button>
          )
          : null}
      </div>
      {offered.length === left ? null : (
        <div class="row-tools">
          {offered.filter(({ fits }) => fits).map(({ candidate, says }) => (
            <button
              key={candidate}
              type="button"
              class="chip"
              dir="auto"
              onClick={() => draft.decide({ pointer, action: "choose", candidate }, name)}
            >
              Take “{says}”
            </button>
          ))}
        </div>
      )}
      {left === 0 ? null : (
        <p class="small muted">
          {left === 1 ? "One candidate does" : `${left} candidates do`}{" "}
          not fit this field and cannot be taken as it stands.
        </p>
      )}
      <AddEntry draft={draft} pointer={pointer} name={name} selection={selection} />
    </div>
  )
}
