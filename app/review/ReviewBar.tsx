import type { ReviewDraft } from "./ReviewDraft.ts"

/** What was decided and is to be saved, and which revision is shown. */
export function ReviewBar({ draft, saved }: { readonly draft: ReviewDraft; readonly saved: () => void }) {
  const { base_revision, count, problem, saving } = draft
  const save = async () => {
    if (await draft.save()) saved()
  }
  return (
    <>
      {base_revision === 0 ? null : <span class="muted small">Revision {base_revision}</span>}
      {count.value === 0 ?
        null :
        (
          <button type="button" class="primary" disabled={saving.value} onClick={() => void save()}>
            Save {count.value === 1 ? "1 decision" : `${count.value} decisions`}
          </button>
        )}
      {problem.value === null ? null : <p class="review-problem" role="alert">{problem.value}</p>}
    </>
  )
}
