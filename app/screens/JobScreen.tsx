import { useEffect, useMemo, useState } from "preact/hooks"
import type { Job, JobEvent } from "../../clients/typescript/src/generated/types.ts"
import { percent } from "../footnotes/Wording.ts"
import { EraseJob } from "../job/EraseJob.tsx"
import { JobDialog, RunAgain } from "../job/JobDialog.tsx"
import { WebhookSecret } from "../new-job/WebhookSecrets.tsx"
import { NotHere, useLoaded } from "../parts/Loading.tsx"
import { ResultScreen } from "../result/ResultScreen.tsx"
import { NameSpeakers } from "../review/NameSpeakers.tsx"
import { ReviewBar } from "../review/ReviewBar.tsx"
import { ReviewDraft } from "../review/ReviewDraft.ts"
import { ReviewTools } from "../review/ReviewTools.tsx"
import { addressOf, openAddress } from "../selection/Address.ts"
import { Selection } from "../selection/Selection.ts"
import { follow, isOver } from "../service/LiveJob.ts"
import { type LoadedResult, loadResult } from "../service/Results.ts"
import { call, get, messageOf } from "../service/Service.ts"
import { route } from "../shell/Route.ts"
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
  // Of a revision and not of what was loaded: names for speakers are loaded anew, and what is decided on so far stays.
  const draft = useMemo(() => new ReviewDraft(id, loaded.revision), [id, loaded.revision])
  const { selection, turn } = useMemo(() => {
    const selection: Selection = new Selection({
      ...loaded,
      addressOf: (pointer, citation) => `#/jobs/${id}${addressOf(pointer, citation)}`,
      speakerTools: () => <NameSpeakers id={id} saved={again} />,
      tools: (leaf) => <ReviewTools key={leaf.pointer} leaf={leaf} draft={draft} selection={selection} />
    })
    return { selection, turn: ++turns }
  }, [loaded, draft])
  const place = route.value.slice(`jobs/${id}`.length)
  useEffect(() => openAddress(selection, place), [selection, place])
  return (
    <ResultScreen
      key={turn}
      selection={selection}
      before={
        <>
          <a class="wordmark" href="#/jobs">Footnote</a>
          <a class="quiet back" href="#/jobs">Jobs</a>
        </>
      }
      after={
        <>
          <ReviewBar draft={draft} selection={selection} saved={again} />
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
  useEffect(() =>
    follow(job.id, (one) => {
      setEvent(one)
      if (isOver(one.status)) done()
    }), [job.id])
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
    document.title = loaded.kind === "here" ? `${nameOf(loaded.value.job)} · Footnote` : "Footnote"
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
