import { Effect, Schema } from "effect"
import { Artifacts } from "../artifacts/Artifacts.ts"
import { cursorAfter, page } from "../database/Page.ts"
import { fieldErrors } from "../errors/FieldErrors.ts"
import { InvalidRequest } from "../errors/RequestErrors.ts"
import { CreateJob, Job, JobRecord, JobStatus } from "../jobs/Job.ts"
import { Jobs } from "../jobs/Jobs.ts"
import { Submissions } from "../jobs/Submissions.ts"
import { CurrentTenant } from "../tenants/CurrentTenant.ts"
import { reads, tool } from "./Tool.ts"

/** The one argument of most tools. */
export const byJob = Schema.Struct({
  job_id: Schema.String.annotate({ description: "`job_…`, as extract or list_jobs gave it." })
})

const { destination_ids, schema_id, schema_inline, source_uri, webhook_url } = CreateJob.fields

const ExtractInput = Schema.Struct({
  source_uri,
  schema_id: schema_id.annotate({
    description: "`sch_…` of a saved schema or a template, as list_schemas gives it. Excludes schema_inline."
  }),
  schema_inline: schema_inline.annotate({
    description: "A JSON Schema of the wanted result, instead of schema_id. With neither: summary, chapters, claims."
  }),
  destination_ids: destination_ids.annotate({
    description: "`dst_…` of destinations that get the result once the job has succeeded."
  }),
  webhook_url,
  model_stack: Schema.optionalKey(Schema.String).annotate({
    description: "`builtin`, `standard`, `accurate` or `auto`; leave it out for this deployment's choice."
  })
})

const submitted = Schema.Struct({ job_id: Schema.String, status: JobStatus })

/** extract, get_job, cancel_job and list_jobs. */
export const jobTools = Effect.gen(function*() {
  const jobs = yield* Jobs
  const { submit } = yield* Submissions
  const { withResult } = yield* Artifacts

  return [
    tool("extract", {
      title: "Extract from a video",
      description:
        "Turn a video or sound file into typed JSON. Submits a job and returns at once with its job_id; the job runs on, so "
        + "call get_job until its status is succeeded, failed or cancelled. Say what the result should look like with "
        + "schema_id or schema_inline, not both. Calling twice makes two jobs.",
      // The source is fetched from wherever it is, and the webhook is told.
      hints: { readOnlyHint: false, destructiveHint: false, idempotentHint: false, openWorldHint: true },
      input: ExtractInput,
      output: submitted,
      run: Effect.fnUntraced(function*({ model_stack, ...raw }) {
        const body = yield* Schema.decodeEffect(CreateJob)(raw).pipe(
          Effect.mapError((error) => new InvalidRequest({ details: fieldErrors(error) }))
        )
        const { job } = yield* submit({ body, raw, model_stack, idempotency_key: undefined })
        return { job_id: job.id, status: job.status }
      })
    }),
    tool("get_job", {
      title: "Read a job",
      description:
        "Status and progress of a job and, once it has succeeded, the whole typed result in `result`. A failed job says why "
        + "in `error`; `warnings` says what could not be read. Where each value comes from is in get_evidence.",
      hints: reads,
      input: byJob,
      output: Job,
      run: Effect.fnUntraced(function*({ job_id }) {
        const { tenant_id } = yield* CurrentTenant
        return yield* withResult(yield* jobs.get(tenant_id, job_id))
      })
    }),
    tool("cancel_job", {
      title: "Cancel a job",
      description:
        "Stop a queued or running job for good; what it had done is lost. Cancelling a cancelled job changes nothing. A job "
        + "that has succeeded or failed cannot be cancelled: JOB_ALREADY_TERMINAL.",
      hints: { readOnlyHint: false, destructiveHint: true, idempotentHint: true, openWorldHint: false },
      input: byJob,
      output: Job,
      run: Effect.fnUntraced(function*({ job_id }) {
        const { tenant_id } = yield* CurrentTenant
        // A cancelled job has no result that could be damaged.
        return yield* Effect.orDie(withResult(yield* jobs.cancel(tenant_id, job_id)))
      })
    }),
    tool("list_jobs", {
      title: "List recent jobs",
      description:
        "The 25 most recent jobs, newest first, without their results; `status` narrows it to jobs in that state. Read one in "
        + "full with get_job.",
      hints: reads,
      input: Schema.Struct({
        status: Schema.optionalKey(JobStatus.annotate({ description: "Only jobs that are in this state." }))
      }),
      output: page(JobRecord),
      run: Effect.fnUntraced(function*({ status }) {
        const { tenant_id } = yield* CurrentTenant
        const { jobs: data, more } = yield* jobs.list(tenant_id, { limit: 25 }, { status })
        const last = data.at(-1)
        return { data, next_cursor: more && last !== undefined ? cursorAfter(last.id) : null }
      })
    })
  ]
})
