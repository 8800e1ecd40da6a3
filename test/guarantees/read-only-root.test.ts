import { NodeHttpClient, NodeServices } from "@effect/platform-node"
import { assert, describe, it } from "@effect/vitest"
import { Context, Effect, Layer, Redacted, Schedule } from "effect"
import { generateKeyPairSync, randomBytes } from "node:crypto"
import { chownSync, mkdirSync, readdirSync, readFileSync, statSync } from "node:fs"
import { connect, createServer } from "node:net"
import { join } from "node:path"
import { mintSecret } from "../../src/api-keys/ApiKeySecret.ts"
import { freePort } from "../../src/cli/LocalService.ts"
import { ServiceClient } from "../../src/cli/ServiceClient.ts"
import { environmentOf } from "../../src/processes/ProcessEnvironment.ts"
import { folder } from "../support/ApiProcess.ts"
import { finished, submit } from "../support/Deployment.ts"
import { runThere, uid, unable } from "../support/ReadOnlyRoot.ts"
import { receiver } from "../support/Receiver.ts"
import { shortClip } from "../support/ShortClip.ts"
import * as TestDatabase from "../support/TestDatabase.ts"

if (unable !== undefined) process.stdout.write(`Not tried with a read-only root: ${unable}\n`)

/** The test's database over TCP, as a container reaches one. */
const overTcp = Effect.fnUntraced(function*(url: string) {
  const { pathname, searchParams } = new URL(url)
  const socket = `${searchParams.get("host")}/.s.PGSQL.5432`
  const port = yield* freePort
  yield* Effect.acquireRelease(
    Effect.callback<ReturnType<typeof createServer>>((resume) => {
      const server = createServer((from) => {
        const to = connect(socket)
        from.pipe(to).on("error", () => from.destroy())
        to.pipe(from).on("error", () => to.destroy())
      })
      server.listen(port, "127.0.0.1", () => resume(Effect.succeed(server)))
    }),
    (server) => Effect.sync(() => void server.close())
  )
  return `postgres://${searchParams.get("user")}@127.0.0.1:${port}${pathname}`
})

const lives = (base_url: string) => fetch(`${base_url}/healthz`).then(({ ok }) => ok, () => false)

describe.skipIf(unable !== undefined)(
  "as a container runs it: root read-only, no capability, a user of no name",
  () => {
    it.live(
      "the API, every pool of workers and a job with its delivery work",
      () =>
        Effect.gen(function*() {
          const there = yield* folder
          const data = join(there, "data")
          mkdirSync(data, { mode: 0o700 })
          chownSync(data, uid, uid)
          const log_file = join(there, "service.log")
          const inbox = yield* receiver({ status: 200 })
          const port = yield* freePort
          const api_key = mintSecret()
          const env = {
            PATH: "/usr/local/bin:/usr/bin:/bin",
            NODE_ENV: "production",
            LOG_FORMAT: "json",
            ALLOW_BUNDLED_FFMPEG: "1",
            // Which confinement there is in a container is the container's matter.
            FOOTNOTE_SANDBOX: "auto",
            PORT: String(port),
            FOOTNOTE_DATA: "/data",
            FOOTNOTE_API_KEY: api_key,
            FOOTNOTE_ENCRYPTION_KEY: randomBytes(32).toString("base64"),
            FOOTNOTE_SIGNING_KEY: generateKeyPairSync("ed25519").privateKey.export({ format: "der", type: "pkcs8" })
              .toString("base64"),
            SOURCE_ALLOW_PRIVATE: "127.0.0.0/8",
            SOURCE_ALLOW_PORTS: new URL(inbox.url).port,
            DATABASE_URL: yield* overTcp(Redacted.value(yield* Effect.promise(TestDatabase.create)))
          }
          const node = "/app/node_modules/.bin/node"
          const run = (role: Parameters<typeof environmentOf>[0], ...command: ReadonlyArray<string>) =>
            runThere({ data, command: [node, ...command], env: environmentOf(role, env), log_file })
          const processes = yield* Effect.all([
            run(["api"], "src/main.ts"),
            ...(["media", "speech", "vision", "extraction", "delivery"] as const).map((pool) =>
              run([pool], "workers/main.ts", pool)
            )
          ])
          const log = () => readFileSync(log_file, "utf8").split("\n").slice(-40).join("\n")
          const base_url = `http://127.0.0.1:${port}`
          const died = () => processes.some(({ exitCode, signalCode }) => exitCode !== null || signalCode !== null)
          yield* Effect.repeat(Effect.promise(() => lives(base_url)), {
            schedule: Schedule.spaced("100 millis"),
            until: (ok) => ok || died()
          })
          assert.isFalse(died(), log())
          for (const { pid } of processes) {
            const status = readFileSync(`/proc/${pid}/status`, "utf8")
            assert.match(status, new RegExp(`^Uid:\t${uid}\t${uid}\t`, "mu"))
            assert.match(status, /^CapEff:\t0+$/mu)
            assert.match(status, /^CapBnd:\t0+$/mu)
            assert.match(status, /^NoNewPrivs:\t1$/mu)
            const mounts = readFileSync(`/proc/${pid}/mounts`, "utf8").split("\n").map((line) => line.split(" "))
            const writable = mounts.filter(([, at, , how]) =>
              how?.startsWith("rw") === true && !/^\/(proc|dev)(\/|$)/u.test(at!)
            )
            assert.sameMembers(writable.map(([, at]) => at), ["/data", "/tmp"])
          }

          const client = Context.get(
            yield* Layer.build(
              ServiceClient.layer({ base_url, api_key }).pipe(
                Layer.provide(Layer.merge(NodeServices.layer, NodeHttpClient.layerUndici))
              )
            ),
            ServiceClient
          )
          const job = yield* finished(
            client,
            (yield* submit(client, yield* shortClip(there), { webhook_url: inbox.url })).id
          )
          assert.strictEqual(job.status, "succeeded", `${JSON.stringify(job.error)}\n${log()}`)
          yield* inbox.first
          assert.isAbove(readdirSync(join(data, "blobs"), { recursive: true }).length, 10)
          assert.strictEqual(statSync(join(data, "blobs")).mode & 0o777, 0o700)
        }).pipe(Effect.scoped, Effect.provide(NodeServices.layer)),
      600_000
    )
  }
)
