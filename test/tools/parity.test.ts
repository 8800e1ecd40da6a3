import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { signIn } from "../support/SignIn.ts"
import * as Server from "../support/TestServer.ts"
import { type ToolCall, toolCalls } from "../support/ToolCalls.ts"
import { callTool } from "../support/ToolClient.ts"
import { type ToolScene, toolScene } from "../support/ToolScene.ts"

const { TestServer } = Server

const placeholder: ToolScene = {
  tenant_id: "ten_",
  key: "",
  succeeded: "s",
  queued: "q",
  cancelled: "c",
  failed: "f",
  schema: "sch",
  webhook: "w",
  slack: "k",
  upload: "u"
}
const titles = toolCalls(placeholder).map(({ args, tool }) =>
  `${tool} (${Object.keys(args).join(", ") || "no arguments"})`
)

const tokenOf = (key: string) =>
  Effect.flatMap(TestServer, ({ base_url }) => Effect.promise(async () => (await signIn(base_url, key)).access_token))

const both = Effect.fnUntraced(function*(token: string, key: string, { args, rest, shown, tool }: ToolCall) {
  const { send } = yield* TestServer
  const headers = { "x-request-id": "same" }
  const route = yield* send(rest.method, rest.path, { ...rest, key, headers: { ...headers, ...rest.headers } })
  const answer = yield* callTool(token, tool, args, headers)
  return {
    route: route.status < 400 && shown !== undefined ? JSON.stringify(shown(route.json)) : route.text,
    status: route.status,
    ...answer
  }
})

const ownFields = ({ json }: Server.Answer) => ({ ...json, id: "", created_at: "" })

const unknown = (prefix: string) => `${prefix}_01kaj3e5h8z9q0w1x2y3z4a5b6`

const source_uri = "https://example.com/a.mp4"

const submission = (args: Readonly<Record<string, unknown>>): ToolCall => ({
  tool: "extract",
  args,
  rest: { method: "POST", path: "/v1/jobs", json: args }
})

const registration = (args: Readonly<Record<string, unknown>>): ToolCall => ({
  tool: "create_schema",
  args,
  rest: { method: "POST", path: "/v1/schemas", json: args }
})

layer(Server.layer, { excludeTestServices: true })("a tool and its route", (it) => {
  titles.forEach((title, index) => {
    it.effect(`${title} answer the same, byte for byte`, () =>
      Effect.gen(function*() {
        const scene = yield* toolScene("parity")
        const call = toolCalls(scene)[index]!
        const { isError, route, status, structured, text } = yield* both(yield* tokenOf(scene.key), scene.key, call)
        assert.isBelow(status, 300, route)
        assert.isFalse(isError, text)
        assert.strictEqual(JSON.stringify(structured), text)
        if (call.creates === undefined) return assert.strictEqual(text, route)
        const masked = (json: string) => ({
          ...JSON.parse(json.replace(/whsec_[^"]+/u, "whsec_")),
          [call.creates!]: "new"
        })
        assert.deepStrictEqual(masked(text), masked(route))
      }))
  })

  it.effect("extract makes the job that the route makes", () =>
    Effect.gen(function*() {
      const { send } = yield* TestServer
      const scene = yield* toolScene("extract")
      const { args, rest } = toolCalls(scene)[0]!
      const { structured } = yield* callTool(yield* tokenOf(scene.key), "extract", args)
      const made = yield* send("POST", rest.path, { ...rest, key: scene.key })
      const read = (id: string) => send("GET", `/v1/jobs/${id}`, { key: scene.key })
      assert.deepStrictEqual(ownFields(yield* read(structured.job_id)), ownFields(yield* read(made.json.id)))
    }))

  // What these tests do fails, so they can share what they do it to.
  const asker = Effect.runSync(Effect.cached(Effect.gen(function*() {
    const own = yield* toolScene("asker")
    return { own, token: yield* tokenOf(own.key) }
  })))
  const owner = Effect.runSync(Effect.cached(toolScene("owner")))

  /** Tools by the id that they take, with the route that takes it too. */
  const takers: ReadonlyArray<{
    readonly name: string
    readonly prefix: "job" | "sch" | "dst" | "upl"
    readonly call: (id: string, own: ToolScene) => ToolCall
    readonly theirs: (other: ToolScene) => ReadonlyArray<string>
  }> = [
    ...["get_job", "cancel_job", "get_transcript", "get_frames", "get_vision", "get_graph", "get_evidence"].map((
      tool
    ) => ({
      name: tool,
      prefix: "job" as const,
      call: (id: string): ToolCall => {
        const path = `/v1/jobs/${encodeURIComponent(id)}`
        const rest = tool === "get_job"
          ? { method: "GET" as const, path }
          : tool === "cancel_job"
          ? { method: "POST" as const, path: `${path}/cancel` }
          : { method: "GET" as const, path: `${path}/${tool.slice(4)}` }
        return { tool, args: { job_id: id }, rest }
      },
      theirs: (other: ToolScene) => [other.succeeded, other.queued, other.cancelled, other.failed]
    })),
    {
      name: "deliver (job_id)",
      prefix: "job",
      call: (id, { webhook }) => ({
        tool: "deliver",
        args: { job_id: id, destination_id: webhook },
        rest: {
          method: "POST",
          path: `/v1/jobs/${encodeURIComponent(id)}/deliveries`,
          json: { destination_id: webhook }
        }
      }),
      theirs: (other) => [other.succeeded, other.queued]
    },
    {
      name: "deliver (destination_id)",
      prefix: "dst",
      call: (id, { succeeded }) => ({
        tool: "deliver",
        args: { job_id: succeeded, destination_id: id },
        rest: { method: "POST", path: `/v1/jobs/${succeeded}/deliveries`, json: { destination_id: id } }
      }),
      theirs: (other) => [other.webhook, other.slack]
    },
    {
      name: "get_schema",
      prefix: "sch",
      call: (id) => ({
        tool: "get_schema",
        args: { schema_id: id },
        rest: { method: "GET", path: `/v1/schemas/${encodeURIComponent(id)}` }
      }),
      theirs: (other) => [other.schema]
    },
    {
      name: "extract (schema_id)",
      prefix: "sch",
      call: (id) => {
        const args = { source_uri: "https://example.com/a.mp4", schema_id: id }
        return { tool: "extract", args, rest: { method: "POST", path: "/v1/jobs", json: args } }
      },
      theirs: (other) => [other.schema]
    },
    {
      name: "extract (upload:// in source_uri)",
      prefix: "upl",
      call: (id) => {
        const args = { source_uri: `upload://${id}` }
        return { tool: "extract", args, rest: { method: "POST", path: "/v1/jobs", json: args } }
      },
      theirs: (other) => [other.upload]
    }
  ]

  for (const { call, name, prefix, theirs } of takers) {
    it.effect(`${name} answers another tenant's id as it answers an unknown one, and as the route does`, () =>
      Effect.gen(function*() {
        const { own, token } = yield* asker
        const other = yield* owner
        const first = yield* both(token, own.key, call(unknown(prefix), own))
        assert.isTrue(first.isError)
        assert.strictEqual(first.text, first.route)
        assert.strictEqual(first.structured, undefined)
        // What cannot be part of an address is told apart from it, whoever asks.
        const malformed = prefix === "upl" ? [] : ["nonsense", `${prefix}_`, `${prefix}_1'--`, "🎬"]
        for (const id of [...theirs(other), ...malformed]) {
          const answer = yield* both(token, own.key, call(id, own))
          assert.deepStrictEqual({ ...answer }, { ...first }, id)
        }
      }))
  }

  it.effect("what is a parameter of the route is an argument of the tool: each names it as its caller sent it", () =>
    Effect.gen(function*() {
      const { own, token } = yield* asker
      const path = `/v1/jobs/${own.succeeded}/graph?view=wide`
      const answer = yield* both(token, own.key, {
        tool: "get_graph",
        args: { job_id: own.succeeded, view: "wide" },
        rest: { method: "GET", path }
      })
      const [tool, route] = [answer.text, answer.route].map((text) => JSON.parse(text).error)
      assert.isTrue(answer.isError)
      assert.deepStrictEqual([tool.code, route.code], ["INVALID_REQUEST", "INVALID_REQUEST"])
      assert.deepStrictEqual(tool.details, [{ path: "/view", message: "Expected compact or canonical" }])
      assert.deepStrictEqual(route.details, [{ path: "view", message: `Expected compact or canonical, was "wide"` }])
    }))

  const faults: Readonly<Record<string, { readonly code: string; readonly call: (own: ToolScene) => ToolCall }>> = {
    "a source that may not be fetched": {
      code: "SOURCE_BLOCKED",
      call: () => submission({ source_uri: "http://169.254.169.254/latest" })
    },
    "no source": { code: "INVALID_REQUEST", call: () => submission({}) },
    "a source that is no text": { code: "INVALID_REQUEST", call: () => submission({ source_uri: 5 }) },
    "an empty source": { code: "INVALID_REQUEST", call: () => submission({ source_uri: "" }) },
    "a misspelt field": { code: "INVALID_REQUEST", call: () => submission({ source_uri, schema: "sch_1" }) },
    "several wrong fields": {
      code: "INVALID_REQUEST",
      call: () => submission({ source_uri: 5, destination_ids: "dst_1", webhook_url: "ftp://x" })
    },
    "two schemas": {
      code: "INVALID_REQUEST",
      call: ({ schema }) => submission({ source_uri, schema_id: schema, schema_inline: { type: "object" } })
    },
    "an inline schema that is none": {
      code: "SCHEMA_INVALID",
      call: () => submission({ source_uri, schema_inline: { type: "nonsense" } })
    },
    "a destination that is not there": {
      code: "DESTINATION_NOT_FOUND",
      call: () => submission({ source_uri, destination_ids: [unknown("dst")] })
    },
    "a destination named twice": {
      code: "INVALID_REQUEST",
      call: ({ webhook }) => submission({ source_uri, destination_ids: [webhook, webhook] })
    },
    "a webhook that may not be reached": {
      code: "INVALID_REQUEST",
      call: () => submission({ source_uri, webhook_url: "http://127.0.0.1/hook" })
    },
    "a model stack that is not there": {
      code: "MODEL_STACK_UNKNOWN",
      call: () => ({
        tool: "extract",
        args: { source_uri, model_stack: "nonsense" },
        rest: {
          method: "POST",
          path: "/v1/jobs",
          json: { source_uri },
          headers: { "x-service-model-stack": "nonsense" }
        }
      })
    },
    "text that no database takes": {
      code: "INVALID_REQUEST",
      call: () => registration({ name: "a\0b", json_schema: { type: "object" } })
    },
    "a schema that no value fits": {
      code: "SCHEMA_INVALID",
      call: () => registration({ name: "x", json_schema: { type: "object", minProperties: 2, maxProperties: 1 } })
    },
    "a name that is too long": {
      code: "INVALID_REQUEST",
      call: () => registration({ name: "x".repeat(101), json_schema: { type: "object" } })
    },
    "no name and no schema": { code: "INVALID_REQUEST", call: () => registration({}) },
    "cancelling what has succeeded": {
      code: "JOB_ALREADY_TERMINAL",
      call: ({ succeeded }) => ({
        tool: "cancel_job",
        args: { job_id: succeeded },
        rest: { method: "POST", path: `/v1/jobs/${succeeded}/cancel` }
      })
    },
    "cancelling what has failed": {
      code: "JOB_ALREADY_TERMINAL",
      call: ({ failed }) => ({
        tool: "cancel_job",
        args: { job_id: failed },
        rest: { method: "POST", path: `/v1/jobs/${failed}/cancel` }
      })
    },
    "delivering what has not succeeded": {
      code: "JOB_NOT_SUCCEEDED",
      call: ({ queued, webhook }) => ({
        tool: "deliver",
        args: { job_id: queued, destination_id: webhook },
        rest: { method: "POST", path: `/v1/jobs/${queued}/deliveries`, json: { destination_id: webhook } }
      })
    },
    ...Object.fromEntries(
      ["transcript", "frames", "vision", "graph", "evidence"].flatMap((artifact) =>
        (["queued", "failed", "cancelled"] as const).map((state) => [
          `the ${artifact} of a ${state} job`,
          {
            code: "JOB_NOT_SUCCEEDED",
            call: (own: ToolScene): ToolCall => ({
              tool: `get_${artifact}`,
              args: { job_id: own[state] },
              rest: { method: "GET", path: `/v1/jobs/${own[state]}/${artifact}` }
            })
          }
        ])
      )
    )
  }

  for (const [title, { call, code }] of Object.entries(faults)) {
    it.effect(`${title} is ${code} in the same envelope`, () =>
      Effect.gen(function*() {
        const { own, token } = yield* asker
        const { isError, route, structured, text } = yield* both(token, own.key, call(own))
        assert.isTrue(isError)
        assert.strictEqual(text, route)
        assert.strictEqual(JSON.parse(text).error.code, code)
        assert.strictEqual(structured, undefined)
      }))
  }

  it.effect("a tenant at its limit of jobs is CONCURRENT_JOBS_LIMIT in the same envelope", () =>
    Effect.gen(function*() {
      const { send, tenant } = yield* TestServer
      const { key } = yield* tenant("full", { max_active: 1 })
      yield* send("POST", "/v1/jobs", { key, json: { source_uri } })
      const { isError, route, text } = yield* both(yield* tokenOf(key), key, submission({ source_uri }))
      assert.isTrue(isError)
      assert.strictEqual(text, route)
      assert.strictEqual(JSON.parse(text).error.code, "CONCURRENT_JOBS_LIMIT")
    }))

  it.effect("a defect is INTERNAL in the same envelope, and shows nothing of itself", () =>
    Effect.gen(function*() {
      const { sql } = yield* TestServer
      const own = yield* toolScene("broken")
      // Bytes as they were written, and yet no description of frames.
      yield* sql(`UPDATE footnote.artifacts SET (key, sha256) = (SELECT key, sha256 FROM footnote.artifacts
        WHERE job_id = '${own.succeeded}' AND kind = 'transcript') WHERE job_id = '${own.succeeded}' AND kind = 'vision'`)
      const call = toolCalls(own).find(({ tool }) => tool === "get_vision")!
      const { isError, route, text } = yield* both(yield* tokenOf(own.key), own.key, call)
      assert.isTrue(isError)
      assert.strictEqual(text, route)
      assert.strictEqual(JSON.parse(text).error.code, "INTERNAL")
      assert.notInclude(text, "Missing key")
    }))
})
