import { useState } from "preact/hooks"
import { useDoing } from "../parts/Doing.ts"
import { forgetDraft } from "../review/Drafts.ts"
import { call } from "../service/Service.ts"
import { go } from "../shell/Route.ts"

/** Erases a job that is over, once it has been said what goes with it and asked again. */
export function EraseJob({ id }: { readonly id: string }) {
  const [asked, setAsked] = useState(false)
  const { busy, problem, run } = useDoing()
  const erase = () =>
    run(async () => {
      await call("DELETE", `/v1/jobs/${id}`)
      forgetDraft(id)
      go("jobs")
    })
  return (
    <div class="erase-job">
      {asked
        ? (
          <>
            <p>
              <strong>This cannot be undone.</strong>{" "}
              The result, its evidence and reviews, the transcript, the frames and the copy of the footage that was
              fetched go for good; so do links to them.
            </p>
            <div class="row-tools">
              <button type="button" class="primary danger-fill" disabled={busy} onClick={() => void erase()}>
                Erase for good
              </button>
              <button type="button" class="secondary" disabled={busy} onClick={() => setAsked(false)}>Keep it</button>
            </div>
          </>
        )
        : (
          <button type="button" class="secondary danger" onClick={() => setAsked(true)}>
            Erase the job…
          </button>
        )}
      <p class="problem" role="alert">{problem}</p>
    </div>
  )
}
