import { stepsOf } from "../footnotes/JsonPointer.ts"
import { type Leaf, shown } from "../footnotes/Leaves.ts"
import type { Json } from "../footnotes/ResultData.ts"
import { type Shape, shapeOf } from "../footnotes/SchemaShape.ts"
import type { Selection } from "../selection/Selection.ts"
import { decisionInWords } from "./DecisionInWords.ts"
import { MarkedEvidence } from "./MarkedEvidence.tsx"
import type { ReviewDraft } from "./ReviewDraft.ts"
import { ValueField } from "./ValueField.tsx"

const shapeAt = (schema: Json, pointer: string): Shape =>
  stepsOf(pointer).reduce((shape, step) => shape.child(step), shapeOf(schema))

interface Properties {
  readonly leaf: Leaf
  readonly selection: Selection
  readonly draft: ReviewDraft
}

/** What a person can say of one leaf: that it is right, what is right, that nothing is, or which of the candidates. */
export function ReviewTools({ draft, leaf, selection }: Properties) {
  const { pointer, span, unfilled, value } = leaf
  const correction = draft.corrections.value.get(pointer)
  const decided = draft.decisions.value.get(pointer)
  const offered = unfilled?.candidates ?? span?.alternatives ?? []
  if (decided !== undefined) {
    return (
      <div class="review-tools decided">
        <p>
          <strong>{decisionInWords(decided)}</strong> <span class="muted small">Not saved yet.</span>
        </p>
        <button type="button" class="quiet" onClick={() => draft.undo(pointer)}>Undo</button>
      </div>
    )
  }
  if (correction !== undefined) {
    const { cited, typed } = correction
    return (
      <div class="review-tools">
        <ValueField
          id="right-value"
          shape={shapeAt(selection.data.json_schema, pointer)}
          value={value}
          typed={typed}
          cancel={() => draft.leave(pointer)}
          given={(right) => {
            draft.decide({
              pointer,
              action: "correct",
              value: right,
              ...(cited.value.length === 0 ? {} : { citations: [...cited.value] })
            })
            draft.leave(pointer)
          }}
        />
        <MarkedEvidence cited={cited} selection={selection} />
      </div>
    )
  }
  return (
    <div class="review-tools">
      <div class="row-tools">
        <button type="button" class="secondary" onClick={() => draft.decide({ pointer, action: "accept" })}>
          {unfilled === null ? "Accept" : "Rightly empty"}
        </button>
        <button type="button" class="secondary" onClick={() => draft.begin(pointer)}>
          {unfilled === null ? "Correct" : "Fill in"}
        </button>
        {unfilled === null
          ? (
            <button type="button" class="secondary danger" onClick={() => draft.decide({ pointer, action: "reject" })}>
              Reject
            </button>
          )
          : null}
      </div>
      {offered.length === 0 ? null : (
        <div class="row-tools">
          {offered.map((other, candidate) => (
            <button
              key={candidate}
              type="button"
              class="chip"
              onClick={() => draft.decide({ pointer, action: "choose", candidate })}
            >
              Take “{shown(other.value as Json)}”
            </button>
          ))}
        </div>
      )}
    </div>
  )
}
