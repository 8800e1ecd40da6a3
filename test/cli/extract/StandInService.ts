import { Effect } from "effect"
import { rmSync, writeFileSync } from "node:fs"
import { type JobView, ServiceClient } from "../../../src/cli/ServiceClient.ts"

/** A folder that becomes a file while the job runs, where one is named: nothing can be written into it from then on. */
const lost = process.env["FOOTNOTE_TEST_LOST_FOLDER"]

const record = {
  id: "job_1",
  status: "succeeded",
  progress: { stage: null, fraction: 1 },
  source: { duration_seconds: 3600 },
  warnings: [],
  error: null,
  provenance: null,
  result: { title: "What an hour has found" }
}

const evidence = { spans: [], unfilled: [], counts: { leaves: 0, filled: 0, verified: 0, unfilled: 0 } }

const client = ServiceClient.of({
  upload: () => Effect.succeed("upload://upl_1"),
  templateId: () => Effect.succeed("sch_1"),
  createJob: () => Effect.succeed({ ...record, record }),
  job: () => Effect.succeed({ ...record, record }),
  cancel: () => Effect.void,
  json: (path) => Effect.succeed(path.endsWith("/evidence") ? evidence : { json_schema: {}, frames: [] }),
  bytes: () => Effect.succeed(new Uint8Array()),
  download: () => Effect.succeed(false)
})

/** In place of those of `OwnService.ts`: a service whose jobs succeed at once, and which says on which line it has started. */
export const withOwnService = <A, E, R>(caller: Effect.Effect<A, E, R>) =>
  Effect.andThen(
    Effect.sync(() => process.stderr.write("The service has started.\n")),
    Effect.provideService(caller, ServiceClient, client)
  )

export const followJob = (job: JobView) =>
  Effect.sync(() => {
    if (lost !== undefined) {
      rmSync(lost, { recursive: true })
      writeFileSync(lost, "")
    }
    return job
  })
