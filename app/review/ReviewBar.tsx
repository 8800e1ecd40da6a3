import { useState } from "preact/hooks"
import { Dialog } from "../parts/Dialog.tsx"
import { decisionInWords } from "./DecisionInWords.ts"
import type { ReviewDraft } from "./ReviewDraft.ts"

interface Properties {
  readonly draft: ReviewDraft
  readonly saved: () => void
}

function Decisions({ draft }: Pick<Properties, "draft">) {
  return (
    <ul class="decisions" tabIndex={0} aria-label="Decisions">
      {[...draft.drafted.value.values()].map(({ decision, name }) => (
        <li key={decision.pointer} dir="auto">
          <strong>{name}</strong> {decisionInWords(decision)}
        </li>
      ))}
    </ul>
  )
}

/** What is typed and not finished is not saved with the rest, and stays. */
function Unfinished({ draft }: Pick<Properties, "draft">) {
  const open = draft.unfinished.value
  if (open.length === 0) return null
  return (
    <div class="unfinished">
      <p>
        <strong>Not finished, and not saved with this:</strong>
      </p>
      <ul>
        {open.map(({ name, typed }) => (
          <li key={name} dir="auto">{name}{typed.value === null ? "" : `: “${typed.value}”`}</li>
        ))}
      </ul>
    </div>
  )
}

function SaveForm({ close, draft, saved }: Properties & { readonly close: () => void }) {
  const { base, count, note, problem, saving, unfinished } = draft
  const [wanted, setOthers] = useState(count.value === 0)
  // Accepting what somebody is about to correct would say the opposite of it.
  const open = unfinished.value.length > 0
  const others = wanted && !open
  const next = base.value + 1
  const save = async () => {
    if (!await draft.save(others)) return
    close()
    saved()
  }
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        void save()
      }}
    >
      {count.value === 0 ? null : <Decisions draft={draft} />}
      <Unfinished draft={draft} />
      <label class="switch">
        <input
          type="checkbox"
          checked={others}
          disabled={open}
          onChange={(event) => setOthers(event.currentTarget.checked)}
        />
        {count.value === 0 ? "Accept every value as it stands" : "Accept every other value as it stands"}
      </label>
      <div class="field">
        <label for="review-note">Note (may be left out)</label>
        <textarea
          id="review-note"
          rows={2}
          maxLength={4000}
          dir="auto"
          value={note.value}
          onInput={(event) => (note.value = event.currentTarget.value)}
        />
      </div>
      <p class="small muted">
        Saved as revision {next}, with your key's name and the time. The job's own result stays as it was.
      </p>
      <p class="problem" role="alert">{problem.value}</p>
      <button class="primary" disabled={saving.value || (count.value === 0 && !others)}>Save revision {next}</button>
    </form>
  )
}

/** What somebody else saved meanwhile, and what became of the draft by it. */
function Told({ draft }: Pick<Properties, "draft">) {
  const { told } = draft
  return (
    <Dialog title="What has changed meanwhile" open={told.value.length > 0} close={() => (told.value = [])}>
      <ul class="decisions" tabIndex={0} aria-label="Changes">
        {told.value.map((line, at) => <li key={at} dir="auto">{line}</li>)}
      </ul>
      <button type="button" class="primary" onClick={() => (told.value = [])}>Go on</button>
    </Dialog>
  )
}

/** What was decided and is to be saved, and which revision is shown. */
export function ReviewBar(properties: Properties) {
  const { base, count } = properties.draft
  const [open, setOpen] = useState(false)
  const close = () => setOpen(false)
  return (
    <>
      {base.value === 0 ? null : <span class="muted small">Revision {base.value}</span>}
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
      <Dialog title="Save a review" open={open} close={close}>
        <SaveForm {...properties} close={close} />
      </Dialog>
      <Told draft={properties.draft} />
    </>
  )
}
