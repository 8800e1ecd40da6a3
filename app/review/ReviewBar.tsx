import { useState } from "preact/hooks"
import type { GivenDecision } from "../../clients/typescript/src/generated/types.ts"
import { Dialog } from "../parts/Dialog.tsx"
import type { Selection } from "../selection/Selection.ts"
import { decisionInWords } from "./DecisionInWords.ts"
import type { ReviewDraft } from "./ReviewDraft.ts"

interface Properties {
  readonly draft: ReviewDraft
  readonly selection: Selection
  readonly saved: () => void
}

function Decisions({ decisions, selection }: {
  readonly decisions: ReadonlyArray<GivenDecision>
  readonly selection: Selection
}) {
  return (
    <ul class="decisions" tabIndex={0} aria-label="Decisions">
      {decisions.map((decision) => (
        <li key={decision.pointer}>
          <strong>
            {selection.leaves.find(({ pointer }) => pointer === decision.pointer)?.path.join(" › ") ?? decision.pointer}
          </strong>{" "}
          {decisionInWords(decision)}
        </li>
      ))}
    </ul>
  )
}

function SaveForm({ draft, saved, selection }: Properties) {
  const { base_revision, decisions, problem, saving } = draft
  const decided = [...decisions.value.values()]
  const [others, setOthers] = useState(decided.length === 0)
  const [note, setNote] = useState("")
  const save = async () => {
    if (await draft.save({ note: note.trim() || null, others })) saved()
  }
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        void save()
      }}
    >
      {decided.length === 0 ? null : <Decisions decisions={decided} selection={selection} />}
      <label class="switch">
        <input type="checkbox" checked={others} onChange={(event) => setOthers(event.currentTarget.checked)} />
        {decided.length === 0 ? "Accept every value as it stands" : "Accept every other value as it stands"}
      </label>
      <div class="field">
        <label for="review-note">Note (may be left out)</label>
        <textarea
          id="review-note"
          rows={2}
          maxLength={4000}
          value={note}
          onInput={(event) => setNote(event.currentTarget.value)}
        />
      </div>
      <p class="small muted">
        Saved as revision {base_revision + 1}, with your key's name and the time. The job's own result stays as it was.
      </p>
      <p class="problem" role="alert">{problem.value}</p>
      <button class="primary" disabled={saving.value || (decided.length === 0 && !others)}>
        Save revision {base_revision + 1}
      </button>
    </form>
  )
}

/** What was decided and is to be saved, and which revision is shown. */
export function ReviewBar(properties: Properties) {
  const { base_revision, count } = properties.draft
  const [open, setOpen] = useState(false)
  return (
    <>
      {base_revision === 0 ? null : <span class="muted small">Revision {base_revision}</span>}
      <button
        type="button"
        class={count.value === 0 ? "quiet accept-all" : "primary"}
        aria-haspopup="dialog"
        onClick={() => setOpen(true)}
      >
        {count.value === 0
          ? "Accept all"
          : count.value === 1
          ? "Save 1 decision"
          : `Save ${count.value} decisions`}
      </button>
      <Dialog title="Save a review" open={open} close={() => setOpen(false)}>
        <SaveForm {...properties} />
      </Dialog>
    </>
  )
}
