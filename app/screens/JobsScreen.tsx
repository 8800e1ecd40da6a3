import { useEffect, useState } from "preact/hooks"
import type { JobEvent, ListedJob } from "../../clients/typescript/src/generated/types.ts"
import { clock } from "../footnotes/Moments.ts"
import { dateOf } from "../parts/Dates.ts"
import { NotHere, useLoaded } from "../parts/Loading.tsx"
import { Paging } from "../parts/Paging.tsx"
import { follow, isOver } from "../service/LiveJob.ts"
import { page } from "../service/Pages.ts"
import { session } from "../service/Service.ts"
import { go, route } from "../shell/Route.ts"
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
        <span class="job-name" dir="auto">{nameOf(job)}</span>
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

const statusOf = (address: string): string => {
  const asked = new URLSearchParams(address.split("?")[1]).get("status") ?? ""
  return statuses.find((one) => one === asked) ?? ""
}

/** Where somebody was in the list when they opened one of it: back there they go on. */
let left: {
  readonly tenant: string | undefined
  readonly status: string
  readonly cursors: ReadonlyArray<string | null>
} | undefined

const first: ReadonlyArray<string | null> = [null]

const pageOf = (status: string): ReadonlyArray<string | null> =>
  left?.status === status && left.tenant === session.peek()?.tenant.id ? left.cursors : first

/** All jobs, newest first; those at work move by themselves. */
export function JobsScreen() {
  const status = statusOf(route.value)
  const [turned, setTurned] = useState({ status, cursors: pageOf(status) })
  // A cursor goes on in the list that it came with and in no other.
  const cursors = turned.status === status ? turned.cursors : pageOf(status)
  const turn = (to: ReadonlyArray<string | null>) => {
    left = { tenant: session.peek()?.tenant.id, status, cursors: to }
    setTurned({ status, cursors: to })
  }
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
              const to = event.currentTarget.value
              go(to === "" ? "jobs" : `jobs?status=${to}`)
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
        ? <Paging cursors={cursors} next={loaded.value.next_cursor} turn={turn} />
        : null}
    </Shell>
  )
}
