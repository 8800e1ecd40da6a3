import { PgClient } from "@effect/sql-pg"
import { Effect, Option } from "effect"
import { openEnvelope } from "../../../src/crypto/SealedEnvelope.ts"
import { configuredSourceKeys } from "../../../src/crypto/SourceKey.ts"
import { saysDatabaseAway } from "../../../src/database/DatabaseAway.ts"
import { sourcePlace } from "../../../src/jobs/model/JobAddresses.ts"
import { StageFailure } from "../../../src/jobs/model/JobFailure.ts"
import type { StageHandler } from "../../engine/Stage.ts"

const failure = (message: string, fault: { readonly fault?: "database" } = {}) =>
  new StageFailure({ code: "INTERNAL", message, retryable: true, ...fault })

/**
 * Gives a fetch the whole address of its source, which lies sealed where a part of it may grant access. What this worker's
 * keys do not open fails with `INTERNAL` and is tried again, by a worker that has them or after this one was given them.
 */
export const makeOpenSource = Effect.gen(function*() {
  const sql = yield* PgClient.PgClient
  const keys = yield* configuredSourceKeys

  const sealedOf = (job_id: string) =>
    sql<{ readonly source_sealed: Uint8Array | null }>`SELECT source_sealed FROM footnote.jobs WHERE id = ${job_id}`
      .pipe(
        Effect.mapError((error) =>
          failure("The source's address could not be read.", saysDatabaseAway(error) ? { fault: "database" } : {})
        ),
        Effect.map(([row]) => row?.source_sealed ?? null)
      )

  return (fetch: StageHandler<"fetch">): StageHandler<"fetch"> =>
    Effect.fn("OpenSource.fetch")(function*(task) {
      const sealed = yield* sealedOf(task.job_id)
      if (sealed === null) return yield* fetch(task)
      const source_uri = yield* Effect.try({
        try: () => openEnvelope(Option.getOrThrow(keys), sealed, sourcePlace({ ...task, id: task.job_id })),
        catch: () => failure("No key of this worker opens the source's address: see FOOTNOTE_SOURCE_KEY.")
      })
      return yield* fetch({ ...task, input: { ...task.input, source_uri } })
    })
})
