import { assert, layer } from "@effect/vitest"
import { ConfigProvider, Effect, Layer, Redacted } from "effect"
import { fork } from "node:child_process"
import { fileURLToPath } from "node:url"
import { Webhook } from "standardwebhooks"
import { Database } from "../../../src/database/Database.ts"
import { ended, folder } from "../../support/ApiProcess.ts"
import { receiver } from "../../support/Receiver.ts"
import * as Server from "../../support/TestServer.ts"

const program = fileURLToPath(new URL("../../../workers/main.ts", import.meta.url))
const local = { SOURCE_ALLOW_PRIVATE: "127.0.0.0/8" }

layer(Server.layer.pipe(Layer.provide(ConfigProvider.layer(ConfigProvider.fromUnknown(local)))), {
  excludeTestServices: true
})((it) => {
  it.effect("a delivery worker that runs until it is idle delivers what waits, signed, and ends with 0", () =>
    Effect.gen(function*() {
      const { send, tenant } = yield* Server.TestServer
      const { url } = yield* Database
      const { key } = yield* tenant("told")
      const inbox = yield* receiver({ status: 200 })
      const { json: job } = yield* send("POST", "/v1/jobs", {
        key,
        json: { source_uri: "https://example.com/talk.mp4", webhook_url: inbox.url }
      })
      yield* send("POST", `/v1/jobs/${job.id}/cancel`, { key })
      const FOOTNOTE_DATA = yield* folder
      const worker = yield* Effect.acquireRelease(
        Effect.sync(() =>
          fork(program, ["delivery", "--until-idle"], {
            execArgv: [],
            env: {
              ...process.env,
              ...local,
              DATABASE_URL: Redacted.value(url),
              FOOTNOTE_DATA,
              LOG_LEVEL: "Error",
              FOOTNOTE_ENCRYPTION_KEY: Buffer.alloc(32, 7).toString("base64")
            },
            stdio: ["ignore", 2, 2, "ipc"]
          })
        ),
        (child) => Effect.sync(() => void child.kill("SIGKILL"))
      )
      assert.strictEqual(yield* ended(worker), 0)
      assert.lengthOf(inbox.received, 1)
      const { body, headers } = inbox.received[0]!
      const event = new Webhook(job.webhook_signing_secret).verify(body, headers as Record<string, string>) as any
      assert.deepInclude(event.data.job, { id: job.id, status: "cancelled" })
      const { json: page } = yield* send("GET", `/v1/jobs/${job.id}/deliveries`, { key })
      assert.deepInclude(page.data[0], { status: "succeeded", event_id: event.id })
    }))
})
