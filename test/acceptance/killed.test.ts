import { PgClient } from "@effect/sql-pg"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Queue, Redacted, Schedule } from "effect"
import { spawnSync } from "node:child_process"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { findMediaTools } from "../../workers/media/ffmpeg/Ffmpeg.ts"
import { flags } from "../../workers/media/ffmpeg/InputArguments.ts"
import { artifactsOf, deployment, finished, submit } from "../support/Deployment.ts"
import { descendants } from "../support/Processes.ts"

const sample = fileURLToPath(new URL("../../samples/lecture.mp4", import.meta.url))

/** What happened to a chunk, as PostgreSQL saw it. */
interface Move {
  readonly job_id: string
  readonly idx: number
  readonly move: "taken" | "done" | "given back"
}

const writeDown = [
  "CREATE TABLE public.moves (no serial PRIMARY KEY, job_id text, idx int, move text)",
  `CREATE FUNCTION public.write_move() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER AS $$
  DECLARE what text := CASE WHEN NEW.done THEN 'done' WHEN NEW.worker IS NULL THEN 'given back' ELSE 'taken' END;
  BEGIN
    INSERT INTO public.moves (job_id, idx, move) VALUES (NEW.job_id, NEW.idx, what);
    PERFORM pg_notify('moves', json_build_object('job_id', NEW.job_id, 'idx', NEW.idx, 'move', what)::text);
    RETURN NEW;
  END $$`,
  `CREATE TRIGGER write_move AFTER UPDATE ON footnote.tasks FOR EACH ROW
  WHEN (NEW.stage = 'transcribe' AND (OLD.done, OLD.worker) IS DISTINCT FROM (NEW.done, NEW.worker))
  EXECUTE FUNCTION public.write_move()`
]

const running = (entry: string) => descendants().filter(({ command }) => command.includes(entry))

const kill = (entry: string) => {
  const [found] = running(entry)
  assert.isDefined(found, `${entry} runs`)
  process.kill(found!.pid, "SIGKILL")
}

/** Waits until a process of the speech models, this or one that starts now, has worked for a tenth of a second from now. */
const atWork = Effect.suspend(() => {
  const before = new Map(running("speech-compute.ts").map(({ pid, ticks }) => [pid, ticks]))
  return Effect.sync(() => running("speech-compute.ts").some(({ pid, ticks }) => ticks >= (before.get(pid) ?? 0) + 10))
    .pipe(Effect.repeat({ schedule: Schedule.spaced("5 millis"), until: (works) => works }))
})

describe("kill -9 in the middle of a transcription", () => {
  it.live(
    "of the process of the models and then of its worker: no finished chunk is heard again, the artifacts are the same",
    () =>
      Effect.scoped(Effect.gen(function*() {
        const { client, database_url, folder } = yield* deployment({
          worker_groups: [["media"], ["speech"], ["vision", "extraction"]]
        })
        const { ffmpeg } = yield* findMediaTools
        const sound = join(folder, "long.flac")
        const made = spawnSync(
          ffmpeg,
          ["-v", "error", "-stream_loop", "4", "-i", sample, ...flags("-vn -ac 1 -ar 16000 -c:a flac"), sound],
          { encoding: "utf8" }
        )
        assert.strictEqual(made.status, 0, made.stderr)
        const whole = yield* finished(client, (yield* submit(client, sound, {})).id)
        assert.strictEqual(whole.status, "succeeded", JSON.stringify(whole.error))

        yield* Effect.gen(function*() {
          const sql = yield* PgClient.PgClient
          for (const statement of writeDown) yield* sql.unsafe(statement)
          const moves = yield* sql.listen("moves")
          /** The next chunk that is taken once so many are done, and is at work. */
          const nextAfter = Effect.fnUntraced(function*(done: number) {
            for (let count = 0;;) {
              const { payload } = yield* Queue.take(moves)
              const { idx, move } = JSON.parse(payload!) as Move
              if (move === "done") count++
              if (move !== "taken" || count < done) continue
              yield* atWork
              return idx
            }
          })
          const job = yield* submit(client, sound, {})
          const first = yield* nextAfter(1)
          kill("speech-compute.ts")
          const second = yield* nextAfter(1)
          kill("workers/main.ts speech")
          const done = yield* finished(client, job.id)
          assert.strictEqual(done.status, "succeeded", JSON.stringify(done.error))
          assert.deepStrictEqual(yield* artifactsOf(client, done), yield* artifactsOf(client, whole))

          const all = yield* sql<Move>`SELECT job_id, idx, move FROM public.moves ORDER BY no`
          const chunks = Map.groupBy(all, ({ idx }) => idx)
          assert.isAtLeast(chunks.size, 4)
          for (const [idx, own] of chunks) {
            assert.deepStrictEqual([idx, own.findIndex(({ move }) => move === "done")], [idx, own.length - 1])
            const times = own.filter(({ move }) => move === "taken").length
            const killed = Number(idx === first) + Number(idx === second)
            assert.deepStrictEqual([idx, times], [idx, 1 + killed])
          }
        }).pipe(
          // The listener's connection goes back before its pool ends.
          Effect.scoped,
          Effect.provide(PgClient.layer({ url: Redacted.make(database_url), maxConnections: 2 }))
        )
      })),
    600_000
  )
})
