import { Schema } from "effect"
import { toInstant } from "../../database/Instant.ts"
import { type JobProgress, StageStatus } from "./Job.ts"
import { pipeline, stageNames } from "./Pipeline.ts"
import type { StageName } from "./StageIo.ts"

/** A stage's row, as JSON, with how much of its open tasks is through: `open` sums their fractions. */
export const StageRow = Schema.Struct({
  name: Schema.String,
  status: StageStatus,
  total: Schema.Finite,
  done: Schema.Finite,
  open: Schema.Finite,
  started_at: Schema.NullOr(Schema.String),
  finished_at: Schema.NullOr(Schema.String)
})
export type StageRow = typeof StageRow.Type

/** SQL for the `StageRow`s of the job that the expression `job` names, as one JSON array. */
export const stageRowsOf = (job: string): string =>
  `(SELECT coalesce(json_agg(json_build_object('name', s.name, 'status', s.status, 'total', s.total, 'done', s.done,
    'started_at', s.started_at, 'finished_at', s.finished_at, 'open', CASE WHEN s.status <> 'running' THEN 0 ELSE
      coalesce((SELECT sum(least(t.processed_seconds / t.total_seconds, 1)) FROM footnote.tasks t
        WHERE t.job_id = s.job_id AND t.stage = s.name AND NOT t.done AND t.total_seconds > 0), 0) END::float8)), '[]')
    FROM footnote.stages s WHERE s.job_id = ${job})`

/** How far a job is, from its stage rows alone: nothing is counted twice or kept beside them. Before admission: nothing. */
export const progressOf = (rows: ReadonlyArray<StageRow>): JobProgress => {
  const byName = new Map(rows.map((row) => [row.name, row]))
  const stages = stageNames.map((name) => {
    const row = byName.get(name)
    return {
      name,
      status: row?.status ?? "waiting" as const,
      fraction: row === undefined ? 0 : fractionOf(row),
      started_at: row?.started_at == null ? null : toInstant(new Date(row.started_at)),
      finished_at: row?.finished_at == null ? null : toInstant(new Date(row.finished_at))
    }
  })
  // What there is nothing to do for is no part of the work: of an extraction from artifacts, all but its last stage.
  const work = stages.filter(({ status }) => status !== "skipped")
  const sum = (of: (stage: { readonly name: StageName; readonly fraction: number }) => number) =>
    work.reduce((total, stage) => total + of(stage), 0)
  return {
    stage: stages.find((stage) => stage.status === "running")?.name ?? null,
    fraction: rounded(
      sum(({ fraction, name }) => fraction * pipeline[name].weight) / sum(({ name }) => pipeline[name].weight)
    ),
    stages
  }
}

const fractionOf = (row: StageRow): number => {
  if (row.status === "done" || row.status === "skipped") return 1
  return row.total === 0 ? 0 : rounded((row.done + row.open) / row.total)
}

const rounded = (fraction: number) => Math.min(1, Math.max(0, Math.round(fraction * 1000) / 1000))
