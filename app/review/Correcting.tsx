import { useId } from "preact/hooks"
import type { Json } from "../footnotes/ResultData.ts"
import type { Shape } from "../footnotes/SchemaShape.ts"
import type { Selection } from "../selection/Selection.ts"
import { decisionInWords } from "./DecisionInWords.ts"
import { MarkedEvidence } from "./MarkedEvidence.tsx"
import type { ReviewDraft } from "./ReviewDraft.ts"
import { ValueField } from "./ValueField.tsx"

interface Place {
  readonly draft: ReviewDraft
  readonly pointer: string
}

/** What was decided of a place, until it is saved. */
export function Decided({ draft, pointer }: Place) {
  const decided = draft.decisions.value.get(pointer)
  if (decided === undefined) return null
  return (
    <div class="review-tools decided">
      <p dir="auto">
        <strong>{decisionInWords(decided)}</strong> <span class="muted small">Not saved yet.</span>
      </p>
      <button type="button" class="quiet" onClick={() => draft.undo(pointer)}>Undo</button>
    </div>
  )
}

interface Properties extends Place {
  readonly shape: Shape
  readonly value: Json | undefined
  readonly selection: Selection
  readonly submit?: string
  readonly label?: string
}

/** The right value of a place and where the footage says so, while somebody gives them. */
export function Correcting(
  { draft, label = "The right value", pointer, selection, shape, submit = "Correct it", value }: Properties
) {
  const id = useId()
  const correction = draft.corrections.value.get(pointer)
  if (correction === undefined) return null
  const { cited, kind, name, right, typed } = correction
  return (
    <div class="review-tools">
      <ValueField
        id={id}
        label={label}
        submit={submit}
        shape={shape}
        value={right ?? value}
        kind={kind}
        typed={typed}
        cancel={() => draft.leave(pointer)}
        given={(value) => {
          draft.decide({
            pointer,
            action: "correct",
            value,
            ...(cited.value.length === 0 ? {} : { citations: [...cited.value] })
          }, name)
          draft.leave(pointer)
        }}
      />
      <MarkedEvidence cited={cited} selection={selection} />
    </div>
  )
}
