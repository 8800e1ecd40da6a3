import { useEffect, useMemo, useRef, useState } from "preact/hooks"
import type { Job, JobEvent } from "../../clients/typescript/src/generated/types.ts"
import { percent } from "../footnotes/Wording.ts"
import { EraseJob } from "../job/EraseJob.tsx"
import { JobDialog, RunAgain } from "../job/JobDialog.tsx"
import { WebhookSecret } from "../new-job/WebhookSecrets.tsx"
import { NotHere, useLoaded } from "../parts/Loading.tsx"
import { ResultScreen } from "../result/ResultScreen.tsx"
import { draftOf } from "../review/Drafts.ts"
import { HeadingTools } from "../review/EntryTools.tsx"
import { NameSpeakers } from "../review/NameSpeakers.tsx"
import { ReviewBar } from "../review/ReviewBar.tsx"
import { ReviewTools } from "../review/ReviewTools.tsx"
import { addressOf, openAddress } from "../selection/Address.ts"
import { Selection } from "../selection/Selection.ts"
import { follow, isOver } from "../service/LiveJob.ts"
import { type LoadedResult, loadResult } from "../service/Results.ts"
import { call, get, messageOf, Refused } from "../service/Service.ts"
import { listPlace, route } from "../shell/Route.ts"
import { Shell } from "../shell/Shell.tsx"
import { Stages } from "./JobProgress.tsx"
import { nameOf } from "./JobsScreen.tsx"

interface ResultProperties {
  readonly id: string
  readonly loaded: LoadedResult
  readonly again: () => void
}

/** What was loaded anew, such as after a review, is another screen: nothing of the one before may stay on it. */
let turns = 0

function Result({ again, id, loaded }: ResultProperties) {
  const draft = useMemo(() => {
    const draft = draftOf(id)
    draft.standOn({ result: loaded.data.result, revision: loaded.revision, reviews: loaded.data.reviews ?? [] })
    return draft
  }, [loaded])
  const before = useRef<Selection | null>(null)
  const { selection, turn } = useMemo(() => {
    const selection: Selection = new Selection({
      ...loaded,
      addressOf: (pointer, citation) => `#/jobs/${id}${addressOf(pointer, citation)}`,
      speakerTools: () => <NameSpeakers id={id} saved={again} />,
      headingTools: (heading) => <HeadingTools heading={heading} draft={draft} selection={selection} />,
      tools: (leaf) => <ReviewTools key={leaf.pointer} leaf={leaf} draft={draft} selection={selection} />
    })
    if (before.current !== null) selection.resume(before.current)
    before.current = selection
    return { selection, turn: ++turns }
  }, [loaded, draft])
  const place = route.value.slice(`jobs/${id}`.length)
  const opened = useRef<string | null>(null)
  // What is loaded anew goes on where a person is by now, which may be elsewhere than they came to.
  useEffect(() => {
    if (opened.current !== place) openAddress(selection, place)
    opened.current = place
  }, [selection, place])
  return (
    <ResultScreen
      key={turn}
      selection={selection}
      before={
        <>
          <a class="wordmark" href="#/jobs">Footnote</a>
          <a class="quiet back" href={`#/${listPlace.value}`}>Jobs</a>
        </>
      }
      after={
        <>
          <ReviewBar draft={draft} saved={again} />
          <JobDialog id={id} revision={loaded.revision} />
        </>
      }
    />
  )
}

function Ended({ job }: { readonly job: Job }) {
  return (
    <Shell title={nameOf(job)}>
      <p class="alert" role="alert">
        {job.error === null ? `The job was ${job.status}.` : job.error.message}{" "}
        {job.error === null ? null : <code>{job.error.code}</code>}
      </p>
      <div class="ended-tools">
        <RunAgain id={job.id} look="primary" />
        <EraseJob id={job.id} />
      </div>
      <Stages progress={job.progress} />
    </Shell>
  )
}

function Working({ done, job }: { readonly job: Job; readonly done: () => void }) {
  const [event, setEvent] = useState<JobEvent | null>(null)
  const [problem, setProblem] = useState<string | null>(null)
  const [silence, setSilence] = useState<string | null>(null)
  // A broken stream says nothing of why: the job may be over or erased, or the service gone.
  const look = async () => {
    try {
      const { status } = await get<Job>(`/v1/jobs/${encodeURIComponent(job.id)}`)
      setSilence(null)
      if (isOver(status)) done()
    } catch (error) {
      if (error instanceof Refused && error.status === 404) done()
      else setSilence(messageOf(error))
    }
  }
  useEffect(() =>
    follow(job.id, (one) => {
      setEvent(one)
      setSilence(null)
      if (isOver(one.status)) done()
    }, () => void look()), [job.id])
  const progress = event?.progress ?? job.progress
  const cancel = async () => {
    try {
      await call("POST", `/v1/jobs/${job.id}/cancel`)
      done()
    } catch (error) {
      setProblem(messageOf(error))
    }
  }
  return (
    <Shell
      title={nameOf(job)}
      tools={
        <button
          type="button"
          class="secondary danger"
          onClick={() => void cancel()}
        >
          Cancel the job
        </button>
      }
    >
      <p class="lead" role="status">{progress.stage === null ? "Waiting for its turn" : "At work"}</p>
      <div
        class="meter large"
        role="progressbar"
        aria-label="Progress of the job"
        aria-valuenow={Math.round(progress.fraction * 100)}
        aria-valuemin={0}
        aria-valuemax={100}
        aria-valuetext={percent(progress.fraction)}
      >
        <span style={{ width: `${progress.fraction * 100}%` }} />
      </div>
      {silence === null ? null : (
        <div class="alert" role="alert">
          <p>{silence} What is shown may be out of date; it is asked again by itself.</p>
          <button type="button" class="quiet" onClick={() => void look()}>Ask now</button>
        </div>
      )}
      <p class="problem" role="alert">{problem}</p>
      <WebhookSecret job_id={job.id} />
      <Stages progress={progress} />
    </Shell>
  )
}

interface View {
  readonly job: Job
  readonly result: LoadedResult | null
}

/** A job: its progress while it is at work, then its result, or why there is none. */
export function JobScreen({ id }: { readonly id: string }) {
  const { again, loaded } = useLoaded<View>(async () => {
    const job = await get<Job>(`/v1/jobs/${encodeURIComponent(id)}`)
    return { job, result: job.status === "succeeded" ? await loadResult(id) : null }
  }, [id])
  useEffect(() => {
    if (loaded.kind === "here") document.title = `${nameOf(loaded.value.job)} · Footnote`
  }, [loaded])
  if (loaded.kind !== "here") {
    return (
      <Shell title="Job">
        <NotHere loaded={loaded} />
      </Shell>
    )
  }
  const { job, result } = loaded.value
  if (result !== null) return <Result key={id} id={id} loaded={result} again={again} />
  return isOver(job.status) ? <Ended job={job} /> : <Working job={job} done={again} />
}
