import { NodeServices } from "@effect/platform-node"
import { PgClient } from "@effect/sql-pg"
import { assert, it } from "@effect/vitest"
import { Context, Effect, Layer, Redacted } from "effect"
import { fork } from "node:child_process"
import { fileURLToPath } from "node:url"
import { mintSecret } from "../../src/api-keys/ApiKeySecret.ts"
import { Database } from "../../src/database/Database.ts"
import { api, ended, folder } from "../support/ApiProcess.ts"
import { receiver } from "../support/Receiver.ts"
import * as TestDatabase from "../support/TestDatabase.ts"

const worker = fileURLToPath(new URL("../../workers/main.ts", import.meta.url))
const key = mintSecret()

/** Node's options for a process that thinks it is an hour later, or earlier, from this signal on. */
const jumps = (hours: 1 | -1) => {
  const script = `const now=Date.now;process.on("SIGUSR2",()=>Date.now=()=>now()+${hours * 3_600_000})`
  return { NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(script)}` }
}

const post = (base: string, path: string, body: object, headers: Readonly<Record<string, string>> = {}) =>
  Effect.promise(() => send(`${base}${path}`, body, headers))

const send = async (url: string, body: object, headers: Readonly<Record<string, string>>) => {
  const response = await fetch(url, {
    method: "POST",
    headers: { authorization: `Bearer ${key}`, "content-type": "application/json", ...headers },
    body: JSON.stringify(body)
  })
  return {
    status: response.status,
    retry_after: response.headers.get("retry-after"),
    json: await response.json() as any
  }
}

/** The path that programs are found in. */
const { PATH = "" } = process.env

/** A database, and two API processes on it: the clock of the second jumps. */
const twoProcesses = Effect.fnUntraced(function*(hours: 1 | -1) {
  const url = yield* Effect.promise(TestDatabase.create)
  const sql = Context.get(
    yield* Layer.build(
      Database.layerUrl(url, { maxConnections: 2 }).pipe(Layer.provide(NodeServices.layer), Layer.fresh)
    ),
    PgClient.PgClient
  )
  const data = yield* folder
  const env = {
    PATH,
    DATABASE_URL: Redacted.value(url),
    DATABASE_OWNER_URL: Redacted.value(TestDatabase.asOwner(url)),
    FOOTNOTE_DATA: data,
    FOOTNOTE_API_KEY: key,
    RATE_LIMIT_WRITES: "5",
    SOURCE_ALLOW_PRIVATE: "127.0.0.0/8"
  }
  const right = yield* api(env)
  yield* right.ready
  const wrong = yield* api({ ...env, ...jumps(hours) })
  yield* wrong.ready
  yield* Effect.sync(() => wrong.child.kill("SIGUSR2"))
  return { env, sql, right: right.base_url, wrong: wrong.base_url }
})

const job = { source_uri: "https://example.com/a.mp4" }

for (const hours of [1, -1] as const) {
  const jump = hours === 1 ? "an hour ahead" : "an hour back"

  it.live(
    `a process whose clock jumps ${jump} remembers idempotency keys as long as the others`,
    () =>
      Effect.gen(function*() {
        const { right, sql, wrong } = yield* twoProcesses(hours)
        const headers = { "idempotency-key": "once" }
        const first = yield* post(right, "/v1/jobs", job, headers)
        assert.strictEqual(first.status, 201)
        const age = (minutes: number) =>
          sql`UPDATE footnote.idempotency_keys SET created_at = now() - make_interval(mins => ${minutes})`
        yield* age(24 * 60 - 30)
        assert.strictEqual((yield* post(wrong, "/v1/jobs", job, headers)).json.id, first.json.id)
        yield* age(24 * 60 + 30)
        const later = yield* post(wrong, "/v1/jobs", job, headers)
        assert.strictEqual(later.status, 201)
        assert.notStrictEqual(later.json.id, first.json.id)
      }).pipe(Effect.scoped),
    120_000
  )

  it.live(
    `a process whose clock jumps ${jump} fills no limit again, and keeps nobody out for longer`,
    () =>
      Effect.gen(function*() {
        const { right, wrong } = yield* twoProcesses(hours)
        // Whose time is the later one may not count twice.
        const first = yield* post(hours === 1 ? right : wrong, "/v1/jobs", job)
        assert.strictEqual(first.status, 201)
        for (let n = 0; n < 4; n++) assert.strictEqual((yield* post(right, "/v1/jobs", job)).status, 201)
        for (const base of [wrong, right]) {
          const refused = yield* post(base, "/v1/jobs", job)
          assert.strictEqual(refused.status, 429)
          // One of five a minute.
          assert.isAtMost(Number(refused.retry_after), 12)
        }
      }).pipe(Effect.scoped),
    120_000
  )

  it.live(
    `a delivery worker whose clock jumps ${jump} signs with the present and tries again on time`,
    () =>
      Effect.gen(function*() {
        const { env, right, sql } = yield* twoProcesses(hours)
        const hook = yield* receiver({ status: 500 })
        yield* Effect.acquireRelease(
          Effect.callback<ReturnType<typeof fork>>((resume) => {
            const child = fork(worker, ["delivery"], {
              execArgv: [],
              env: { ...env, ...jumps(hours) },
              stdio: ["ignore", 2, 2, "ipc"]
            })
            child.once("message", () => {
              child.kill("SIGUSR2")
              resume(Effect.succeed(child))
            })
          }),
          (child) => Effect.andThen(Effect.sync(() => void child.kill("SIGKILL")), ended(child))
        )
        const made = yield* post(right, "/v1/jobs", { ...job, webhook_url: hook.url })
        yield* post(right, `/v1/jobs/${made.json.id}/cancel`, {})
        const [tried] = yield* sql<{ readonly at: number; readonly next: number }>`
        SELECT extract(epoch FROM a.at - now())::float8 AS at, extract(epoch FROM d.next_attempt_at - a.at)::float8 AS next
        FROM footnote.deliveries d JOIN footnote.delivery_attempts a ON a.delivery_id = d.id
        WHERE d.status = 'pending'`.pipe(Effect.repeat({ until: (rows) => rows.length > 0 }))
        assert.isAtMost(Math.abs(tried!.at), 60)
        // 5 s after the attempt, ± 20 %, and the time that it took.
        assert.isAtLeast(tried!.next, 3.9)
        assert.isAtMost(tried!.next, 30)
        const [sent] = yield* sql<{ readonly off: number }>`
        SELECT extract(epoch FROM now())::float8 - ${
          Number(hook.received[0]!.headers["webhook-timestamp"])
        }::float8 AS off`
        assert.isAtMost(Math.abs(sent!.off), 60)
      }).pipe(Effect.scoped),
    120_000
  )
}
