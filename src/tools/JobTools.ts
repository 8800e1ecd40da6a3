import { Effect, Schema, Stream, Struct } from "effect"
import { cursorAfter, page, pageQueryOf } from "../database/Page.ts"
import { fieldErrors } from "../errors/FieldErrors.ts"
import { InvalidRequest } from "../errors/RequestErrors.ts"
import { makeHeldOpen } from "../http/middleware/HeldOpen.ts"
import { CurrentTenant } from "../identity/CurrentTenant.ts"
import { Jobs } from "../jobs/Jobs.ts"
import { CreateJob, Job, type JobEvent, JobProgress, JobRecord, JobStatus, webhookUrl } from "../jobs/model/Job.ts"
import { Submissions } from "../jobs/Submissions.ts"
import { Artifacts } from "../results/Artifacts.ts"
import { Reviews } from "../reviews/Reviews.ts"
import { transcriptLink } from "./ResourceLinks.ts"
import { reads, tool } from "./Tool.ts"
import { ToolProgress } from "./ToolProgress.ts"

/** The one argument of most tools. */
export const byJob = Schema.Struct({
  job_id: Schema.String.annotate({ description: "`job_…`, as extract or list_jobs gave it." })
})

const { destination_ids, instructions, precision, schema_id, schema_inline, source_uri } = CreateJob.fields

const ExtractInput = Schema.Struct({
  source_uri,
  schema_id: schema_id.annotate({
    description: "`sch_…` of a saved schema or a template, as list_schemas gives it. Excludes schema_inline."
  }),
  schema_inline: schema_inline.annotate({
    description:
      "A JSON Schema of the wanted result, instead of schema_id. With neither: summary, chapters, key claims, "
      + "people and organisations."
  }),
  destination_ids: destination_ids.annotate({
    description: "`dst_…` of destinations that get the result once the job has succeeded."
  }),
  webhook_url: Schema.optionalKey(webhookUrl(
    "An http(s) URL that gets a POST when the job has ended, also failed or cancelled, signed by Standard Webhooks with the "
      + "webhook_signing_secret of the answer."
  )),
  precision,
  instructions,
  model_stack: Schema.optionalKey(Schema.String).annotate({
    description: "`builtin`, `standard`, `accurate` or `auto`; leave it out for this deployment's choice."
  })
})

const submitted = Schema.Struct({
  job_id: Schema.String,
  status: JobStatus,
  webhook_signing_secret: Schema.optionalKey(Schema.String).annotate({
    description: "What the job's webhook is signed with (Standard Webhooks); only with webhook_url, and only here."
  })
})

/** Clients give a call up after 60 seconds where nobody told them otherwise, and the answer has to arrive in that time. */
const mostSeconds = 50

/** Of tools that read what people may have corrected. */
export const reviewedField = {
  reviewed: Schema.Boolean.annotate({
    description: "As people have corrected it, where they have; false: as it was extracted.",
    default: false
  }).pipe(Schema.withDecodingDefaultKey(Effect.succeed(false)))
}

const GetInput = Schema.Struct({
  ...byJob.fields,
  ...reviewedField,
  wait_seconds: Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: mostSeconds })).annotate({
    description: `Hold the answer until the job has ended, for at most so many seconds (0 to ${mostSeconds}).`,
    default: 0
  }).pipe(Schema.withDecodingDefaultKey(Effect.succeed(0)))
})

const mostListed = 25

const ListInput = Schema.Struct({
  status: Schema.optionalKey(JobStatus.annotate({ description: "Only jobs that are in this state." })),
  limit: Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: mostListed })).annotate({
    description: `How many at most, 1 to ${mostListed}; a job takes about 700 tokens, in brief 150.`,
    default: mostListed
  }).pipe(Schema.withDecodingDefaultKey(Effect.succeed(mostListed))),
  cursor: pageQueryOf("job").cursor,
  brief: Schema.Boolean.annotate({
    description: "Only what each is called, how far it is and why it failed.",
    default: false
  }).pipe(Schema.withDecodingDefaultKey(Effect.succeed(false)))
})

const { counts, created_at, error, finished_at, id, status, title } = JobRecord.fields
const { fraction, stage } = JobProgress.fields

/** What a list in brief tells of a job: a whole one is 2 kB. */
const ListedJob = Schema.Struct({
  id,
  status,
  title,
  schema_id: JobRecord.fields.schema_id,
  created_at,
  finished_at,
  progress: Schema.Struct({ stage, fraction }),
  counts,
  error
})

const listed = (job: JobRecord): typeof ListedJob.Type => ({
  ...Struct.pick(job, ["id", "status", "title", "schema_id", "created_at", "finished_at", "counts", "error"]),
  progress: Struct.pick(job.progress, ["stage", "fraction"])
})

/** What is said of a job: the rest is what it was made of and how, in the words of extract. */
const ToldJob = Schema.Struct(
  Struct.omit(Job.fields, [
    "destination_ids",
    "webhook_url",
    "hints",
    "on_missing",
    "precision",
    "instructions",
    "metadata",
    "schema_version",
    "model_stack",
    "retry_of",
    "extracted_from",
    "source_name"
  ])
).annotate({ description: "The job, with the settings that it was made with." })

/** What is said of a cancelled job. */
const CancelledJob = Schema.Struct({ id, status, finished_at }).annotate({
  description: "The job, as get_job answers it."
})

/** What a job is at, in a word. */
const progressOf = ({ status, progress: { stage } }: Pick<JobEvent, "status" | "progress">) => stage ?? status

/** extract, get_job, cancel_job and list_jobs. */
export const jobTools = Effect.gen(function*() {
  const jobs = yield* Jobs
  const { submit } = yield* Submissions
  const { withResult } = yield* Artifacts
  const { waited } = yield* makeHeldOpen
  const reviews = yield* Reviews

  /** The job with its own result, or with what its reviews made of it. */
  const shown = Effect.fnUntraced(function*(record: JobRecord, reviewed: boolean) {
    const job = yield* withResult(record)
    if (!reviewed || job.status !== "succeeded") return job
    return { ...job, result: (yield* reviews.reviewed(job.id)).result }
  })

  return [
    tool("extract", {
      title: "Extract from a video",
      description:
        "Turn a video or sound file into typed JSON. Submits a job and returns at once with its job_id; the job runs on, for a "
        + "fraction of the video's length up to a few times that, so call get_job with wait_seconds until its status is "
        + "succeeded, failed or cancelled. source_uri is a direct address of a file, not of a page that plays one; a local file "
        + "is first sent to POST /v1/uploads of the REST API with an API key, which gives its `upload://` address. Say what the "
        + "result should look like with schema_id or schema_inline, not both; a `description` on each property says what is "
        + "wanted there and steers what is found. Calling twice makes two jobs.",
      // The source is fetched from wherever it is, and the webhook is told.
      hints: { readOnlyHint: false, destructiveHint: false, idempotentHint: false, openWorldHint: true },
      input: ExtractInput,
      output: submitted,
      run: Effect.fnUntraced(function*({ model_stack, ...raw }) {
        const body = yield* Schema.decodeEffect(CreateJob)(raw).pipe(
          Effect.mapError((error) => new InvalidRequest({ details: fieldErrors(error) }))
        )
        const { job, webhook_signing_secret } = yield* submit({ body, raw, model_stack, idempotency_key: undefined })
        return {
          job_id: job.id,
          status: job.status,
          ...(webhook_signing_secret === null ? {} : { webhook_signing_secret })
        }
      })
    }),
    tool("get_job", {
      title: "Read a job",
      description:
        "Status and progress of a job and, once it has succeeded, the whole typed result in `result`. Of a job that is queued or "
        + "running ask with wait_seconds 50 rather than again and again; a caller with a progress token hears meanwhile how far "
        + "it is. A failed job says why in `error` and has no result, nor has a cancelled one: neither will get one. `warnings` "
        + "says what could not be read. Where each value comes from is in get_evidence.",
      hints: reads,
      input: GetInput,
      output: Job,
      told: ToldJob,
      long: true,
      run: Effect.fnUntraced(function*({ job_id, reviewed, wait_seconds }) {
        if (wait_seconds === 0) return yield* shown(yield* waited(job_id, 0), reviewed)
        const { tenant_id } = yield* CurrentTenant
        const { progress } = yield* jobs.get(tenant_id, job_id)
        const tell = yield* ToolProgress
        const followed = Stream.runForEach(
          // What happened before this call is not told again.
          Stream.filter(jobs.events(tenant_id, job_id, 0), (event) => event.progress.fraction >= progress.fraction),
          (event) => tell(event.progress.fraction, progressOf(event))
        )
        const job = yield* Effect.raceFirst(
          waited(job_id, wait_seconds),
          Effect.andThen(Effect.ignore(followed), Effect.never)
        )
        return yield* shown(job, reviewed)
      }),
      links: ({ id, status }) => status === "succeeded" ? [transcriptLink(id)] : []
    }),
    tool("cancel_job", {
      title: "Cancel a job",
      description:
        "Stop a queued or running job for good; what it had done is lost. Cancelling a cancelled job changes nothing. A job "
        + "that has succeeded or failed cannot be cancelled: JOB_ALREADY_TERMINAL.",
      hints: { readOnlyHint: false, destructiveHint: true, idempotentHint: true, openWorldHint: false },
      input: byJob,
      output: Job,
      told: CancelledJob,
      run: Effect.fnUntraced(function*({ job_id }) {
        const { tenant_id } = yield* CurrentTenant
        // A cancelled job has no result that could be damaged.
        return yield* Effect.orDie(withResult(yield* jobs.cancel(tenant_id, job_id)))
      })
    }),
    tool("list_jobs", {
      title: "List recent jobs",
      description:
        "The 25 most recent jobs, newest first, without their results; say `brief` where a fifth of each will do. `status` narrows "
        + "it to jobs in that state, and `cursor` goes on with older ones. Read one in full with get_job.",
      hints: reads,
      input: ListInput,
      output: Schema.Union([page(JobRecord), page(ListedJob)]),
      told: page(ListedJob),
      run: Effect.fnUntraced(function*({ brief, cursor, limit, status }) {
        const { tenant_id } = yield* CurrentTenant
        const { jobs: data, more } = yield* jobs.list(tenant_id, { limit, after: cursor }, {
          status: status === undefined ? undefined : [status]
        })
        const last = data.at(-1)
        const next_cursor = more && last !== undefined ? cursorAfter(last.id) : null
        return brief ? { data: data.map(listed), next_cursor } : { data, next_cursor }
      })
    })
  ]
})
