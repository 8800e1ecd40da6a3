import { useState } from "preact/hooks"
import type { BatchDetails, BatchRecord, ListedJob } from "../../clients/typescript/src/generated/types.ts"
import { dateOf } from "../parts/Dates.ts"
import { NotHere, useLoaded } from "../parts/Loading.tsx"
import { Paging } from "../parts/Paging.tsx"
import { all, page } from "../service/Pages.ts"
import { get } from "../service/Service.ts"
import { Shell } from "../shell/Shell.tsx"
import { nameOf } from "./JobsScreen.tsx"

const kinds = ["succeeded", "running", "queued", "failed", "cancelled", "refused"] as const

const countsInWords = ({ counts }: Pick<BatchRecord, "counts">): string =>
  kinds.filter((kind) => counts[kind] > 0).map((kind) => `${counts[kind]} ${kind}`).join(", ")

/** Jobs that came in one request, newest first, each with how it stands. */
export function BatchesScreen() {
  const [cursors, setCursors] = useState<ReadonlyArray<string | null>>([null])
  const { loaded } = useLoaded(() => page<BatchRecord>("/v1/batches", cursors.at(-1)!), [cursors])
  return (
    <Shell title="Batches" tools={<a class="secondary" href="#/jobs">All jobs</a>}>
      {loaded.kind !== "here" ? <NotHere loaded={loaded} /> : loaded.value.data.length === 0
        ? (
          <div class="nothing">
            <p class="lead serif">No batch yet.</p>
            <p class="muted">
              Up to 100 jobs come in one request: <code>POST /v1/jobs/batch</code>.{" "}
              <a href="../docs#createJobBatch">How it is sent</a>
            </p>
          </div>
        )
        : (
          <ul class="job-list">
            {loaded.value.data.map((batch) => (
              <li key={batch.id}>
                <a class="job-row" href={`#/batches/${batch.id}`}>
                  <span class={`status ${batch.status === "completed" ? "succeeded" : "running"}`}>{batch.status}</span>
                  <span class="job-name">{batch.size === 1 ? "1 job" : `${batch.size} jobs`}</span>
                  <span class="facts">
                    <span>{dateOf(batch.created_at)}</span>
                    <span>{countsInWords(batch)}</span>
                  </span>
                </a>
              </li>
            ))}
          </ul>
        )}
      {loaded.kind === "here"
        ? <Paging cursors={cursors} next={loaded.value.next_cursor} turn={setCursors} />
        : null}
    </Shell>
  )
}

interface Item {
  readonly item: BatchDetails["items"][number]
  readonly job: ListedJob | undefined
}

function ItemRow({ item: { error, item, job_id }, job }: Item) {
  const name = job === undefined ? job_id ?? `Item ${item + 1}` : nameOf(job)
  const status = job_id === null ? "refused" : job?.status ?? "erased"
  const facts = (
    <>
      <span class={`status ${status === "refused" ? "failed" : status}`}>{status}</span>
      <span class="job-name">{name}</span>
      <span class="facts">
        <span>item {item + 1}</span>
        {job?.counts === undefined ? null : <span>{job.counts.verified} of {job.counts.leaves} verified</span>}
        {error === null ? null : <span class="danger">{error.message}</span>}
        {job?.error ? <span class="danger">{job.error.message}</span> : null}
      </span>
    </>
  )
  return (
    <li>
      {job === undefined
        ? <div class="job-row">{facts}</div>
        : <a class="job-row" href={`#/jobs/${job.id}`}>{facts}</a>}
    </li>
  )
}

/** One batch: how far it is, and what became of each of its items. */
export function BatchScreen({ id }: { readonly id: string }) {
  const { again, loaded } = useLoaded(
    () =>
      Promise.all([
        get<BatchDetails>(`/v1/batches/${encodeURIComponent(id)}`),
        all<ListedJob>(`/v1/jobs?batch_id=${encodeURIComponent(id)}`)
      ]),
    [id]
  )
  if (loaded.kind !== "here") {
    return (
      <Shell title="Batch">
        <NotHere loaded={loaded} />
      </Shell>
    )
  }
  const [batch, jobs] = loaded.value
  const byId = new Map(jobs.map((job) => [job.id, job]))
  return (
    <Shell
      title={batch.size === 1 ? "A batch of 1 job" : `A batch of ${batch.size} jobs`}
      tools={<button type="button" class="secondary" onClick={again}>Look again</button>}
    >
      <p class="lead" role="status">{countsInWords(batch) || "Nothing of it has been judged yet."}</p>
      <div
        class="meter large"
        role="progressbar"
        aria-label="Progress of the batch"
        aria-valuenow={Math.round(batch.progress.fraction * 100)}
        aria-valuemin={0}
        aria-valuemax={100}
      >
        <span style={{ width: `${batch.progress.fraction * 100}%` }} />
      </div>
      <ul class="job-list">
        {batch.items.map((item) => (
          <ItemRow key={item.item} item={item} job={item.job_id === null ? undefined : byId.get(item.job_id)} />
        ))}
      </ul>
    </Shell>
  )
}
