import { NodeServices } from "@effect/platform-node"
import { PgClient } from "@effect/sql-pg"
import { assert, describe, it } from "@effect/vitest"
import { Context, Effect, Layer, Redacted, Schedule } from "effect"
import { generateKeyPairSync, randomBytes } from "node:crypto"
import { readFileSync } from "node:fs"
import { createServer, type IncomingMessage } from "node:http"
import type { AddressInfo } from "node:net"
import { assertNowhere, dump, filesBelow, formsOf } from "../support/AtRest.ts"
import { deployment } from "../support/Deployment.ts"

const refusal = (request: IncomingMessage, body: string) =>
  JSON.stringify({ ok: false, error: "invalid_auth", message: [request.url, request.headers, body] })

/** A receiver that refuses everything and says all that it was sent back to the sender, as some do. */
const echo = Effect.gen(function*() {
  const heard: Array<string> = []
  const server = createServer((request, response) => {
    const chunks: Array<Buffer> = []
    request.on("data", (chunk) => chunks.push(chunk))
    request.on("end", () => {
      const body = Buffer.concat(chunks).toString()
      heard.push(`${request.url} ${JSON.stringify(request.headers)} ${body}`)
      response.writeHead(401, { "content-type": "application/json" }).end(refusal(request, body))
    })
  })
  yield* Effect.acquireRelease(
    Effect.callback<void>((resume) => void server.listen(0, "127.0.0.1", () => resume(Effect.void))),
    () =>
      Effect.callback<void>((resume) => {
        server.close(() => resume(Effect.void))
        server.closeAllConnections()
      })
  )
  return { base_url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, heard }
})

const ask = async (url: string, key: string, method: string, body: unknown): Promise<string> => {
  const headers = { authorization: `Bearer ${key}`, "content-type": "application/json" }
  const response = await fetch(url, { method, headers, ...(body === undefined ? {} : { body: JSON.stringify(body) }) })
  return response.text()
}

const canary = () => `canary${randomBytes(12).toString("hex")}`
const makeKey = () =>
  generateKeyPairSync("rsa", { modulusLength: 2048 }).privateKey.export({ type: "pkcs8", format: "pem" }) as string

/** One config of each kind, and what of it is secret. */
const makeConfigs = (base_url: string) => {
  const [token, header, bot, incoming, notion] = [canary(), canary(), canary(), canary(), canary()] as const
  const [sheets, snowflake] = [makeKey(), makeKey()]
  const configs = [
    ["webhook", { url: `${base_url}/hook?token=${token}`, headers: { "x-key": header } }],
    ["slack", { bot_token: `xoxb-${bot}`, channel: "C0123456789" }],
    ["slack", { webhook_url: `https://hooks.slack.com/services/T1/B1/${incoming}` }],
    ["notion", { token: `ntn_${notion}`, data_source_id: "0191d9a4-6f0c-7cc3-9d1f-0a4b6f6f3b52" }],
    ["sheets", {
      client_email: "writer@project.iam.gserviceaccount.com",
      private_key: sheets,
      spreadsheet_id: "1BxiMVs0XRA5nFMdKvBdBZjgmUUqptlbs74OgvE2upms",
      sheet: "Results"
    }],
    ["snowflake", {
      account: "myorg-account",
      user: "FOOTNOTE",
      private_key: snowflake,
      warehouse: "WH",
      database: "DB",
      schema: "PUBLIC",
      table: "RESULTS"
    }]
  ] as const
  return {
    configs,
    /** Those that go over the wire, by which the receiver proves that they were used. */
    sent: [token, header, bot, incoming, notion],
    secrets: [
      token,
      header,
      bot,
      incoming,
      notion,
      ...[sheets, snowflake].flatMap((pem) => pem.split("\n").slice(2, 5))
    ]
  }
}

describe("what a tenant entrusts to a destination", () => {
  it.live(
    "is in no log, no answer, no attempt and nowhere at rest, whatever a receiver says back",
    () =>
      Effect.gen(function*() {
        const { base_url: elsewhere, heard } = yield* echo
        const vendors = ["SLACK", "SLACK_HOOKS", "NOTION", "SHEETS", "GOOGLE_TOKEN", "SNOWFLAKE"]
        const { api_key, base_url, database_url, folder } = yield* deployment({
          worker_groups: [["delivery"]],
          env: {
            LOG_LEVEL: "Debug",
            SOURCE_ALLOW_PRIVATE: "127.0.0.0/8",
            ...Object.fromEntries(vendors.map((name) => [`FOOTNOTE_${name}_BASE_URL`, elsewhere]))
          }
        })
        const answers: Array<string> = []
        const call = Effect.fn("call")(function*(method: string, path: string, body?: unknown) {
          const text = yield* Effect.promise(() => ask(`${base_url}/v1${path}`, api_key, method, body))
          const json = JSON.parse(text)
          const { signing_secret, ...shown } = json
          answers.push(JSON.stringify(shown))
          return { ...json, signing_secret }
        })

        const before = makeConfigs(elsewhere)
        const { configs, secrets, sent } = makeConfigs(elsewhere)
        const signing: Array<string> = []
        const ids: Array<string> = []
        for (const [at, [type, config]] of configs.entries()) {
          const made = yield* call("POST", "/destinations", { name: `d${at}`, type, config: before.configs[at]![1] })
          ids.push(made.id)
          if (type === "webhook") {
            signing.push(made.signing_secret)
            signing.push(
              (yield* call("POST", `/destinations/${made.id}/rotate-signing-secret`, { keep_old_for_seconds: 60 }))
                .signing_secret
            )
          }
          yield* call("PATCH", `/destinations/${made.id}`, { config })
          yield* call("POST", `/destinations/${made.id}/test`)
          // Secrets in the wrong places: under another type, as a name of a field, as the whole config.
          for (const wrong of ["webhook", "slack", "notion", "sheets", "snowflake"].filter((other) => other !== type)) {
            yield* call("POST", "/destinations", { name: "wrong", type: wrong, config })
          }
          yield* call("PATCH", `/destinations/${made.id}`, {
            config: { ...config, url: { deep: secrets }, headers: secrets }
          })
          // A final answer has broken it; its owner says that it is well.
          yield* call("PATCH", `/destinations/${made.id}`, { status: "active" })
        }

        const job = yield* call("POST", "/jobs", {
          source_uri: "https://example.com/a.mp4",
          webhook_url: `${elsewhere}/job`
        })
        const database = Context.get(
          yield* Layer.build(PgClient.layer({ url: Redacted.make(database_url), maxConnections: 1 })),
          PgClient.PgClient
        )
        yield* database`UPDATE footnote.jobs SET status = 'succeeded', admitted_at = now(), started_at = now(),
        finished_at = now() WHERE id = ${job.id}`
        for (const id of ids) yield* call("POST", `/jobs/${job.id}/deliveries`, { destination_id: id })
        // The log of attempts is what the worker has written last.
        const allAttempted = Effect.map(
          call("GET", "/deliveries"),
          ({ data }) =>
            data.every(({ attempts }: { attempts: ReadonlyArray<unknown> }) => attempts.length > 0) as boolean
        )
        yield* Effect.repeat(allAttempted, { schedule: Schedule.spaced("100 millis"), until: (all) => all })
        for (const id of ids) yield* call("GET", `/destinations/${id}`)

        const everything = heard.join("\n")
        for (const secret of sent) assert.isTrue(everything.includes(secret), "every secret was used")
        const plain = [...secrets, ...before.secrets, ...signing.map((secret) => secret.slice("whsec_".length))]
        const text = yield* Effect.provideService(dump, PgClient.PgClient, database)
        assert.include(text, ids[0]!)
        const everyForm = plain.flatMap(formsOf)
        assertNowhere(everyForm, "an answer", Buffer.from(answers.join("\n")))
        assertNowhere(everyForm, "the log", readFileSync(`${folder}/service.log`))
        assertNowhere(everyForm, "the database", Buffer.from(text))
        yield* database`CHECKPOINT`
        let found = false
        for (const file of filesBelow(folder)) {
          const content = readFileSync(file)
          assertNowhere(plain, file, content)
          found ||= content.includes(ids[0]!)
        }
        assert.isTrue(found, "the files are those of the database")
      }).pipe(Effect.scoped, Effect.provide(NodeServices.layer)),
    180_000
  )
})
