import { useEffect, useState } from "preact/hooks"
import type { JobEvent, ListedJob } from "../../clients/typescript/src/generated/types.ts"
import { clock } from "../footnotes/Moments.ts"
import { dateOf } from "../parts/Dates.ts"
import { NotHere, useLoaded } from "../parts/Loading.tsx"
import { Paging } from "../parts/Paging.tsx"
import { follow, isOver } from "../service/LiveJob.ts"
import { page } from "../service/Pages.ts"
import { Shell } from "../shell/Shell.tsx"
import { StageBar } from "./JobProgress.tsx"

const statuses = ["", "running", "queued", "succeeded", "failed", "cancelled"] as const

/** Streams of events that a list opens at most: a tenant has few, and a browser six connections. */
const mostFollowed = 3

export const nameOf = (job: Pick<ListedJob, "title" | "source_name" | "source_uri">): string =>
  job.title ?? job.source_name ?? job.source_uri

function Row({ event, job }: { readonly job: ListedJob; readonly event: JobEvent | undefined }) {
  const { counts } = job
  const status = event?.status ?? job.status
  // Green would say that something is there.
  const empty = status === "succeeded" && counts?.filled === 0 && counts.leaves > 0
  return (
    <li>
      <a class="job-row" href={`#/jobs/${job.id}`}>
        <span class={`status ${empty ? "empty" : status}`}>{empty ? "nothing filled" : status}</span>
        <span class="job-name">{nameOf(job)}</span>
        <span class="facts">
          <span>{dateOf(job.created_at)}</span>
          {job.source === null ? null : <span class="number">{clock(job.source.duration_seconds)}</span>}
          {counts === undefined
            ? null
            : <span>{counts.filled} of {counts.leaves} filled, {counts.verified} verified</span>}
          {job.warnings.length === 0
            ? null
            : <span>{job.warnings.length === 1 ? "1 warning" : `${job.warnings.length} warnings`}</span>}
          {job.error === null ? null : <span class="danger">{job.error.message}</span>}
        </span>
        {isOver(status) ? null : <StageBar progress={event?.progress ?? job.progress} />}
      </a>
    </li>
  )
}

/** All jobs, newest first; those at work move by themselves. */
export function JobsScreen() {
  const [status, setStatus] = useState<string>("")
  const [cursors, setCursors] = useState<ReadonlyArray<string | null>>([null])
  const [events, setEvents] = useState<ReadonlyMap<string, JobEvent>>(new Map())
  const { again, loaded } = useLoaded(
    () => page<ListedJob>(`/v1/jobs${status === "" ? "" : `?status=${status}`}`, cursors.at(-1)!),
    [status, cursors]
  )
  const jobs = loaded.kind === "here" ? loaded.value.data : []
  const working = jobs.filter((job) => !isOver(job.status)).slice(0, mostFollowed).map(({ id }) => id).join(" ")
  useEffect(() => {
    const closing = working.split(" ").filter((id) => id !== "").map((id) =>
      follow(id, (event) => {
        setEvents((known) => new Map(known).set(id, event))
        if (isOver(event.status)) again()
      })
    )
    return () => closing.forEach((close) => close())
  }, [working])
  return (
    <Shell
      title="Jobs"
      tools={
        <div class="head-tools">
          <a class="quiet" href="#/batches">Batches</a>
          <select
            aria-label="Status"
            value={status}
            onChange={(event) => {
              setStatus(event.currentTarget.value)
              setCursors([null])
            }}
          >
            {statuses.map((one) => <option key={one} value={one}>{one === "" ? "All" : one}</option>)}
          </select>
        </div>
      }
    >
      {loaded.kind !== "here" ? <NotHere loaded={loaded} /> : jobs.length === 0
        ? (
          <div class="nothing">
            <p class="lead serif">{status === "" ? "Nothing here yet." : `No job is ${status}.`}</p>
            {status === "" ? <a class="primary" href="#/new">Make the first job</a> : null}
          </div>
        )
        : <ul class="job-list">{jobs.map((job) => <Row key={job.id} job={job} event={events.get(job.id)} />)}</ul>}
      {loaded.kind === "here"
        ? <Paging cursors={cursors} next={loaded.value.next_cursor} turn={setCursors} />
        : null}
    </Shell>
  )
}
