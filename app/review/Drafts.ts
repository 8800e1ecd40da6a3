import { effect } from "@preact/signals"
import { type KeptDraft, ReviewDraft } from "./ReviewDraft.ts"

const nameOf = (job_id: string): string => `footnote.review.1.${job_id}`

/** Written below in this very shape, whose number is in the name. */
const isKept = (kept: unknown): kept is KeptDraft => typeof kept === "object" && kept !== null && "decisions" in kept

const read = (job_id: string): KeptDraft | null => {
  try {
    const kept = JSON.parse(sessionStorage.getItem(nameOf(job_id)) ?? "null") as unknown
    return isKept(kept) ? kept : null
  } catch {
    return null
  }
}

const drafts = new Map<string, { readonly draft: ReviewDraft; readonly stop: () => void }>()

/**
 * What was drafted on a job in this tab, before a reload and on other screens too. Where the browser keeps nothing, or has no room, it lasts
 * as long as the page.
 */
export const draftOf = (job_id: string): ReviewDraft => {
  const known = drafts.get(job_id)
  if (known !== undefined) return known.draft
  const draft = new ReviewDraft(job_id, read(job_id))
  const stop = effect(() => {
    const kept = draft.kept()
    try {
      if (kept === null) sessionStorage.removeItem(nameOf(job_id))
      else sessionStorage.setItem(nameOf(job_id), JSON.stringify(kept))
    } catch {
      // Kept for this page alone.
    }
  })
  drafts.set(job_id, { draft, stop })
  return draft
}

/** Nothing of an erased job stays. */
export const forgetDraft = (job_id: string): void => {
  drafts.get(job_id)?.stop()
  drafts.delete(job_id)
  try {
    sessionStorage.removeItem(nameOf(job_id))
  } catch {
    // Then nothing was kept.
  }
}

addEventListener("beforeunload", (event) => {
  if ([...drafts.values()].some(({ draft }) => draft.unsaved.value)) event.preventDefault()
})
