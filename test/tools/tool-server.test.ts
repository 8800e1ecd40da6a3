import { assert, layer } from "@effect/vitest"
import { Ajv2020 } from "ajv/dist/2020.js"
import { Effect } from "effect"
import { signIn } from "../support/SignIn.ts"
import * as Server from "../support/TestServer.ts"
import { toolCalls } from "../support/ToolCalls.ts"
import { callTool, request } from "../support/ToolClient.ts"
import { signedInScene } from "../support/ToolScene.ts"

const { TestServer } = Server

/** The inputs of interface.md, 4.4: `!` marks a required one. */
const inputs: Readonly<Record<string, ReadonlyArray<string>>> = {
  extract: ["source_uri!", "schema_id", "schema_inline", "destination_ids", "webhook_url", "model_stack"],
  get_job: ["job_id!"],
  cancel_job: ["job_id!"],
  get_transcript: ["job_id!"],
  get_frames: ["job_id!", "include_raw"],
  get_vision: ["job_id!"],
  get_graph: ["job_id!", "view"],
  get_evidence: ["job_id!"],
  create_schema: ["name!", "json_schema!", "description"],
  get_schema: ["schema_id!"],
  list_schemas: [],
  list_jobs: ["status"],
  list_destinations: [],
  deliver: ["job_id!", "destination_id!"]
}

/** What the tools take beside these, all of it optional. */
const added: Readonly<Record<string, ReadonlyArray<string>>> = {
  extract: ["precision", "instructions"],
  get_job: ["wait_seconds", "reviewed"],
  get_evidence: ["reviewed", "pointer"],
  deliver: ["reviewed"],
  get_transcript: ["from", "to", "max_tokens", "words", "format"],
  get_frames: ["from", "to", "max_tokens"],
  get_vision: ["from", "to", "max_tokens"],
  get_graph: ["from", "to", "max_tokens"],
  list_jobs: ["limit", "cursor", "brief"],
  list_schemas: ["limit", "cursor"],
  list_destinations: ["limit", "cursor"]
}

/** [read-only, destructive, idempotent, open world] of the tools that are not mere looks. */
const deeds: Readonly<Record<string, readonly [boolean, boolean, boolean, boolean]>> = {
  extract: [false, false, false, true],
  cancel_job: [false, true, true, false],
  create_schema: [false, false, false, false],
  deliver: [false, false, false, true]
}

interface Listed {
  readonly name: string
  readonly title: string
  readonly description: string
  readonly inputSchema: any
  readonly outputSchema: any
  readonly annotations: any
  readonly _meta?: any
}

const listed = (token: string) =>
  Effect.map(request(token, "tools/list"), ({ json }) => json.result.tools as ReadonlyArray<Listed>)

const callOf = (args: unknown) =>
  JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/call", params: { name: "get_job", arguments: args } })

layer(Server.layer, { excludeTestServices: true })("the tool server", (it) => {
  const arrange = signedInScene("tools")

  it.effect("has the 14 tools by their names and inputs, and no other", () =>
    Effect.gen(function*() {
      const tools = yield* listed((yield* arrange).token)
      const named = tools.map(({ inputSchema, name }) => [
        name,
        Object.keys(inputSchema.properties).map((input) =>
          (inputSchema.required ?? []).includes(input) ? `${input}!` : input
        ).toSorted()
      ])
      const expected = Object.entries(inputs).map((
        [name, fields]
      ) => [name, [...fields, ...(added[name] ?? [])].toSorted()])
      assert.deepStrictEqual(Object.fromEntries(named), Object.fromEntries(expected))
      for (const { inputSchema, name } of tools) {
        assert.strictEqual(inputSchema.type, "object", name)
        assert.strictEqual(inputSchema.additionalProperties, false, name)
      }
    }))

  it.effect("describes every tool and every input, and claims no harmlessness that is not there", () =>
    Effect.gen(function*() {
      for (const { annotations, description, inputSchema, name, title } of yield* listed((yield* arrange).token)) {
        assert.isAbove(description.length, 40, name)
        assert.isAbove(title.length, 5, name)
        for (const [input, schema] of Object.entries<any>(inputSchema.properties ?? {})) {
          assert.isString(schema.description, `${name}.${input}: ${JSON.stringify(schema)}`)
        }
        const [readOnlyHint, destructiveHint, idempotentHint, openWorldHint] = deeds[name] ?? [true, false, true, false]
        assert.deepInclude(annotations, { readOnlyHint, destructiveHint, idempotentHint, openWorldHint }, name)
      }
    }))

  it.effect("says all that there is to say of tools and inputs, and of outputs the outline, in less than 25 kB", () =>
    Effect.gen(function*() {
      const tools = yield* listed((yield* arrange).token)
      // 58,083 with the whole schema of every answer.
      assert.isBelow(Buffer.byteLength(JSON.stringify(tools)), 25_000)
      for (const { description, name, outputSchema } of tools) {
        assert.strictEqual(outputSchema.type, "object", name)
        assert.isNotEmpty(outputSchema.properties, name)
        // Claude Code cuts a longer one (code.claude.com/docs/en/mcp).
        assert.isBelow(description.length, 2048, name)
      }
      const get_job = tools.find(({ name }) => name === "get_job")
      assert.deepStrictEqual(get_job!.outputSchema.properties.status.enum, [
        "queued",
        "running",
        "succeeded",
        "failed",
        "cancelled"
      ])
      assert.isString(get_job!.outputSchema.properties.result.description)
      const extract = tools.find(({ name }) => name === "extract")
      assert.include(extract!.inputSchema.properties.webhook_url.description, "signed by Standard Webhooks")
    }))

  it.effect("says of the tools whose answers grow with the video that up to 25,000 tokens of them may be shown", () =>
    Effect.gen(function*() {
      const tools = yield* listed((yield* arrange).token)
      const whole = tools.filter(({ _meta }) => _meta?.["anthropic/maxResultSizeChars"] === 100_000)
      assert.deepStrictEqual(whole.map(({ name }) => name), [
        "get_job",
        "get_transcript",
        "get_frames",
        "get_vision",
        "get_graph",
        "get_evidence"
      ])
    }))

  it.effect("answers what its output schemas say, with the same in compact JSON as text", () =>
    Effect.gen(function*() {
      const { scene, token } = yield* arrange
      const ajv = new Ajv2020({ strict: false, validateFormats: false })
      const schemas = new Map((yield* listed(token)).map((tool) => [tool.name, tool.outputSchema]))
      for (const { args, tool } of toolCalls(scene)) {
        const { structured, text } = yield* callTool(token, tool, args)
        const validate = ajv.compile(schemas.get(tool))
        assert.isTrue(validate(structured), `${tool}: ${JSON.stringify(validate.errors)}`)
        assert.strictEqual(text, JSON.stringify(structured), tool)
      }
    }))

  it.effect("gives a result of megabytes in full", () =>
    Effect.gen(function*() {
      const { send, succeed } = yield* TestServer
      const { scene, token } = yield* arrange
      const { id } =
        (yield* send("POST", "/v1/jobs", { key: scene.key, json: { source_uri: "https://example.com/a.mp4" } }))
          .json
      const word = { t_start: 1, t_end: 2, text: "word — ünïcödé", confidence: 0.5 }
      const segments = Array.from({ length: 2000 }, (_, index) => ({
        id: `seg#${String(index + 1).padStart(6, "0")}`,
        origin: "asr",
        t_start: index,
        t_end: index + 1,
        speaker: null,
        text: "word ".repeat(20),
        confidence: 0.5,
        words: Array.from({ length: 20 }, () => word)
      }))
      const transcript = {
        language: "en",
        duration_seconds: 2000,
        text: "word ".repeat(40_000),
        speakers: [],
        segments,
        turns: [],
        audio_branch: "present",
        model: null
      }
      yield* succeed(id, { transcript })
      const { text } = yield* callTool(token, "get_transcript", { job_id: id })
      assert.isAbove(text.length, 3_000_000)
      assert.strictEqual(text, JSON.stringify({ job_id: id, ...transcript }))
    }))

  for (
    const [name, insert] of [
      [
        "list_schemas",
        (tenant_id: string) =>
          `INSERT INTO footnote.schemas (id, tenant_id, name, json_schema)
          SELECT 'sch_' || lpad(n::text, 26, '0'), '${tenant_id}', 's' || n, '{}' FROM generate_series(1, 250) n`
      ],
      [
        "list_destinations",
        (tenant_id: string) =>
          `INSERT INTO footnote.destinations (id, tenant_id, name, type, config)
          SELECT 'dst_' || lpad(n::text, 26, '0'), '${tenant_id}', 'd' || n, 'slack', '' FROM generate_series(1, 250) n`
      ]
    ] as const
  ) {
    it.effect(`${name} gives all of them, or with a limit a page at a time, and all of them by its cursors`, () =>
      Effect.gen(function*() {
        const { sql } = yield* TestServer
        const { scene, token } = yield* arrange
        yield* sql(insert(scene.tenant_id))
        const seen: Array<string> = []
        let cursor: string | null | undefined
        for (let pages = 1; cursor !== null; pages++) {
          const { structured, text } = yield* callTool(token, name, {
            limit: 50,
            ...(cursor === undefined ? {} : { cursor })
          })
          assert.isAtMost(structured.data.length, 50)
          assert.isBelow(text.length, 20_000)
          assert.isAtMost(pages, 7)
          seen.push(...structured.data.map(({ id }: { id: string }) => id))
          cursor = structured.next_cursor
        }
        assert.strictEqual(new Set(seen).size, seen.length)
        assert.lengthOf(seen.filter((id) => /^.{4}0{20}/u.test(id)), 250)
        const all = yield* callTool(token, name, {})
        assert.deepStrictEqual(all.structured.data.map(({ id }: { id: string }) => id), seen)
        assert.isNull(all.structured.next_cursor)
        const { structured } = yield* callTool(token, name, { limit: 1 })
        assert.deepStrictEqual(structured.data.map(({ id }: { id: string }) => id), seen.slice(0, 1))
      }))
  }

  it.effect("delivers to webhooks only, and never shows a config", () =>
    Effect.gen(function*() {
      const { scene, token } = yield* arrange
      const refused = yield* callTool(token, "deliver", { job_id: scene.succeeded, destination_id: scene.slack })
      assert.strictEqual(JSON.parse(refused.text).error.code, "DESTINATION_TYPE_UNSUPPORTED")
      const { structured, text } = yield* callTool(token, "list_destinations", {})
      assert.notInclude(text, "hooks.slack.com")
      for (const destination of structured.data) {
        assert.deepStrictEqual(Object.keys(destination), ["id", "name", "type", "status"])
      }
    }))

  it.effect("takes no argument of a wrong type, and none that it does not have", () =>
    Effect.gen(function*() {
      const { token } = yield* arrange
      for (const [name, fields] of Object.entries(inputs)) {
        const wrong = Object.fromEntries(
          [...fields, ...(added[name] ?? [])].map((field) => [field.replace("!", ""), null])
        )
        const { isError, text } = yield* callTool(token, name, { ...wrong, nonsense: 1 })
        assert.isTrue(isError, name)
        const { code, details } = JSON.parse(text).error
        assert.strictEqual(code, "INVALID_REQUEST", name)
        const paths = details.map(({ path }: { path: string }) => path)
        assert.sameMembers(paths, [...Object.keys(wrong), "nonsense"].map((field) => `/${field}`), `${name}: ${text}`)
      }
    }))

  it.effect("arguments of null are none", () =>
    Effect.gen(function*() {
      const { token } = yield* arrange
      assert.isFalse((yield* callTool(token, "list_jobs", null)).isError)
      const { isError, text } = yield* callTool(token, "get_job", null)
      assert.isTrue(isError)
      assert.deepStrictEqual(JSON.parse(text).error.details.map(({ path }: { path: string }) => path), ["/job_id"])
    }))

  it.effect("a tool that is not there is an error of the protocol", () =>
    Effect.gen(function*() {
      const { json } = yield* request((yield* arrange).token, "tools/call", { name: "rm", arguments: {} })
      assert.strictEqual(json.error.code, -32602)
      assert.containsAllKeys(json.error, ["code", "message"])
      assert.notProperty(json.error, "_tag")
    }))

  it.effect("a tenant over its limit of requests is 429 with when to come again", () =>
    Effect.gen(function*() {
      const { sql } = yield* TestServer
      const { scene } = yield* arrange
      yield* sql(`UPDATE footnote.tenants SET reads_per_minute = 3 WHERE id = '${scene.tenant_id}'`)
      const server = yield* Server.replica()
      const own = yield* Effect.promise(async () => (await signIn(server.base_url, scene.key)).access_token)
      const statuses = []
      for (let call = 0; call < 5; call++) {
        const answer = yield* Effect.provideService(request(own, "tools/list"), TestServer, server)
        statuses.push(answer.status)
        if (answer.status === 429) assert.isAbove(Number(answer.headers["retry-after"]), 0)
      }
      assert.strictEqual(statuses[0], 200)
      assert.strictEqual(statuses.at(-1), 429)
    }))

  it.effect("what changes something counts as what changes something in the REST API", () =>
    Effect.gen(function*() {
      const { sql } = yield* TestServer
      const { scene } = yield* arrange
      yield* sql(`UPDATE footnote.tenants SET writes_per_minute = 2 WHERE id = '${scene.tenant_id}'`)
      const server = yield* Server.replica()
      const token = yield* Effect.promise(async () => (await signIn(server.base_url, scene.key)).access_token)
      const args = { source_uri: "https://example.com/a.mp4" }
      const call = (name: string, args: object) =>
        Effect.provideService(callTool(token, name, args), TestServer, server)
      const codes = []
      for (let attempt = 0; attempt < 4; attempt++) {
        const { isError, text } = yield* call("extract", args)
        codes.push(isError ? JSON.parse(text).error.code : "ok")
      }
      assert.strictEqual(codes[0], "ok")
      assert.strictEqual(codes.at(-1), "RATE_LIMITED")
      // The route has nothing left either, and looking is still allowed.
      assert.strictEqual((yield* server.send("POST", "/v1/jobs", { key: scene.key, json: args })).status, 429)
      assert.isFalse((yield* call("list_jobs", {})).isError)
    }))

  it.effect("calls are counted by tool and outcome", () =>
    Effect.gen(function*() {
      const { send } = yield* TestServer
      const { token } = yield* arrange
      yield* callTool(token, "get_vision", { job_id: "job_0" })
      yield* callTool(token, "list_schemas", {})
      const { text } = yield* send("GET", "/metrics")
      assert.match(text, /^footnote_tool_calls_total\{[^}]*outcome="JOB_NOT_FOUND"[^}]*\} \d+$/mu)
      assert.match(text, /^footnote_tool_calls_total\{[^}]*tool="list_schemas"[^}]*\} \d+$/mu)
    }))

  it.effect("nothing that is sent is a server error", () =>
    Effect.gen(function*() {
      const { send } = yield* TestServer
      const { token } = yield* arrange
      const bodies = [
        "",
        "nonsense",
        "null",
        "5",
        "[]",
        "{}",
        "[{}]",
        "[".repeat(50_000),
        `{"jsonrpc":"2.0","id":1,"method":"tools/call"}`,
        `{"jsonrpc":"2.0","id":null,"method":"tools/list"}`,
        `{"jsonrpc":"2.0","id":{},"method":"tools/list"}`,
        `{"jsonrpc":"1.0","id":1,"method":"tools/list"}`,
        `{"jsonrpc":"2.0","id":1,"method":5}`,
        `{"jsonrpc":"2.0","id":1,"result":{}}`,
        `{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1}}`,
        callOf(null),
        callOf([]),
        callOf("x"),
        callOf({ job_id: "\0" }),
        callOf({ job_id: "\ud800" }),
        callOf({ job_id: { a: ["[".repeat(1000)] } }),
        callOf(JSON.parse("[".repeat(500) + "]".repeat(500))),
        callOf(JSON.parse(`{"__proto__":{"job_id":"x"},"constructor":1}`))
      ]
      for (const body of [...bodies, new Uint8Array([0xff, 0xfe, 0])]) {
        for (const version of ["2026-07-28", "2025-11-25", undefined]) {
          const { status, text } = yield* send("POST", "/mcp", {
            key: token,
            body,
            headers: {
              accept: "application/json, text/event-stream",
              ...(version === undefined ? {} : { "mcp-protocol-version": version, "mcp-method": "tools/call" })
            }
          })
          assert.isBelow(status, 500, `${String(body).slice(0, 100)}: ${text}`)
          // An error has the members of JSON-RPC and none of the framework's.
          assert.notInclude(text, `"_tag"`, String(body).slice(0, 100))
          if (body === "nonsense") assert.strictEqual(status, 400, text)
        }
      }
      for (const method of ["GET", "PUT", "PATCH", "DELETE", "OPTIONS", "HEAD"] as const) {
        assert.isBelow((yield* send(method, "/mcp", { key: token })).status, 500, method)
      }
    }))
})
