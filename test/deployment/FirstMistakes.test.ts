import { assert, describe, it } from "@effect/vitest"
import { Effect, Redacted } from "effect"
import { type ChildProcess, fork, spawn, spawnSync } from "node:child_process"
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { createConnection } from "node:net"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { freePort } from "../../src/cli/LocalService.ts"
import { databaseBehindProxy } from "../support/FaultyProxy.ts"
import * as TestDatabase from "../support/TestDatabase.ts"
import * as WorkerProcess from "../support/WorkerProcess.ts"

const program = (path: string) => fileURLToPath(new URL(`../../${path}`, import.meta.url))

const folder = Effect.acquireRelease(
  Effect.sync(() => mkdtempSync(join(tmpdir(), "footnote-first-"))),
  (path) => Effect.sync(() => rmSync(path, { recursive: true, force: true }))
)

interface Begun {
  readonly child: ChildProcess
  /** Everything that it has written so far. */
  readonly output: () => string
  /** Ends when it has written this. */
  readonly says: (words: string) => Effect.Effect<void>
}

const begin = (entry: string, args: ReadonlyArray<string>, env: Readonly<Record<string, string>>) =>
  Effect.acquireRelease(
    Effect.sync((): Begun => {
      const child = fork(program(entry), args, {
        execArgv: [],
        env: { ...process.env, LOG_FORMAT: "json", ...env },
        stdio: ["ignore", "pipe", "pipe", "ipc"]
      })
      let written = ""
      for (const stream of [child.stdout, child.stderr]) stream!.on("data", (bytes) => void (written += bytes))
      const says = (words: string) =>
        Effect.callback<void>((resume) => {
          const look = () => written.includes(words) ? resume(Effect.void) : undefined
          for (const stream of [child.stdout, child.stderr]) stream!.on("data", look)
          child.once("exit", (code) => resume(Effect.die(new Error(`ended with ${code}: ${written}`))))
          look()
        })
      return { child, output: () => written, says }
    }),
    ({ child }) => Effect.sync(() => void child.kill("SIGKILL"))
  )

const ask = async (url: string) => {
  const answer = await fetch(url)
  return (await answer.json()) as {
    readonly checks: Readonly<Record<string, string>>
    readonly warnings: ReadonlyArray<string>
  }
}

const readiness = (port: string) => Effect.promise(() => ask(`http://127.0.0.1:${port}/readyz`))

const doctor = (env: Readonly<Record<string, string>>) => {
  const { status, stderr, stdout } = spawnSync(process.execPath, [program("src/cli/doctor.ts")], {
    env: { ...process.env, ...env },
    encoding: "utf8"
  })
  return { status, text: stdout + stderr }
}

describe("a deployment", () => {
  it.live("tells of a worker with another blob store: in its log, by /readyz and by doctor; no task is taken until it is mended", () =>
    Effect.gen(function*() {
      const [data, other] = [yield* folder, yield* folder]
      const url = Redacted.value(yield* Effect.promise(TestDatabase.create))
      const port = String(yield* freePort)
      const env = { DATABASE_URL: url, FOOTNOTE_DATA: data, PORT: port, BLOB_DIR: join(data, "blobs") }
      const api = yield* begin("src/main.ts", [], env)
      yield* WorkerProcess.message(api.child, (said) => "ready" in said)
      const worker = yield* begin("workers/main.ts", ["media"], { ...env, BLOB_DIR: other })
      yield* worker.says("another blob store")
      assert.include(worker.output(), "takes no tasks")
      assert.notInclude(worker.output(), "Worker ready")
      const { checks, warnings } = yield* readiness(port)
      assert.deepInclude(checks, { deployment: "failing", workers: "failing" })
      assert.match(warnings[0] ?? "", /same BLOB_S3_BUCKET, or the same BLOB_DIR/u)
      assert.notInclude(JSON.stringify(warnings), data)
      const wrong = doctor({ ...env, BLOB_DIR: other })
      assert.strictEqual(wrong.status, 1)
      assert.match(wrong.text, /FAIL blob store: .*--adopt-blob-store/u)
      assert.match(wrong.text, /FAIL workers: A worker differs from its deployment: .*blob_store/u)
      assert.match(doctor(env).text, /ok {3}blob store: as the deployment's/u)
      const second = yield* begin("src/main.ts", [], { ...env, BLOB_DIR: other, PORT: String(yield* freePort) })
      assert.strictEqual(
        yield* WorkerProcess.exited(second.child),
        1,
        "an API that would store elsewhere does not begin"
      )
      assert.include(second.output(), "another blob store")
    }).pipe(Effect.scoped))

  const bouncer = spawnSync("pgbouncer", ["--version"]).status === 0
  if (!bouncer) process.stdout.write("PgBouncer is not installed: what the service says behind one is not tried.\n")

  it.live.skipIf(!bouncer)(
    "says to leave PgBouncer out, whether that refuses the settings of a session or drops them",
    () =>
      Effect.gen(function*() {
        const data = yield* folder
        const server = yield* databaseBehindProxy
        const url = new URL(Redacted.value(server.url))
        const login = url.username
        const settings = "role,statement_timeout,idle_in_transaction_session_timeout,client_connection_check_interval,"
          + "tcp_keepalives_idle,tcp_keepalives_interval,tcp_keepalives_count,tcp_user_timeout"
        for (const [ignored, said] of [["", "refuses the settings"], [settings, "several clients"]] as const) {
          const port = yield* freePort
          writeFileSync(join(data, "users"), `"${login}" ""\n`)
          writeFileSync(
            join(data, "pgbouncer.ini"),
            `[databases]\n* = host=127.0.0.1 port=${server.proxy.port}\n[pgbouncer]\nlisten_addr = 127.0.0.1\nlisten_port = ${port}\n`
              + `unix_socket_dir =\nauth_type = trust\nauth_file = ${join(data, "users")}\npool_mode = transaction\n`
              + `ignore_startup_parameters = ${ignored}\n`
          )
          chmodSync(data, 0o755)
          yield* Effect.acquireRelease(
            Effect.sync(() =>
              spawn("pgbouncer", ["-q", "-u", "nobody", join(data, "pgbouncer.ini")], { stdio: "ignore" })
            ),
            (child) => Effect.sync(() => void child.kill("SIGKILL"))
          )
          yield* Effect.callback<void, Error>((resume) => {
            const socket = createConnection({ host: "127.0.0.1", port }, () => {
              socket.destroy()
              resume(Effect.void)
            }).once("error", (error) => resume(Effect.fail(error)))
          }).pipe(Effect.retry({ times: 200 }))
          const through = `postgres://${login}@127.0.0.1:${port}${url.pathname}`
          const worker = yield* begin("workers/main.ts", ["media"], { DATABASE_URL: through, FOOTNOTE_DATA: data })
          assert.strictEqual(yield* WorkerProcess.exited(worker.child), 1, worker.output())
          assert.include(worker.output(), said)
          assert.include(worker.output(), "the address of PostgreSQL itself")
        }
      }).pipe(Effect.scoped)
  )
})
