import { useState } from "preact/hooks"
import type { Job } from "../../clients/typescript/src/generated/types.ts"
import { Dialog } from "../parts/Dialog.tsx"
import { useDoing } from "../parts/Doing.ts"
import { at, call } from "../service/Service.ts"
import { go } from "../shell/Route.ts"
import { DeliverResult } from "./DeliverResult.tsx"
import { EraseJob } from "./EraseJob.tsx"

/** The same footage and schema once more. */
export function RunAgain({ id, look }: { readonly id: string; readonly look: "primary" | "secondary" }) {
  const { busy, problem, run } = useDoing()
  const again = () => run(async () => go(`jobs/${(await call<Job>("POST", `/v1/jobs/${id}/retry`)).id}`))
  return (
    <div>
      <button type="button" class={look} disabled={busy} onClick={() => void again()}>Run it again as a new job</button>
      <p class="problem" role="alert">{problem}</p>
    </div>
  )
}

/** What can be done with a result as a whole: keep it, send it, run it again, erase it. */
export function JobDialog({ id, revision }: { readonly id: string; readonly revision: number }) {
  const [open, setOpen] = useState(false)
  return (
    <>
      <button type="button" class="quiet" aria-haspopup="dialog" onClick={() => setOpen(true)}>Save or send</button>
      <Dialog title="This result" open={open} close={() => setOpen(false)}>
        <section class="dialog-part">
          <h3>Save</h3>
          <ul class="saves">
            <li>
              <a href={at(`/v1/jobs/${id}/report.html?reviewed=true`)} download={`${id}.html`}>As a page</a>
              <span class="muted small">
                opens from a disk or a mail, with its frames{revision === 0 ? "" : `, as of revision ${revision}`}
              </span>
            </li>
            <li>
              <a href={at(`/v1/jobs/${id}/export`)} download={`${id}.zip`}>Everything as a zip file</a>
              <span class="muted small">result, evidence, transcript, frames, reviews, signed manifest</span>
            </li>
            <li>
              <a href={at(`/v1/jobs/${id}/media`)} download>The footage</a>
              <span class="muted small">as long as it is kept</span>
            </li>
          </ul>
        </section>
        <section class="dialog-part">
          <h3>Send</h3>
          <DeliverResult id={id} revision={revision} />
        </section>
        <section class="dialog-part">
          <h3>The job</h3>
          <div class="job-deeds">
            <RunAgain id={id} look="secondary" />
            <EraseJob id={id} />
          </div>
        </section>
      </Dialog>
    </>
  )
}
